package dev.idspring.block;

import java.time.Duration;

/**
 * Decides how many ordinals the next reservation asks for: twice as many while a block
 * lasts less than a second, half as many when it lasts minutes, and never more than a
 * small share of what is left. Only ids that were really used make blocks grow; callers
 * that wait do not, or a slow store would be asked for ever more.
 * <p>
 * Not thread-safe: guarded by the lock of the server it belongs to.
 */
final class BlockSizing {

	/**
	 * With 16 instances that each hold a block, at least half of the end of a key space
	 * is still there for whoever needs it.
	 */
	private static final int SHARE_OF_REMAINING = 32;

	private static final double SHORT_SECONDS = 1;

	private static final double LONG_SECONDS = Duration.ofMinutes(2).toSeconds();

	private final BlockSettings settings;

	private long size;

	private double idsPerSecond;

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
	 */
	void observe(long issued, long nanos) {
		double seconds = Math.max(nanos - this.lastNanos, 1) / 1e9;
		long used = issued - this.lastIssued;
		if (used <= 0) {
			return;
		}
		double rate = used / seconds;
		this.idsPerSecond = (this.idsPerSecond == 0) ? rate : (this.idsPerSecond + rate) / 2;
		double lasts = this.size / rate;
		if (lasts < SHORT_SECONDS) {
			this.size = Math.min(this.size * 2, this.settings.maxSize());
		}
		else if (lasts > LONG_SECONDS) {
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
	 * Return how many ordinals must be in memory to live through an outage: as many as
	 * will be used meanwhile, and a block more, since it is only now and then that
	 * somebody looks.
	 * @param remaining how many are left in the key space, as far as is known
	 * @return zero if nothing is reserved for outages
	 */
	long leastInMemory(long remaining) {
		double used = this.idsPerSecond * this.settings.outageReserve().toNanos() / 1e9;
		return (used > 0) ? (long) Math.min(used + this.size, remaining / SHARE_OF_REMAINING) : 0;
	}

	long size() {
		return this.size;
	}

}
