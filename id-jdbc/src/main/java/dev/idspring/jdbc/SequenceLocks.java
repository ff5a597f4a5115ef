package dev.idspring.jdbc;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The locks of rows. One that no transaction holds or waits for is forgotten, as there
 * may be a million rows.
 */
final class SequenceLocks {

	private final ConcurrentMap<String, Entry> locks = new ConcurrentHashMap<>();

	private final ReferenceQueue<SequenceLock> unused = new ReferenceQueue<>();

	/**
	 * Return the lock of a row, the same to all callers while one of them has it.
	 */
	SequenceLock get(String row) {
		for (Reference<?> entry = this.unused.poll(); entry != null; entry = this.unused.poll()) {
			this.locks.remove(((Entry) entry).row, entry);
		}
		SequenceLock lock = null;
		while (lock == null) {
			SequenceLock added = new SequenceLock();
			lock = this.locks.compute(row,
					(key, known) -> (known != null && known.get() != null) ? known : new Entry(key, added, this.unused))
				.get();
			Reference.reachabilityFence(added);
		}
		return lock;
	}

	int size() {
		return this.locks.size();
	}

	private static final class Entry extends WeakReference<SequenceLock> {

		private final String row;

		Entry(String row, SequenceLock lock, ReferenceQueue<SequenceLock> unused) {
			super(lock, unused);
			this.row = row;
		}

	}

}
