/**
 * Shipments of orders. The numbers of parcels come from a {@code composite} generator and
 * contain the time of packing in readable form.
 */
@NullMarked
package dev.idspring.sample.shipment;

import org.jspecify.annotations.NullMarked;
