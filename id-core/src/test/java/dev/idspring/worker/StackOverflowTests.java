package dev.idspring.worker;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.text.Alphabet;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a caller whose stack overflows, at any depth, never blocks other callers
 * permanently.
 */
class StackOverflowTests {

	private static final int ROUNDS = 20;

	private static final int DEPTHS = 600;

	private final List<Long> drawnIds = new ArrayList<>();

	private final AtomicInteger retries = new AtomicInteger();

	private int overflows;

	/** Starts the thread on which the stack overflows. */
	private Function<Runnable, Thread> threadStarter = (task) -> {
		Thread thread = new Thread(null, task, "overflowing", 256 * 1024);
		thread.start();
		return thread;
	};

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void blockIdsAreServedAfterOverflowsOfVirtualThreads() throws Exception {
		Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		this.threadStarter = (task) -> (Thread) ReflectionUtils.invokeMethod(start, null, task);
		blockIdsAreServedAfterOverflowsAtEveryDepth();
	}

	@Test
	void blockIdsAreServedAfterOverflowsAtEveryDepth() throws Exception {
		BlockIdGenerator.Builder builder = BlockIdGenerator
			.coprime("test", new CoprimeSettings(Alphabet.of("0123456789"), 9, 9, null, 0), new InMemoryKeySpaceStore())
			.blockSettings(new BlockSettings(3, 3, Duration.ofMillis(300), Duration.ZERO));
		assertIsServedAfterOverflows(withRetries(builder::open));
	}

	@Test
	void seriesIdsAreServedAfterOverflowsAtEveryDepth() throws Exception {
		BlockIdGenerator.Builder builder = BlockIdGenerator
			.recycled("test", new RecycledSettings(1_000_000, RecycledSettings.MAX_CAPACITY),
					new SeriesSettings(2, Duration.ofMinutes(1)), new InMemoryKeySpaceStore(),
					new InMemorySlotStore(TimeSource.system()))
			.blockSettings(new BlockSettings(3, 3, Duration.ofMillis(300), Duration.ZERO));
		assertIsServedAfterOverflows(withRetries(builder::open));
	}

	@Test
	void timeBasedIdsAreServedAfterOverflowsAtEveryDepth() throws Exception {
		TimeIdGenerator ids = TimeIdGenerator.builder("test", SnowflakeSettings.Preset.STANDARD.settings().scheme())
			.store(new InMemoryKeySpaceStore(), new InMemorySlotStore(TimeSource.system()))
			.waitTimeout(Duration.ofMillis(300))
			.open();
		assertIsServedAfterOverflows(ids);
	}

	@Test
	void gaplessNumbersAreServedAfterOverflowsAtEveryDepth() throws Exception {
		AtomicLong readings = new AtomicLong();
		GaplessIdGenerator ids = GaplessIdGenerator
			.builder("test", new GaplessSettings(1, Long.MAX_VALUE - 1), new InMemoryKeySpaceStore(),
					new CountingGaplessStore())
			.timeSource(new LeapingTimeSource(readings))
			.open();
		assertIsServedAfterOverflows(ids);
	}

	/**
	 * Retry for a while. The timeouts are short, because an overflowing caller may wait
	 * for the whole timeout. On a busy machine, other callers may need longer.
	 */
	private <T> T withRetries(Supplier<T> call) {
		for (int i = 0; i < 20; i++) {
			try {
				return call.get();
			}
			catch (IdStoreUnavailableException ex) {
				this.retries.incrementAndGet();
			}
		}
		return call.get();
	}

	private void assertIsServedAfterOverflows(ManagedIdGenerator ids) throws Exception {
		int roundsWithRetries = 0;
		for (int round = 0; round < ROUNDS; round++) {
			int before = this.retries.get();
			int parity = round % 2;
			Thread caller = this.threadStarter.apply(() -> overflow(ids, parity));
			caller.join(TimeUnit.SECONDS.toMillis(60));
			assertThat(caller.isAlive()).as("the overflowing caller is blocked").isFalse();
			assertReturns(() -> this.drawnIds.add(withRetries(ids::nextLong)));
			assertReturns(
					() -> this.drawnIds.addAll(withRetries(() -> LongStream.of(ids.nextLongs(4)).boxed().toList())));
			assertReturns(ids::snapshot);
			assertReturns(() -> ids.refresh(Duration.ofSeconds(5)).join());
			roundsWithRetries += (this.retries.get() > before) ? 1 : 0;
		}
		assertReturns(ids::close);
		assertThat(this.overflows).isPositive();
		assertThat(roundsWithRetries).as("rounds in which other callers had to retry").isLessThan(ROUNDS / 2);
		assertThat(this.drawnIds).doesNotHaveDuplicates().hasSizeGreaterThan(ROUNDS);
	}

	/**
	 * A counter without transactions.
	 */
	private static final class CountingGaplessStore implements GaplessStore {

		private final AtomicLong next = new AtomicLong(1);

		@Override
		public void create(String name, long first, Deadline deadline) {
			// needs no initialization
		}

		@Override
		public Draw draw(String name, int count, long last, Deadline deadline) {
			return new Draw(true, this.next.getAndAdd(count));
		}

		@Override
		public long next(String name, Deadline deadline) {
			return this.next.get();
		}

	}

	/**
	 * A clock that advances by two hours with each reading, so that a sample of the usage
	 * is always due.
	 */
	private record LeapingTimeSource(AtomicLong readings) implements TimeSource {

		@Override
		public long nanoTime() {
			return System.nanoTime() + Duration.ofHours(2 * this.readings.incrementAndGet()).toNanos();
		}

		@Override
		public Instant instant() {
			return Instant.now();
		}

	}

	private static void assertReturns(Runnable call) throws Exception {
		CompletableFuture.runAsync(call, (task) -> new Thread(task).start()).get(1, TimeUnit.MINUTES);
	}

	private void overflow(ManagedIdGenerator ids, int parity) {
		long[] drawn = new long[5 * DEPTHS];
		long[] batch = new long[4];
		// the number of drawn ids, and the number of calls
		int[] count = new int[2];
		overflowAndCall(() -> {
			if (count[1] % 2 != parity) {
				ids.nextLongs(batch);
				System.arraycopy(batch, 0, drawn, count[0], batch.length);
				count[0] += batch.length;
			}
			else {
				drawn[count[0]] = ids.nextLong();
				count[0]++;
			}
		}, count);
		for (int i = 0; i < count[0]; i++) {
			this.drawnIds.add(drawn[i]);
		}
	}

	/**
	 * Use up the stack. Then run the call at each of the {@code DEPTHS} deepest levels.
	 */
	private void overflowAndCall(Runnable call, int[] count) {
		try {
			overflowAndCall(call, count);
		}
		catch (StackOverflowError ex) {
			// the deepest level is reached
		}
		if (count[1] < DEPTHS) {
			count[1]++;
			try {
				call.run();
			}
			catch (Error ex) {
				// not only StackOverflowError, because an overflow can cause other
				// errors while the JDK links a call
				this.overflows++;
			}
			catch (IllegalStateException ex) {
				// no id was available within the timeout
			}
		}
	}

}
