package dev.idspring.sample.overview;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.idspring.IdGenerator;

/**
 * The last ids that were drawn from a generator for show.
 */
class RecentIds {

	/** So many points can still be told apart. */
	static final int LENGTH = 1000;

	private final Lock lock = new ReentrantLock();

	private final Deque<Long> ids = new ArrayDeque<>();

	private long drawn;

	void add(long[] drawn) {
		this.lock.lock();
		try {
			this.drawn += drawn.length;
			for (int i = Math.max(0, drawn.length - LENGTH); i < drawn.length; i++) {
				if (this.ids.size() == LENGTH) {
					this.ids.removeFirst();
				}
				this.ids.addLast(drawn[i]);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	Drawn describe(IdGenerator generator) {
		List<Long> ids;
		long drawn;
		this.lock.lock();
		try {
			ids = List.copyOf(this.ids);
			drawn = this.drawn;
		}
		finally {
			this.lock.unlock();
		}
		return Drawn.of(generator, drawn, ids);
	}

}
