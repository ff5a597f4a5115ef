package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.SlotOwner;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.testsupport.ReservingListener;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NodeLease}: how a generator renews the lease of its node and extends
 * its window, and how it uses the rest of the window while the store is down.
 */
class NodeLeaseTests extends AbstractTimeIdGeneratorTests {

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

}
