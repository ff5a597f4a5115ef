/**
 * The one place that reads the clock.
 */
@NullMarked
package dev.idspring.clock;

import org.jspecify.annotations.NullMarked;
