package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BlockEngine} when the store, the executor or a listener fails.
 */
class BlockEngineFailureTests extends AbstractBlockEngineTests {

	@Test
	void issuesIdsFromMemoryWhileTheStoreFails() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 10);
		this.store.failure = new IdStoreUnavailableException("injected");
		assertThat(take(engine, 90)).isEqualTo(ordinals(10, 100));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("injected");
		this.store.failure = null;
		assertThat(take(engine, 50)).isEqualTo(ordinals(100, 150));
	}

	@Test
	void outageReserveServesCallersDuringAnOutage() {
		BlockEngine engine = engine(digits(9),
				new BlockSettings(100, 1_000, Duration.ofSeconds(5), Duration.ofSeconds(60)));
		this.executor.runImmediately();
		for (int i = 0; i < 5_000; i++) {
			engine.take();
			this.time.advance(Duration.ofMillis(10));
		}
		this.store.failure = new IdStoreUnavailableException("injected");
		assertThat(take(engine, 6_000)).hasSize(6_000);
		assertThat(engine.snapshot().block().exhaustions()).isLessThanOrEqualTo(1);
	}

	@Test
	void failedReservationIsRepeatedInTheBackground() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.store.failure = new IdStoreUnavailableException("injected");
		engine.start();
		this.executor.run();
		assertThat(engine.snapshot().block().failures()).isOne();
		assertThat(engine.snapshot().block().lastError()).contains("injected");
		this.store.failure = null;
		this.executor.runDelayed();
		assertThat(engine.snapshot().block().lastError()).isNull();
		assertThat(engine.snapshot().block().remaining()).isEqualTo(100);
		assertThat(engine.snapshot().block().exhaustions()).isZero();
	}

	@Test
	void storeFailureIsClearedWhenTheReservationIsNoLongerNeeded() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		engine.start();
		this.store.failure = new IdStoreUnavailableException("injected");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> engine.take(200, null));
		assertThat(engine.snapshot().storeFailure()).contains("injected");
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).as("memory is full").isNull();
		take(engine, 60);
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).as("the reservation is repeated").contains("injected");
		engine.dropMemory();
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).as("memory was dropped").isNull();
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take);
		assertThat(engine.snapshot().storeFailure()).as("a caller needs an ordinal").contains("injected");
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).contains("injected");
	}

	@Test
	void failingCallersScheduleOnlyOneRetry() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		this.store.failure = new IdStoreUnavailableException("injected");
		for (int i = 0; i < 100; i++) {
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take);
		}
		assertThat(this.executor.pendingDelayed()).isOne();
		this.executor.runDelayed();
		assertThat(this.executor.pendingDelayed()).as("each retry schedules the next one").isOne();
	}

	/**
	 * Only a closed engine throws an IllegalStateException that is not an
	 * IdGenerationException.
	 */
	@Test
	void anyExceptionOfTheStoreIsReportedAsAStoreFailure() {
		BlockEngine engine = engine(digits(6), settings(10), this.executor.runImmediately(),
				new Listeners(NAME, "coprime", List.of()));
		this.store.failure = new IllegalStateException("injected");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("injected");
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> engine.isReserved(5, Deadline.after(this.time, Duration.ofSeconds(5))))
			.withMessageContaining("injected");
		this.store.failure = null;
		assertThat(engine.take()).isZero();
		engine.beginClose();
		for (Runnable call : List.<Runnable>of(engine::take,
				() -> engine.isReserved(500, Deadline.after(this.time, Duration.ofSeconds(5))))) {
			assertThatIllegalStateException().isThrownBy(call::run)
				.withMessage("Id generator 'test' is closed.")
				.isExactlyInstanceOf(IllegalStateException.class);
		}
	}

	@Test
	void errorInTheStoreReleasesWaitingCallers() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		this.store.beforeReserve = () -> {
			throw new OutOfMemoryError("injected");
		};
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("injected");
		this.store.beforeReserve = () -> {
		};
		assertThat(engine.take()).isZero();
	}

	@Test
	void errorBeforeTheStoreIsCalledReleasesWaitingCallers() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		this.executor.runImmediately();
		source.nextCountFails = true;
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("injected");
		source.nextCountFails = false;
		assertThat(engine.take()).isZero();
	}

	@Test
	void errorAfterTheStoreHasAnsweredReleasesWaitingCallers() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		CompletableFuture<Long> caller = CompletableFuture.supplyAsync(engine::take,
				(task) -> new Thread(task).start());
		Awaitility.await().until(() -> engine.snapshot().block().exhaustions() == 1);
		source.isUsedUpFails = true;
		this.executor.run();
		assertThat(this.executor.failures()).singleElement().isInstanceOf(OutOfMemoryError.class);
		assertThat(caller.join()).isZero();
		assertThat(engine.snapshot().block().lastError()).contains("injected");
		source.isUsedUpFails = false;
		this.executor.runDelayed();
		assertThat(take(engine, 99)).isEqualTo(ordinals(1, 100));
	}

	@Test
	void retriesWhenTheExecutorRejectsATask() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.rejectTasks(new InternalError("injected"));
		engine.start();
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("injected");
		assertThat(engine.snapshot().block().failures()).isEqualTo(2);
		assertThat(this.executor.pendingDelayed()).as("a retry").isOne();
		this.executor.rejectTasks(null);
		this.executor.runDelayed();
		assertThat(engine.take()).isZero();
		assertThat(this.store.reservedSizes()).containsExactly(10L);
	}

	@Test
	void callerGetsAnIdEvenIfTheNextBlockCannotBeRequested() {
		BlockEngine engine = engine(digits(6), settings(10));
		engine.start();
		this.executor.run();
		this.executor.rejectTasks(new InternalError("injected"));
		this.executor.rejectDelayedTasks(new InternalError("injected"));
		assertThat(take(engine, 9)).isEqualTo(ordinals(0, 9));
		assertThat(engine.take(1, null)).containsExactly(new OrdinalRange(9, 10));
		this.executor.rejectTasks(null);
		this.executor.rejectDelayedTasks(null);
		this.executor.runImmediately();
		assertThat(take(engine, 50)).isEqualTo(ordinals(10, 60));
	}

	@Test
	void retryThatCannotBeScheduledIsScheduledByTheNextCall() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		this.store.failure = new IdStoreUnavailableException("injected");
		this.executor.rejectDelayedTasks(new InternalError("later"));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("injected");
		this.executor.rejectDelayedTasks(null);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take);
		assertThat(this.executor.pendingDelayed()).isOne();
		this.store.failure = null;
		this.executor.runDelayed();
		assertThat(engine.snapshot().block().remaining()).isEqualTo(10);
	}

	@Test
	void failingListenerDoesNotAffectCallers() {
		BlockEngine engine = engine(digits(6), settings(10), this.executor.runImmediately(),
				new Listeners(NAME, "coprime", List.of(new IdGeneratorListener() {

					@Override
					public void reserved(String generator, long count, Duration took) {
						throw new IllegalArgumentException("injected");
					}

				})));
		assertThat(take(engine, 100)).isEqualTo(ordinals(0, 100));
	}

}
