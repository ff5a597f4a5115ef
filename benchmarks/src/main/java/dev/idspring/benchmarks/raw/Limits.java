package dev.idspring.benchmarks.raw;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import dev.idspring.block.stripe.EndlessStripes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Benchmarks of the limits of the machine. The measured code is not an id generator, and
 * some of it does not even return distinct numbers.
 */
public class Limits {

	/** The distance between cells, in array elements. It avoids false sharing. */
	private static final int CELL_DISTANCE = 32;

	private static final int TAIL_BITS = 12;

	private static final int NODE_BITS = 10;

	private static final long NODE = 1;

	@Benchmark
	public long threadLocalRandom() {
		return ThreadLocalRandom.current().nextLong();
	}

	@Benchmark
	public long atomicLong(SharedState state) {
		return state.atomic.getAndIncrement();
	}

	@Benchmark
	public void longAdder(SharedState state) {
		state.adder.increment();
	}

	@Benchmark
	public long threadConfined(ThreadCounter state) {
		return state.counter++;
	}

	/**
	 * The minimum work of a stripe, which holds ids for one thread: find the cell of the
	 * thread and change it.
	 */
	@Benchmark
	public long cellOfThread(SharedState state) {
		return state.cells[((int) Thread.currentThread().getId() & 63) * CELL_DISTANCE]++;
	}

	/**
	 * Everything that a generator does for an id, except for the call that fetches more
	 * ids for the stripe.
	 */
	@Benchmark
	public long endlessStripe(EndlessStripeState state, FilledStripe filled) {
		return state.stripes.nextLong();
	}

	/**
	 * The minimum work that a burst of snowflake ids needs, if ids must increase across
	 * all threads. A ticker clears a flag each millisecond, and a single counter contains
	 * the time and the tail.
	 */
	@Benchmark
	public long tickerAndCounter(TickerState state) {
		if (!state.clockRead) {
			state.readClock();
		}
		long position = state.position.getAndIncrement();
		return (position >>> TAIL_BITS) << (TAIL_BITS + NODE_BITS) | NODE << TAIL_BITS
				| position & (1 << TAIL_BITS) - 1;
	}

	/**
	 * The minimum work that a bulk call needs: allocate the array.
	 */
	@Benchmark
	@OperationsPerInvocation(Ours.BULK)
	public long[] emptyBulk() {
		return new long[Ours.BULK];
	}

	/**
	 * The minimum work that a string id needs: copy existing characters.
	 */
	@Benchmark
	public String sameText(SharedState state) {
		return new String(state.characters, StandardCharsets.ISO_8859_1);
	}

	@State(Scope.Benchmark)
	public static class SharedState {

		private final byte[] characters = "4GhT7x".getBytes(StandardCharsets.ISO_8859_1);

		private final long[] cells = new long[64 * CELL_DISTANCE];

		private final AtomicLong atomic = new AtomicLong();

		private final LongAdder adder = new LongAdder();

	}

	@State(Scope.Thread)
	public static class ThreadCounter {

		private long counter;

	}

	@State(Scope.Benchmark)
	public static class TickerState {

		private final AtomicLong position = new PaddedCounter();

		private volatile boolean clockRead;

		private volatile boolean stopped;

		private Thread ticker;

		@Setup
		public void start() {
			this.ticker = new Thread(() -> {
				while (!this.stopped) {
					this.clockRead = false;
					LockSupport.parkNanos(1_000_000);
				}
			});
			this.ticker.start();
		}

		private void readClock() {
			long now = System.currentTimeMillis() << TAIL_BITS;
			this.position.accumulateAndGet(now, Math::max);
			this.clockRead = true;
		}

		@TearDown
		public void stop() throws InterruptedException {
			this.stopped = true;
			this.ticker.join();
		}

	}

	/**
	 * Separates the counter, which is written constantly, from fields that are only read.
	 */
	private static final class PaddedCounter extends AtomicLong {

		private static final long serialVersionUID = 1L;

		@SuppressWarnings("unused")
		private long p0, p1, p2, p3, p4, p5, p6, p7;

	}

	@State(Scope.Benchmark)
	public static class EndlessStripeState {

		private final EndlessStripes stripes = new EndlessStripes();

	}

	/**
	 * Fills the stripe of a thread with enough ordinals for an iteration.
	 */
	@State(Scope.Thread)
	public static class FilledStripe {

		@Setup(Level.Iteration)
		public void fill(EndlessStripeState state) {
			state.stripes.fill();
		}

	}

}
