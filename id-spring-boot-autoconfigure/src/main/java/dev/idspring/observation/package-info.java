/**
 * Observations of reservations, from which timers and spans are made.
 */
@NullMarked
package dev.idspring.observation;

import org.jspecify.annotations.NullMarked;
