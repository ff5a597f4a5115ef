package dev.idspring.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Counts how often an operation succeeds, and measures the longest time between two
 * successes since the last reset.
 */
final class Pulse {

	private volatile long lastSuccess = System.nanoTime();

	private volatile long longest;

	private volatile long count;

	private volatile @Nullable RuntimeException failure;

	void beat(Runnable work) {
		try {
			work.run();
			long now = System.nanoTime();
			this.longest = Math.max(this.longest, now - this.lastSuccess);
			this.lastSuccess = now;
			this.count++;
		}
		catch (RuntimeException ex) {
			this.failure = ex;
			Thread.yield();
		}
	}

	void reset() {
		this.longest = 0;
	}

	double longestSeconds() {
		return this.longest / 1e9;
	}

	/**
	 * Return the last failure.
	 */
	@Nullable RuntimeException failure() {
		return this.failure;
	}

	long count() {
		return this.count;
	}

}
