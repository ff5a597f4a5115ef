/**
 * Shipments of orders: parcels carry a number in which people can read when they were
 * packed, made by a composite generator.
 */
@NullMarked
package dev.idspring.sample.shipment;

import org.jspecify.annotations.NullMarked;
