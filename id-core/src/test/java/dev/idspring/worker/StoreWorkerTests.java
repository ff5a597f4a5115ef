package dev.idspring.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.idspring.worker.StoreWorker.ScheduledTask;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreWorker}. The test decides when its tasks run.
 */
class StoreWorkerTests {

	private Duration longestDelay = Duration.ofDays(1);

	private final ManualStoreExecutor supply = new ManualStoreExecutor() {

		@Override
		public boolean tryExecuteLater(Duration delay, Runnable task) {
			if (delay.compareTo(StoreWorkerTests.this.longestDelay) > 0) {
				throw new InternalError("injected");
			}
			return super.tryExecuteLater(delay, task);
		}

	};

	private final List<Throwable> abandoned = new ArrayList<>();

	private int attempts;

	private Runnable outcome = () -> this.worker.ended();

	private final StoreWorker worker = new StoreWorker(this.supply, new StoreWorker.Job() {

		@Override
		public void attempt() {
			StoreWorkerTests.this.attempts++;
			StoreWorkerTests.this.outcome.run();
		}

		@Override
		public void abandoned(Throwable reason) {
			StoreWorkerTests.this.abandoned.add(reason);
		}

	});

	@Test
	void severalRequestsCauseOneAttempt() {
		this.worker.request();
		this.worker.request();
		assertThat(this.supply.pending()).isOne();
		this.supply.run();
		assertThat(this.attempts).isOne();
		this.worker.request();
		this.supply.run();
		assertThat(this.attempts).isEqualTo(2);
		assertThat(this.abandoned).isEmpty();
	}

	@Test
	void errorWhenARetryIsScheduledAbandonsTheAttempt() {
		this.outcome = () -> this.worker.retryAfter(Duration.ofDays(2));
		for (int i = 1; i <= 3; i++) {
			this.worker.request();
			this.supply.run();
			assertThat(this.attempts).isEqualTo(i);
			assertThat(this.abandoned).hasSize(i);
		}
	}

	@Test
	void requestDuringAnAttemptCausesAnotherAttempt() {
		this.outcome = () -> {
			this.worker.request();
			assertThat(this.supply.pending()).isZero();
			this.worker.ended();
			if (this.attempts == 1) {
				this.worker.request();
			}
		};
		this.worker.request();
		this.supply.run();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void attemptThatThrowsIsAbandonedAndTheNextOneRuns() {
		StackOverflowError injected = new StackOverflowError();
		this.outcome = () -> {
			throw injected;
		};
		this.worker.request();
		this.supply.run();
		assertThat(this.abandoned).containsExactly(injected);
		assertThat(this.supply.failures()).containsExactly(injected);
		this.outcome = this.worker::ended;
		this.worker.request();
		this.supply.run();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void attemptRefusedByTheExecutorIsAbandonedAndTheNextOneRuns() {
		InternalError injected = new InternalError("injected");
		this.supply.refuse(injected);
		this.worker.request();
		assertThat(this.abandoned).containsExactly(injected);
		this.supply.refuse(null);
		this.worker.request();
		this.supply.run();
		assertThat(this.attempts).isOne();
	}

	@Test
	void requestBeforeAScheduledRetryCausesNoOtherAttempt() {
		this.outcome = () -> this.worker.retryAfter(Duration.ofSeconds(1));
		this.worker.request();
		this.supply.run();
		this.worker.request();
		assertThat(this.supply.pending()).isZero();
		assertThat(this.supply.delays()).containsExactly(Duration.ofSeconds(1));
		this.outcome = this.worker::ended;
		this.supply.runLater();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void failureToScheduleARetryDoesNotBlockTheNextRequest() {
		this.outcome = () -> {
			this.supply.refuseLater(new InternalError("injected"));
			this.worker.retryAfter(Duration.ofSeconds(1));
		};
		this.worker.request();
		this.supply.run();
		this.outcome = this.worker::ended;
		this.worker.request();
		this.supply.run();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void taskIsScheduledOnceUntilItRuns() {
		List<String> ran = new ArrayList<>();
		ScheduledTask planned = this.worker.scheduledTask(() -> ran.add("ran"));
		this.supply.refuseLater(new InternalError("injected"));
		planned.schedule(() -> Duration.ofSeconds(1));
		this.supply.refuseLater(null);
		planned.schedule(() -> Duration.ofSeconds(2));
		planned.schedule(() -> Duration.ofSeconds(3));
		assertThat(this.supply.delays()).containsExactly(Duration.ofSeconds(2));
		this.supply.runLater();
		planned.schedule(() -> Duration.ofSeconds(4));
		this.supply.runLater();
		assertThat(ran).hasSize(2);
	}

	@Test
	void closeRunsTheLastTaskAfterTheOthers() {
		List<String> ran = new ArrayList<>();
		this.outcome = () -> {
			ran.add("attempt");
			this.worker.ended();
		};
		this.worker.request();
		CompletableFuture<Boolean> closed = this.worker.close(() -> ran.add("last"));
		assertThat(closed).isNotDone();
		this.supply.run();
		assertThat(closed).isCompleted();
		assertThat(ran).containsExactly("attempt", "last");
		assertThat(this.supply.isClosed()).isTrue();
	}

	@Test
	void closeEndsWhenNoThreadCanBeStarted() {
		this.supply.refuse(new InternalError("injected"));
		assertThat(this.worker.close(() -> {
		})).isCompletedWithValue(false);
	}

	@Test
	void waitForSeveralWorkersUsesOneDeadline() {
		List<CompletableFuture<Boolean>> never = List.of(new CompletableFuture<>(), new CompletableFuture<>());
		long start = System.nanoTime();
		assertThat(StoreWorker.awaitAll(never, Duration.ofMillis(50))).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(50),
				Duration.ofSeconds(20));
		never.forEach((event) -> event.complete(true));
		assertThat(StoreWorker.awaitAll(never, Duration.ofHours(1))).isTrue();
	}

}
