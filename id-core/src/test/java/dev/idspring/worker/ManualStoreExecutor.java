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
 * A supply whose tasks run when the test says so, on the thread of the test.
 */
public class ManualStoreExecutor implements StoreExecutor {

	/** Callers on other threads add to it. */
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
	 * From now on run every task at once.
	 */
	public ManualStoreExecutor immediate() {
		this.immediate = true;
		return this;
	}

	/**
	 * From now on take no task that is to run at once, or any again.
	 */
	public void refuse(@Nullable Error failure) {
		this.failure = failure;
	}

	/**
	 * From now on let nothing be planned for later, or anything again.
	 */
	public void refuseLater(@Nullable Error failure) {
		this.laterFailure = failure;
	}

	/**
	 * Do something when the next task is given, on the thread that gives it.
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
	 * As the thread that talks to the store does: the next task runs all the same.
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
	 * Run what is planned for later, but not what that plans in turn.
	 */
	public void runLater() {
		List<Runnable> planned = List.copyOf(this.later);
		this.later.clear();
		planned.forEach(this::run);
		run();
	}

	/**
	 * Return what tasks have thrown.
	 */
	public List<Throwable> failures() {
		return this.failures;
	}

	public boolean isClosed() {
		return this.closed;
	}

}
