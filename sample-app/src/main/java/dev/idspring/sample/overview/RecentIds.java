package dev.idspring.sample.overview;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.idspring.IdGenerator;

/**
 * The latest ids that were drawn from a generator for demonstration.
 */
class RecentIds {

	/**
	 * The maximum number of ids. The page shows each id as a point, and more points would
	 * be hard to distinguish.
	 */
	static final int LENGTH = 1000;

	private final Lock lock = new ReentrantLock();

	private final Deque<Long> ids = new ArrayDeque<>();

	private long drawn;

	/**
	 * Add ids.
	 * @return the ids drawn so far, without ids that other threads add afterwards
	 */
	Drawn add(IdGenerator generator, long... drawn) {
		this.lock.lock();
		try {
			this.drawn += drawn.length;
			for (int i = Math.max(0, drawn.length - LENGTH); i < drawn.length; i++) {
				if (this.ids.size() == LENGTH) {
					this.ids.removeFirst();
				}
				this.ids.addLast(drawn[i]);
			}
			return Drawn.of(generator, this.drawn, List.copyOf(this.ids));
		}
		finally {
			this.lock.unlock();
		}
	}

	Drawn describe(IdGenerator generator) {
		return add(generator);
	}

}
