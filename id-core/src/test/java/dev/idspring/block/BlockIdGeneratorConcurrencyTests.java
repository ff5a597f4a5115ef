package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.testsupport.VirtualExecutor;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BlockIdGenerator} with real threads, including the thread that
 * accesses the store.
 */
class BlockIdGeneratorConcurrencyTests {

	private static final int THREADS = 8;

	private final InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();

	@ParameterizedTest
	@ValueSource(ints = { 5, 62, 1_000, 100_000, 1_000_000 })
	void instancesAndThreadsTogetherIssueEveryKeyOfASmallKeySpaceOnce(int minCapacity) {
		CoprimeSettings settings = settingsFor(minCapacity);
		int keys = (int) settings.resolve(null).capacity();
		try (BlockIdGenerator first = generator(settings); BlockIdGenerator second = generator(settings)) {
			BitSet issued = collect(THREADS, (index) -> drain((index % 2 == 0) ? first : second));
			assertThat(issued.cardinality()).isEqualTo(keys);
		}
	}

	@Test
	void singleAndBulkCallsOfManyThreadsIssueDistinctIds() {
		try (BlockIdGenerator generator = generator(settingsFor(100_000_000))) {
			BitSet issued = collect(THREADS, (index) -> drawSinglyAndInBulk(generator, 200_000));
			assertThat(issued.cardinality()).isEqualTo(THREADS * 200_000);
		}
	}

	@Test
	void closeGivesBackOnlyIdsThatWereNotIssued() {
		CoprimeSettings settings = settingsFor(100_000_000);
		BitSet issued = new BitSet();
		int count = 0;
		for (int i = 0; i < 50; i++) {
			BlockIdGenerator generator = generator(settings);
			List<CompletableFuture<List<Long>>> callers = new ArrayList<>();
			for (int thread = 0; thread < 4; thread++) {
				callers.add(CompletableFuture.supplyAsync(() -> drawUntilClosed(generator), newThreadPerTask()));
			}
			generator.nextLongs(1_000 + i);
			generator.close();
			for (CompletableFuture<List<Long>> caller : callers) {
				for (long id : caller.join()) {
					count++;
					issued.set((int) id);
				}
			}
		}
		assertThat(issued.cardinality()).isEqualTo(count);
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualThreadsGetDistinctIds() {
		try (BlockIdGenerator generator = generator(settingsFor(100_000_000))) {
			BitSet issued = collect(1_000, (index) -> drawSinglyAndInBulk(generator, 1_000), new VirtualExecutor());
			assertThat(issued.cardinality()).isEqualTo(1_000 * 1_000);
		}
	}

	private BlockIdGenerator generator(CoprimeSettings settings) {
		BlockSettings defaults = BlockSettings.defaults();
		return BlockIdGenerator.coprime("test", settings, this.store)
			.blockSettings(new BlockSettings(defaults.size(), defaults.maxSize(), Duration.ofSeconds(60),
					defaults.outageReserve()))
			.open();
	}

	private static CoprimeSettings settingsFor(int minCapacity) {
		if (minCapacity == 5) {
			return new CoprimeSettings(Alphabet.of("01234"), 1, 1, 3L, 0);
		}
		if (minCapacity == 62) {
			return new CoprimeSettings(Alphabet.of("base62"), 1, 1, null, 7);
		}
		int length = Integer.toString(minCapacity).length() - 1;
		// keys become longer, so that blocks also end where the length changes
		return new CoprimeSettings(Alphabet.of("0123456789"), Math.min(2, length), length, null, 0);
	}

	private static List<Long> drain(BlockIdGenerator generator) {
		List<Long> ids = new ArrayList<>();
		try {
			while (true) {
				ids.add(generator.nextLong());
			}
		}
		catch (KeySpaceExhaustedException ex) {
			return ids;
		}
	}

	private static List<Long> drawUntilClosed(BlockIdGenerator generator) {
		List<Long> ids = new ArrayList<>();
		try {
			while (true) {
				ids.add(generator.nextLong());
			}
		}
		catch (IllegalStateException ex) {
			return ids;
		}
	}

	private static List<Long> drawSinglyAndInBulk(BlockIdGenerator generator, int count) {
		List<Long> ids = new ArrayList<>(count);
		while (ids.size() < count) {
			int bulk = ThreadLocalRandom.current().nextInt(4) == 0
					? Math.min(ThreadLocalRandom.current().nextInt(3_000), count - ids.size()) : 0;
			for (long id : generator.nextLongs(bulk)) {
				ids.add(id);
			}
			if (ids.size() < count) {
				ids.add(generator.nextLong());
			}
		}
		return ids;
	}

	private static BitSet collect(int threads, Caller caller) {
		return collect(threads, caller, newThreadPerTask());
	}

	private static BitSet collect(int threads, Caller caller, Executor executor) {
		CyclicBarrier start = new CyclicBarrier(threads);
		List<CompletableFuture<List<Long>>> callers = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			int index = i;
			Supplier<List<Long>> task = () -> {
				await(start);
				return caller.call(index);
			};
			callers.add(CompletableFuture.supplyAsync(task, executor));
		}
		BitSet issued = new BitSet();
		for (CompletableFuture<List<Long>> result : callers) {
			for (long id : result.join()) {
				assertThat(issued.get((int) id)).as("id %d issued twice", id).isFalse();
				issued.set((int) id);
			}
		}
		return issued;
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Executor newThreadPerTask() {
		return (task) -> new Thread(task).start();
	}

	private interface Caller {

		List<Long> call(int index);

	}

}
