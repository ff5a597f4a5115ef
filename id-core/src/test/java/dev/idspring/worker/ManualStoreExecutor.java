package dev.idspring.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/**
 * An executor whose tasks run when the test decides, on the thread of the test.
 */
public class ManualStoreExecutor implements StoreExecutor {

	/** Concurrent, because callers on other threads add tasks. */
	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Deque<Runnable> delayedTasks = new ArrayDeque<>();

	private final List<Duration> delays = new ArrayList<>();

	private final List<Throwable> taskFailures = new ArrayList<>();

	private @Nullable Error taskError;

	private @Nullable Error delayedTaskError;

	private boolean immediate;

	private @Nullable Runnable beforeNextTask;

	private boolean closed;

	@Override
	public void execute(Runnable task) {
		if (this.taskError != null) {
			throw this.taskError;
		}
		Runnable action = this.beforeNextTask;
		this.beforeNextTask = null;
		if (action != null) {
			action.run();
		}
		if (this.immediate) {
			run(task);
		}
		else {
			this.tasks.add(task);
		}
	}

	@Override
	public void executeLater(Duration delay, Runnable task) {
		if (this.delayedTaskError != null) {
			throw this.delayedTaskError;
		}
		this.delayedTasks.add(task);
		this.delays.add(delay);
	}

	@Override
	public void close() {
		this.closed = true;
	}

	/**
	 * From now on, run each task immediately, unless it has a delay.
	 */
	public ManualStoreExecutor runImmediately() {
		this.immediate = true;
		return this;
	}

	/**
	 * From now on, throw the given error for each task that has no delay. If the error is
	 * {@code null}, accept these tasks again.
	 */
	public void rejectTasks(@Nullable Error error) {
		this.taskError = error;
	}

	/**
	 * From now on, throw the given error for each delayed task. If the error is
	 * {@code null}, accept these tasks again.
	 */
	public void rejectDelayedTasks(@Nullable Error error) {
		this.delayedTaskError = error;
	}

	/**
	 * Run an action when the next task is submitted, on the thread that submits it.
	 */
	public void beforeNextTask(Runnable action) {
		this.beforeNextTask = action;
	}

	public int pending() {
		return this.tasks.size();
	}

	public int pendingDelayed() {
		return this.delayedTasks.size();
	}

	public List<Duration> delays() {
		return this.delays;
	}

	public void run() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			run(task);
		}
	}

	/**
	 * Run a task as {@link StoreThread} does: a failed task does not prevent the next
	 * one.
	 */
	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			this.taskFailures.add(ex);
		}
	}

	/**
	 * Run all delayed tasks without waiting, and then the tasks without a delay. Delayed
	 * tasks that these tasks schedule are not run.
	 */
	public void runDelayed() {
		List<Runnable> delayedNow = List.copyOf(this.delayedTasks);
		this.delayedTasks.clear();
		delayedNow.forEach(this::run);
		run();
	}

	/**
	 * Return the exceptions that tasks have thrown.
	 */
	public List<Throwable> failures() {
		return this.taskFailures;
	}

	public boolean isClosed() {
		return this.closed;
	}

}
