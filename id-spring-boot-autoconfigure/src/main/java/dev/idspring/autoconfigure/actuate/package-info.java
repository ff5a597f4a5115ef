/**
 * The {@code ids} actuator endpoint and the health indicators of the generators and of
 * the watched columns.
 */
@NullMarked
package dev.idspring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
