package dev.idspring.monitor;

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

	/**
	 * Return how many keys are not reserved yet.
	 * @return zero or more
	 */
	public long remaining() {
		return Math.max(0, this.capacity - this.reserved);
	}

}
