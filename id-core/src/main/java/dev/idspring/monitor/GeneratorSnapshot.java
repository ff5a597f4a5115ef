package dev.idspring.monitor;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.idspring.monitor.UsageHistory.ReservationRate;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator at one moment, as operators see it.
 *
 * @param strategy the name of the strategy, as in {@code ids.strategy}
 * @param status the status of the generator
 * @param storeFailure why the last request to the store failed, or {@code null} if it
 * succeeded
 * @param definition the definition of the key space, which must not change
 * @param issued how many ids this instance has issued. It is as exact as
 * {@link BlockSnapshot#remaining}, but never decreases
 * @param keySpace how much of the key space all instances have used
 * @param block the blocks of this instance
 * @param series the series of the key space, or {@code null} if the strategy uses no
 * series
 * @param node the node of this instance, or {@code null} if the strategy uses no nodes
 * @param clock the clock of this instance, or {@code null} if ids are not time-based
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
		 * The generator issues ids, and its key space is not low.
		 */
		UP,

		/**
		 * The generator issues ids, but its key space is low, as defined by
		 * {@link LowThreshold}.
		 */
		LOW,

		/**
		 * All keys of the key space are used up.
		 */
		EXHAUSTED,

		/**
		 * The generator issues no ids: it has stopped or was closed, the store fails and
		 * no ids are left in memory, or a time-based generator has no usable node or
		 * clock.
		 */
		DOWN

	}

	/**
	 * How much of a key space all instances together have used. In a time-based key
	 * space, all ids of past times count as reserved, even if they were never issued.
	 *
	 * @param name the name of the key space in its store
	 * @param capacity the number of keys of the key space
	 * @param reserved how many keys are reserved
	 * @param idsPerSecond how many keys are reserved per second, or {@code null} if this
	 * is not known yet; in a time-based key space, how many ids are issued per second
	 * @param exhaustedAt when all keys will be reserved at the rate of
	 * {@code idsPerSecond}, or {@code null} if this is not known yet or after the year
	 * 9999; in a time-based key space, the last instant that an id can contain
	 * @param soonestEnd when all keys will be reserved at {@code idsPerSecond} or at the
	 * rate of the last week, whichever rate is higher; {@code null} if this is not known
	 * yet or after the year 9999. It may be known even if {@code exhaustedAt} is not. In
	 * a time-based key space, it is the same as {@code exhaustedAt}
	 * @param timeLeft what is left of a time-based key space; otherwise {@code null}
	 * @since 0.1.0
	 */
	public record KeySpaceSnapshot(String name, BigInteger capacity, BigInteger reserved, @Nullable Double idsPerSecond,
			@Nullable Instant exhaustedAt, @Nullable Instant soonestEnd, @Nullable TimeLeft timeLeft) {

		/**
		 * Create a snapshot, and project when the key space will be used up.
		 * @param name the name of the key space in its store
		 * @param capacity the number of keys of the key space
		 * @param reserved how many keys are reserved
		 * @param rate the rate at which keys are reserved, or {@code null} if it is not
		 * known yet
		 * @param now the current instant
		 * @return the snapshot
		 */
		public static KeySpaceSnapshot project(String name, long capacity, long reserved,
				@Nullable ReservationRate rate, Instant now) {
			return new KeySpaceSnapshot(name, BigInteger.valueOf(capacity), BigInteger.valueOf(reserved),
					(rate != null) ? rate.perSecond() : null,
					(rate != null) ? rate.exhaustedAt(capacity - reserved, now) : null,
					(rate != null) ? rate.earliestExhaustion(capacity - reserved, now) : null, null);
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
		 * @param lastInstant the last instant that an id can contain
		 * @param remainingOfNode how many ids the node of this instance can still issue,
		 * at the maximum rate of the layout
		 * @param expectedOfNode how many ids the node will issue at the rate measured so
		 * far, or {@code null} if this is not known yet
		 */
		public record TimeLeft(Instant lastInstant, BigInteger remainingOfNode, @Nullable BigInteger expectedOfNode) {

		}

	}

	/**
	 * The blocks of one instance.
	 *
	 * @param size how many ids a block should hold. The next reservation requests this
	 * number, except in three cases: few keys are left, callers wait for more, or
	 * {@code recycled} needs fewer ids to have a full block in memory
	 * @param remaining how many ids of the current block are unused, including those that
	 * threads have taken in advance. While a thread draws ids, this may be wrong by the
	 * number of ids that this thread has taken in advance
	 * @param owned how many of the remaining ids can be used only by the threads that
	 * took them in advance; may exceed the size if blocks were larger before
	 * @param ahead how many ids are reserved in addition to the current block
	 * @param held how many ids the current block and all additional ones had when they
	 * were reserved, zero if there is no block
	 * @param reservations how many reservations have succeeded
	 * @param exhaustions how often callers found too few ids in memory and had to wait
	 * @param waited the total time that callers have waited
	 * @param failures how many attempts to reserve have failed
	 * @param lastReservedAt when the last reservation succeeded, or {@code null} if none
	 * has
	 * @param lastReservationTook the duration of the last successful reservation, or
	 * {@code null} if none has succeeded
	 * @param lastError why the last attempt to reserve failed, or {@code null} if it
	 * succeeded. With {@code gapless}, which reserves nothing, why the last read of the
	 * store failed
	 * @since 0.1.0
	 */
	public record BlockSnapshot(long size, long remaining, long owned, long ahead, long held, long reservations,
			long exhaustions, Duration waited, long failures, @Nullable Instant lastReservedAt,
			@Nullable Duration lastReservationTook, @Nullable String lastError) {

	}

	/**
	 * The series of a key space, as far as this instance knows. {@code held},
	 * {@code abandoned} and {@code untouched} add up to the number of keys that are not
	 * reserved.
	 *
	 * @param series the series that were started and are not used up, in the order of
	 * their numbers
	 * @param held how many keys are left in series with an owner whose lease has not
	 * expired
	 * @param abandoned how many keys are left in series without an owner, or with an
	 * owner whose lease has expired
	 * @param untouched how many keys belong to series that were never started
	 * @since 0.1.0
	 */
	public record SeriesSnapshot(List<Series> series, long held, long abandoned, long untouched) {

		/**
		 * The state of one series.
		 *
		 * @param number the number of the series, from 0
		 * @param next the next key to be reserved
		 * @param end the last key of the series
		 * @param owned whether the series has an owner whose lease has not expired
		 * @param own whether this instance is the owner
		 * @param leaseAge the time since the owner renewed its lease, or since the series
		 * was released
		 */
		public record Series(long number, long next, long end, boolean owned, boolean own, Duration leaseAge) {

		}

	}

	/**
	 * The node of one instance.
	 *
	 * @param number the number of the node, or {@code null} if the instance currently has
	 * no node
	 * @param source where the number comes from, as in {@code ids.node.source}
	 * @param owner the id with which this instance owns the node, or {@code null} if
	 * there is no store
	 * @param windowStart the earliest time of ids that this instance creates with this
	 * number, or {@code null} if there is no node
	 * @param windowEnd the end of the reserved times, exclusive, or {@code null} if there
	 * is no node or no store
	 * @param lease how long this instance keeps the node if it does not renew the lease,
	 * or {@code null} if there is no store
	 * @param leaseUntil when another instance may claim the node, by the store's clock,
	 * or {@code null} if there is no node or no store
	 * @since 0.1.0
	 */
	public record NodeSnapshot(@Nullable Long number, String source, @Nullable String owner,
			@Nullable Instant windowStart, @Nullable Instant windowEnd, @Nullable Duration lease,
			@Nullable Instant leaseUntil) {

	}

	/**
	 * The clock from which a time-based generator takes the times of ids.
	 *
	 * @param trusted whether ids may use the time of the clock. The clock must not have
	 * jumped and, if there is a store, must have agreed with the store's clock when they
	 * were last compared. {@code ids.clock.max-skew} is the tolerance for both conditions
	 * @param ahead how far the time of the last id is ahead of the wall clock, zero if it
	 * is behind
	 * @param skew how far the wall clock was ahead of the store's clock when they were
	 * last compared; negative if it was behind, or {@code null} if there is no store
	 * @param jumps how many jumps of the wall clock by a second or more were detected
	 * @param waits how often callers had to wait
	 * @since 0.1.0
	 */
	public record ClockSnapshot(boolean trusted, Duration ahead, @Nullable Duration skew, long jumps, long waits) {

	}

}
