/**
 * The {@code ids} actuator endpoint and the health indicators of the generators.
 */
@NullMarked
package dev.idspring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
