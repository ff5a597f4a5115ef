/**
 * Meters of the generators.
 */
@NullMarked
package dev.idspring.metrics;

import org.jspecify.annotations.NullMarked;
