package dev.idspring.jdbc;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.worker.StateLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of the rows from which numbers are drawn, and the threads that wait for these
 * locks. Because there may be a million rows, {@link #get} removes the entries of locks
 * that have been garbage-collected. No transaction owns or awaits such a lock.
 * <p>
 * If waiting for these locks would cause a deadlock, exactly one of the threads detects
 * it:
 * <ol>
 * <li>A thread holds {@link #searchLock} while it searches for a cycle and then records
 * the lock that it will wait for. So one of the threads in a cycle is the last to
 * search.</li>
 * <li>That thread finds the whole cycle, because the others have recorded the locks that
 * they wait for, and each waiting thread is recorded as the owner of the locks that it
 * holds.</li>
 * <li>That thread fails instead of waiting, and records no lock. So no other thread finds
 * a cycle.</li>
 * <li>When a waiting thread acquires a lock, no cycle arises, because that thread then no
 * longer waits.</li>
 * </ol>
 */
final class SequenceLocks {

	private final ConcurrentMap<String, Entry> locks = new ConcurrentHashMap<>();

	private final ReferenceQueue<SequenceLock> unreferencedLocks = new ReferenceQueue<>();

	private final StateLock searchLock = new StateLock();

	private final ThreadLocal<DrawingThread> threads = ThreadLocal.withInitial(DrawingThread::new);

	/**
	 * Return the lock of a row. All callers get the same lock while any of them
	 * references it.
	 */
	SequenceLock get(String row) {
		for (Reference<?> entry = this.unreferencedLocks.poll(); entry != null; entry = this.unreferencedLocks.poll()) {
			this.locks.remove(((Entry) entry).row, entry);
		}
		SequenceLock lock = null;
		while (lock == null) {
			// repeat if a known lock is garbage-collected before it is returned
			SequenceLock newLock = new SequenceLock(this);
			lock = this.locks.compute(row, (key, known) -> (known != null && known.get() != null) ? known
					: new Entry(key, newLock, this.unreferencedLocks))
				.get();
			Reference.reachabilityFence(newLock);
		}
		return lock;
	}

	int size() {
		return this.locks.size();
	}

	/**
	 * Return the state of the calling thread.
	 */
	DrawingThread currentThread() {
		return this.threads.get();
	}

	/**
	 * Record that a thread waits for a lock, unless that would cause a deadlock.
	 * @return {@code false} if waiting would cause a deadlock
	 */
	boolean recordWait(DrawingThread thread, SequenceLock lock) {
		this.searchLock.lock();
		try {
			DrawingThread owner = lock.owner();
			for (int i = 0; i < this.locks.size() && owner != null && owner != thread; i++) {
				SequenceLock awaited = owner.awaited;
				owner = (awaited != null) ? awaited.owner() : null;
			}
			thread.awaited = (owner != thread) ? lock : null;
			return owner != thread;
		}
		finally {
			this.searchLock.unlock();
		}
	}

	/**
	 * A thread that draws numbers, and the lock that it waits for.
	 */
	static final class DrawingThread {

		/** The lock that the thread waits for, or {@code null} if there is none. */
		volatile @Nullable SequenceLock awaited;

	}

	private static final class Entry extends WeakReference<SequenceLock> {

		private final String row;

		Entry(String row, SequenceLock lock, ReferenceQueue<SequenceLock> unreferencedLocks) {
			super(lock, unreferencedLocks);
			this.row = row;
		}

	}

}
