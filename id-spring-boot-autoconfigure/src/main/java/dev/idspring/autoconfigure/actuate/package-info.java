/**
 * The {@code ids} actuator endpoint, and the health of the generators.
 */
@NullMarked
package dev.idspring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
