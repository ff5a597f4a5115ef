package dev.idspring.sample.shipment;

import java.time.Instant;

/**
 * A parcel.
 *
 * @param number what stands on the parcel: node, date and time, sequence
 * @param packed when it was packed, which is what the number says
 * @param order the id of the order
 */
record Shipment(String number, Instant packed, String order) {

}
