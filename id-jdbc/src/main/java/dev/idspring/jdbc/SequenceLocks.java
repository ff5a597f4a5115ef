package dev.idspring.jdbc;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.worker.StateLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of rows, and the threads that wait for them. Because there may be a million
 * rows, a lock is removed when no transaction holds it or waits for it.
 * <p>
 * Exactly one thread detects each deadlock of threads that wait for these locks, because:
 * <ol>
 * <li>A thread records the lock that it waits for and searches for a cycle while it holds
 * {@link #searches}. So one thread of a cycle is the last to record.</li>
 * <li>That thread sees the whole cycle: a waiting thread has recorded itself as the owner
 * of each lock that it holds.</li>
 * <li>It fails and records nothing. So no other thread sees a cycle.</li>
 * <li>A lock that passes to the next waiting thread closes no cycle, because that thread
 * then runs.</li>
 * </ol>
 */
final class SequenceLocks {

	private final ConcurrentMap<String, Entry> locks = new ConcurrentHashMap<>();

	private final ReferenceQueue<SequenceLock> unused = new ReferenceQueue<>();

	private final StateLock searches = new StateLock();

	private final ThreadLocal<WaitingThread> drawers = ThreadLocal.withInitial(WaitingThread::new);

	/**
	 * Return the lock of a row. All callers get the same lock while any of them
	 * references it.
	 */
	SequenceLock get(String row) {
		for (Reference<?> entry = this.unused.poll(); entry != null; entry = this.unused.poll()) {
			this.locks.remove(((Entry) entry).row, entry);
		}
		SequenceLock lock = null;
		while (lock == null) {
			SequenceLock added = new SequenceLock(this);
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

	/**
	 * Return the entry of the calling thread.
	 */
	WaitingThread drawer() {
		return this.drawers.get();
	}

	/**
	 * Record that a thread waits for a lock, unless that would be a deadlock.
	 * @return {@code false} if waiting would be a deadlock
	 */
	boolean await(WaitingThread drawer, SequenceLock lock) {
		this.searches.lock();
		try {
			WaitingThread owner = lock.owner();
			for (int i = 0; i < this.locks.size() && owner != null && owner != drawer; i++) {
				SequenceLock awaited = owner.awaited;
				owner = (awaited != null) ? awaited.owner() : null;
			}
			drawer.awaited = (owner != drawer) ? lock : null;
			return owner != drawer;
		}
		finally {
			this.searches.unlock();
		}
	}

	/**
	 * A thread that draws numbers.
	 */
	static final class WaitingThread {

		/** The lock that the thread waits for. */
		volatile @Nullable SequenceLock awaited;

	}

	private static final class Entry extends WeakReference<SequenceLock> {

		private final String row;

		Entry(String row, SequenceLock lock, ReferenceQueue<SequenceLock> unused) {
			super(lock, unused);
			this.row = row;
		}

	}

}
