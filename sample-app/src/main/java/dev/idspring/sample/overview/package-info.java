/**
 * The back end of the demonstration page at {@code /}. It draws ids for demonstration and
 * remembers the latest ones. It also sends the data of the actuator endpoint to the page
 * every second.
 */
@NullMarked
package dev.idspring.sample.overview;

import org.jspecify.annotations.NullMarked;
