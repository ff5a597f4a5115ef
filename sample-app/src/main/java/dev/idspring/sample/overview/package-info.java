/**
 * The back end of the demonstration page at {@code /}. It draws ids for demonstration and
 * records the latest ids of all generators. It also sends the data of the actuator
 * endpoint to the page every second.
 */
@NullMarked
package dev.idspring.sample.overview;

import org.jspecify.annotations.NullMarked;
