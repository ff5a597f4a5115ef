package dev.idspring.block;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many ordinals the next reservation requests (the size of a block), and how
 * many must be in memory so that callers do not wait.
 * <ol>
 * <li>A block should last at least a minimum time: a second, or four times the duration
 * of a reservation if that is longer. While blocks last less than the minimum, each
 * reservation doubles their size, up to {@code maxSize}. While blocks last more than
 * thirty times the minimum, each reservation halves their size, down to the initial size.
 * A reservation does not halve the size if it follows the previous one within the
 * minimum.</li>
 * <li>The next block is requested when all blocks in memory are half used. It is
 * requested earlier if the ids in memory would not last for the duration of two
 * reservations. That can happen if the store grants less than requested, or if
 * {@code maxSize} is low.</li>
 * <li>Blocks grow with the rate at which ids are used, not with the number of waiting
 * callers. Otherwise a slow store would cause ever larger reservations.</li>
 * <li>A burst after a pause distorts the measured rate of use. {@link #leastInMemory} is
 * therefore at most one block, plus the configured reserve for outages.</li>
 * <li>A block is at most 1/32 of the ordinals that can still be reserved, but at least
 * one ordinal.</li>
 * </ol>
 * {@link dev.idspring.store.BlockSource#nextCount} may subtract the ordinals in memory
 * from the result of {@link #next}. {@link BlockRefiller#nextCount} then raises the
 * result if waiting callers need more.
 * <p>
 * This class is not thread-safe. The engine's lock protects it.
 */
final class BlockSizing {

	/**
	 * A block should not exceed the remaining ordinals divided by this number. If 16
	 * instances each reserve such a block near the end of a key space, at least half of
	 * the remaining ordinals are still available to others.
	 */
	private static final int REMAINING_DIVISOR = 32;

	private static final double MIN_BLOCK_SECONDS = 1;

	/**
	 * Half of a block is left when the next block is requested. With this factor, the
	 * reservation can take twice as long as the previous one before callers have to wait.
	 */
	private static final int RESERVATIONS_PER_BLOCK = 4;

	private static final int SHRINK_FACTOR = 30;

	private final BlockSettings settings;

	private long size;

	private double idsPerSecond;

	private double reservationSeconds;

	private long lastIssued;

	private long lastNanos;

	BlockSizing(BlockSettings settings, long nanos) {
		this.settings = settings;
		this.size = settings.size();
		this.lastNanos = nanos;
	}

	/**
	 * Measure the rate at which ids are used, and adapt the size of blocks to it.
	 * @param issued how many ids were issued in total
	 * @param nanos the current reading of the monotonic clock
	 * @param reservationTook how long the last reservation took, or {@code null} if there
	 * was none
	 */
	void observe(long issued, long nanos, @Nullable Duration reservationTook) {
		this.reservationSeconds = (reservationTook != null) ? reservationTook.toNanos() / 1e9 : 0;
		double seconds = Math.max(nanos - this.lastNanos, 1) / 1e9;
		long used = issued - this.lastIssued;
		if (used <= 0) {
			return;
		}
		double rate = used / seconds;
		this.idsPerSecond = (this.idsPerSecond == 0) ? rate : (this.idsPerSecond + rate) / 2;
		double blockSeconds = this.size / rate;
		double wantedSeconds = Math.max(MIN_BLOCK_SECONDS, RESERVATIONS_PER_BLOCK * this.reservationSeconds);
		if (blockSeconds < wantedSeconds) {
			this.size = (this.size <= this.settings.maxSize() / 2) ? this.size * 2 : this.settings.maxSize();
		}
		// shrink blocks only if reservations are rare: frequent reservations show that
		// the store grants too few ordinals
		else if (blockSeconds > SHRINK_FACTOR * wantedSeconds && seconds > wantedSeconds) {
			this.size = Math.max(this.size / 2, this.settings.size());
		}
		this.lastIssued = issued;
		this.lastNanos = nanos;
	}

	/**
	 * Return how many ordinals to request.
	 * @param remaining how many can still be reserved, as far as is known
	 */
	long next(long remaining) {
		return Math.max(1, Math.min(this.size, remaining / REMAINING_DIVISOR));
	}

	/**
	 * Return how many ordinals must be in memory. The result is at most 1/32 of the
	 * remaining ordinals.
	 * <ul>
	 * <li>Without a reserve for outages, it is the number used during two reservations,
	 * but at most one block.</li>
	 * <li>With a reserve, it is the number used during an outage of the configured
	 * length, plus one block. The extra block is needed because the engine checks this
	 * minimum only from time to time, mainly when a block is half used or used up.</li>
	 * </ul>
	 * @param remaining how many can still be reserved, as far as is known
	 * @return the number of ordinals, zero while the rate of use is unknown
	 */
	long leastInMemory(long remaining) {
		double least = Math.min(this.idsPerSecond * 2 * this.reservationSeconds, this.size);
		double outage = this.idsPerSecond * this.settings.outageReserve().toNanos() / 1e9;
		if (outage > 0) {
			least = Math.max(least, outage + this.size);
		}
		return (long) Math.min(least, remaining / REMAINING_DIVISOR);
	}

}
