/**
 * The {@code ids} actuator endpoint, and the health indicators of the generators and of
 * the {@linkplain dev.idspring.autoconfigure.actuate.WatchedColumns watched columns}.
 */
@NullMarked
package dev.idspring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
