package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How much of a key space is used, by all instances together.
 *
 * @param name the name of the key space in its store
 * @param capacity how many keys there are
 * @param reserved how many of them are reserved
 * @param idsPerSecond how fast they are being reserved, or {@code null} if it is too
 * early to tell
 * @param exhaustedAt when all keys will be reserved at that rate, or {@code null} if that
 * cannot be told or is beyond the year 9999
 * @since 0.1.0
 */
public record KeySpaceSnapshot(String name, long capacity, long reserved, @Nullable Double idsPerSecond,
		@Nullable Instant exhaustedAt) {

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	/**
	 * Take a snapshot, and project when the key space ends.
	 * @param name the name of the key space in its store
	 * @param capacity how many keys there are
	 * @param reserved how many of them are reserved
	 * @param idsPerSecond how fast they are being reserved, or {@code null} if it is too
	 * early to tell
	 * @param now the current instant
	 * @return the snapshot
	 */
	public static KeySpaceSnapshot project(String name, long capacity, long reserved, @Nullable Double idsPerSecond,
			Instant now) {
		return new KeySpaceSnapshot(name, capacity, reserved, idsPerSecond,
				exhaustedAt(capacity - reserved, idsPerSecond, now));
	}

	private static @Nullable Instant exhaustedAt(long remaining, @Nullable Double idsPerSecond, Instant now) {
		if (idsPerSecond == null || idsPerSecond <= 0) {
			return null;
		}
		double seconds = remaining / idsPerSecond;
		return (seconds < Duration.between(now, LAST).toSeconds()) ? now.plusSeconds((long) seconds) : null;
	}

	/**
	 * Return how many keys are not reserved yet.
	 * @return zero or more
	 */
	public long remaining() {
		return Math.max(0, this.capacity - this.reserved);
	}

}
