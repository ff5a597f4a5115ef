/**
 * Shipments of orders. A {@code composite} generator issues the numbers of parcels, which
 * contain the time of packing in readable form.
 */
@NullMarked
package dev.idspring.sample.shipment;

import org.jspecify.annotations.NullMarked;
