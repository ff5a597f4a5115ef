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

	private final Deque<Runnable> later = new ArrayDeque<>();

	private final List<Duration> delays = new ArrayList<>();

	private final List<Throwable> failures = new ArrayList<>();

	private @Nullable Error failure;

	private @Nullable Error laterFailure;

	private boolean immediate;

	private @Nullable Runnable whenGiven;

	private boolean closed;

	@Override
	public void execute(Runnable task) {
		if (this.failure != null) {
			throw this.failure;
		}
		Runnable first = this.whenGiven;
		this.whenGiven = null;
		if (first != null) {
			first.run();
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
		if (this.laterFailure != null) {
			throw this.laterFailure;
		}
		this.later.add(task);
		this.delays.add(delay);
	}

	@Override
	public void close() {
		this.closed = true;
	}

	/**
	 * From now on, run each task immediately.
	 */
	public ManualStoreExecutor immediate() {
		this.immediate = true;
		return this;
	}

	/**
	 * From now on, throw the given error for each task without a delay. If the error is
	 * {@code null}, accept these tasks again.
	 */
	public void refuse(@Nullable Error failure) {
		this.failure = failure;
	}

	/**
	 * From now on, throw the given error for each delayed task. If the error is
	 * {@code null}, accept these tasks again.
	 */
	public void refuseLater(@Nullable Error failure) {
		this.laterFailure = failure;
	}

	/**
	 * Run an action when the next task is submitted, on the thread that submits it.
	 */
	public void whenGiven(Runnable first) {
		this.whenGiven = first;
	}

	public int pending() {
		return this.tasks.size();
	}

	public int pendingLater() {
		return this.later.size();
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
			this.failures.add(ex);
		}
	}

	/**
	 * Run all tasks that are delayed now, and then the tasks without a delay. Delayed
	 * tasks that these tasks schedule are not run.
	 */
	public void runLater() {
		List<Runnable> planned = List.copyOf(this.later);
		this.later.clear();
		planned.forEach(this::run);
		run();
	}

	/**
	 * Return the exceptions that tasks have thrown.
	 */
	public List<Throwable> failures() {
		return this.failures;
	}

	public boolean isClosed() {
		return this.closed;
	}

}
