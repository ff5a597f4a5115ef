package dev.idspring.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The background loop of every component that accesses a store.
 * <p>
 * Why nothing hangs, whatever a store, a caller or the JVM throws:
 * <ol>
 * <li>Only the {@link StoreExecutor} accesses the store. Callers hand it requests by
 * compare-and-set, and wait for an {@link Await} with a deadline. They hold no lock that
 * it needs; state that both change is guarded by a
 * {@link dev.idspring.worker.StateGuard}, which no error leaves locked.</li>
 * <li>At most one attempt is under way: {@link #underWay} holds its ticket. A request
 * sets a ticket only if there is none, and an attempt runs only while the ticket is its
 * own.</li>
 * <li>Every ticket is cleared. A {@link Job} says {@link #ended()} or {@link #again} when
 * it knows the outcome. If it throws before that, or the executor rejects the task, the
 * worker clears the ticket and notifies the job that the attempt was {@link Job#abandoned
 * abandoned}. If even that is impossible, a plain assignment, which cannot fail, clears
 * the ticket, and the next request begins another attempt.</li>
 * <li>A {@link Planned} task is scheduled at most once at a time. It clears the plan
 * before it runs, and when the executor rejects it. So it can always be scheduled again,
 * at the latest by the next attempt.</li>
 * <li>Reads for observers are {@link CoalescedRead coalesced}: one is under way, and one
 * is pending.</li>
 * <li>The last task runs after all tasks that were submitted before. The closing thread
 * waits for it until one deadline, {@link #awaitAll even for several workers}.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class StoreWorker {

	private static final AtomicReferenceFieldUpdater<StoreWorker, @Nullable Ticket> UNDER_WAY = AtomicReferenceFieldUpdater
		.newUpdater(StoreWorker.class, Ticket.class, "underWay");

	private final StoreExecutor executor;

	private final Job job;

	/** The ticket of the attempt that is queued, scheduled or running. */
	private volatile @Nullable Ticket underWay;

	/**
	 * Create a worker.
	 * @param executor accesses the store
	 * @param job the work to do
	 */
	public StoreWorker(StoreExecutor executor, Job job) {
		this.executor = executor;
		this.job = job;
	}

	/**
	 * Begin an attempt unless one is under way. If the executor does not accept it, this
	 * does not throw but notifies the job.
	 */
	public void request() {
		Ticket ticket = new Ticket();
		boolean given = false;
		try {
			if (!UNDER_WAY.compareAndSet(this, null, ticket)) {
				return;
			}
			this.executor.execute(ticket);
			given = true;
		}
		catch (Throwable ex) {
			if (this.underWay == ticket) {
				this.underWay = null;
				this.job.abandoned(ex);
			}
		}
		finally {
			// no call here: there may be no stack left
			if (!given && this.underWay == ticket) {
				this.underWay = null;
			}
		}
	}

	private void attempt(Ticket ticket) {
		if (this.underWay != ticket) {
			return;
		}
		Throwable reason = null;
		try {
			this.job.attempt();
		}
		catch (Throwable ex) {
			reason = ex;
		}
		if (this.underWay == ticket) {
			this.underWay = null;
			this.job.abandoned((reason != null) ? reason : new IllegalStateException("no outcome"));
		}
		// to be logged by the executor
		if (reason instanceof Error error) {
			throw error;
		}
		if (reason instanceof RuntimeException exception) {
			throw exception;
		}
	}

	/**
	 * Allow the next request to begin an attempt. The job calls this when it knows the
	 * outcome of an attempt, before anything that might fail.
	 */
	public void ended() {
		this.underWay = null;
	}

	/**
	 * Begin the next attempt after a delay, and no other attempt before. The job calls
	 * this instead of {@link #ended()}.
	 * @param delay how long to wait
	 */
	public void again(Duration delay) {
		Ticket next = new Ticket();
		boolean given = false;
		this.underWay = next;
		try {
			given = this.executor.plan(delay, next);
		}
		finally {
			if (!given) {
				this.underWay = null;
			}
		}
	}

	/**
	 * Run a task on the executor, after all tasks submitted before.
	 * @param task the task
	 */
	public void execute(Runnable task) {
		this.executor.execute(task);
	}

	/**
	 * Return a task that can be scheduled.
	 * @param task runs on the executor, and may schedule itself
	 * @return the task, not scheduled yet
	 */
	public Planned planned(Runnable task) {
		return new Planned(this.executor, task);
	}

	/**
	 * Run a last task, and accept no more tasks.
	 * @param last the task
	 * @return completes when it has ended, or cannot be run
	 */
	public CompletableFuture<Boolean> close(Runnable last) {
		CompletableFuture<Boolean> done = new CompletableFuture<>();
		try {
			this.executor.execute(() -> {
				try {
					last.run();
				}
				finally {
					done.complete(true);
				}
			});
		}
		catch (Throwable ex) {
			// no thread could be started: unused ordinals are not given back
			done.complete(false);
		}
		finally {
			this.executor.close();
		}
		return done;
	}

	/**
	 * Wait for several events until one deadline, so that a store that does not answer
	 * costs the timeout only once.
	 * @param events complete in any order
	 * @param atMost how long to wait for all of them together
	 * @return whether all have completed
	 */
	public static boolean awaitAll(List<? extends CompletableFuture<?>> events, Duration atMost) {
		Await all = new Await();
		CompletableFuture.allOf(events.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> all.end());
		Deadline deadline = Deadline.after(TimeSource.system(), atMost);
		boolean interrupted = false;
		while (true) {
			try {
				boolean over = all.await(deadline.remaining());
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
				return over;
			}
			catch (InterruptedException ex) {
				// the closing thread still gives back what it has
				interrupted = true;
			}
		}
	}

	/**
	 * The work that a worker does.
	 *
	 * @since 0.1.0
	 */
	public interface Job {

		/**
		 * Talk to the store, and call {@link StoreWorker#ended()} or
		 * {@link StoreWorker#again} once the outcome is known.
		 */
		void attempt();

		/**
		 * Called when an attempt could not begin, or ended without an outcome.
		 * @param reason the cause
		 */
		void abandoned(Throwable reason);

	}

	/**
	 * Runs an attempt, while it is the worker's ticket. Not a lambda: the first caller to
	 * link it may overflow its stack.
	 */
	private final class Ticket implements Runnable {

		@Override
		public void run() {
			attempt(this);
		}

	}

	/**
	 * A task that is scheduled at most once at a time, no matter how often it is
	 * requested.
	 *
	 * @since 0.1.0
	 */
	public static final class Planned {

		private static final AtomicReferenceFieldUpdater<Planned, @Nullable Object> TICKET = AtomicReferenceFieldUpdater
			.newUpdater(Planned.class, Object.class, "ticket");

		private final StoreExecutor executor;

		private final Runnable task;

		private final Runnable run = this::run;

		/** Represents the plan, {@code null} if there is none. */
		private volatile @Nullable Object ticket;

		Planned(StoreExecutor executor, Runnable task) {
			this.executor = executor;
			this.task = task;
		}

		/**
		 * Run the task after a delay, unless it is already scheduled, or the executor
		 * rejects it.
		 * @param delay returns how long to wait; not called if there is a plan
		 */
		public void plan(Supplier<Duration> delay) {
			Object mine = new Object();
			boolean taken = false;
			try {
				taken = TICKET.compareAndSet(this, null, mine) && this.executor.plan(delay.get(), this.run);
			}
			finally {
				// no call here: there may be no stack left
				if (!taken && this.ticket == mine) {
					this.ticket = null;
				}
			}
		}

		private void run() {
			this.ticket = null;
			this.task.run();
		}

	}

	/**
	 * The back-off after consecutive failures: twice as long each time, up to a bound.
	 * Used by one thread at a time.
	 *
	 * @since 0.1.0
	 */
	public static final class BackOff {

		private static final Duration FIRST = Duration.ofMillis(250);

		private final Duration last;

		private final LongUnaryOperator jitter;

		private Duration next = FIRST;

		/**
		 * Create a back-off.
		 * @param last the longest wait
		 * @param jitter returns a number from 0 (inclusive) to its argument (exclusive):
		 * up to a quarter of the wait is added, so that instances do not retry together
		 */
		public BackOff(Duration last, LongUnaryOperator jitter) {
			this.last = last;
			this.jitter = jitter;
		}

		/**
		 * Restart from the shortest wait.
		 */
		public void reset() {
			this.next = FIRST;
		}

		/**
		 * Return how long to wait this time.
		 * @return the wait
		 */
		public Duration next() {
			Duration wait = this.next;
			Duration doubled = wait.multipliedBy(2);
			this.next = (doubled.compareTo(this.last) < 0) ? doubled : this.last;
			return wait.plusNanos(this.jitter.applyAsLong(wait.toNanos() / 4));
		}

	}

}
