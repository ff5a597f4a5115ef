/**
 * Meters of the generators, and observations of reservations.
 */
@NullMarked
package dev.idspring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
