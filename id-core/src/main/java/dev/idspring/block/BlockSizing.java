package dev.idspring.block;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many ordinals the next reservation asks for, and how many must be in memory
 * so that callers do not wait.
 * <ol>
 * <li>A block should last at least a second, and at least four times as long as a
 * reservation takes. While it lasts less, each reservation doubles it. If it lasts thirty
 * times as long, each reservation halves it.</li>
 * <li>The next block is requested when half of the current one is used. If blocks are too
 * small for that, because the store grants less or the limit is low, several blocks are
 * reserved ahead: enough ids for the time of two reservations.</li>
 * <li>Only ids that were used make blocks grow. Waiting callers do not, because a slow
 * store would then cause ever larger reservations.</li>
 * <li>The measured rate justifies at most one block ahead, because a burst after a pause
 * distorts it. The reserve for an outage is added to that.</li>
 * <li>A block never exceeds a small share of the remaining ordinals.</li>
 * </ol>
 * {@link BlockEngine#nextCount} computes the final count, because a series has its own
 * size, and waiting callers may need more.
 * <p>
 * Not thread-safe: guarded by the engine's lock.
 */
final class BlockSizing {

	/**
	 * If 16 instances each hold a block near the end of a key space, at least half of the
	 * rest is still available to other instances.
	 */
	private static final int SHARE_OF_REMAINING = 32;

	private static final double SHORT_SECONDS = 1;

	/**
	 * Half of the block is left when the next one is requested. That reservation may take
	 * twice as long as the last one.
	 */
	private static final int RESERVATIONS_PER_BLOCK = 4;

	private static final int LONG_FACTOR = 30;

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
	 * Record how many ids have been used since the last call.
	 * @param issued how many ids were issued in total
	 * @param nanos the time
	 * @param reservationTook how long the last reservation took, {@code null} if there
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
		double lasts = this.size / rate;
		double enough = Math.max(SHORT_SECONDS, RESERVATIONS_PER_BLOCK * this.reservationSeconds);
		if (lasts < enough) {
			this.size = (this.size <= this.settings.maxSize() / 2) ? this.size * 2 : this.settings.maxSize();
		}
		// not during rapid reservations from a store that grants little at a time
		else if (lasts > LONG_FACTOR * enough && seconds > enough) {
			this.size = Math.max(this.size / 2, this.settings.size());
		}
		this.lastIssued = issued;
		this.lastNanos = nanos;
	}

	/**
	 * Return how many ordinals to ask for.
	 * @param remaining how many are left in the key space, as last known
	 */
	long next(long remaining) {
		return Math.max(1, Math.min(this.size, remaining / SHARE_OF_REMAINING));
	}

	/**
	 * Return how many ordinals must be in memory: as many as are used during two
	 * reservations. To bridge an outage, as many as are used during the outage, plus one
	 * block, because this minimum is checked only occasionally.
	 * @param remaining how many are left in the key space, as last known
	 * @return the number, zero while the rate of use is unknown
	 */
	long leastInMemory(long remaining) {
		double least = Math.min(this.idsPerSecond * 2 * this.reservationSeconds, this.size);
		double outage = this.idsPerSecond * this.settings.outageReserve().toNanos() / 1e9;
		if (outage > 0) {
			least = Math.max(least, outage + this.size);
		}
		return (long) Math.min(least, remaining / SHARE_OF_REMAINING);
	}

	long size() {
		return this.size;
	}

}
