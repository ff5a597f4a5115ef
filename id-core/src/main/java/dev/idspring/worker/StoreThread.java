package dev.idspring.worker;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A single daemon thread. Callers that submit tasks share no lock with it, so they cannot
 * block it, even by a StackOverflowError: a {@code ScheduledThreadPoolExecutor} would
 * never release its lock then.
 * <ol>
 * <li>A task is added to the {@link #inbox} in one step. An error before that step leaves
 * no task, and one after it withdraws the task.</li>
 * <li>The thread sorts the inbox into {@link #planned}, which belongs to the thread
 * alone. Sorting links the tasks themselves and needs no memory.</li>
 * <li>A thread is started before the first task is added, so no task waits for a thread
 * that could not be started. If two were started, the first to run is the {@link #runner}
 * and the other ends.</li>
 * <li>The thread parks until the first planned task is due. A caller that adds a task
 * unparks it, and a permit given before it parks is not lost.</li>
 * <li>Once it is closed and has run all due tasks, the thread sets {@link #ended} and
 * checks the inbox once more. It finds tasks that were added before. Callers that add
 * later ones see that it has ended; tasks still in the inbox are removed and
 * rejected.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class StoreThread implements StoreExecutor {

	private final TimeSource clock = TimeSource.system();

	private final ThreadFactory threads;

	private final FailureLog failures;

	/** Created in advance, so that callers need no stack for it. */
	private final Runnable starter = this::startOnce;

	private final Runnable loop = this::run;

	private final StateGuard starting = new StateGuard();

	private final Queue<Task> inbox = new ConcurrentLinkedQueue<>();

	private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

	private volatile boolean started;

	private volatile boolean closed;

	private volatile boolean ended;

	/** Tasks still to run, the next one first. Only the runner uses it. */
	private @Nullable Task planned;

	/**
	 * Create a thread.
	 * @param generatorName becomes part of the name of the thread
	 */
	public StoreThread(String generatorName) {
		this((task) -> {
			// no inherited thread locals: they belong to the first caller
			Thread thread = new Thread(null, task, "ids-store-" + generatorName, 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(StoreThread.class.getClassLoader());
			return thread;
		}, new FailureLog(generatorName, TimeSource.system()));
	}

	StoreThread(ThreadFactory threads, FailureLog failures) {
		this.threads = threads;
		this.failures = failures;
	}

	@Override
	public void execute(Runnable task) {
		executeLater(Duration.ZERO, task);
	}

	@Override
	public void executeLater(Duration delay, Runnable task) {
		Task given = new Task(task, this.clock.nanoTime() + delay.toNanos());
		boolean done = false;
		try {
			if (!this.started) {
				this.starting.run(this.starter);
			}
			give(given);
			LockSupport.unpark(this.runner.get());
			done = true;
		}
		finally {
			if (!done) {
				given.run = null;
			}
		}
	}

	private void startOnce() {
		if (!this.started && !this.closed) {
			this.threads.newThread(this.loop).start();
			this.started = true;
		}
	}

	private void give(Task given) {
		if (this.closed || (this.inbox.add(given) && this.ended && this.inbox.remove(given))) {
			throw new RejectedExecutionException("closed");
		}
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.runner.get());
	}

	private void run() {
		if (!this.runner.compareAndSet(null, Thread.currentThread())) {
			return;
		}
		while (true) {
			for (Task given = this.inbox.poll(); given != null; given = this.inbox.poll()) {
				insert(given);
			}
			Task first = this.planned;
			long left = (first != null) ? first.due - this.clock.nanoTime() : Long.MAX_VALUE;
			if (first != null && left <= 0) {
				this.planned = first.next;
				first.run(this.failures);
				// clears an interrupt that a store left behind
				Thread.interrupted();
			}
			else if (!this.closed) {
				LockSupport.parkNanos(this, left);
				Thread.interrupted();
			}
			else if (this.ended) {
				return;
			}
			else {
				this.ended = true;
			}
		}
	}

	private void insert(Task task) {
		Task before = null;
		Task after = this.planned;
		while (after != null && after.due - task.due <= 0) {
			before = after;
			after = after.next;
		}
		task.next = after;
		if (before == null) {
			this.planned = task;
		}
		else {
			before.next = task;
		}
	}

	/**
	 * A task, until it is withdrawn.
	 */
	private static final class Task {

		private final long due;

		private volatile @Nullable Runnable run;

		private @Nullable Task next;

		Task(Runnable run, long due) {
			this.run = run;
			this.due = due;
		}

		void run(FailureLog failures) {
			Runnable task = this.run;
			if (task != null) {
				try {
					task.run();
				}
				catch (Throwable ex) {
					// the next task runs regardless
					failures.log("a task of the thread that talks to the store has failed", ex);
				}
			}
		}

	}

}
