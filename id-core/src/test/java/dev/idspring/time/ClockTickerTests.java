package dev.idspring.time;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ClockTicker}: which sequences it watches, and when its thread runs.
 */
class ClockTickerTests extends AbstractFreshnessTests {

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
				ClockTickerTests.this.ticker.watch(this);
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
