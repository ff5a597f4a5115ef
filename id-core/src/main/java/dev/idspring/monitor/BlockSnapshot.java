package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The blocks of one instance.
 *
 * @param size how many ids the next reservation asks for, unless little is left of the
 * key space or callers wait for more
 * @param remaining how many ids are unused in the current block, with those that threads
 * have taken in advance: for each thread that is taking ids at the moment this may be
 * wrong by as many as it had taken
 * @param owned how many of these only those threads can use that have taken them in
 * advance; they may be many when blocks were larger before
 * @param ahead how many ids are reserved beyond the current block
 * @param held how many ids the current block and those beyond it had when they were
 * reserved, zero if there are none
 * @param reservations how many reservations succeeded
 * @param exhaustions how often a caller found no id in memory and had to wait
 * @param waited how long all callers together have waited
 * @param failures how many attempts to reserve failed
 * @param lastReservedAt when the last reservation succeeded, or {@code null}
 * @param lastReservationTook how long that took, or {@code null}
 * @param lastError what went wrong the last time the store was asked, or {@code null} if
 * it answered
 * @since 0.1.0
 */
public record BlockSnapshot(long size, long remaining, long owned, long ahead, long held, long reservations,
		long exhaustions, Duration waited, long failures, @Nullable Instant lastReservedAt,
		@Nullable Duration lastReservationTook, @Nullable String lastError) {

}
