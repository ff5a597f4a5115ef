package dev.idspring.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * Runs a {@link Job} in the background, at most one attempt at a time. Every component
 * that accesses a store in the background uses a worker.
 * <p>
 * Why nothing hangs, whatever a store, a caller or the JVM throws:
 * <ol>
 * <li>Workers access the store only on the {@link StoreExecutor}. Callers hand over
 * requests by compare-and-set, and wait on a {@link OneTimeEvent} with a deadline. While
 * callers wait, they hold no lock that the executor needs. A {@link StateLock}, which no
 * error leaves locked, guards state that callers and the executor both change.</li>
 * <li>At most one attempt is under way. Only the request that sets {@link #underWay}
 * submits an attempt. A caller with too little stack left fails before it tries to set
 * {@code underWay} (see {@link StackProbe}). If an Error is thrown although the attempt
 * was submitted, a second attempt may follow the first one. The only effect is that more
 * is reserved than is needed.</li>
 * <li>{@link #underWay} is always cleared. A {@link Job} calls {@link #ended()} or
 * {@link #retryAfter} when it knows the outcome. If the job throws before that, or the
 * executor rejects the task, the worker clears {@code underWay} and calls
 * {@link Job#abandoned}.</li>
 * <li>A {@link ScheduledTask} is scheduled at most once at a time. It can be scheduled
 * again as soon as it starts to run, or the executor has rejected it.</li>
 * <li>Reads for callers, such as health checks, are {@link CoalescedRead coalesced}: at
 * most one is under way, and at most one is pending.</li>
 * <li>{@link #close} submits a last task, which runs after all tasks that were submitted
 * before it. The closing thread waits for the last task until a deadline. Several workers
 * can share one deadline ({@link #awaitAll}).</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class StoreWorker {

	private final StoreExecutor executor;

	private final Job job;

	/** Created in advance, so that {@link #request()} creates no lambda. */
	private final Runnable attempt = this::attempt;

	/** Whether an attempt is queued, scheduled or running. */
	private final AtomicBoolean underWay = new AtomicBoolean();

	/**
	 * Whether the running attempt has reported its outcome. Used only by the thread of
	 * the attempt.
	 */
	private boolean outcomeReported;

	/**
	 * Create a worker.
	 * @param executor runs the attempts
	 * @param job the work to do
	 */
	public StoreWorker(StoreExecutor executor, Job job) {
		this.executor = executor;
		this.job = job;
	}

	/**
	 * Begin an attempt unless one is under way. If the executor rejects the attempt, this
	 * method does not throw an exception, but calls {@link Job#abandoned}.
	 * @throws StackOverflowError if too little stack is left. In this case, no attempt
	 * has begun
	 */
	public void request() {
		StackProbe.verify();
		if (!this.underWay.compareAndSet(false, true)) {
			return;
		}
		try {
			this.executor.execute(this.attempt);
		}
		catch (Throwable ex) {
			this.underWay.set(false);
			this.job.abandoned(ex);
		}
	}

	private void attempt() {
		this.outcomeReported = false;
		try {
			this.job.attempt();
			if (!this.outcomeReported) {
				throw new IllegalStateException("The attempt ended without an outcome.");
			}
		}
		catch (Throwable ex) {
			if (!this.outcomeReported) {
				this.underWay.set(false);
				this.job.abandoned(ex);
			}
			// rethrow the failure, so that the executor logs it
			throw ex;
		}
	}

	/**
	 * Allow the next request to begin an attempt. The job calls this method when it has
	 * recorded the outcome. If the job fails before that, the worker calls
	 * {@link Job#abandoned}.
	 */
	public void ended() {
		this.outcomeReported = true;
		this.underWay.set(false);
	}

	/**
	 * Begin the next attempt after a delay. Until then, no other attempt begins. The job
	 * calls this method instead of {@link #ended()}. If the executor rejects the attempt,
	 * this method does the same as {@code ended()}.
	 * @param delay how long to wait
	 */
	public void retryAfter(Duration delay) {
		if (!this.executor.tryExecuteLater(delay, this.attempt)) {
			this.underWay.set(false);
		}
		// if an Error is thrown above, this line is not reached, and the attempt counts
		// as abandoned
		this.outcomeReported = true;
	}

	/**
	 * Run a task on the executor, after all tasks that were submitted before it.
	 * @param task the task
	 */
	public void execute(Runnable task) {
		this.executor.execute(task);
	}

	/**
	 * Run a last task, and accept no more tasks.
	 * @param lastTask the task
	 * @return a future that completes with {@code true} when the task has ended, or with
	 * {@code false} if the task cannot run
	 */
	public CompletableFuture<Boolean> close(Runnable lastTask) {
		CompletableFuture<Boolean> done = new CompletableFuture<>();
		try {
			this.executor.execute(() -> {
				try {
					lastTask.run();
				}
				finally {
					done.complete(true);
				}
			});
		}
		catch (Throwable ex) {
			// the last task cannot run, for example because no thread could be started
			done.complete(false);
		}
		finally {
			this.executor.close();
		}
		return done;
	}

	/**
	 * Wait for several events with one deadline. If a store does not answer, the caller
	 * waits for {@code atMost} only once, not once per event.
	 * @param events the events, which may complete in any order
	 * @param atMost the maximum time to wait for all events together
	 * @return whether all events have completed
	 */
	public static boolean awaitAll(List<? extends CompletableFuture<?>> events, Duration atMost) {
		OneTimeEvent allCompleted = new OneTimeEvent();
		CompletableFuture.allOf(events.toArray(CompletableFuture[]::new))
			.whenComplete((done, failure) -> allCompleted.signal());
		Deadline deadline = Deadline.after(TimeSource.system(), atMost);
		boolean interrupted = false;
		while (true) {
			try {
				boolean completed = allCompleted.await(deadline.remaining());
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
				return completed;
			}
			catch (InterruptedException ex) {
				// continue to wait, so that unused ids can still be returned to the store
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
		 * Access the store, and call {@link StoreWorker#ended()} or
		 * {@link StoreWorker#retryAfter} once the outcome is known.
		 */
		void attempt();

		/**
		 * Called when an attempt could not begin, or ended without an outcome.
		 * @param reason why there is no outcome
		 */
		void abandoned(Throwable reason);

	}

	/**
	 * A task that is scheduled at most once at a time.
	 *
	 * @since 0.1.0
	 */
	public static final class ScheduledTask {

		private final StoreExecutor executor;

		private final Runnable task;

		private final Runnable run = this::run;

		private final AtomicBoolean scheduled = new AtomicBoolean();

		/**
		 * Create a task, which is not scheduled yet.
		 * @param executor runs the task
		 * @param task the task, which may schedule itself again
		 */
		public ScheduledTask(StoreExecutor executor, Runnable task) {
			this.executor = executor;
			this.task = task;
		}

		/**
		 * Run the task after a delay, unless the task is already scheduled or the
		 * executor rejects it.
		 * @param delay returns how long to wait; not called if the task is already
		 * scheduled
		 */
		public void schedule(Supplier<Duration> delay) {
			StackProbe.verify();
			if (!this.scheduled.compareAndSet(false, true)) {
				return;
			}
			boolean accepted = false;
			try {
				accepted = this.executor.tryExecuteLater(delay.get(), this.run);
			}
			finally {
				if (!accepted) {
					this.scheduled.set(false);
				}
			}
		}

		private void run() {
			this.scheduled.set(false);
			this.task.run();
		}

	}

	/**
	 * Computes the waits after consecutive failures. Apart from jitter, each wait is
	 * twice as long as the previous one, up to a maximum. Only one thread at a time may
	 * use a back-off.
	 *
	 * @since 0.1.0
	 */
	public static final class BackOff {

		private static final Duration FIRST_WAIT = Duration.ofMillis(250);

		private final Duration maxWait;

		private final LongUnaryOperator jitter;

		private Duration nextWait = FIRST_WAIT;

		/**
		 * Create a back-off.
		 * @param maxWait the longest wait, without jitter
		 * @param jitter returns a random number from 0 (inclusive) to its argument
		 * (exclusive), which is a quarter of the wait in nanoseconds. The number is added
		 * to the wait, so that instances do not all retry at once
		 */
		public BackOff(Duration maxWait, LongUnaryOperator jitter) {
			this.maxWait = maxWait;
			this.jitter = jitter;
		}

		/**
		 * Restart from the shortest wait.
		 */
		public void reset() {
			this.nextWait = FIRST_WAIT;
		}

		/**
		 * Return how long to wait before the next attempt.
		 * @return the wait
		 */
		public Duration next() {
			Duration wait = this.nextWait;
			Duration doubled = wait.multipliedBy(2);
			this.nextWait = (doubled.compareTo(this.maxWait) < 0) ? doubled : this.maxWait;
			return wait.plusNanos(this.jitter.applyAsLong(wait.toNanos() / 4));
		}

	}

}
