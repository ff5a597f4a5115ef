package dev.idspring.monitor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The clock that ids carry.
 *
 * @param trusted whether ids are made by it: it agrees with the clock of the store, and
 * has not jumped since
 * @param ahead how far the last id is ahead of the wall clock, zero if it is behind
 * @param skew how far the wall clock was ahead of that of the store when they were last
 * compared, negative if it was behind, {@code null} if there is no store
 * @param jumps how often the wall clock was seen to jump by a second or more
 * @param waits how often a caller had to wait
 * @since 0.1.0
 */
public record ClockSnapshot(boolean trusted, Duration ahead, @Nullable Duration skew, long jumps, long waits) {

}
