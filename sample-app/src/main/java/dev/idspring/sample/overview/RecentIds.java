package dev.idspring.sample.overview;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The latest ids that were drawn from a generator.
 */
class RecentIds {

	/**
	 * The maximum number of ids. It is larger than the number of ids that a
	 * {@code snowflake} generator can issue in the ten milliseconds that a chart shows.
	 */
	static final int LENGTH = 50_000;

	private final Lock lock = new ReentrantLock();

	private final long[] ring = new long[LENGTH];

	private long drawn;

	void add(long... ids) {
		this.lock.lock();
		try {
			for (long id : ids) {
				this.ring[(int) (this.drawn++ % LENGTH)] = id;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	Latest latest() {
		this.lock.lock();
		try {
			long[] ids = new long[(int) Math.min(this.drawn, LENGTH)];
			for (int i = 0; i < ids.length; i++) {
				ids[i] = this.ring[(int) ((this.drawn - ids.length + i) % LENGTH)];
			}
			return new Latest(this.drawn, ids);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The state at one moment.
	 *
	 * @param drawn the number of ids drawn since the start of the application
	 * @param ids the latest ids in the order in which they were drawn
	 */
	record Latest(long drawn, long[] ids) {

	}

}
