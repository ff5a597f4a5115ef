package dev.idspring.monitor;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.idspring.monitor.UsageHistory.ReservationRate;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator at one moment, for operators.
 *
 * @param strategy the name of the strategy, as in {@code ids.strategy}
 * @param status the status of the generator
 * @param storeFailure why the store could not be read, or {@code null} if it answered
 * @param definition the definition, which fixes the order of the keys
 * @param issued how many ids this instance has issued; as exact as the remaining ids of
 * the {@link BlockSnapshot block}, but never lower than before
 * @param keySpace how much of the key space is used, by all instances
 * @param block the blocks of this instance
 * @param series the series of the key space, or {@code null} if the strategy has none
 * @param node the node of this instance, or {@code null} if the strategy has none
 * @param clock the clock that ids carry, or {@code null} if the strategy has none
 * @since 0.1.0
 */
public record GeneratorSnapshot(String strategy, GeneratorStatus status, @Nullable String storeFailure,
		String definition, long issued, KeySpaceSnapshot keySpace, BlockSnapshot block, @Nullable SeriesSnapshot series,
		@Nullable NodeSnapshot node, @Nullable ClockSnapshot clock) {

	/**
	 * The status of a generator.
	 *
	 * @since 0.1.0
	 */
	public enum GeneratorStatus {

		/**
		 * All is well.
		 */
		UP,

		/**
		 * Ids are issued, but the end of the key space is near.
		 */
		LOW,

		/**
		 * All keys are used up.
		 */
		EXHAUSTED,

		/**
		 * No ids are issued: the store fails and no ids are left in memory, or the
		 * generator has stopped.
		 */
		DOWN

	}

	/**
	 * How much of a key space is used, by all instances together. In a time-based key
	 * space, past times count as reserved, whether or not ids were made.
	 *
	 * @param name the name of the key space in its store
	 * @param capacity how many keys there are
	 * @param reserved how many of them are reserved
	 * @param idsPerSecond how fast they are being reserved, or {@code null} if it is too
	 * early to tell; in a time-based key space, how fast ids are made
	 * @param exhaustedAt when all keys will be reserved at that rate, or {@code null} if
	 * that is not known yet or is beyond the year 9999; in a time-based key space, the
	 * last instant
	 * @param soonestEnd the same at the rate of the last week, if that is sooner
	 * @param timeLeft what is left of a time-based key space, else {@code null}
	 * @since 0.1.0
	 */
	public record KeySpaceSnapshot(String name, BigInteger capacity, BigInteger reserved, @Nullable Double idsPerSecond,
			@Nullable Instant exhaustedAt, @Nullable Instant soonestEnd, @Nullable TimeLeft timeLeft) {

		/**
		 * Take a snapshot, and project when the key space ends.
		 * @param name the name of the key space in its store
		 * @param capacity how many keys there are
		 * @param reserved how many of them are reserved
		 * @param rate how fast they are being reserved, or {@code null} if it is too
		 * early to tell
		 * @param now the current instant
		 * @return the snapshot
		 */
		public static KeySpaceSnapshot project(String name, long capacity, long reserved,
				@Nullable ReservationRate rate, Instant now) {
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
		 * What is left of a time-based key space.
		 *
		 * @param lastInstant the last instant an id can carry
		 * @param remainingOfNode how many ids the node of this instance can still make,
		 * at the highest rate of the layout
		 * @param expectedOfNode how many it will make at the rate measured so far, or
		 * {@code null} if it is too early to tell
		 */
		public record TimeLeft(Instant lastInstant, BigInteger remainingOfNode, @Nullable BigInteger expectedOfNode) {

		}

	}

	/**
	 * The blocks of one instance.
	 *
	 * @param size how many ids the next reservation asks for, unless little is left of
	 * the key space or callers wait for more
	 * @param remaining how many ids of the current block are unused, including those that
	 * threads have taken in advance; for each thread that is drawing now, this may be
	 * wrong by as many as it had taken
	 * @param owned how many of these only the threads that took them in advance can use;
	 * may be many if blocks were larger before
	 * @param ahead how many ids are reserved beyond the current block
	 * @param held how many ids the current block and those beyond it had when they were
	 * reserved, zero if there are none
	 * @param reservations how many reservations succeeded
	 * @param exhaustions how often a caller found no id in memory and had to wait
	 * @param waited how long all callers together have waited
	 * @param failures how many attempts to reserve failed
	 * @param lastReservedAt when the last reservation succeeded, or {@code null}
	 * @param lastReservationTook how long that took, or {@code null}
	 * @param lastError why the last request to the store failed, or {@code null} if it
	 * succeeded
	 * @since 0.1.0
	 */
	public record BlockSnapshot(long size, long remaining, long owned, long ahead, long held, long reservations,
			long exhaustions, Duration waited, long failures, @Nullable Instant lastReservedAt,
			@Nullable Duration lastReservationTook, @Nullable String lastError) {

	}

	/**
	 * The known series of a key space. The three counts add up to the remaining keys.
	 *
	 * @param series the series that are neither untouched nor used up, in the order of
	 * their numbers
	 * @param held how many keys are left to reserve in series whose owners are alive
	 * @param abandoned how many keys are left to reserve in series without an owner, or
	 * whose owner's lease has expired
	 * @param untouched how many keys belong to series that were never begun
	 * @since 0.1.0
	 */
	public record SeriesSnapshot(List<Series> series, long held, long abandoned, long untouched) {

		/**
		 * One series.
		 *
		 * @param number the number of the series, from 0
		 * @param next the key that is reserved next
		 * @param end the last key
		 * @param owned whether it has an owner whose lease has not expired
		 * @param own whether that owner is this instance
		 * @param leaseAge how long ago the owner renewed its lease, or the series was
		 * released
		 */
		public record Series(long number, long next, long end, boolean owned, boolean own, Duration leaseAge) {

		}

	}

	/**
	 * The node of one instance.
	 *
	 * @param number the number of the node, or {@code null} if there is none at the
	 * moment
	 * @param source the source of the number, as in {@code ids.node.source}
	 * @param owner the id under which this instance owns it, or {@code null} if there is
	 * no store
	 * @param windowStart the first instant this instance has used or may use under this
	 * number, or {@code null} if there is no node
	 * @param windowEnd the end of the reserved times, exclusive, or {@code null} if there
	 * is no node or no store
	 * @param lease how long this instance owns the node without renewal, or {@code null}
	 * if there is no store
	 * @param leaseUntil when another instance may take the node over, by the clock of the
	 * store, or {@code null} if there is no node or no store
	 * @since 0.1.0
	 */
	public record NodeSnapshot(@Nullable Long number, String source, @Nullable String owner,
			@Nullable Instant windowStart, @Nullable Instant windowEnd, @Nullable Duration lease,
			@Nullable Instant leaseUntil) {

	}

	/**
	 * The clock that ids carry.
	 *
	 * @param trusted whether ids are made with it: it agrees with the clock of the store,
	 * and has not jumped since
	 * @param ahead how far the last id is ahead of the wall clock, zero if it is behind
	 * @param skew how far the wall clock was ahead of that of the store when they were
	 * last compared, negative if it was behind, {@code null} if there is no store
	 * @param jumps how often the wall clock was seen to jump by a second or more
	 * @param waits how often a caller had to wait
	 * @since 0.1.0
	 */
	public record ClockSnapshot(boolean trusted, Duration ahead, @Nullable Duration skew, long jumps, long waits) {

	}

}
