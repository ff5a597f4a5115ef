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

	/**
	 * Add ids.
	 * @return what has been drawn by then: others who draw meanwhile do not show in it
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
