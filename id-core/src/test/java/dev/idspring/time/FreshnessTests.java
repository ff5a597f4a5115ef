package dev.idspring.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link TimeSequence}, {@link TimeSequences} and {@link ClockTicker} during
 * bursts. In a burst, a sequence issues ids without reading the clock until the next tick
 * of the ticker. During this time, the sequence is called fresh.
 */
@Timeout(120)
class FreshnessTests {

	private static final long NO_LIMIT = 1L << 40;

	/** Ticks only when a test calls {@code tick()}. */
	private final ClockTicker ticker = new ClockTicker((task) -> {
	});

	private static TimeLayout layout(int tailBits, Tail tail) {
		return new SnowflakeSettings(Instant.EPOCH, 43, 0, tailBits, tail).scheme().layout();
	}

	private TimeSequence sequence(Tail tail, int tailBits) {
		return new TimeSequence(new TimeSequence.Layout(layout(tailBits, tail), 0, tail, 4711), 0, 0, this.ticker);
	}

	/**
	 * Draw enough ids in one millisecond for the sequence to stop reading the clock.
	 */
	private static void burst(TimeSequence sequence, long now) {
		for (int i = 0; i <= TimeSequence.BURST_THRESHOLD; i++) {
			assertThat(sequence.next(now, NO_LIMIT)).isNotEqualTo(TimeSequence.NONE);
		}
		assertThat(sequence.isFresh()).isTrue();
	}

	@Test
	void tailsWrapAroundWithoutReadingTheClock() {
		TimeLayout layout = TimeLayout.withRemainingTime(Instant.EPOCH, false, TimeScheme.LAST, List.of(),
				List.of(new Part(Field.TAIL, 1_000), new Part(Field.NODE, 10)));
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(layout, 7, Tail.FREE_RUNNING, 1), 0, 0,
				this.ticker);
		sequence.next(1, NO_LIMIT, new long[300], 0);
		for (int i = 0; i < 2_000; i++) {
			long id = sequence.next();
			id = (id != TimeSequence.NONE) ? id : sequence.next(2, NO_LIMIT);
			assertThat(id).isEqualTo(layout.id(0, 2 + i / 1_000, 7, (300 + i) % 1_000));
		}
		assertThat(sequence.isFresh()).isTrue();
	}

	@Test
	void clockIsReadForEachIdUntilABurstBegins() {
		TimeSequence sequence = sequence(Tail.SEQUENCE, 12);
		for (int now = 1; now < 1_000; now++) {
			for (int i = 0; i < TimeSequence.BURST_THRESHOLD; i++) {
				assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
				assertThat(sequence.next(now, NO_LIMIT) >> 12).isEqualTo(now);
			}
		}
		assertThat(this.ticker.tick()).as("the ticker watches no sequence").isFalse();
		burst(sequence, 1_000);
		assertThat(sequence.next() >> 12).isEqualTo(1_000);
		assertThat(this.ticker.tick()).isTrue();
		assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
	}

	@Test
	void clockIsReadForEachIdWithoutATicker() {
		TimeLayout layout = layout(12, Tail.SEQUENCE);
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(layout, 0, Tail.SEQUENCE, 1), 0, 0, null);
		for (int i = 0; i < 10_000; i++) {
			assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
			sequence.next(1, NO_LIMIT);
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void idAfterABurstAndAPauseHasTheCurrentTime(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		burst(sequence, 1_000);
		this.ticker.tick();
		assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.next(11_000, NO_LIMIT) >> 12).isEqualTo(11_000);
	}

	/**
	 * The ticker starves if the process is frozen in a burst, or if no processor is free.
	 */
	@ParameterizedTest
	@CsvSource({ "12, SEQUENCE", "20, RANDOM", "4, ROLLING", "0, SEQUENCE", "12, FREE_RUNNING" })
	void starvedTickerCausesFewIdsWithAPastTime(int tailBits, Tail tail) {
		TimeSequence sequence = sequence(tail, tailBits);
		int idsWithoutClock = 0;
		long now = 1_000;
		for (int i = 0; i < 100_000; i++) {
			long id = sequence.next();
			if (id != TimeSequence.NONE) {
				idsWithoutClock++;
			}
			else {
				id = sequence.next(now, NO_LIMIT);
				assertAtLeast(id >> tailBits, now);
				idsWithoutClock = 0;
				// advance the clock far beyond the latest time in an id
				now += sequence.isFresh() ? 1_000_000 : 0;
			}
			assertAtLeast(TimeSequence.USUAL_COUNT, idsWithoutClock);
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void clockIsReadAgainAfterTheLimitIsReached(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		burst(sequence, 1_000);
		assertThat(sequence.next(1_000, 1_000)).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.isFresh()).isFalse();
		assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.next(1_000, 1_001) >> 12).isEqualTo(1_000);
	}

	/**
	 * Fails like an AssertJ assertion. AssertJ itself would take longer than the tested
	 * code.
	 */
	private static void assertAtLeast(long actual, long least) {
		if (actual < least) {
			fail(actual + " is less than " + least);
		}
	}

	private static void assertSame(long actual, long expected) {
		if (actual != expected) {
			fail(actual + " is not " + expected);
		}
	}

	/**
	 * Single and bulk calls return the same ids with and without reading the clock.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void idsAreTheSameWithAndWithoutReadingTheClock(Tail tail) {
		for (int tailBits : new int[] { 0, 1, 3, 7, 10, 12, 13 }) {
			TimeSequence fast = sequence(tail, tailBits);
			TimeSequence slow = new TimeSequence(new TimeSequence.Layout(layout(tailBits, tail), 0, tail, 4711), 0, 0,
					null);
			Random random = new Random(tailBits);
			long now = 100;
			int withoutClock = 0;
			for (int round = 0; round < 300; round++) {
				now += random.nextInt(3);
				this.ticker.tick();
				for (int i = random.nextInt(600); i > 0; i--) {
					if (random.nextInt(20) == 0) {
						long[] batch = new long[1 + random.nextInt(30)];
						int takenCount = fast.next(now, NO_LIMIT, batch, 0);
						for (int j = 0; j < takenCount; j++) {
							assertSame(batch[j], slow.next(now, NO_LIMIT));
						}
					}
					long id = fast.next();
					withoutClock += (id != TimeSequence.NONE) ? 1 : 0;
					id = (id != TimeSequence.NONE) ? id : fast.next(now, NO_LIMIT);
					assertSame(id, slow.next(now, NO_LIMIT));
				}
			}
			assertThat(fast.issued()).isEqualTo(slow.issued());
			assertThat(withoutClock).as("tail of %s bits", tailBits).matches((count) -> tailBits < 7 || count > 10_000);
		}
	}

	/**
	 * If a thread begins to draw after another thread has got an id, it gets a greater
	 * id. This holds with and without reading the clock, whatever the clock and the
	 * ticker do.
	 */
	@ParameterizedTest
	@EnumSource(value = Tail.class, mode = Mode.INCLUDE, names = { "SEQUENCE", "ROLLING" })
	void idsIncreaseAcrossAllThreads(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		AtomicLong highest = new AtomicLong(-1);
		long withoutClock = draw(sequence, (before, id) -> {
			assertAtLeast(id, before + 1);
			highest.accumulateAndGet(id, Math::max);
		}, highest, 500);
		assertThat(withoutClock).isGreaterThan(50_000);
	}

	/**
	 * A thread that is about to take an id gets none from a batch that another thread has
	 * just closed. All ids are counted.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void nothingIsTakenFromABatchThatWasReplaced(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		AtomicLong highest = new AtomicLong(-1);
		draw(sequence, (before, id) -> {
			assertAtLeast(id >> 12, before);
			highest.accumulateAndGet(id >> 12, Math::max);
		}, highest, 80);
	}

	@ParameterizedTest
	@EnumSource(value = Tail.class, mode = Mode.INCLUDE, names = { "FREE_RUNNING", "RANDOM" })
	void timesNeverDecreaseAcrossAllThreads(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		AtomicLong highest = new AtomicLong(-1);
		draw(sequence, (before, id) -> {
			assertAtLeast(id >> 12, before);
			highest.accumulateAndGet(id >> 12, Math::max);
		}, highest, 500);
	}

	private long draw(TimeSequence sequence, IdConsumer consumer, AtomicLong highest, int drawsPerChange) {
		AtomicLong clock = new AtomicLong(10_000);
		AtomicLong withoutClock = new AtomicLong();
		List<CompletableFuture<List<Long>>> threads = startThreads(4, (thread) -> {
			Random random = new Random(thread);
			List<Long> ids = new ArrayList<>();
			for (int i = 0; i < 100_000; i++) {
				if (random.nextInt(drawsPerChange) == 0) {
					clock.addAndGet(random.nextInt(20) - 8);
				}
				if (random.nextInt(drawsPerChange) == 0) {
					this.ticker.tick();
				}
				long before = highest.get();
				long id = sequence.next();
				if (id != TimeSequence.NONE) {
					withoutClock.incrementAndGet();
				}
				else {
					id = sequence.next(clock.get(), NO_LIMIT);
				}
				consumer.accept(before, id);
				ids.add(id);
			}
			return ids;
		});
		Set<Long> allIds = new HashSet<>();
		threads.forEach((thread) -> allIds.addAll(thread.join()));
		assertThat(allIds).as("no duplicates").hasSize(400_000);
		assertThat(sequence.issued()).as("all are counted").isEqualTo(400_000);
		return withoutClock.get();
	}

	private static <T> List<CompletableFuture<T>> startThreads(int count, IntFunction<T> task) {
		return IntStream.range(0, count)
			.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> task.apply(thread),
					(runnable) -> new Thread(runnable).start()))
			.toList();
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void noIdIsLaterThanTheTimeThatSealReturns(Tail tail) {
		for (int round = 0; round < 130; round++) {
			TimeSequence sequence = sequence(tail, round % 13);
			AtomicLong clock = new AtomicLong(1);
			AtomicLong drawn = new AtomicLong();
			int tailBits = round % 13;
			List<CompletableFuture<Long>> takers = startThreads(3, (thread) -> {
				long last = -1;
				for (int i = 0; true; i++) {
					long id = sequence.next();
					if (id == TimeSequence.NONE) {
						id = sequence.next((i % 300 == 0) ? clock.incrementAndGet() : clock.get(), NO_LIMIT);
					}
					if (id == TimeSequence.NONE) {
						drawn.addAndGet(i);
						return last;
					}
					last = Math.max(last, id >> tailBits);
				}
			});
			while (sequence.issued() < 2_000) {
				Thread.onSpinWait();
			}
			long lastTime = sequence.seal();
			long issued = sequence.issued();
			assertThat(sequence.isFresh()).isFalse();
			assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
			assertThat(takers.stream().mapToLong(CompletableFuture::join).max()).hasValue(lastTime);
			assertThat(sequence.issued()).isEqualTo(issued).isEqualTo(drawn.get());
		}
	}

	@Test
	void idleSequenceIsNoLongerWatched() {
		TimeSequence sequence = sequence(Tail.SEQUENCE, 12);
		TimeSequence other = sequence(Tail.RANDOM, 12);
		burst(sequence, 1);
		for (int i = 0; i < ClockTicker.IDLE_TICKS; i++) {
			assertThat(this.ticker.tick()).isTrue();
		}
		burst(other, 1);
		for (int i = 0; i <= ClockTicker.IDLE_TICKS; i++) {
			assertThat(this.ticker.tick()).isTrue();
		}
		assertThat(this.ticker.tick()).isFalse();
		burst(sequence, 2);
		assertThat(this.ticker.tick()).as("the sequence is watched again").isTrue();
		assertThat(sequence.isFresh()).isFalse();
	}

	/**
	 * A burst begins while the ticker is about to stop watching the idle sequence.
	 */
	@Test
	void sequenceThatBecomesFreshDuringItsRemovalRemainsWatched() {
		AtomicInteger expiries = new AtomicInteger();
		ClockTicker.WatchedSequence lateSequence = new ClockTicker.WatchedSequence() {

			@Override
			public int expire() {
				boolean first = expiries.getAndIncrement() == 0;
				FreshnessTests.this.ticker.watch(this);
				return first ? ClockTicker.IDLE_TICKS + 1 : 0;
			}

			@Override
			public boolean isFresh() {
				return expiries.get() == 1;
			}

		};
		this.ticker.watch(lateSequence);
		assertThat(this.ticker.tick()).isTrue();
		this.ticker.tick();
		assertThat(expiries).hasValue(2);
	}

	/**
	 * A thread cannot be started if, for example, memory is short.
	 */
	@Test
	void clockIsReadForEachIdWhileNoThreadCanBeStarted() {
		AtomicInteger attempts = new AtomicInteger();
		AtomicReference<Runnable> thread = new AtomicReference<>();
		ClockTicker lateStartingTicker = new ClockTicker((task) -> {
			if (attempts.incrementAndGet() < 3) {
				throw new InternalError("unable to create native thread (injected)");
			}
			thread.set(task);
		});
		TimeSequence sequence = new TimeSequence(
				new TimeSequence.Layout(layout(12, Tail.SEQUENCE), 0, Tail.SEQUENCE, 1), 0, 0, lateStartingTicker);
		long now = 1;
		for (int i = 0; thread.get() == null && i < 10 * ClockTicker.SKIPPED_STARTS; i++) {
			assertThat(sequence.isFresh()).isFalse();
			assertThat(sequence.next(now, NO_LIMIT)).isNotEqualTo(TimeSequence.NONE);
			now += (i % 1_000 == 0) ? 1 : 0;
		}
		assertThat(attempts).as("attempts to start a thread; the third succeeds").hasValue(3);
		assertThat(sequence.isFresh()).isTrue();
		assertThat(lateStartingTicker.tick()).isTrue();
		assertThat(sequence.isFresh()).isFalse();
	}

	@Test
	void sequenceWatchedDuringAFailedThreadStartReadsTheClockAgain() {
		AtomicReference<Runnable> thread = new AtomicReference<>();
		AtomicInteger expiries = new AtomicInteger();
		ClockTicker.WatchedSequence other = new CountingWatched(expiries);
		AtomicReference<ClockTicker> testTicker = new AtomicReference<>();
		AtomicBoolean failing = new AtomicBoolean(true);
		testTicker.set(new ClockTicker((task) -> {
			if (failing.getAndSet(false)) {
				testTicker.get().watch(other);
				throw new InternalError("unable to create native thread (injected)");
			}
			thread.set(task);
		}));
		testTicker.get().watch(new CountingWatched(new AtomicInteger()));
		assertThat(expiries).as("requests to the sequence to read the clock again").hasValue(1);
		for (int i = 0; i <= ClockTicker.SKIPPED_STARTS; i++) {
			testTicker.get().watch(other);
		}
		assertThat(expiries).hasValue(1 + ClockTicker.SKIPPED_STARTS);
		assertThat(thread.get()).isNotNull();
	}

	@Test
	void failedThreadIsReplaced() {
		AtomicReference<Runnable> thread = new AtomicReference<>();
		ClockTicker testTicker = new ClockTicker(thread::set);
		AtomicInteger expiries = new AtomicInteger();
		ClockTicker.WatchedSequence failing = new CountingWatched(expiries) {

			@Override
			public int expire() {
				if (super.expire() == 1) {
					throw new InternalError("injected");
				}
				return 0;
			}

		};
		testTicker.watch(failing);
		assertThatExceptionOfType(InternalError.class).isThrownBy(thread.getAndSet(null)::run);
		assertThat(expiries).as("requests to the sequence to read the clock again").hasValue(2);
		testTicker.watch(failing);
		assertThat(thread.get()).isNotNull();
	}

	/**
	 * If a sequence were watched before it is fresh, the ticker could find it idle, and
	 * stop watching it.
	 */
	@Test
	void sequenceIsFreshBeforeItIsWatched() {
		AtomicReference<TimeSequence> sequence = new AtomicReference<>();
		AtomicInteger started = new AtomicInteger();
		ClockTicker assertingTicker = new ClockTicker((task) -> {
			assertThat(sequence.get().isFresh()).isTrue();
			started.incrementAndGet();
		});
		sequence.set(new TimeSequence(new TimeSequence.Layout(layout(12, Tail.SEQUENCE), 0, Tail.SEQUENCE, 1), 0, 0,
				assertingTicker));
		burst(sequence.get(), 1);
		assertThat(started).hasValue(1);
	}

	/**
	 * The thread of the ticker continues to run for the second sequence.
	 */
	@Test
	void sequenceAddedWhileTheLastOneIsRemovedIsWatched() {
		AtomicInteger expiries = new AtomicInteger();
		AtomicReference<Runnable> thread = new AtomicReference<>();
		ClockTicker testTicker = new ClockTicker(thread::set);
		ClockTicker.WatchedSequence second = new ClockTicker.WatchedSequence() {

			@Override
			public int expire() {
				expiries.incrementAndGet();
				return ClockTicker.IDLE_TICKS + 1;
			}

			@Override
			public boolean isFresh() {
				return false;
			}

		};
		testTicker.watch(new ClockTicker.WatchedSequence() {

			@Override
			public int expire() {
				return ClockTicker.IDLE_TICKS + 1;
			}

			@Override
			public boolean isFresh() {
				// the first sequence has already been removed
				testTicker.watch(second);
				return false;
			}

		});
		thread.get().run();
		assertThat(expiries).hasValue(1);
		thread.set(null);
		testTicker.watch(second);
		assertThat(thread.get()).as("a new thread is started").isNotNull();
	}

	/**
	 * Runs a real thread in real time.
	 */
	@Test
	void threadRunsDuringBurstsOnly() throws InterruptedException {
		LinkedBlockingQueue<Thread> started = new LinkedBlockingQueue<>();
		ClockTicker realTicker = new ClockTicker((task) -> {
			Thread thread = new Thread(task);
			started.add(thread);
			thread.start();
		});
		TimeSequence first = new TimeSequence(new TimeSequence.Layout(layout(12, Tail.SEQUENCE), 0, Tail.SEQUENCE, 1),
				0, 0, realTicker);
		TimeSequence second = new TimeSequence(new TimeSequence.Layout(layout(12, Tail.SEQUENCE), 0, Tail.SEQUENCE, 1),
				0, 0, realTicker);
		first.next(1, NO_LIMIT);
		assertThat(started).isEmpty();
		for (int round = 0; round < 2; round++) {
			for (int i = 0; i < 1_000; i++) {
				first.next(1, NO_LIMIT);
				second.next(1, NO_LIMIT);
			}
			Thread thread = started.poll(1, TimeUnit.MINUTES);
			assertThat(thread).isNotNull();
			thread.interrupt();
			thread.join();
			assertThat(first.isFresh() || second.isFresh()).isFalse();
			assertThat(started).as("one thread for both sequences").isEmpty();
		}
	}

	@Test
	void issuedCountNeverDecreasesAndIsExactAtTheEnd() {
		TimeSequences sequences = new TimeSequences(layout(10, Tail.ROLLING), Tail.ROLLING, 1, this.ticker);
		AtomicLong clock = new AtomicLong(1_000);
		AtomicLong handedOutIds = new AtomicLong();
		AtomicBoolean finished = new AtomicBoolean();
		CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
			long last = 0;
			while (!finished.get()) {
				long issued = sequences.issued();
				assertThat(issued).isGreaterThanOrEqualTo(last);
				last = issued;
			}
		}, (task) -> new Thread(task).start());
		for (int node = 0; node < 5; node++) {
			TimeSequence sequence = sequences.begin(0, clock.incrementAndGet());
			List<CompletableFuture<Void>> callers = startThreads(3, (thread) -> {
				Random random = new Random(thread);
				for (int i = 0; i < 30_000; i++) {
					if (random.nextInt(100) == 0) {
						clock.incrementAndGet();
						this.ticker.tick();
					}
					if (random.nextInt(50) == 0) {
						long[] bulk = new long[40];
						boolean fails = random.nextBoolean();
						sequences.addPending(bulk.length);
						int takenCount = sequence.next(clock.get(), NO_LIMIT, bulk, 0);
						boolean succeeded = takenCount == bulk.length && !fails;
						sequences.addPending(succeeded ? -takenCount : takenCount - bulk.length);
						handedOutIds.addAndGet(succeeded ? takenCount : 0);
					}
					else {
						long id = sequence.next();
						if (id == TimeSequence.NONE) {
							sequence.next(clock.get(), NO_LIMIT);
						}
						handedOutIds.incrementAndGet();
					}
				}
				return null;
			});
			callers.forEach(CompletableFuture::join);
			assertThat(sequences.issued()).isEqualTo(handedOutIds.get());
			clock.set(sequence.seal());
			assertThat(sequences.issued()).isEqualTo(handedOutIds.get());
		}
		finished.set(true);
		reader.join();
	}

	@Test
	void issuedCountDoesNotDecreaseWhenABulkCallBegins() {
		TimeSequences sequences = new TimeSequences(layout(10, Tail.ROLLING), Tail.ROLLING, 1, this.ticker);
		TimeSequence sequence = sequences.begin(0, 1);
		for (int i = 0; i < 5; i++) {
			sequence.next(1, NO_LIMIT);
		}
		assertThat(sequences.issued()).isEqualTo(5);
		sequences.addPending(10);
		assertThat(sequences.issued()).isEqualTo(5);
		long[] bulk = new long[10];
		assertThat(sequence.next(1, NO_LIMIT, bulk, 0)).isEqualTo(10);
		assertThat(sequences.issued()).isEqualTo(5);
		sequences.addPending(-10);
		assertThat(sequences.issued()).isEqualTo(15);
	}

	/**
	 * The ids of each bulk call remain pending, as if each call had failed after taking
	 * them.
	 */
	@Test
	void issuedCountExcludesIdsOfFailedBulkCalls() {
		TimeSequences sequences = new TimeSequences(layout(20, Tail.ROLLING), Tail.ROLLING, 1, this.ticker);
		TimeSequence sequence = sequences.begin(0, 1);
		AtomicBoolean finished = new AtomicBoolean();
		CompletableFuture<Void> bulkCaller = CompletableFuture.runAsync(() -> {
			long[] bulk = new long[7];
			while (!finished.get()) {
				sequences.addPending(bulk.length);
				sequences.addPending(sequence.next(1, NO_LIMIT, bulk, 0) - bulk.length);
			}
		}, (task) -> new Thread(task).start());
		while (sequence.issued() < 2_100_000) {
			assertThat(sequences.issued()).isZero();
		}
		finished.set(true);
		bulkCaller.join();
		assertThat(sequences.issued()).isZero();
	}

	/**
	 * Receives a drawn id, and the highest value that was known before the draw.
	 */
	private interface IdConsumer {

		void accept(long before, long id);

	}

	/**
	 * Counts the requests to read the clock again.
	 */
	private static class CountingWatched implements ClockTicker.WatchedSequence {

		private final AtomicInteger expiries;

		CountingWatched(AtomicInteger expiries) {
			this.expiries = expiries;
		}

		@Override
		public int expire() {
			return this.expiries.incrementAndGet();
		}

		@Override
		public boolean isFresh() {
			return false;
		}

	}

}
