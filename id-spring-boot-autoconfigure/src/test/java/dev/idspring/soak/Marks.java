package dev.idspring.soak;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;

/**
 * Finds ids of a strategy that come twice, in one application or in several that come one
 * after the other on the same database, however many ids there are: by what must rise
 * and, where several threads draw, by a window that moves ahead.
 */
final class Marks {

	static final long SERIES_SIZE = 1_000_000_000;

	/** More than is in memory at any time. */
	private static final int WINDOW = 4_000_000;

	private final Lock lock = new ReentrantLock();

	private final String strategy;

	/** The highest of each series or node. */
	private final Map<Long, Mark> highest = new HashMap<>();

	/** The tails of the last millisecond, where they do not rise. */
	private final Set<Long> tails = new HashSet<>();

	/** What has been issued since the window begins, by the remainder of its size. */
	private final BitSet issued = new BitSet(WINDOW);

	private long windowEnd = WINDOW;

	Marks(String strategy) {
		this.strategy = strategy;
	}

	/**
	 * Take note of an id.
	 * @return whether it can be no repeat
	 */
	boolean isNew(IdGenerator generator, long id) {
		this.lock.lock();
		try {
			return switch (this.strategy) {
				case "sequential" -> isNewInWindow(id);
				case "coprime" -> rises(0, generator.describe(id).ordinal(), 0);
				case "gapless" -> rises(0, id, 0);
				case "recycled" -> rises((id - 1) / SERIES_SIZE, id, 0);
				case "decimal-uid" -> isNewTime(generator.describe(id));
				default -> {
					IdDescription description = generator.describe(id);
					yield rises(description.node(), description.time().toEpochMilli(), description.tail());
				}
			};
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean rises(long key, long major, long minor) {
		Mark now = new Mark(major, minor);
		Mark last = this.highest.put(key, now);
		return last == null || last.isBefore(now);
	}

	private boolean isNewTime(IdDescription description) {
		long time = description.time().toEpochMilli();
		Mark last = this.highest.put(description.node(), new Mark(time, 0));
		if (last == null || last.major < time) {
			this.tails.clear();
		}
		return (last == null || last.major <= time) && this.tails.add(description.tail());
	}

	private boolean isNewInWindow(long id) {
		while (id >= this.windowEnd) {
			this.issued.clear((int) (this.windowEnd % WINDOW));
			this.windowEnd++;
		}
		int bit = (int) (id % WINDOW);
		boolean known = id < this.windowEnd - WINDOW || this.issued.get(bit);
		this.issued.set(bit);
		return !known;
	}

	/**
	 * Where something stands.
	 */
	private record Mark(long major, long minor) {

		boolean isBefore(Mark other) {
			return this.major < other.major || (this.major == other.major && this.minor < other.minor);
		}

	}

}
