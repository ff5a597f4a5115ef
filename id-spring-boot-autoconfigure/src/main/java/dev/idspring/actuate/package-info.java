/**
 * The {@code ids} actuator endpoint.
 */
@NullMarked
package dev.idspring.actuate;

import org.jspecify.annotations.NullMarked;
