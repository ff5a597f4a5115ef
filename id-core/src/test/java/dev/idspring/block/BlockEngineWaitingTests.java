package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for callers that wait for a {@link BlockEngine}: for how long they wait, and what
 * happens after they time out or are interrupted.
 */
class BlockEngineWaitingTests extends AbstractBlockEngineTests {

	@Test
	void waitingCallersShareOneReservationAndOneDeadline() throws Exception {
		BlockEngine engine = engine(digits(6), new BlockSettings(100, 100, Duration.ofHours(1), Duration.ZERO));
		List<CompletableFuture<Long>> callers = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			callers.add(CompletableFuture.supplyAsync(engine::take, (task) -> threads.add(new Thread(task))));
		}
		threads.forEach(Thread::start);
		Awaitility.await()
			.until(() -> engine.snapshot().block().exhaustions() == 16
					&& threads.stream().allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING));
		assertThat(this.executor.pending()).isOne();
		this.time.advance(Duration.ofHours(1).minusMillis(1));
		CompletableFuture<Long> late = CompletableFuture.supplyAsync(engine::take, (task) -> new Thread(task).start());
		// the late caller shares the deadline of the others, and therefore fails without
		// waiting for an hour
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> late.get(1, TimeUnit.MINUTES))
			.withCauseInstanceOf(IdStoreUnavailableException.class);
		assertThat(this.executor.pending()).isOne();
		this.executor.run();
		for (CompletableFuture<Long> caller : callers) {
			assertThat(caller.get()).isBetween(0L, 99L);
		}
		assertThat(callers.stream().map(CompletableFuture::join)).doesNotHaveDuplicates();
	}

	@Test
	void callerDuringAFailedAttemptGetsTheCauseOfTheFailure() {
		BlockEngine engine = engine(digits(6), new BlockSettings(10, 10, Duration.ofHours(1), Duration.ZERO));
		List<Throwable> reports = new ArrayList<>();
		List<CompletableFuture<Long>> callers = new ArrayList<>();
		this.store.failure = new IdStoreUnavailableException("injected");
		this.store.beforeReserve = () -> {
			if (callers.isEmpty()) {
				this.time.advance(Duration.ofMinutes(59));
				callers.add(CompletableFuture.supplyAsync(engine::take, (task) -> new Thread(task).start()));
				Awaitility.await().until(() -> engine.snapshot().block().exhaustions() == 1);
			}
			else {
				// the next caller shares the deadline of the first one, and that deadline
				// is 5 ms away
				this.time.advance(Duration.ofHours(1).minusMillis(5));
				reports.add(catchThrowable(engine::take));
			}
		};
		engine.start();
		this.executor.run();
		assertThat(reports).singleElement()
			.asInstanceOf(InstanceOfAssertFactories.type(IdStoreUnavailableException.class))
			.satisfies((ex) -> assertThat(ex).hasMessageContaining("the store failed: injected"));
		assertThat(callers.get(0)).failsWithin(Duration.ofSeconds(20));
	}

	@Test
	void reservationIgnoresTheDemandOfCallersThatTimedOut() {
		BlockEngine engine = engine(digits(6), new BlockSettings(10, 10, Duration.ofMillis(100), Duration.ZERO));
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> engine.take(100, null));
			this.time.advance(Duration.ofMillis(100));
		}
		this.executor.run();
		assertThat(this.store.reservedSizes()).containsExactly(10L);
	}

	@Test
	void callerWithALaterDeadlineIsServedAfterAnotherRefillHasBegun() {
		Duration timeout = Duration.ofMillis(200);
		BlockEngine engine = engine(digits(6), new BlockSettings(10, 10, timeout, Duration.ZERO));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take);
		FutureTask<List<OrdinalRange>> patient = new FutureTask<>(
				() -> engine.take(1, Deadline.after(this.time, Duration.ofHours(1))));
		Thread thread = new Thread(patient);
		thread.start();
		Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		this.time.advance(timeout);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take);
		this.executor.run();
		assertThat(patient).succeedsWithin(Duration.ofSeconds(20));
		assertThat(engine.snapshot().block().failures()).isZero();
	}

	@Test
	void readsAreSkippedWhenTheirCallersHaveTimedOut() {
		BlockEngine engine = engine(digits(6), settings(100));
		for (int i = 0; i < 5; i++) {
			CompletableFuture<Boolean> refresh = engine.refresh(Deadline.after(this.time, Duration.ofMillis(1)));
			Awaitility.await().until(refresh::isDone);
		}
		this.executor.run();
		assertThat(this.store.reads).hasValue(0);
		CompletableFuture<Boolean> refresh = engine.refresh(Deadline.after(this.time, Duration.ofSeconds(30)));
		this.executor.run();
		assertThat(refresh).isCompleted();
		assertThat(this.store.reads).hasValue(1);
	}

	@Test
	void interruptedCallerFailsAndKeepsItsInterruptFlag() {
		BlockEngine engine = engine(digits(6), new BlockSettings(10, 10, Duration.ofHours(1), Duration.ZERO));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take)
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void interruptedCallerGetsAnIdIfItNeedNotWait() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		Thread.currentThread().interrupt();
		assertThat(engine.take()).isZero();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void waitTimeOfCallersIsCounted() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.store.beforeReserve = () -> this.time.advance(Duration.ofSeconds(1));
		engine.start();
		this.executor.run();
		take(engine, 5);
		assertThat(engine.snapshot().block().waited()).as("the next block is reserved in the background").isZero();
		this.executor.runImmediately();
		engine.take(100, null);
		BlockSnapshot block = engine.snapshot().block();
		assertThat(block.exhaustions()).isEqualTo(1);
		assertThat(block.waited()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
	}

	@Test
	void waitTimeOfFailedCallersIsCounted() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.store.failure = new IdStoreUnavailableException("injected");
		this.store.beforeReserve = () -> this.time.advance(Duration.ofSeconds(2));
		this.executor.runImmediately();
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(engine::take);
		assertThat(engine.snapshot().block().waited()).isEqualTo(Duration.ofSeconds(2));
	}

}
