package dev.idspring.time;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.idspring.ClockException;
import dev.idspring.IdDescription;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.testsupport.LoggedFailures;
import dev.idspring.testsupport.ReservingListener;
import dev.idspring.text.Alphabet;
import dev.idspring.text.TextSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TimeIdGenerator} and {@link NodeLease} with an in-memory store, and
 * with clocks that the test sets. A window is the range of times that a node has reserved
 * in the store.
 */
@Timeout(120)
class TimeIdGeneratorTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration WAIT = Duration.ofSeconds(5);

	private static final TimeScheme STANDARD = Preset.STANDARD.settings().scheme();

	private final TestTimeSource time = new TestTimeSource();

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore(this.time);

	private final InMemorySlotStore memory = new InMemorySlotStore(this.time);

	private final UnreliableSlotStore slots = new UnreliableSlotStore(this.memory);

	private final List<TimeIdGenerator> openGenerators = new ArrayList<>();

	private final List<String> events = new ArrayList<>();

	@AfterEach
	void close() {
		this.slots.comeBack();
		this.openGenerators.forEach(TimeIdGenerator::close);
	}

	private TimeIdGenerator.Builder builder(TimeScheme scheme) {
		return TimeIdGenerator.builder("test", scheme)
			.store(this.keySpaces, this.slots)
			.node(NodeSettings.lease(LEASE))
			.timeSource(this.time)
			.waitTimeout(WAIT)
			.listener(new RecordingListener());
	}

	private TimeIdGenerator open(TimeIdGenerator.Builder builder, ManualStoreExecutor executor) {
		TimeIdGenerator generator = builder.open(executor, new TestSleeper(this.time, executor), 4711);
		this.openGenerators.add(generator);
		return generator;
	}

	private TimeIdGenerator open(TimeIdGenerator.Builder builder) {
		return open(builder, new ManualStoreExecutor().runImmediately());
	}

	private static NodeSnapshot node(TimeIdGenerator generator) {
		NodeSnapshot node = generator.snapshot().node();
		assertThat(node).isNotNull();
		return node;
	}

	private Instant reservedUntil(long node) {
		return STANDARD.layout()
			.instant(this.memory.read("test", node, Deadline.after(this.time, WAIT)).orElseThrow().slot().position());
	}

	@Test
	void describeReturnsTimeNodeAndTail() {
		open(builder(STANDARD));
		TimeIdGenerator second = open(builder(STANDARD));
		this.time.advance(Duration.ofMillis(1_234));
		long id = second.nextLong();
		IdDescription description = second.describe(id);
		assertThat(description.time()).isEqualTo(this.time.instant());
		assertThat(description.node()).isEqualTo(1);
		assertThat(description.tail()).isZero();
		assertThat(description.ordinal()).isNull();
		assertThat(description.text()).isEqualTo(Long.toString(id));
		assertThat(second.parse(second.format(id))).isEqualTo(id);
		assertThat(second.describe(second.nextLong()).tail()).isEqualTo(1);
		assertThatIllegalArgumentException().isThrownBy(() -> second.describe(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> second.parse("-1"));
	}

	@Test
	void releasedNodeContinuesAfterItsLastUsedTime() {
		TimeIdGenerator first = open(builder(STANDARD));
		TimeIdGenerator other = open(builder(STANDARD));
		first.nextLong();
		other.nextLong();
		Instant last = this.time.instant();
		other.close();
		assertThat(reservedUntil(1)).isEqualTo(last.plusMillis(1));
		TimeIdGenerator next = open(builder(STANDARD));
		assertThat(node(next).number()).isEqualTo(1);
		assertThat(next.describe(next.nextLong()).time()).as("later than the millisecond that was used").isAfter(last);
		this.time.advance(Duration.ofMillis(7));
		assertThat(next.describe(next.nextLong()).time()).as("no caller waited").isEqualTo(this.time.instant());
	}

	@Test
	void everyAttemptToReserveIsObserved() {
		List<String> outcomes = new ArrayList<>();
		IdGeneratorListener observer = new ReservingListener(
				(generator, strategy) -> (outcome, error) -> outcomes.add(generator + " " + strategy + " " + outcome
						+ ((error != null) ? " " + error.getClass().getSimpleName() : "")));
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).listener(observer), executor);
		assertThat(outcomes).containsExactly("test snowflake SUCCESS");
		this.time.advance(Duration.ofSeconds(10));
		executor.runDelayed();
		assertThat(outcomes).containsExactly("test snowflake SUCCESS", "test snowflake SUCCESS");
		this.slots.goDown(() -> {
		});
		executor.runDelayed();
		assertThat(outcomes).last().isEqualTo("test snowflake FAILURE IdStoreUnavailableException");
		this.slots.comeBack();
		executor.runDelayed();
		outcomes.clear();
		ids.close();
		assertThat(outcomes).as("releasing a node is not a reservation").isEmpty();
	}

	@Test
	void failedClaimOfANodeInUseIsObserved() {
		NodeSettings node = new NodeSettings("fixed", 3L, LEASE);
		TimeIdGenerator first = open(builder(STANDARD).node(node));
		List<@Nullable Throwable> errors = new ArrayList<>();
		TimeIdGenerator.Builder second = builder(STANDARD).node(node)
			.listener(new ReservingListener((generator, strategy) -> (outcome, error) -> errors.add(error)));
		this.time.advance(LEASE.minusSeconds(1));
		open(second);
		assertThat(errors).first().isInstanceOf(NodeUnavailableException.class);
		assertThat(errors).last().isNull();
		first.close();
	}

	@Test
	void snapshotReportsTheRemainderOfTheWindow() {
		TimeIdGenerator ids = open(builder(STANDARD), new ManualStoreExecutor());
		BlockSnapshot fresh = ids.snapshot().block();
		assertThat(fresh.remaining()).isEqualTo(fresh.held());
		this.time.advance(Duration.ofSeconds(10));
		BlockSnapshot later = ids.snapshot().block();
		assertThat(later.remaining()).isEqualTo(later.held() - 10_000 * STANDARD.layout().tails());
	}

	@Test
	void unusedNodeIsReleasedUnchanged() {
		TimeIdGenerator first = open(builder(STANDARD));
		Instant start = node(first).windowStart();
		first.close();
		assertThat(reservedUntil(0)).isEqualTo(start);
	}

	@Test
	void windowIsExtendedBeforeItEndsAndStaysAheadOfTheClock() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		Duration ahead = LEASE.plusSeconds(1).plusMillis(1);
		assertThat(reservedUntil(0)).isEqualTo(this.time.instant().plus(ahead));
		for (int i = 0; i < 20; i++) {
			this.time.advance(Duration.ofSeconds(8));
			executor.runDelayed();
			assertThat(reservedUntil(0)).isEqualTo(this.time.instant().plus(ahead)).isEqualTo(node(ids).windowEnd());
			ids.nextLong();
		}
		assertThat(executor.delays())
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10)));
		assertThat(ids.snapshot().block().reservations()).isEqualTo(21);
		assertThat(node(ids).leaseUntil()).isEqualTo(this.time.instant().plus(LEASE));
	}

	@ParameterizedTest
	@CsvSource({ "999, 30", "1000, 30", "1000, 31" })
	void tooShortLeaseIsReportedOnce(int otherInstances, long seconds) {
		claimNodes(otherInstances);
		List<String> tooShort = new ArrayList<>();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		open(builder(STANDARD).node(NodeSettings.lease(Duration.ofSeconds(seconds)))
			.listener(new IdGeneratorListener() {

				@Override
				public void leaseTooShort(String generator, long held, Duration lease, Duration enough) {
					tooShort.add(generator + ": " + held + " of " + lease + ", " + enough);
				}

			}), executor);
		assertThat(tooShort).isEmpty();
		renew(executor, Duration.ofSeconds(9), 3);
		assertThat(tooShort).isEqualTo(
				(otherInstances == 1_000 && seconds == 30) ? List.of("test: 1001 of PT30S, PT30.03S") : List.of());
	}

	private void renew(ManualStoreExecutor executor, Duration interval, int times) {
		for (int i = 0; i < times; i++) {
			this.time.advance(interval);
			executor.runDelayed();
		}
	}

	private void claimNodes(int count) {
		TestSlots nodes = TestSlots.nodes(1_024, null);
		for (int i = 0; i < count; i++) {
			this.memory.claim("test", nodes, SlotOwner.random(Duration.ofHours(1)), Deadline.after(this.time, WAIT));
		}
	}

	@Test
	void idsAreIssuedUntilTheWindowEndsWhileTheStoreIsDown() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		Instant end = node(ids).windowEnd();
		this.slots.goDown(() -> this.time.advance(WAIT));
		Instant last = this.time.instant();
		while (this.time.instant().isBefore(end.minusSeconds(10))) {
			this.time.advance(Duration.ofSeconds(1));
			last = ids.describe(ids.nextLong()).time();
			assertThat(last).isEqualTo(this.time.instant());
		}
		executor.runDelayed();
		assertThat(this.events).contains("failed");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
		assertThat(ids.snapshot().storeFailure()).contains("down");
		this.time.advance(Duration.ofSeconds(20));
		long waitsBefore = ids.snapshot().clock().waits();
		Instant before = this.time.instant();
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("Id generator 'test' cannot generate an id: injected: the store is down");
		assertThat(Duration.between(before, this.time.instant())).as("the wait is limited")
			.isLessThan(WAIT.multipliedBy(3));
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		assertThat(ids.snapshot().clock().waits()).isEqualTo(waitsBefore + 1);
		assertThat(ids.snapshot().block().waited()).isEqualTo(Duration.between(before, this.time.instant()));
		this.slots.comeBack();
		executor.runDelayed();
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant()).isAfter(last);
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
		assertThat(ids.snapshot().storeFailure()).isNull();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void burstEndsAtTheEndOfTheWindow(boolean clockAdvancesByItself) {
		SnowflakeSettings narrow = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 1, Tail.SEQUENCE);
		TimeIdGenerator ids = open(
				builder(narrow.scheme()).timeSource(clockAdvancesByItself ? new RunningTime(this.time) : this.time)
					.clock(new ClockSettings(Duration.ofMinutes(1), Duration.ofDays(1))));
		Instant end = ids.snapshot().node().windowEnd();
		this.slots.goDown(() -> this.time.advance(WAIT));
		Set<Long> seen = new HashSet<>();
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> {
			while (true) {
				long id = ids.nextLong();
				assertThat(seen.add(id)).isTrue();
				assertThat(ids.describe(id).time()).isBefore(end);
			}
		});
		assertThat(seen).hasSizeGreaterThan(180_000);
	}

	@Test
	void lostNodeIsReplacedAndIdsStillIncrease() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator frozenInstance = open(builder(STANDARD), executor);
		long before = frozenInstance.nextLong();
		this.time.advance(LEASE.plusSeconds(5));
		TimeIdGenerator successor = open(builder(STANDARD));
		assertThat(node(successor).number()).isZero();
		Set<Long> seen = new HashSet<>(Set.of(before));
		// the successor uses only times after those that the frozen instance reserved
		assertThat(seen.add(successor.nextLong())).isTrue();
		executor.runDelayed();
		assertThat(this.events).contains("lost 0");
		assertThat(node(frozenInstance).number()).isEqualTo(1);
		long after = frozenInstance.nextLong();
		assertThat(seen.add(after)).isTrue();
		assertThat(after).isGreaterThan(before);
	}

	@Test
	void idsIncreaseAcrossAChangeOfNodesAfterABurst() {
		TimeScheme oneIdPerMillisecond = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 0,
				Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator.Builder builder = builder(oneIdPerMillisecond)
			.clock(new ClockSettings(Duration.ofHours(1), Duration.ofMinutes(1)));
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder, executor);
		long[] burst = ids.nextLongs(120_000);
		this.time.advance(LEASE.plusSeconds(5));
		open(builder);
		executor.runDelayed();
		assertThat(this.events).contains("lost 0");
		assertThat(ids.nextLong()).isGreaterThan(burst[burst.length - 1]);
	}

	/**
	 * The owner of a node is frozen and does not renew its lease. A successor claims the
	 * node. The owner resumes while the successor draws.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void frozenOwnerAndItsSuccessorNeverIssueTheSameId(Tail tail) {
		Preset preset = Preset.STANDARD;
		TimeScheme scheme = new SnowflakeSettings(preset.settings().epoch(), 41, 10, 2, tail).scheme();
		TestTimeSource instanceTime = new TestTimeSource();
		TimeIdGenerator frozenInstance = open(builder(scheme).timeSource(instanceTime), new ManualStoreExecutor());
		Set<Long> seen = new HashSet<>();
		assertThat(seen.add(frozenInstance.nextLong())).isTrue();
		// during the freeze, the clocks of the owner stop; then they catch up gradually
		this.time.advance(LEASE.plusSeconds(2));
		TimeIdGenerator successor = open(builder(scheme));
		for (int i = 0; i < 20_000; i++) {
			assertThat(seen.add(frozenInstance.nextLong())).isTrue();
			assertThat(seen.add(successor.nextLong())).isTrue();
			instanceTime.advance(Duration.ofNanos(1_500_000));
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(seen.stream().map((id) -> frozenInstance.describe(id).node()).distinct()).containsExactly(0L);
	}

	@Test
	void renewalWithUnknownOutcomeDoesNotExtendTheWindow() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		Instant end = node(ids).windowEnd();
		this.time.advance(Duration.ofSeconds(10));
		this.slots.loseAnswers(true);
		executor.runDelayed();
		assertThat(reservedUntil(0)).as("the renewal succeeded").isAfter(end);
		assertThat(node(ids).windowEnd()).as("the answer was lost").isEqualTo(end);
		this.slots.loseAnswers(false);
		this.time.advance(Duration.ofSeconds(10));
		executor.runDelayed();
		assertThat(node(ids).number()).isZero();
		assertThat(node(ids).windowEnd()).isEqualTo(reservedUntil(0)).isAfter(end);
	}

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
					TimeIdGeneratorTests.this.time.advance(Duration.ofMillis(1));
					TimeIdGeneratorTests.this.time.jump(Duration.ofMillis(-1));
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

	@Test
	void singleAndBulkCallsIssueDistinctIncreasingIds() {
		TimeIdGenerator ids = open(builder(STANDARD));
		Set<Long> seen = new HashSet<>();
		long last = -1;
		for (int size : new int[] { 0, 1, 5_000, 3, 100_000 }) {
			long[] batch = ids.nextLongs(size);
			assertThat(batch).hasSize(size).isSorted();
			for (long id : batch) {
				assertThat(seen.add(id)).isTrue();
				assertThat(id).isGreaterThan(last);
				last = id;
			}
			long single = ids.nextLong();
			assertThat(seen.add(single)).isTrue();
			last = single;
		}
		assertThat(ids.nextStrings(3)).hasSize(3).doesNotHaveDuplicates();
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
				return suspend(TimeIdGeneratorTests.this.time.nanoTime());
			}

			@Override
			public Instant instant() {
				return suspend(TimeIdGeneratorTests.this.time.instant());
			}

			private <T> T suspend(T value) {
				if (left.get() > 0 && left.decrementAndGet() == 0) {
					TimeIdGeneratorTests.this.time.advance(WAIT.multipliedBy(2));
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

	@Test
	void failedBulkCallLeavesTheArrayUnchanged() {
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 4, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator ids = open(
				builder(scheme).clock(new ClockSettings(Duration.ofSeconds(10), Duration.ofMinutes(1))));
		this.slots.goDown(() -> this.time.advance(WAIT));
		// the window covers 40 seconds, with 16 ids per millisecond
		for (int i = 0; i < 9; i++) {
			assertThat(ids.nextLongs(70_000)).doesNotContain(0);
		}
		long[] into = new long[70_000];
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> ids.nextLongs(into));
		assertThat(Arrays.stream(into).max()).hasValue(0);
		assertThat(ids.snapshot().issued()).as("ids of the failed call are not counted").isEqualTo(9 * 70_000);
		assertThatIllegalArgumentException().isThrownBy(() -> ids.nextLongs(new long[240_001]))
			.withMessageContaining("240001 ids at once, but can generate at most 240000 within");
	}

	@Test
	void fixedNodeNumberCannotBeClaimedByAnotherInstance() {
		NodeSettings fixedNode = new NodeSettings("fixed", 7L, LEASE);
		ManualStoreExecutor aliveExecutor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).node(fixedNode), aliveExecutor);
		assertThat(ids.describe(ids.nextLong()).node()).isEqualTo(7);
		// the first instance renews its lease while the second one waits
		TimeIdGenerator.Builder second = builder(STANDARD).node(fixedNode);
		assertThatExceptionOfType(NodeUnavailableException.class)
			.isThrownBy(() -> second.open(new ManualStoreExecutor().runImmediately(), new Sleeper() {

				@Override
				public void sleep(Duration time) {
					TimeIdGeneratorTests.this.time.advance(time);
					aliveExecutor.runDelayed();
				}

				@Override
				public void await(OneTimeEvent event, Duration atMost) {
					// this test waits for no event
				}

			}, 1))
			.withMessageContaining("Node 7 of key space 'test' is in use by " + node(ids).owner())
			.withMessageContaining("node.source=lease");
		assertThat(Duration.between(Instant.parse("2026-01-01T00:00:00Z"), this.time.instant()))
			.as("the claim fails before the lease ends")
			.isLessThan(Duration.ofSeconds(3));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> open(builder(STANDARD).node(new NodeSettings("fixed", 1_024L, LEASE))))
			.withMessageContaining("number is 1024 but must be from 0 to 1023");
	}

	@Test
	void waitsForTheLeaseOfAKilledPredecessorWithTheSameNumber() {
		NodeSettings fixedNode = new NodeSettings("hostname", 7L, LEASE);
		TimeIdGenerator killedInstance = open(builder(STANDARD).node(fixedNode), new ManualStoreExecutor());
		long last = killedInstance.nextLong();
		Instant start = this.time.instant();
		TimeIdGenerator next = open(builder(STANDARD).node(fixedNode));
		assertThat(Duration.between(start, this.time.instant())).as("waited for one lease")
			.isBetween(LEASE, LEASE.plusSeconds(2));
		assertThat(next.nextLong()).isGreaterThan(last);
		assertThat(node(next).source()).isEqualTo("hostname");
	}

	@Test
	void claimFailureNamesTheNodesThatAreUnavailableAfterAFailOver() {
		UnreliableSlotStore failedOver = new UnreliableSlotStore(this.memory) {

			@Override
			public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
				return Optional.empty();
			}

			@Override
			public SlotListing list(String keySpace, Deadline deadline) {
				Instant now = TimeIdGeneratorTests.this.time.instant();
				return new SlotListing(4, List
					.of(new StoredSlot(new Slot(3, 0, Long.MAX_VALUE), null, "token", now, now.plusSeconds(7), now)));
			}

		};
		assertThatExceptionOfType(NodeUnavailableException.class)
			.isThrownBy(() -> open(builder(STANDARD).store(this.keySpaces, failedOver)))
			.withMessageContaining("is free: node 3 is unavailable after a fail-over. The next node is free in 7s");
	}

	@Test
	void claimFailureNamesTheOwnersWhenAllNodesAreInUse() {
		TimeScheme twoNodes = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 1, 12, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator first = open(builder(twoNodes));
		this.time.advance(Duration.ofSeconds(10));
		TimeIdGenerator second = open(builder(twoNodes));
		this.time.advance(Duration.ofSeconds(5));
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> open(builder(twoNodes)))
			.withMessageContaining("No node of key space 'test' is free: node 0 is owned by ")
			.withMessageContaining("node 0 is owned by " + node(first).owner() + ", which renewed it 15s ago")
			.withMessageContaining("node 1 is owned by " + node(second).owner() + ", which renewed it 5s ago")
			.withMessageContaining("The next node is free in 15s unless its lease is renewed.");
		this.time.advance(Duration.ofSeconds(16));
		assertThat(node(open(builder(twoNodes))).number()).as("the lease of the first owner has ended").isZero();
	}

	@Test
	void noIdsAreIssuedAfterTheLastInstantOfTheLayout() {
		Instant epoch = this.time.instant().minusMillis((1L << 20) - 3_000);
		TimeScheme endingScheme = new SnowflakeSettings(epoch, 20, 10, 12, Tail.SEQUENCE).scheme();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(endingScheme), executor);
		Instant lastInstant = this.time.instant().plusMillis(2_999);
		assertThat(endingScheme.layout().lastInstant()).isEqualTo(lastInstant);
		assertThat(node(ids).windowEnd()).as("the window ends with the layout").isEqualTo(lastInstant.plusMillis(1));
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.LOW);
		for (int i = 0; i < 1_499; i++) {
			long id = ids.nextLong();
			assertThat(id).isPositive();
			assertThat(ids.describe(id).time()).isEqualTo(this.time.instant());
			this.time.advance(Duration.ofMillis(2));
		}
		long[] remaining = ids.nextLongs(2 * 4_096);
		assertThat(ids.describe(remaining[remaining.length - 1]).time()).isEqualTo(lastInstant);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("last instant that they can contain is " + lastInstant);
		this.time.advance(Duration.ofDays(1));
		executor.runDelayed();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextLong);
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.EXHAUSTED);
		assertThat(ids.snapshot().keySpace().remaining()).isZero();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> open(builder(endingScheme)))
			.withMessageContaining("is " + lastInstant);
	}

	/**
	 * The clock of the previous owner was ahead by less than the permitted difference.
	 */
	@Test
	void nodeThatIsAheadOfTheClockIsSkipped() {
		TestTimeSource instanceTime = new TestTimeSource();
		instanceTime.jump(Duration.ofSeconds(50));
		TimeIdGenerator generatorAhead = open(builder(STANDARD).timeSource(instanceTime));
		Instant last = generatorAhead.describe(generatorAhead.nextLong()).time();
		generatorAhead.close();
		TimeIdGenerator next = open(builder(STANDARD));
		assertThat(node(next).number()).as("the number of another node").isEqualTo(1);
		assertThat(next.describe(next.nextLong()).time()).isEqualTo(this.time.instant());
		TimeIdGenerator.Builder fixedNode = builder(STANDARD).node(new NodeSettings("fixed", 0L, LEASE));
		TimeIdGenerator sameNode = open(fixedNode);
		assertThat(sameNode.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		assertThatExceptionOfType(ClockException.class).isThrownBy(sameNode::nextLong)
			.withMessageContaining("uses node 0, which must not create ids for times before " + last.plusMillis(1));
		this.time.advance(Duration.ofSeconds(45));
		assertThat(sameNode.describe(sameNode.nextLong()).time()).isAfter(last);
		assertThat(sameNode.snapshot().status()).isEqualTo(GeneratorStatus.UP);
	}

	/**
	 * The layout has only one node.
	 */
	@Test
	void nodeThatIsAheadOfTheClockIsClaimedIfNoOtherNodeIsAvailable() {
		TimeScheme oneNode = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 0, 12, Tail.SEQUENCE)
			.scheme();
		TestTimeSource instanceTime = new TestTimeSource();
		instanceTime.jump(Duration.ofSeconds(3));
		TimeIdGenerator generatorAhead = open(builder(oneNode).timeSource(instanceTime));
		long last = generatorAhead.nextLong();
		generatorAhead.close();
		TimeIdGenerator next = open(builder(oneNode));
		assertThat(next.nextLong()).as("waits for the clock, and issues a greater id").isGreaterThan(last);
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

	@Test
	void claimThatIsLostRepeatedlyFailsAtTheDeadline() {
		UnreliableSlotStore rivals = new UnreliableSlotStore(this.memory) {

			@Override
			public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
				Optional<StoredSlot> claimed = super.claim(keySpace, space, owner, deadline);
				TimeIdGeneratorTests.this.time.advance(LEASE.plusSeconds(1));
				super.claim(keySpace, space, SlotOwner.random(LEASE), deadline);
				return claimed;
			}

		};
		TimeIdGenerator.Builder builder = builder(STANDARD).store(this.keySpaces, rivals);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> open(builder))
			.withMessage("No node of key space 'test' could be claimed in time: other instances"
					+ " took over each claimed node.");
		assertThat(this.events).containsOnly("lost 0");
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
	void unexpectedFailureToCountIdsIsLogged() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).store(this.keySpaces, new UnreliableSlotStore(this.memory) {

			@Override
			public long countOwned(String keySpace, Deadline deadline) {
				throw new NullPointerException("injected");
			}

		}), executor);
		try (LoggedFailures logged = new LoggedFailures()) {
			renew(executor, Duration.ofSeconds(9), 5);
			assertThat(logged.lines()).containsExactly(
					"Id generator 'test': counting ids has failed: java.lang.NullPointerException: injected");
		}
		assertThat(node(ids).leaseUntil()).isEqualTo(this.time.instant().plus(LEASE));
	}

	@Test
	void failingListenerDoesNotPreventRenewalOfTheNode() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).listener(new IdGeneratorListener() {

			@Override
			public void windowExtended(String generator, long node, Instant end) {
				throw new IllegalStateException("injected");
			}

			@Override
			public void windowFailed(String generator, RuntimeException failure, Duration left) {
				throw new LinkageError("injected");
			}

		}), executor);
		this.slots.goDown(() -> {
		});
		this.time.advance(Duration.ofSeconds(10));
		executor.runDelayed();
		this.slots.comeBack();
		this.time.advance(Duration.ofSeconds(40));
		executor.runDelayed();
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
	}

	@Test
	void storeThatWentBackwardsStopsTheGenerator() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		ids.nextLong();
		this.slots.firstSlotGoesBackBy(60_000);
		this.time.advance(Duration.ofSeconds(10));
		executor.runDelayed();
		assertThat(this.events).contains("stopped");
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(ids::nextLong)
			.withMessageStartingWith("Id generator 'test' cannot generate an id: ")
			.withMessageContaining("node 0 is reserved until")
			.withMessageContaining("Stop all instances, wait for 151s so");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		this.slots.firstSlotGoesBackBy(0);
		executor.runDelayed();
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(ids::nextLong);
	}

	@Test
	void definitionIsFixedExceptForTheEnd() {
		DecimalUidSettings signed = new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, true);
		DecimalUidSettings unsigned = new DecimalUidSettings(signed.epoch(), 6, 1, false);
		TextSettings text = new TextSettings(Alphabet.of("0123456789"), null, null, "", false, List.of());
		assertThat(unsigned.scheme().withText(text, "test").definition())
			.isEqualTo(signed.scheme().withText(text, "test").definition());
		TimeIdGenerator first = open(builder(signed.scheme()));
		TimeIdGenerator second = open(builder(unsigned.scheme()));
		assertThat(second.nextLong()).isGreaterThan(0);
		assertThat(this.keySpaces.keySpaces().get("test").capacity()).isEqualTo(unsigned.scheme().layout().ticks());
		assertThat(first.describe(first.nextLong()).node()).isZero();
		assertThat(this.events).isEmpty();
		open(builder(signed.scheme()));
		assertThat(this.events).containsExactly("lowered from 1844674407370 to 922337203685");
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> open(builder(new DecimalUidSettings(signed.epoch(), 5, 2, true).scheme())))
			.withMessageContaining("random-digits=6")
			.withMessageContaining("random-digits=5");
		assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> open(builder(STANDARD)));
	}

	@Test
	void unsignedIdsAreWrittenAsUnsignedNumbers() {
		Instant epoch = this.time.instant().minusMillis(1_829_088_000_000L);
		TimeIdGenerator ids = open(builder(new DecimalUidSettings(epoch, 6, 1, false).scheme()));
		String text = ids.nextString();
		assertThat(text).hasSize(20).startsWith("1829088000000").endsWith("0");
		assertThat(ids.parse(text)).isNegative();
		assertThat(ids.describe(ids.parse(text)).time()).isEqualTo(this.time.instant());
	}

	@Test
	void prefixIsRequestedOncePerCallAndVerified() {
		AtomicLong prefix = new AtomicLong(41);
		TimeScheme scheme = new CompositeSettings(Instant.parse("2024-01-01T00:00:00Z"), true, 3, 3).scheme();
		TimeIdGenerator ids = open(builder(scheme).prefix(prefix::incrementAndGet));
		assertThat(ids.nextString()).startsWith("04220260101").hasSize(23);
		assertThat(ids.nextStrings(25)).allMatch((text) -> text.startsWith("043")).doesNotHaveDuplicates();
		prefix.set(999);
		assertThatIllegalStateException().isThrownBy(ids::nextLong)
			.withMessageContaining("returned 1000 but must return a prefix from 0 to 999");
		prefix.set(-2);
		assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessageContaining("returned -1");
	}

	/**
	 * All prefixes share one sequence, so each combination of time, node and sequence
	 * number is unique.
	 */
	@Test
	void uniquenessDoesNotDependOnThePrefix() {
		AtomicLong prefix = new AtomicLong();
		TimeScheme scheme = new CompositeSettings(Instant.parse("2024-01-01T00:00:00Z"), true, 3, 3).scheme();
		TimeIdGenerator ids = open(builder(scheme).prefix(() -> prefix.incrementAndGet() % 7));
		TimeIdGenerator secondInstance = open(builder(scheme).prefix(() -> prefix.incrementAndGet() % 7));
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < 5_000; i++) {
			assertThat(seen.add(ids.nextString().substring(3))).isTrue();
			assertThat(seen.add(secondInstance.nextString().substring(3))).isTrue();
		}
	}

	@Test
	void generatorWithoutAStoreUsesTheGivenNode() {
		TimeIdGenerator ids = open(TimeIdGenerator.builder("test", STANDARD)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(this.time)
			.waitTimeout(WAIT));
		assertThat(ids.describe(ids.nextLong()).node()).isEqualTo(9);
		this.time.advance(Duration.ofDays(30));
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
		GeneratorSnapshot snapshot = ids.snapshot();
		assertThat(snapshot.status()).isEqualTo(GeneratorStatus.UP);
		assertThat(snapshot.node()).isEqualTo(
				new NodeSnapshot(9L, "fixed", null, Instant.parse("2026-01-01T00:00:01.001Z"), null, null, null));
		this.time.jump(Duration.ofDays(1));
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("jumped forwards by 1d")
			.withMessageContaining("restart the application");
		this.time.jump(Duration.ofDays(-1));
		ids.nextLong();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TimeIdGenerator.builder("test", STANDARD).timeSource(this.time).open())
			.withMessageContaining("source is 'lease'");
	}

	/**
	 * The process is restarted immediately after a burst.
	 */
	@Test
	void restartWithoutAStoreDoesNotRepeatIdsOfABurst() {
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 1, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator.Builder withoutStore = TimeIdGenerator.builder("test", scheme)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(this.time)
			.waitTimeout(WAIT);
		Set<Long> seen = new HashSet<>();
		for (int i = 0; i < 5; i++) {
			TimeIdGenerator ids = open(withoutStore);
			for (long id : ids.nextLongs(2_000)) {
				assertThat(seen.add(id)).isTrue();
			}
		}
	}

	@Test
	void interruptedCallerFailsAndKeepsItsInterruptFlag() throws Exception {
		ManualStoreExecutor idleExecutor = new ManualStoreExecutor();
		TimeIdGenerator ids = builder(STANDARD).open(idleExecutor, new Sleeper.Parking(TimeSource.system()), 1);
		this.time.advance(Duration.ofMinutes(2));
		CompletableFuture<String> outcome = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				ids.nextLong();
				outcome.complete("an id");
			}
			catch (RuntimeException ex) {
				outcome.complete(ex.getClass().getSimpleName() + " " + Thread.currentThread().isInterrupted());
			}
		});
		caller.start();
		caller.interrupt();
		assertThat(outcome.get()).isEqualTo("IdStoreUnavailableException true");
		caller.join();
	}

	@Test
	void closedGeneratorIssuesNoIds() {
		TimeIdGenerator ids = open(builder(STANDARD));
		ids.close();
		ids.close();
		assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessage("Id generator 'test' is closed.");
		assertThatIllegalStateException().isThrownBy(() -> ids.nextLongs(0))
			.withMessage("Id generator 'test' is closed.");
		assertThatIllegalStateException().isThrownBy(() -> ids.nextLongs(3));
		assertThat(ids.format(5)).isEqualTo("5");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		TimeIdGenerator withoutStore = open(TimeIdGenerator.builder("alone", STANDARD)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(this.time));
		withoutStore.close();
		assertThatIllegalStateException().isThrownBy(withoutStore::nextLong);
		assertThat(withoutStore.snapshot().clock().ahead()).isLessThan(Duration.ofMinutes(1));
	}

	/**
	 * Real threads draw while the generator releases its node. They must not get an id
	 * that the next owner of the node also issues.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void noIdIsIssuedTwiceWhenNodesChangeOwnersUnderLoad(Tail tail) {
		assertNoDuplicatesWhenNodesChangeOwners(
				new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 1, 3, tail).scheme());
	}

	@Test
	void noIdIsIssuedTwiceWhenNodesWithOneIdPerMillisecondChangeOwners() {
		assertNoDuplicatesWhenNodesChangeOwners(
				new CompositeSettings(Preset.STANDARD.settings().epoch(), false, 1, 0).scheme());
	}

	private void assertNoDuplicatesWhenNodesChangeOwners(TimeScheme scheme) {
		Set<Long> seen = ConcurrentHashMap.newKeySet();
		AtomicLong duplicates = new AtomicLong();
		for (int round = 0; round < 100; round++) {
			TimeIdGenerator ids = open(builder(scheme).timeSource(new RunningTime(this.time))
				.clock(new ClockSettings(Duration.ofHours(1), Duration.ofMinutes(1))));
			AtomicLong drawn = new AtomicLong();
			List<CompletableFuture<Void>> callers = IntStream.range(0, 3)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> {
					try {
						while (true) {
							long[] batch = (i == 0) ? ids.nextLongs(5) : new long[] { ids.nextLong() };
							for (long id : batch) {
								if (!seen.add(id)) {
									duplicates.incrementAndGet();
								}
							}
							drawn.addAndGet(batch.length);
						}
					}
					catch (IllegalStateException ex) {
						// the generator is closed
					}
				}, (task) -> new Thread(task).start()))
				.toList();
			while (drawn.get() < 200 && !callers.stream().allMatch(CompletableFuture::isDone)) {
				Thread.onSpinWait();
			}
			ids.close();
			callers.forEach(CompletableFuture::join);
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(duplicates).hasValue(0);
		assertThat(seen).hasSizeGreaterThan(20_000);
	}

	/**
	 * Draw 10,000 ids, for most of which the clock is not read.
	 */
	private static long burst(TimeIdGenerator ids, RunningTime time) {
		long before = time.readings.get();
		long last = 0;
		for (int i = 0; i < 10_000; i++) {
			last = ids.nextLong();
		}
		assertThat(time.readings.get() - before).isLessThan(1_000);
		assertThat(ids.snapshot().issued() % 10_000).isZero();
		return last;
	}

	@Test
	void idsHaveTheCurrentTimeAfterABurstAndAPause() {
		RunningTime running = new RunningTime(this.time);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker));
		for (int i = 0; i < 10; i++) {
			burst(ids, running);
			running.ticker.tick();
			this.time.advance(Duration.ofSeconds(10));
			assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
			ids.nextLongs(9_999);
		}
	}

	@Test
	void processThatWasFrozenInABurstIssuesFewIdsWithAPastTime() {
		RunningTime running = new RunningTime(this.time);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker));
		burst(ids, running);
		this.time.advance(Duration.ofSeconds(10));
		int late = 0;
		while (ids.describe(ids.nextLong()).time().isBefore(this.time.instant())) {
			late++;
		}
		assertThat(late).isBetween(1, TimeSequence.USUAL_COUNT);
	}

	@Test
	void clockJumpInABurstIsDetectedWithTheNextTick() {
		TestTimeSource instanceTime = new TestTimeSource();
		RunningTime running = new RunningTime(instanceTime);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker));
		burst(ids, running);
		instanceTime.jump(Duration.ofDays(365));
		running.ticker.tick();
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong);
		assertThat(ids.snapshot().clock().jumps()).isEqualTo(1);
	}

	@Test
	void clockJumpInABurstIsDetectedWithoutATick() {
		TestTimeSource instanceTime = new TestTimeSource();
		RunningTime running = new RunningTime(instanceTime);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker));
		burst(ids, running);
		instanceTime.jump(Duration.ofDays(365));
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> {
			for (int i = 0; i <= TimeSequence.USUAL_COUNT; i++) {
				ids.nextLong();
			}
		});
	}

	@Test
	void closeEndsABurst() {
		RunningTime running = new RunningTime(this.time);
		TimeIdGenerator stored = open(builder(STANDARD).timeSource(running).ticker(running.ticker));
		TimeIdGenerator withoutStore = open(TimeIdGenerator.builder("alone", STANDARD)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(running)
			.ticker(running.ticker));
		for (TimeIdGenerator ids : List.of(stored, withoutStore)) {
			burst(ids, running);
			ids.close();
			assertThatIllegalStateException().isThrownBy(ids::nextLong);
			assertThat(ids.snapshot().issued()).isEqualTo(10_000);
		}
	}

	@Test
	void lostNodeEndsABurst() {
		RunningTime running = new RunningTime(this.time);
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker), executor);
		long last = burst(ids, running);
		this.time.advance(LEASE.plusSeconds(5));
		open(builder(STANDARD));
		executor.runDelayed();
		assertThat(this.events).contains("lost 0");
		long next = ids.nextLong();
		assertThat(next).isGreaterThan(last);
		assertThat(ids.describe(next).node()).isEqualTo(1);
		assertThat(ids.snapshot().issued()).as("ids of both nodes").isEqualTo(10_001);
	}

	/**
	 * Uses the clocks of the machine.
	 */
	@Test
	void generatorsShareATickerWhoseThreadEndsByItself() throws InterruptedException {
		BlockingQueue<Thread> started = new LinkedBlockingQueue<>();
		ClockTicker ticker = new ClockTicker((task) -> {
			Thread thread = new Thread(task);
			started.add(thread);
			thread.start();
		});
		List<TimeIdGenerator> generators = IntStream.range(0, 3)
			.mapToObj((node) -> open(TimeIdGenerator.builder("test", STANDARD)
				.node(new NodeSettings("fixed", (long) node, LEASE))
				.clock(new ClockSettings(Duration.ofMillis(5), Duration.ofMinutes(1)))
				.ticker(ticker)))
			.toList();
		for (int i = 0; i < 20_000; i++) {
			generators.forEach(TimeIdGenerator::nextLong);
		}
		assertThat(started).isNotEmpty();
		while (!started.isEmpty()) {
			Thread thread = started.remove();
			thread.join();
		}
		TimeSource system = TimeSource.system();
		for (TimeIdGenerator ids : generators) {
			Instant timeInId = ids.describe(ids.nextLong()).time();
			while (!system.instant().isAfter(timeInId.plusMillis(1))) {
				Thread.onSpinWait();
			}
			Instant before = system.instant().truncatedTo(ChronoUnit.MILLIS);
			assertThat(ids.describe(ids.nextLong()).time()).isAfterOrEqualTo(before);
		}
		assertThat(started).isEmpty();
	}

	@Test
	void snapshotReportsTheRemainingTimeAndIds() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		executor.runDelayed();
		for (int i = 0; i < 1_200; i++) {
			ids.nextLongs(50);
			this.time.advance(Duration.ofSeconds(1));
		}
		executor.runDelayed();
		ids.refresh(WAIT);
		GeneratorSnapshot snapshot = ids.snapshot();
		assertThat(snapshot.strategy()).isEqualTo("snowflake");
		assertThat(snapshot.definition()).isEqualTo(STANDARD.definition());
		assertThat(snapshot.series()).isNull();
		TimeLayout layout = STANDARD.layout();
		long left = Duration.between(this.time.instant(), layout.lastInstant()).toMillis() + 1;
		assertThat(snapshot.keySpace().capacity()).hasToString("9223372036854775808");
		assertThat(snapshot.keySpace().remaining())
			.isEqualTo(layout.idsPerNode(left).multiply(BigInteger.valueOf(1_024)));
		assertThat(snapshot.keySpace().exhaustedAt()).isEqualTo(Instant.parse("2093-09-06T15:47:35.551Z"));
		assertThat(snapshot.keySpace().idsPerSecond()).isEqualTo(50);
		assertThat(snapshot.keySpace().timeLeft().remainingOfNode()).isEqualTo(layout.idsPerNode(left));
		assertThat(snapshot.keySpace().timeLeft().expectedOfNode()).isEqualTo(BigInteger.valueOf(left * 50 / 1_000));
		assertThat(snapshot.clock().skew()).isZero();
	}

	@Test
	void rateIncludesAllInstancesAndSurvivesARestart() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator permanent = open(builder(STANDARD), executor);
		executor.runDelayed();
		for (int i = 0; i < 3; i++) {
			TimeIdGenerator temporary = open(builder(STANDARD));
			for (int j = 0; j < 60; j++) {
				temporary.nextLongs(500);
				permanent.nextLongs(100);
				this.time.advance(Duration.ofSeconds(10));
				executor.runDelayed();
			}
			temporary.close();
		}
		this.time.advance(Duration.ofHours(1).minusMinutes(30));
		executor.runDelayed();
		KeySpaceSnapshot keySpace = permanent.snapshot().keySpace();
		assertThat(this.keySpaces.keySpaces().get("test").nextOrdinal()).isEqualTo(3 * 60 * 600);
		assertThat(keySpace.idsPerSecond()).isEqualTo(30);
		assertThat(keySpace.timeLeft().expectedOfNode()).isLessThan(keySpace.timeLeft().remainingOfNode());
		double expectedIds = keySpace.timeLeft().expectedOfNode().doubleValue();
		double seconds = Duration.between(this.time.instant(), keySpace.exhaustedAt()).toSeconds();
		assertThat(expectedIds / seconds).isCloseTo(5, Percentage.withPercentage(1));
	}

	@Test
	void lowKeySpaceIsReportedOnceADay() {
		TimeScheme endingScheme = new SnowflakeSettings(this.time.instant(), 30, 10, 12, Tail.SEQUENCE).scheme();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		open(builder(endingScheme), executor);
		for (int minute = 0; minute < 60 * 25; minute++) {
			this.time.advance(Duration.ofMinutes(1));
			executor.runDelayed();
		}
		assertThat(this.events).containsExactly("low", "low");
	}

	@Test
	void lowKeySpaceIsReportedOnRefreshWithoutAStore() {
		TimeScheme endingScheme = new SnowflakeSettings(this.time.instant(), 30, 10, 12, Tail.SEQUENCE).scheme();
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder("test", endingScheme)
			.node(new NodeSettings("fixed", 1L, LEASE))
			.timeSource(this.time)
			.listener(new RecordingListener());
		TimeIdGenerator ids = open(builder);
		this.time.advance(Duration.ofSeconds(2));
		ids.refresh(WAIT).join();
		assertThat(this.events).containsExactly("low");
		ids.refresh(WAIT).join();
		assertThat(this.events).hasSize(1);
		this.time.advance(Duration.ofDays(1));
		ids.refresh(WAIT).join();
		assertThat(this.events).containsExactly("low", "low");
	}

	@Test
	void failingListenerDoesNotAffectOtherListeners() {
		IdGeneratorListener failing = new IdGeneratorListener() {

			@Override
			public void windowFailed(String generator, RuntimeException failure, Duration left) {
				throw new AssertionError("injected");
			}

		};
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder("test", STANDARD)
			.store(this.keySpaces, this.slots)
			.timeSource(this.time)
			.listener(failing)
			.listener(new RecordingListener());
		open(builder, executor);
		this.slots.goDown(() -> {
		});
		executor.runDelayed();
		assertThat(this.events).containsExactly("failed");
	}

	@Test
	void failureToCountIdsDoesNotAffectCallers() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		FailingKeySpaceStore counter = new FailingKeySpaceStore();
		TimeIdGenerator ids = open(builder(STANDARD).store(counter, this.slots), executor);
		counter.failWith(new IdStoreUnavailableException("injected"));
		for (int i = 0; i < 10; i++) {
			ids.nextLong();
			this.time.advance(Duration.ofSeconds(10));
			executor.runDelayed();
		}
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
		assertThat(ids.snapshot().block().failures()).isZero();
		ids.close();
		assertThat(this.memory.list("test", Deadline.after(this.time, WAIT)).slots())
			.allSatisfy((slot) -> assertThat(slot.owner()).isNull());
	}

	/**
	 * While memory is exhausted, the renewal fails, and its failure cannot be reported to
	 * the listeners.
	 */
	@Test
	void renewalContinuesAfterAnErrorThatCannotBeReported() {
		AtomicBoolean clockFails = new AtomicBoolean();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(new FailingTime(clockFails)), executor);
		Instant end = node(ids).windowEnd();
		this.time.advance(Duration.ofSeconds(10));
		clockFails.set(true);
		executor.runDelayed();
		clockFails.set(false);
		assertThat(executor.pendingDelayed()).as("a retry and a renewal").isEqualTo(2);
		assertThat(node(ids).windowEnd()).isEqualTo(end);
		executor.runDelayed();
		assertThat(node(ids).windowEnd()).isEqualTo(end.plusSeconds(10));
		assertThat(executor.pendingDelayed()).isOne();
	}

	@Test
	void renewalContinuesAfterAnErrorBeforeTheStoreIsCalled() {
		AtomicBoolean memoryExhausted = new AtomicBoolean();
		IdGeneratorListener observer = new IdGeneratorListener() {

			@Override
			public Attempt reserving(String generator, String strategy) {
				if (memoryExhausted.get()) {
					throw new InternalError("injected");
				}
				return Attempt.NOT_OBSERVED;
			}

		};
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).listener(observer), executor);
		this.time.advance(Duration.ofSeconds(10));
		memoryExhausted.set(true);
		executor.runDelayed();
		memoryExhausted.set(false);
		assertThat(executor.pendingDelayed()).as("the next renewal").isOne();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
	}

	@Test
	void nextCallSucceedsAfterTheExecutorHasRejectedATask() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		this.time.advance(Duration.ofMinutes(1));
		executor.rejectTasks(new InternalError("injected"));
		assertThatExceptionOfType(InternalError.class).isThrownBy(ids::nextLong);
		executor.rejectTasks(null);
		Instant start = this.time.instant();
		assertThat(ids.describe(ids.nextLong()).time()).as("without delay").isEqualTo(start);
	}

	@Test
	void renewalThatCannotBeScheduledIsScheduledByTheNextCall() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		executor.rejectDelayedTasks(new InternalError("injected"));
		executor.runDelayed();
		executor.rejectDelayedTasks(null);
		assertThat(executor.pendingDelayed()).isZero();
		this.time.advance(Duration.ofMinutes(1));
		ids.nextLong();
		assertThat(executor.pendingDelayed()).isOne();
		Instant end = node(ids).windowEnd();
		this.time.advance(Duration.ofSeconds(10));
		executor.runDelayed();
		assertThat(node(ids).windowEnd()).isEqualTo(end.plusSeconds(10));
		assertThat(executor.pendingDelayed()).as("only one renewal is scheduled").isOne();
	}

	@Test
	void closeDoesNotWaitForAFailedAttempt() {
		ManualStoreExecutor executor = new ManualStoreExecutor();
		AtomicLong left = new AtomicLong(-1);
		TimeIdGenerator ids = builder(STANDARD).open(executor, new Sleeper() {

			@Override
			public void sleep(Duration time) {
				// this test never sleeps
			}

			@Override
			public void await(OneTimeEvent event, Duration atMost) {
				executor.run();
				assertThat(executor.failures()).hasOnlyElementsOfType(InternalError.class).isNotEmpty();
				left.set(event.hasHappened() ? 0 : 1);
			}

		}, 1);
		ids.nextLong();
		this.slots.goDown(() -> {
			throw new InternalError("injected");
		});
		ids.close();
		assertThat(left).as("the wait has ended").hasValue(0);
		assertThat(this.keySpaces.keySpaces().get("test").nextOrdinal()).as("the id is counted nevertheless").isOne();
	}

	@Test
	void reportsANodeThatCouldNotBeReleased() {
		TimeIdGenerator ids = open(builder(STANDARD), new ManualStoreExecutor().runImmediately());
		ids.nextLong();
		this.slots.goDown(() -> {
		});
		ids.close();
		assertThat(this.events).containsExactly("not given back");
	}

	/**
	 * The test's clocks. They throw an error while {@code clockFails} is set.
	 */
	private final class FailingTime implements TimeSource {

		private final AtomicBoolean clockFails;

		FailingTime(AtomicBoolean clockFails) {
			this.clockFails = clockFails;
		}

		@Override
		public long nanoTime() {
			throwIfClockFails();
			return TimeIdGeneratorTests.this.time.nanoTime();
		}

		@Override
		public Instant instant() {
			throwIfClockFails();
			return TimeIdGeneratorTests.this.time.instant();
		}

		private void throwIfClockFails() {
			if (this.clockFails.get()) {
				throw new InternalError("injected");
			}
		}

	}

	/**
	 * The clocks of the test, declared as clocks that advance by themselves. The ticker
	 * ticks when the test calls it.
	 */
	private static final class RunningTime implements TimeSource {

		private final AtomicLong readings = new AtomicLong();

		private final ClockTicker ticker = new ClockTicker((task) -> {
		});

		private final TestTimeSource source;

		RunningTime(TestTimeSource source) {
			this.source = source;
		}

		@Override
		public long nanoTime() {
			return this.source.nanoTime();
		}

		@Override
		public Instant instant() {
			this.readings.incrementAndGet();
			return this.source.instant();
		}

		@Override
		public boolean advancesByItself() {
			return true;
		}

	}

	/**
	 * Records the reported events.
	 */
	private final class RecordingListener implements IdGeneratorListener {

		@Override
		public void lowered(String generator, String keySpaceName, long capacity, long stored) {
			TimeIdGeneratorTests.this.events.add("lowered from " + stored + " to " + capacity);
		}

		@Override
		public void lost(String generator, long number) {
			TimeIdGeneratorTests.this.events.add("lost " + number);
		}

		@Override
		public void windowFailed(String generator, RuntimeException failure, Duration left) {
			TimeIdGeneratorTests.this.events.add("failed");
		}

		@Override
		public void notGivenBack(String generator, RuntimeException failure) {
			TimeIdGeneratorTests.this.events.add("not given back");
		}

		@Override
		public void stopped(String generator, RuntimeException reason) {
			TimeIdGeneratorTests.this.events.add("stopped");
		}

		@Override
		public void low(String generator, KeySpaceSnapshot keySpace) {
			TimeIdGeneratorTests.this.events.add("low");
		}

	}

}
