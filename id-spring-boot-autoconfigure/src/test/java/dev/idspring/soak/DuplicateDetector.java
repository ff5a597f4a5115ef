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
 * Detects duplicate ids of a strategy in bounded memory, across applications that run one
 * after the other on the same database. For {@code sequential}, from which several
 * threads draw, the detector records the ids within a sliding window. For the other
 * strategies, it checks that values increase, and that random tails within a millisecond
 * differ.
 */
final class DuplicateDetector {

	static final long SERIES_SIZE = 1_000_000_000;

	/** More ids than are in the memory of an application at any time. */
	private static final int WINDOW_SIZE = 4_000_000;

	private final Lock lock = new ReentrantLock();

	private final String strategy;

	/** The latest position of each series or node. */
	private final Map<Long, Position> latest = new HashMap<>();

	/** The tails of the last millisecond, for a strategy with random tails. */
	private final Set<Long> tails = new HashSet<>();

	/**
	 * The issued ids of the window. The bit of an id has the index id modulo
	 * {@code WINDOW_SIZE}.
	 */
	private final BitSet issued = new BitSet(WINDOW_SIZE);

	private long windowEnd = WINDOW_SIZE;

	DuplicateDetector(String strategy) {
		this.strategy = strategy;
	}

	/**
	 * Record an id.
	 * @return whether the id was not issued before
	 */
	boolean isNew(IdGenerator generator, long id) {
		this.lock.lock();
		try {
			return switch (this.strategy) {
				case "sequential" -> isNewInWindow(id);
				case "coprime" -> increases(0, generator.describe(id).ordinal(), 0);
				case "gapless" -> increases(0, id, 0);
				case "recycled" -> increases((id - 1) / SERIES_SIZE, id, 0);
				case "decimal-uid" -> isNewTimeOrTail(generator.describe(id));
				default -> {
					IdDescription description = generator.describe(id);
					yield increases(description.node(), description.time().toEpochMilli(), description.tail());
				}
			};
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean increases(long key, long major, long minor) {
		Position now = new Position(major, minor);
		Position last = this.latest.put(key, now);
		return last == null || last.isBefore(now);
	}

	private boolean isNewTimeOrTail(IdDescription description) {
		long time = description.time().toEpochMilli();
		Position last = this.latest.put(description.node(), new Position(time, 0));
		if (last == null || last.major < time) {
			this.tails.clear();
		}
		return (last == null || last.major <= time) && this.tails.add(description.tail());
	}

	private boolean isNewInWindow(long id) {
		while (id >= this.windowEnd) {
			this.issued.clear((int) (this.windowEnd % WINDOW_SIZE));
			this.windowEnd++;
		}
		int bit = (int) (id % WINDOW_SIZE);
		boolean known = id < this.windowEnd - WINDOW_SIZE || this.issued.get(bit);
		this.issued.set(bit);
		return !known;
	}

	/**
	 * A value that must increase, compared by its major part first.
	 */
	private record Position(long major, long minor) {

		boolean isBefore(Position other) {
			return this.major < other.major || (this.major == other.major && this.minor < other.minor);
		}

	}

}
