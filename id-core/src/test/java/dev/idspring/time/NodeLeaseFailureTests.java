package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.testsupport.LoggedFailures;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NodeLease} when a renewal, a release, a listener, the clock, the
 * executor, or the counting of ids or nodes fails.
 */
class NodeLeaseFailureTests extends AbstractTimeIdGeneratorTests {

	@Test
	void unexpectedFailureToCountNodesIsLogged() {
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
					"Id generator 'test': counting ids or nodes has failed: java.lang.NullPointerException: injected");
		}
		assertThat(node(ids).leaseUntil()).isEqualTo(this.time.instant().plus(LEASE));
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
	void closeDoesNotWaitForAFailedRelease() {
		ManualStoreExecutor executor = new ManualStoreExecutor();
		AtomicBoolean ended = new AtomicBoolean();
		TimeIdGenerator ids = builder(STANDARD).open(executor, new Sleeper() {

			@Override
			public void sleep(Duration time) {
				// this test never sleeps
			}

			@Override
			public void await(OneTimeEvent event, Duration atMost) {
				executor.run();
				assertThat(executor.failures()).hasOnlyElementsOfType(InternalError.class).isNotEmpty();
				ended.set(event.hasHappened());
			}

		}, 1);
		ids.nextLong();
		this.slots.goDown(() -> {
			throw new InternalError("injected");
		});
		ids.close();
		assertThat(ended).as("the wait has ended").isTrue();
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
			return NodeLeaseFailureTests.this.time.nanoTime();
		}

		@Override
		public Instant instant() {
			throwIfClockFails();
			return NodeLeaseFailureTests.this.time.instant();
		}

		private void throwIfClockFails() {
			if (this.clockFails.get()) {
				throw new InternalError("injected");
			}
		}

	}

}
