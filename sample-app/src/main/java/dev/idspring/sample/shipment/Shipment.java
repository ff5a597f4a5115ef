package dev.idspring.sample.shipment;

import java.time.Instant;

/**
 * A shipment of a single parcel.
 *
 * @param number the number on the parcel, which consists of node, date, time and sequence
 * @param packed the time of packing, which is part of the number
 * @param order the id of the order
 */
record Shipment(String number, Instant packed, String order) {

}
