package dev.idspring.monitor;

import java.math.BigInteger;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How much of a key space is used, by all instances together. Of a key space of times
 * what has passed counts as reserved, whether or not ids were made.
 *
 * @param name the name of the key space in its store
 * @param capacity how many keys there are
 * @param reserved how many of them are reserved
 * @param idsPerSecond how fast they are being reserved, or {@code null} if it is too
 * early to tell; of a key space of times how fast ids are made
 * @param exhaustedAt when all keys will be reserved at that rate, or {@code null} if that
 * cannot be told yet or is beyond the year 9999; of a key space of times the last instant
 * @param soonestEnd the same at the rate of the last week, if that is sooner
 * @param timeLeft what is left of a key space of times, else {@code null}
 * @since 0.1.0
 */
public record KeySpaceSnapshot(String name, BigInteger capacity, BigInteger reserved, @Nullable Double idsPerSecond,
		@Nullable Instant exhaustedAt, @Nullable Instant soonestEnd, @Nullable TimeLeft timeLeft) {

	/**
	 * Take a snapshot, and project when the key space ends.
	 * @param name the name of the key space in its store
	 * @param capacity how many keys there are
	 * @param reserved how many of them are reserved
	 * @param rate how fast they are being reserved, or {@code null} if it is too early to
	 * tell
	 * @param now the current instant
	 * @return the snapshot
	 */
	public static KeySpaceSnapshot project(String name, long capacity, long reserved, @Nullable ReservationRate rate,
			Instant now) {
		return new KeySpaceSnapshot(name, BigInteger.valueOf(capacity), BigInteger.valueOf(reserved),
				(rate != null) ? rate.perSecond() : null,
				(rate != null) ? rate.exhaustedAt(capacity - reserved, now) : null,
				(rate != null) ? rate.soonestEnd(capacity - reserved, now) : null, null);
	}

	/**
	 * Return how many keys are not reserved yet.
	 * @return zero or more
	 */
	public BigInteger remaining() {
		return this.capacity.subtract(this.reserved).max(BigInteger.ZERO);
	}

	/**
	 * What is left of a key space of times.
	 *
	 * @param lastInstant the last instant an id can carry
	 * @param remainingOfNode how many ids the node of this instance can still make, at
	 * the speed of the layout
	 * @param expectedOfNode how many it will make at the rate measured so far, or
	 * {@code null} if it is too early to tell
	 */
	public record TimeLeft(Instant lastInstant, BigInteger remainingOfNode, @Nullable BigInteger expectedOfNode) {

	}

}
