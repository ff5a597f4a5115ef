package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.ClockException;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TimeIdGenerator} with a clock that jumps, stops or is wrong, and for
 * callers that wait for the clock.
 */
class TimeIdGeneratorClockTests extends AbstractTimeIdGeneratorTests {

	@Test
	void clockThatJumpsFarAheadDoesNotReserveFutureTime() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TestTimeSource instanceTime = new TestTimeSource();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(instanceTime), executor);
		ids.nextLong();
		instanceTime.jump(Duration.ofDays(365));
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("365d ahead of the clock of the store");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		assertThat(ids.snapshot().clock().trusted()).isFalse();
		executor.runDelayed();
		assertThat(reservedUntil(0)).isBefore(this.time.instant().plus(LEASE).plusSeconds(10));
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong);
		instanceTime.jump(Duration.ofDays(-365));
		executor.runDelayed();
		assertThat(ids.describe(ids.nextLong()).time()).as("the generator recovers by itself")
			.isEqualTo(instanceTime.instant());
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
		assertThat(ids.snapshot().clock().trusted()).isTrue();
		assertThat(ids.snapshot().clock().jumps()).isEqualTo(2);
	}

	/**
	 * The clock jumps between the request to the store and its answer.
	 */
	@Test
	void clockJumpDuringAStoreCallDoesNotReserveFutureTime() {
		AtomicBoolean jumpPending = new AtomicBoolean();
		TestTimeSource instanceTime = new TestTimeSource();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = builder(STANDARD).timeSource(instanceTime)
			.store(this.keySpaces, new UnreliableSlotStore(this.memory) {

				@Override
				public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
						Deadline deadline) {
					StoredSlot stored = super.advance(keySpace, space, slot, owner, position, deadline);
					if (jumpPending.getAndSet(false)) {
						instanceTime.jump(Duration.ofDays(365));
					}
					return stored;
				}

			})
			.open(executor, new TestSleeper(instanceTime, executor), 1);
		this.openGenerators.add(ids);
		ids.nextLong();
		this.time.advance(Duration.ofSeconds(10));
		instanceTime.advance(Duration.ofSeconds(10));
		jumpPending.set(true);
		executor.runDelayed();
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong);
		executor.runDelayed();
		assertThat(reservedUntil(0)).isBefore(this.time.instant().plusSeconds(60));
		instanceTime.jump(Duration.ofDays(-365));
		executor.runDelayed();
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(instanceTime.instant());
	}

	@Test
	void idsIncreaseWhenTheClockJumpsBack() {
		TestTimeSource instanceTime = new TestTimeSource();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(instanceTime), executor);
		long last = ids.nextLong();
		instanceTime.jump(Duration.ofSeconds(-50));
		for (int i = 0; i < 200; i++) {
			instanceTime.advance(Duration.ofSeconds(1));
			this.time.advance(Duration.ofSeconds(1));
			if (i % 9 == 0) {
				executor.runDelayed();
			}
			long id = ids.nextLong();
			assertThat(id).isGreaterThan(last);
			last = id;
		}
		assertThat(ids.describe(last).time()).as("the clock has caught up").isEqualTo(instanceTime.instant());
		assertThat(ids.snapshot().clock().waits()).isZero();
	}

	@Test
	void idsHaveTheCurrentTimeAfterTheMachineWasSuspended() {
		TimeIdGenerator ids = open(builder(STANDARD));
		ids.nextLong();
		// the suspension stops the monotonic clock, but not the wall clock
		this.time.jump(Duration.ofHours(3));
		long id = ids.nextLong();
		assertThat(ids.describe(id).time()).isEqualTo(this.time.instant());
	}

	/**
	 * With each claim or renewal, an instance sends the horizon, which is the latest time
	 * that any instance can have reserved. After a fail-over, the store advances the
	 * nodes to the first horizon that it gets. An outdated clock would make this horizon
	 * too early.
	 */
	@Test
	void suspendedMachineDoesNotSendItsOutdatedTimeToTheStore() {
		List<Instant> horizons = new ArrayList<>();
		TimeIdGenerator ids = open(builder(STANDARD).store(this.keySpaces, new UnreliableSlotStore(this.memory) {

			@Override
			public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
				horizons.add(STANDARD.layout().instant(space.horizon().position()));
				return super.renew(keySpace, space, slot, owner, deadline);
			}

		}));
		ids.nextLong();
		this.time.jump(Duration.ofHours(3));
		ids.nextLong();
		// after a fail-over during the suspension, the first renewal determines how far
		// nodes are advanced
		assertThat(horizons.get(0)).isAfterOrEqualTo(this.time.instant().plus(LEASE));
	}

	@Test
	void openFailsIfTheClockIsWrong() {
		TestTimeSource instanceTime = new TestTimeSource();
		instanceTime.jump(Duration.ofDays(365));
		assertThatExceptionOfType(ClockException.class)
			.isThrownBy(() -> open(builder(STANDARD).timeSource(instanceTime)))
			.withMessageContaining("ahead of the clock of the store");
		assertThat(this.memory.read("test", 0, Deadline.after(this.time, WAIT))).as("nothing was claimed").isEmpty();
		TimeIdGenerator ids = open(builder(STANDARD));
		assertThat(node(ids).number()).isZero();
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
	}

	@Test
	void skewDetectedAtRenewalStopsTheGeneratorUntilTheClockIsCorrected() {
		TestTimeSource instanceTime = new TestTimeSource();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(instanceTime), executor);
		ids.nextLong();
		// the clock of the store is set back, not that of the instance
		this.time.jump(Duration.ofMinutes(-2));
		executor.runDelayed();
		Instant reserved = reservedUntil(0);
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("2m ahead of the clock of the store");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		instanceTime.advance(Duration.ofSeconds(20));
		executor.runDelayed();
		assertThat(reservedUntil(0)).as("no time is reserved while the clock may be wrong").isEqualTo(reserved);
		this.time.jump(Duration.ofMinutes(2));
		executor.runDelayed();
		ids.nextLong();
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
	}

	/**
	 * The store is not needed, because the reserved window has not ended.
	 */
	@Test
	void correctedClockIsTrustedWhileTheStoreIsDown() {
		TestTimeSource instanceTime = new TestTimeSource();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(instanceTime), executor);
		instanceTime.jump(Duration.ofDays(365));
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong);
		instanceTime.jump(Duration.ofDays(-365));
		this.slots.goDown(() -> instanceTime.advance(WAIT));
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(instanceTime.instant());
	}

	/**
	 * The layout has four ids per millisecond. The times in ids may be ahead of the clock
	 * by one second.
	 */
	@Test
	void burstRunsAheadOfTheClockUntilCallersMustWait() {
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 2, Tail.ROLLING).scheme();
		TimeIdGenerator ids = open(builder(scheme));
		Instant start = this.time.instant();
		Set<Long> seen = new HashSet<>();
		while (seen.size() < 4 * 1_001) {
			assertThat(seen.add(ids.nextLong())).isTrue();
		}
		assertThat(this.time.instant()).as("no caller waited").isEqualTo(start);
		assertThat(ids.snapshot().clock().ahead()).isEqualTo(Duration.ofSeconds(1));
		while (seen.size() < 8 * 1_001) {
			assertThat(seen.add(ids.nextLong())).isTrue();
		}
		assertThat(Duration.between(start, this.time.instant())).isEqualTo(Duration.ofMillis(1_001));
		assertThat(ids.snapshot().clock().waits()).isEqualTo(1_001);
		assertThat(ids.snapshot().block().waited()).isEqualTo(Duration.ofMillis(1_001));
	}

	@Test
	void waitForTheClockIsBounded() {
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 0, Tail.SEQUENCE)
			.scheme();
		AtomicLong slept = new AtomicLong();
		TimeIdGenerator ids = builder(scheme).clock(new ClockSettings(Duration.ZERO, Duration.ofMinutes(1)))
			.open(new ManualStoreExecutor().runImmediately(), new Sleeper() {

				@Override
				public void sleep(Duration pause) {
					// the wall clock is set back after each advance, so that it never
					// reaches the time that the generator waits for
					slept.addAndGet(pause.toMillis());
					TimeIdGeneratorClockTests.this.time.advance(Duration.ofMillis(1));
					TimeIdGeneratorClockTests.this.time.jump(Duration.ofMillis(-1));
				}

				@Override
				public void await(OneTimeEvent event, Duration atMost) {
					// this test waits for no event
				}

			}, 1);
		this.openGenerators.add(ids);
		ids.nextLong();
		this.time.jump(Duration.ofMillis(-20_000));
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> {
			while (true) {
				ids.nextLong();
			}
		}).withMessageContaining("maxAhead is 0 ms").withMessageContaining("1 per millisecond and node");
		assertThat(slept.get()).isBetween(WAIT.toMillis() - 1, WAIT.toMillis() * 3);
	}

	/**
	 * The suspension happens at the given reading of the clock. When the caller resumes,
	 * its timeout has passed.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 })
	void callerSuspendedBeyondItsTimeoutTriesAgain(int clockReadings) {
		AtomicInteger left = new AtomicInteger();
		TimeSource suspending = new TimeSource() {

			@Override
			public long nanoTime() {
				return suspend(TimeIdGeneratorClockTests.this.time.nanoTime());
			}

			@Override
			public Instant instant() {
				return suspend(TimeIdGeneratorClockTests.this.time.instant());
			}

			private <T> T suspend(T value) {
				if (left.get() > 0 && left.decrementAndGet() == 0) {
					TimeIdGeneratorClockTests.this.time.advance(WAIT.multipliedBy(2));
				}
				return value;
			}

		};
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 4, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator ids = open(builder(scheme).timeSource(suspending)
			.clock(new ClockSettings(Duration.ofMillis(100), Duration.ofMinutes(1))));
		ids.nextLongs(16 * 101);
		left.set(clockReadings);
		assertThat(ids.nextLong()).isPositive();
	}

}
