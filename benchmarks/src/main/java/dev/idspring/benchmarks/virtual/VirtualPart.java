package dev.idspring.benchmarks.virtual;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntToLongFunction;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.raw.InMemory;
import dev.idspring.monitor.ManagedIdGenerator;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * Measures 10,000 and then 1,000,000 virtual threads that draw ids at the same time, with
 * each of the compared generators and counters (the contestants) in turn. This is a
 * program rather than a JMH benchmark, because JMH's executor for virtual threads
 * deadlocks if there are more threads than cores.
 * <p>
 * The program requires a JDK with virtual threads, although it is compiled for an older
 * one.
 */
public final class VirtualPart {

	/** The name of this part and of its file. */
	public static final String NAME = "virtual";

	/** The name of the file for 1,000,000 threads. */
	public static final String MILLION = NAME + "-million";

	/** The name of our generator in the results. */
	public static final String OURS = "ours, `nextLong`";

	/** The name of the generator to compare with. */
	public static final String CHAIN = "CosId chain, step 10,000";

	/** The name of the contestant that shows the lowest possible cost of an id. */
	public static final String SEPARATE_COUNTERS = "an atomic counter per thread";

	/**
	 * The name of the contestant that shows the lowest possible cost if threads share
	 * memory cells.
	 */
	public static final String GUARDED_CELLS = "a cell behind a guard, found by the thread's number";

	/** The number of cells, which is also the minimum number of our stripes. */
	private static final int CELLS = 64;

	/** The distance between cells, which is large enough to avoid false sharing. */
	private static final int CELL_DISTANCE = 32;

	/** The number of ids that all threads together draw. */
	private static final int IDS = 20_000_000;

	private VirtualPart() {
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) throws Exception {
		Results results = new Results(Path.of(args[0]));
		int rounds = (Mode.valueOf(args[1]) == Mode.FULL) ? 7 : 3;
		ThreadFactory threads = virtualThreads();
		try (ManagedIdGenerator ours = InMemory.coprime()) {
			SegmentChainId chain = new SegmentChainId(new IdSegmentDistributor.Atomic(10_000));
			AtomicLong atomic = new AtomicLong();
			// the threads' own counters are published here, so that the JVM cannot remove
			// their atomic operations
			AtomicReference<AtomicLong> published = new AtomicReference<>();
			Map<String, IntToLongFunction> contestants = new LinkedHashMap<>();
			// each contestant has its own loop, so that the JVM compiles each loop
			// separately
			contestants.put(OURS, (count) -> {
				long last = 0;
				for (int i = 0; i < count; i++) {
					last = ours.nextLong();
				}
				return last;
			});
			contestants.put(CHAIN, (count) -> {
				long last = 0;
				for (int i = 0; i < count; i++) {
					last = chain.generate();
				}
				return last;
			});
			contestants.put("AtomicLong", (count) -> {
				long last = 0;
				for (int i = 0; i < count; i++) {
					last = atomic.getAndIncrement();
				}
				return last;
			});
			contestants.put(SEPARATE_COUNTERS, (count) -> {
				AtomicLong counter = new AtomicLong(atomic.getAndAdd(count));
				published.set(counter);
				for (int i = 1; i < count; i++) {
					counter.getAndIncrement();
				}
				return counter.get();
			});
			AtomicIntegerArray guards = new AtomicIntegerArray(CELLS * CELL_DISTANCE);
			long[] cells = new long[CELLS * CELL_DISTANCE];
			Arrays.setAll(cells, (cell) -> (long) cell << 40);
			contestants.put(GUARDED_CELLS, (count) -> {
				long last = 0;
				for (int i = 0; i < count; i++) {
					int cell = ((int) Thread.currentThread().getId() & (CELLS - 1)) * CELL_DISTANCE;
					while (!guards.compareAndSet(cell, 0, 1)) {
						cell = (cell + CELL_DISTANCE) % cells.length;
					}
					last = ++cells[cell];
					guards.setRelease(cell, 0);
				}
				return last;
			});
			results.write(NAME, measure(threads, 10_000, contestants, rounds));
			results.write(MILLION, measure(threads, 1_000_000, contestants, 3));
		}
	}

	/**
	 * Measure the contestants in turn, so that a temporary disturbance of the machine
	 * affects all contestants rather than only one. The first two rounds are only a
	 * warm-up.
	 */
	private static VirtualResults measure(ThreadFactory threads, int count, Map<String, IntToLongFunction> contestants,
			int rounds) throws InterruptedException {
		Map<String, List<Double>> all = new LinkedHashMap<>();
		for (int round = -2; round < rounds; round++) {
			for (Map.Entry<String, IntToLongFunction> contestant : contestants.entrySet()) {
				double idsPerSecond = idsPerSecond(threads, count, contestant.getValue());
				if (round >= 0) {
					all.computeIfAbsent(contestant.getKey(), (name) -> new ArrayList<>()).add(idsPerSecond);
				}
			}
		}
		Map<String, Double> medians = new LinkedHashMap<>();
		all.forEach((name, values) -> medians.put(name, values.stream().sorted().toList().get(values.size() / 2)));
		return new VirtualResults(Runtime.version().toString(), count, IDS / count, medians);
	}

	private static double idsPerSecond(ThreadFactory threads, int count, IntToLongFunction ids)
			throws InterruptedException {
		CountDownLatch ready = new CountDownLatch(count);
		CountDownLatch start = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(count);
		long[] last = new long[count];
		for (int i = 0; i < count; i++) {
			int number = i;
			threads.newThread(() -> {
				ready.countDown();
				try {
					start.await();
					last[number] = ids.applyAsLong(IDS / count);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				finally {
					done.countDown();
				}
			}).start();
		}
		ready.await();
		long started = System.nanoTime();
		start.countDown();
		done.await();
		long took = System.nanoTime() - started;
		if (Arrays.stream(last).distinct().count() < count) {
			throw new IllegalStateException("Not every thread has drawn ids.");
		}
		return (double) IDS * 1_000_000_000 / took;
	}

	/**
	 * Return {@code Thread.ofVirtual().factory()}.
	 */
	private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
	}

}
