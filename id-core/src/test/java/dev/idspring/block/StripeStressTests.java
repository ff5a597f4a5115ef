package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.testsupport.VirtualExecutor;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draws many ids, and checks each ordinal in a bitmap. In each test, 16 threads draw at
 * the same time: platform threads and, if the JDK has them, virtual threads. In the first
 * test, they draw single ids, strings and arrays of ids, and each thread is replaced by
 * another one after a while.
 * <p>
 * {@code -Dtest.ids.stress-ids=100000000} makes the first test draw a hundred million
 * ids.
 */
class StripeStressTests {

	private static final int THREADS = 16;

	private static final long IDS = Long.getLong("test.ids.stress-ids", 5_000_000);

	private final ScriptedStore store = new ScriptedStore();

	private final CoprimeSettings settings = new CoprimeSettings(Alphabet.of("base62"), 6, 7, null, 0);

	private final KeySpace keySpace = this.settings.resolve(null);

	private final AtomicLong drawn = new AtomicLong();

	private final Bitmap bitmap = new Bitmap(2 * IDS + 10_000_000);

	@Test
	void issuesEveryOrdinalExactlyOnce() {
		BlockIdGenerator ids = open();
		List<CompletableFuture<Void>> sequences = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			sequences.add(new ThreadSequence(ids, i).start());
		}
		long issued = 0;
		while (!sequences.stream().allMatch(CompletableFuture::isDone)) {
			long issuedNow = ids.snapshot().issued();
			assertThat(issuedNow).isGreaterThanOrEqualTo(issued);
			issued = issuedNow;
			Thread.yield();
		}
		sequences.forEach(CompletableFuture::join);
		assertThat(this.bitmap.marked()).isEqualTo(this.drawn.get());
		assertCountsAddUp(ids);
		drawRemainingIdsInMemory(ids);
		assertThat(this.bitmap.firstGap()).as("every reserved ordinal is issued")
			.isEqualTo(this.store.nextOrdinal("test"));
		ids.close();
	}

	/**
	 * Each generator is closed while callers draw, and is then replaced by another one.
	 */
	@Test
	void issuesNoOrdinalTwiceWhenGeneratorsAreClosedWhileCallersDraw() {
		long previous = -1;
		while (this.drawn.get() < IDS / 4) {
			BlockIdGenerator ids = open();
			List<CompletableFuture<Void>> callers = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				callers.add(run(i % 2 == 1, () -> drawUntilClosed(ids)));
			}
			mark(ids.nextLongs(20_000));
			ids.close();
			callers.forEach(CompletableFuture::join);
			assertThat(this.drawn.get()).isGreaterThan(previous);
			previous = this.drawn.get();
		}
		assertThat(this.bitmap.marked()).isEqualTo(this.drawn.get());
	}

	private BlockIdGenerator open() {
		BlockSettings defaults = BlockSettings.defaults();
		return BlockIdGenerator.coprime("test", this.settings, this.store)
			.blockSettings(new BlockSettings(defaults.size(), defaults.maxSize(), Duration.ofMinutes(1),
					defaults.outageReserve()))
			.open();
	}

	private void assertCountsAddUp(BlockIdGenerator ids) {
		// a reservation may still be running; its block arrives before the refresh
		// completes
		ids.refresh(Duration.ofMinutes(1)).join();
		BlockSnapshot block = ids.snapshot().block();
		// an earlier snapshot may have counted ids as issued while their chunk was being
		// moved into a stripe
		assertThat(ids.snapshot().issued()).isBetween(this.drawn.get(), this.drawn.get() + 4_096 * THREADS);
		assertThat(block.remaining() + block.ahead()).isEqualTo(this.store.nextOrdinal("test") - this.drawn.get());
	}

	private void drawRemainingIdsInMemory(BlockIdGenerator ids) {
		this.store.failure = new IdStoreUnavailableException("injected");
		try {
			while (true) {
				mark(ids.nextLong());
			}
		}
		catch (IdStoreUnavailableException ex) {
			assertThat(ids.snapshot().block().remaining()).isZero();
		}
	}

	private void drawUntilClosed(BlockIdGenerator ids) {
		try {
			while (true) {
				mark(ids.nextLong());
			}
		}
		catch (IllegalStateException ex) {
			assertThat(ex).hasMessageContaining("closed");
		}
	}

	private void mark(long... keys) {
		for (long key : keys) {
			this.bitmap.mark(this.keySpace.ordinal(key));
		}
		this.drawn.addAndGet(keys.length);
	}

	private static CompletableFuture<Void> run(boolean virtual, Runnable task) {
		return CompletableFuture.runAsync(task, (virtual && VirtualExecutor.isAvailable()) ? new VirtualExecutor()
				: (command) -> new Thread(command).start());
	}

	/**
	 * A sequence of threads. Each thread starts when the previous one ends.
	 */
	private final class ThreadSequence {

		private final BlockIdGenerator ids;

		private final SplittableRandom random;

		private boolean virtual;

		ThreadSequence(BlockIdGenerator ids, int seed) {
			this.ids = ids;
			this.random = new SplittableRandom(seed);
			this.virtual = seed % 2 == 1;
		}

		CompletableFuture<Void> start() {
			if (StripeStressTests.this.drawn.get() >= IDS) {
				return CompletableFuture.completedFuture(null);
			}
			this.virtual = !this.virtual;
			int idCount = 1 << this.random.nextInt(17);
			return run(this.virtual, () -> draw(idCount)).thenCompose((done) -> start());
		}

		private void draw(int idCount) {
			for (int done = 0; done < idCount; done++) {
				switch (this.random.nextInt(64)) {
					case 0 -> {
						int count = this.random.nextInt(700);
						mark(this.ids.nextLongs(count));
						done += count;
					}
					case 1 -> mark(StripeStressTests.this.keySpace.parse(this.ids.nextString()));
					default -> mark(this.ids.nextLong());
				}
			}
		}

	}

	/**
	 * One bit for each ordinal.
	 */
	private static final class Bitmap {

		private final AtomicLongArray words;

		Bitmap(long size) {
			this.words = new AtomicLongArray((int) (size / Long.SIZE + 1));
		}

		void mark(long ordinal) {
			long bit = 1L << ordinal;
			long previous = this.words.getAndUpdate((int) (ordinal / Long.SIZE), (word) -> word | bit);
			assertThat(previous & bit).as("ordinal %d was issued twice", ordinal).isZero();
		}

		long marked() {
			long marked = 0;
			for (int i = 0; i < this.words.length(); i++) {
				marked += Long.bitCount(this.words.get(i));
			}
			return marked;
		}

		long firstGap() {
			int i = 0;
			while (this.words.get(i) == -1) {
				i++;
			}
			return (long) i * Long.SIZE + Long.numberOfTrailingZeros(~this.words.get(i));
		}

	}

}
