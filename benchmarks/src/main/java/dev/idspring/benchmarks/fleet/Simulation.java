package dev.idspring.benchmarks.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;

/**
 * A discrete-event simulation, in which time advances from one event to the next. A
 * simulated day takes much less time than a real one, and the simulation is reproducible.
 */
final class Simulation implements TimeSource {

	private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private long nanos;

	private long nextOrder;

	@Override
	public long nanoTime() {
		return this.nanos;
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.nanos);
	}

	/**
	 * Advance the time without running any events. All events run on one thread, so the
	 * calling event cannot be suspended while others run.
	 */
	@Override
	public void sleep(Duration time) {
		this.nanos += time.toNanos();
	}

	void schedule(long delayNanos, Runnable task) {
		this.events.add(new Event(this.nanos + Math.max(0, delayNanos), this.nextOrder++, task));
	}

	/**
	 * Run all events that are due at or before {@code end}, and then advance the clock to
	 * {@code end}.
	 */
	void runUntil(long end) {
		while (!this.events.isEmpty() && this.events.peek().nanos() <= end) {
			Event event = this.events.remove();
			this.nanos = Math.max(this.nanos, event.nanos());
			event.task().run();
		}
		this.nanos = Math.max(this.nanos, end);
	}

	/**
	 * Return an executor for one simulated process. Its {@code execute} runs a task
	 * immediately, on the calling thread, and its {@code executeLater} adds an event.
	 */
	ProcessExecutor executor() {
		return new ProcessExecutor();
	}

	private record Event(long nanos, long order, Runnable task) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int byTime = Long.compare(this.nanos, other.nanos);
			return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
		}

	}

	/**
	 * An executor that stops running tasks when its process is stopped or crashes.
	 */
	final class ProcessExecutor implements StoreExecutor {

		private boolean stopped;

		@Override
		public void execute(Runnable task) {
			if (!this.stopped) {
				task.run();
			}
		}

		@Override
		public void executeLater(Duration delay, Runnable task) {
			schedule(delay.toNanos(), () -> execute(task));
		}

		@Override
		public void close() {
			this.stopped = true;
		}

	}

}
