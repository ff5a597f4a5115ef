package dev.idspring.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.idspring.worker.StoreWorker.ScheduledTask;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreWorker}. Each test decides when the tasks of the worker run.
 */
class StoreWorkerTests {

	private Duration longestDelay = Duration.ofDays(1);

	private final ManualStoreExecutor executor = new ManualStoreExecutor() {

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

	private final StoreWorker worker = new StoreWorker(this.executor, new StoreWorker.Job() {

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
		assertThat(this.executor.pending()).isOne();
		this.executor.run();
		assertThat(this.attempts).isOne();
		this.worker.request();
		this.executor.run();
		assertThat(this.attempts).isEqualTo(2);
		assertThat(this.abandoned).isEmpty();
	}

	@Test
	void attemptIsAbandonedIfItsRetryCannotBeScheduled() {
		this.outcome = () -> this.worker.retryAfter(Duration.ofDays(2));
		for (int i = 1; i <= 3; i++) {
			this.worker.request();
			this.executor.run();
			assertThat(this.attempts).isEqualTo(i);
			assertThat(this.abandoned).hasSize(i);
		}
	}

	@Test
	void requestCausesAnotherAttemptOnlyAfterTheCurrentOneHasEnded() {
		this.outcome = () -> {
			this.worker.request();
			assertThat(this.executor.pending()).isZero();
			this.worker.ended();
			if (this.attempts == 1) {
				this.worker.request();
			}
		};
		this.worker.request();
		this.executor.run();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void attemptThatThrowsIsAbandonedAndTheNextOneRuns() {
		StackOverflowError injected = new StackOverflowError();
		this.outcome = () -> {
			throw injected;
		};
		this.worker.request();
		this.executor.run();
		assertThat(this.abandoned).containsExactly(injected);
		assertThat(this.executor.failures()).containsExactly(injected);
		this.outcome = this.worker::ended;
		this.worker.request();
		this.executor.run();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void attemptRejectedByTheExecutorIsAbandonedAndTheNextOneRuns() {
		InternalError injected = new InternalError("injected");
		this.executor.rejectTasks(injected);
		this.worker.request();
		assertThat(this.abandoned).containsExactly(injected);
		this.executor.rejectTasks(null);
		this.worker.request();
		this.executor.run();
		assertThat(this.attempts).isOne();
	}

	@Test
	void requestBeforeAScheduledRetryCausesNoOtherAttempt() {
		this.outcome = () -> this.worker.retryAfter(Duration.ofSeconds(1));
		this.worker.request();
		this.executor.run();
		this.worker.request();
		assertThat(this.executor.pending()).isZero();
		assertThat(this.executor.delays()).containsExactly(Duration.ofSeconds(1));
		this.outcome = this.worker::ended;
		this.executor.runDelayed();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void failureToScheduleARetryDoesNotBlockTheNextRequest() {
		this.outcome = () -> {
			this.executor.rejectDelayedTasks(new InternalError("injected"));
			this.worker.retryAfter(Duration.ofSeconds(1));
		};
		this.worker.request();
		this.executor.run();
		this.outcome = this.worker::ended;
		this.worker.request();
		this.executor.run();
		assertThat(this.attempts).isEqualTo(2);
	}

	@Test
	void scheduledTaskIsNotScheduledAgainUntilItHasRun() {
		List<String> ran = new ArrayList<>();
		ScheduledTask scheduledTask = new ScheduledTask(this.executor, () -> ran.add("ran"));
		this.executor.rejectDelayedTasks(new InternalError("injected"));
		scheduledTask.schedule(() -> Duration.ofSeconds(1));
		this.executor.rejectDelayedTasks(null);
		scheduledTask.schedule(() -> Duration.ofSeconds(2));
		scheduledTask.schedule(() -> Duration.ofSeconds(3));
		assertThat(this.executor.delays()).containsExactly(Duration.ofSeconds(2));
		this.executor.runDelayed();
		scheduledTask.schedule(() -> Duration.ofSeconds(4));
		this.executor.runDelayed();
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
		this.executor.run();
		assertThat(closed).isCompleted();
		assertThat(ran).containsExactly("attempt", "last");
		assertThat(this.executor.isClosed()).isTrue();
	}

	@Test
	void closeCompletesEvenIfNoThreadCanBeStarted() {
		this.executor.rejectTasks(new InternalError("injected"));
		assertThat(this.worker.close(() -> {
		})).isCompletedWithValue(false);
	}

	@Test
	void waitForSeveralWorkersUsesOneDeadline() {
		List<CompletableFuture<Boolean>> futures = List.of(new CompletableFuture<>(), new CompletableFuture<>());
		long start = System.nanoTime();
		assertThat(StoreWorker.awaitAll(futures, Duration.ofMillis(50))).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(50),
				Duration.ofSeconds(20));
		futures.forEach((future) -> future.complete(true));
		assertThat(StoreWorker.awaitAll(futures, Duration.ofHours(1))).isTrue();
	}

}
