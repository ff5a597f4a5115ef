package dev.idspring.benchmarks.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import dev.idspring.benchmarks.store.Contestant.Source;
import org.HdrHistogram.Histogram;

/**
 * Threads that draw ids from one source.
 */
final class Callers {

	private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(5);

	/**
	 * The number of ids between two readings of the clock, when drawing as fast as
	 * possible.
	 */
	private static final int DRAWS_PER_CLOCK_READING = 16;

	/** A call that takes longer than this counts as slow. */
	private static final long SLOW_CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int TICKS_PER_SECOND = 1_000;

	private final List<LongSupplier> callers = new ArrayList<>();

	Callers(Source source, int threads) {
		for (int i = 0; i < threads; i++) {
			this.callers.add(source.idSupplier());
		}
	}

	/**
	 * Draw as fast as possible.
	 */
	Drawn draw(Duration duration) {
		return Drawn.sum(runTogether(duration, (caller, started) -> {
			long end = started + duration.toNanos();
			long count = 0;
			long now;
			do {
				for (int i = 0; i < DRAWS_PER_CLOCK_READING; i++) {
					caller.getAsLong();
				}
				count += DRAWS_PER_CLOCK_READING;
				now = System.nanoTime();
			}
			while (now < end);
			return new Drawn(count, now - started);
		}));
	}

	/**
	 * Draw as fast as possible, and measure the time of each call.
	 */
	Histogram measureLatencies(Duration duration) {
		Histogram all = new Histogram(MAX_LATENCY_NANOS, 3);
		runTogether(duration, (caller, started) -> {
			Histogram latencies = new Histogram(MAX_LATENCY_NANOS, 3);
			long end = started + duration.toNanos();
			long after;
			do {
				long before = System.nanoTime();
				caller.getAsLong();
				after = System.nanoTime();
				latencies.recordValue(Math.min(after - before, MAX_LATENCY_NANOS));
			}
			while (after < end);
			return latencies;
		}).forEach(all::add);
		return all;
	}

	/**
	 * Draw at a given rate. Each thread draws its share every millisecond, and catches up
	 * if it is late.
	 */
	Paced drawAtRate(Duration duration, int perSecond) {
		int idsPerTick = perSecond / TICKS_PER_SECOND / this.callers.size();
		List<Paced> all = runTogether(duration, (caller, started) -> {
			long end = started + duration.toNanos();
			long count = 0;
			long slow = 0;
			long worst = 0;
			for (long due = started; due < end && System.nanoTime() < end; due += TICK_NANOS) {
				parkUntil(due);
				for (int i = 0; i < idsPerTick; i++) {
					long before = System.nanoTime();
					caller.getAsLong();
					long took = System.nanoTime() - before;
					slow += (took > SLOW_CALL_NANOS) ? 1 : 0;
					worst = Math.max(worst, took);
				}
				count += idsPerTick;
			}
			return new Paced(new Drawn(count, Math.max(duration.toNanos(), System.nanoTime() - started)), slow, worst);
		});
		return new Paced(Drawn.sum(all.stream().map(Paced::drawn).toList()), all.stream().mapToLong(Paced::slow).sum(),
				all.stream().mapToLong(Paced::worst).max().orElse(0));
	}

	private static void parkUntil(long due) {
		for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	private <T> List<T> runTogether(Duration duration, Task<T> task) {
		CyclicBarrier start = new CyclicBarrier(this.callers.size());
		List<CompletableFuture<T>> results = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (LongSupplier caller : this.callers) {
			CompletableFuture<T> result = new CompletableFuture<>();
			results.add(result);
			Thread thread = new Thread(() -> {
				try {
					start.await();
					result.complete(task.run(caller, System.nanoTime()));
				}
				catch (Throwable ex) {
					result.completeExceptionally(ex);
				}
			}, "caller");
			// a thread that hangs must not prevent the JVM from exiting
			thread.setDaemon(true);
			thread.start();
			threads.add(thread);
		}
		try {
			return results.stream()
				.map((result) -> result.orTimeout(duration.toSeconds() + 60, TimeUnit.SECONDS).join())
				.toList();
		}
		finally {
			threads.forEach(Thread::interrupt);
		}
	}

	private interface Task<T> {

		T run(LongSupplier caller, long started);

	}

	/**
	 * The result of drawing ids.
	 *
	 * @param count the number of ids
	 * @param nanos the elapsed time in nanoseconds
	 */
	record Drawn(long count, long nanos) {

		double perSecond() {
			return this.count * 1_000_000_000.0 / this.nanos;
		}

		private static Drawn sum(List<Drawn> all) {
			return new Drawn(all.stream().mapToLong(Drawn::count).sum(),
					all.stream().mapToLong(Drawn::nanos).max().orElse(1));
		}

	}

	/**
	 * The result of drawing ids at a given rate.
	 *
	 * @param drawn the number of ids and the time
	 * @param slow the number of calls that took longer than a millisecond
	 * @param worst the duration of the longest call, in nanoseconds
	 */
	record Paced(Drawn drawn, long slow, long worst) {

	}

}
