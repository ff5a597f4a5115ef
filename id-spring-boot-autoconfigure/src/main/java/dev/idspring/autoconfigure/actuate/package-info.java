/**
 * The {@code ids} actuator endpoint, and the health indicators of the generators and of
 * the key columns that the starter watches.
 */
@NullMarked
package dev.idspring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
