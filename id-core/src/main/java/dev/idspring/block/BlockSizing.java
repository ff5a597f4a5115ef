package dev.idspring.block;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many ordinals the next reservation asks for, and how many must be in memory
 * for callers not to wait.
 * <ol>
 * <li>A block should last a second, and four times as long as a reservation takes. While
 * it lasts less, each reservation doubles it. If it lasts thirty times as long, each
 * reservation halves it.</li>
 * <li>The next block is requested when half of the current one is used. If blocks are
 * shorter than that needs, because the store grants less or the limit is low, several are
 * reserved ahead: as many ids as are used while two reservations take place.</li>
 * <li>Only ids that were used make blocks grow. Waiting callers do not, because they
 * would make a slow store reserve ever more.</li>
 * <li>No more than one block is reserved ahead for the measured rate, as a burst after a
 * pause says little about it. The reserve for an outage comes on top.</li>
 * <li>A block is never more than a small share of what is left.</li>
 * </ol>
 * {@link BlockEngine#nextCount} makes the request: a series has a size of its own, and
 * waiting callers may need more.
 * <p>
 * Not thread-safe: the guard of the engine protects it.
 */
final class BlockSizing {

	/**
	 * With 16 instances that each hold a block, at least half of the end of a key space
	 * is still there for other instances.
	 */
	private static final int SHARE_OF_REMAINING = 32;

	private static final double SHORT_SECONDS = 1;

	/**
	 * Half of the block is left when the next one is asked for, which may take twice as
	 * long as the last one.
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
	 * Learn how many ids have been used since the last time.
	 * @param issued how many ids were issued in all
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
		// not while a store that grants little is asked again and again
		else if (lasts > LONG_FACTOR * enough && seconds > enough) {
			this.size = Math.max(this.size / 2, this.settings.size());
		}
		this.lastIssued = issued;
		this.lastNanos = nanos;
	}

	/**
	 * Return how many ordinals to ask for.
	 * @param remaining how many are left in the key space, as far as is known
	 */
	long next(long remaining) {
		return Math.max(1, Math.min(this.size, remaining / SHARE_OF_REMAINING));
	}

	/**
	 * Return how many ordinals must be in memory: as many as will be used while the store
	 * is asked twice. To live through an outage, as many as will be used meanwhile, and a
	 * block more, since this is compared now and then only.
	 * @param remaining how many are left in the key space, as far as is known
	 * @return zero if nothing is known of the use
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
