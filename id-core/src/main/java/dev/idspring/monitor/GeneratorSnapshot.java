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
 * succeeded. With {@code gapless}, only reads count, not draws
 * @param definition the settings that determine the keys, as the store records them
 * @param issued how many ids this instance has issued, which never decreases. While
 * threads draw ids, this number may be off by the ids that they have taken in advance,
 * see {@link BlockSnapshot}
 * @param keySpace the usage of the key space by all instances. The key space is the set
 * of ids that the generator can issue
 * @param block the blocks of this instance: the ids that it has reserved and issues from
 * memory
 * @param series the series of the key space: ranges of keys, each with at most one owner,
 * or {@code null} if the strategy is not {@code recycled}
 * @param node the node of this instance: the number that makes its ids differ from those
 * of other instances, or {@code null} if ids are not time-based
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
		 * All keys of the key space are used up or, with {@code recycled}, are in series
		 * that other instances own.
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
	 * @param idsPerSecond how many keys are reserved per second (in a time-based key
	 * space, how many ids are issued), or {@code null} if this is not known yet
	 * @param exhaustedAt when all keys will be reserved at {@code idsPerSecond}, or
	 * {@code null} if this cannot be projected yet or is after the year 9999. In a
	 * time-based key space, the last instant that an id can contain
	 * @param soonestEnd like {@code exhaustedAt}, but at the higher of two rates:
	 * {@code idsPerSecond} and the rate of the last week. In a time-based key space,
	 * equal to {@code exhaustedAt}
	 * @param timeLeft the ids that are left, or {@code null} if ids are not time-based
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
		 * @param remainingOfNode the maximum number of ids of one node with times from
		 * now to {@code lastInstant}
		 * @param expectedOfNode how many ids this instance will create by
		 * {@code lastInstant} at its measured rate, at most {@code remainingOfNode}, or
		 * {@code null} if this is not known yet
		 */
		public record TimeLeft(Instant lastInstant, BigInteger remainingOfNode, @Nullable BigInteger expectedOfNode) {

		}

	}

	/**
	 * The blocks of one instance. If ids may be issued in any order, threads take several
	 * ids in advance from the current block, which avoids contention.
	 *
	 * @param size how many ids the next reservation requests. With {@code recycled}, it
	 * may request fewer if ids are left in memory. It requests more if callers wait for
	 * more
	 * @param remaining how many ids of the current block are unused, including those that
	 * threads have taken in advance. While threads draw ids, this number may be off by
	 * that many
	 * @param owned how many of the {@code remaining} ids can be issued only by the
	 * threads that took them in advance. This number may exceed {@code size} if earlier
	 * blocks were larger
	 * @param ahead how many ids are left in the blocks after the current one
	 * @param held how many ids the current block and the blocks after it contained when
	 * they were reserved, zero if there is no block
	 * @param reservations how many reservations have succeeded
	 * @param exhaustions how often callers found too few ids in memory and had to wait
	 * @param waited the total time that callers have waited
	 * @param failures how many attempts to reserve have failed
	 * @param lastReservedAt when the last reservation succeeded, or {@code null} if none
	 * has
	 * @param lastReservationTook the duration of the last successful reservation, or
	 * {@code null} if none has succeeded
	 * @param lastError why the last attempt to reserve failed, or {@code null} if it
	 * succeeded. With {@code gapless}, why the store failed at the last draw or, if it
	 * did not fail then, at the last read
	 * @since 0.1.0
	 */
	public record BlockSnapshot(long size, long remaining, long owned, long ahead, long held, long reservations,
			long exhaustions, Duration waited, long failures, @Nullable Instant lastReservedAt,
			@Nullable Duration lastReservationTook, @Nullable String lastError) {

	}

	/**
	 * The series of a key space, as this instance last read them. A series is a range of
	 * keys that at most one instance owns, by a lease. {@code held}, {@code abandoned}
	 * and {@code untouched} add up to the number of keys that are not reserved.
	 *
	 * @param series the series that were started and are not used up, in the order of
	 * their numbers
	 * @param held how many keys are left in series whose owner has a valid lease
	 * @param abandoned how many keys are left in started series that have no owner with a
	 * valid lease
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
		 * @param owned whether the series has an owner with a valid lease
		 * @param own whether this instance is the owner
		 * @param leaseAge the time since the owner renewed its lease, or since the series
		 * was released
		 */
		public record Series(long number, long next, long end, boolean owned, boolean own, Duration leaseAge) {

		}

	}

	/**
	 * The node of one instance: the number that makes its ids differ from those of other
	 * instances. If there is a store, the instance reserves the times of its ids in the
	 * store before it creates them.
	 *
	 * @param number the number of the node, or {@code null} if the instance currently has
	 * no node
	 * @param source where the number comes from, as in {@code ids.node.source}
	 * @param owner the id with which this instance owns the node, or {@code null} if
	 * there is no store
	 * @param windowStart the earliest time of ids that this instance creates with this
	 * node, or {@code null} if there is no node
	 * @param windowEnd the end of the reserved times, exclusive, or {@code null} if there
	 * is no node or no store
	 * @param lease the duration of the lease, after which another instance may claim the
	 * node, or {@code null} if there is no store
	 * @param leaseUntil when the lease expires by the store's clock, or {@code null} if
	 * there is no node or no store
	 * @since 0.1.0
	 */
	public record NodeSnapshot(@Nullable Long number, String source, @Nullable String owner,
			@Nullable Instant windowStart, @Nullable Instant windowEnd, @Nullable Duration lease,
			@Nullable Instant leaseUntil) {

	}

	/**
	 * The clock from which a time-based generator takes the times of ids.
	 *
	 * @param trusted whether ids may contain times of this clock. The difference from the
	 * store's clock at the last comparison, plus all later jumps, must be at most
	 * {@code ids.clock.max-skew}. A jump that was undone does not count. Without a store,
	 * only jumps count
	 * @param ahead how far the time of the last id is ahead of the wall clock, zero if it
	 * is behind
	 * @param skew how far the wall clock was ahead of the store's clock at the last
	 * comparison, negative if it was behind, or {@code null} if there is no store
	 * @param jumps how many jumps of the wall clock by a second or more were detected
	 * @param waits how often callers had to wait for the clock, a node, or a window
	 * @since 0.1.0
	 */
	public record ClockSnapshot(boolean trusted, Duration ahead, @Nullable Duration skew, long jumps, long waits) {

	}

}
