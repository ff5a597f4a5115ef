package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.Reservations;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TestTimeSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BlockEngine}. The test decides when the tasks of the engine run.
 */
class BlockEngineTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static final String NAME = "test";

	private final ScriptedStore store = new ScriptedStore();

	private final TestTimeSource time = new TestTimeSource();

	private final ManualStoreExecutor executor = new ManualStoreExecutor();

	@Test
	void secondBlockIsReservedWhenMoreThanHalfOfTheFirstIsUsed() {
		BlockEngine engine = engine(digits(6), settings(1_000));
		engine.start();
		this.executor.run();
		assertThat(this.store.reservedSizes()).containsExactly(1_000L);
		this.time.advance(Duration.ofSeconds(10));
		take(engine, 500);
		assertThat(this.executor.pending()).isZero();
		take(engine, 1);
		this.executor.run();
		take(engine, 998);
		assertThat(this.store.reservedSizes()).containsExactly(1_000L, 1_000L);
		assertThat(engine.snapshot().block().exhaustions()).isZero();
	}

	@Test
	void issuesOrdinalsInOrderAcrossBlocks() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		List<Long> takenOrdinals = take(engine, 1_000);
		assertThat(takenOrdinals).isEqualTo(ordinals(0, 1_000));
	}

	@Test
	void issuesOrdinalsInOrderWhenSingleAndBulkCallsAlternate() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>();
		for (int count = 1; count < 50; count++) {
			takenOrdinals.addAll(take(engine, count % 4));
			engine.take(count, null).forEach((range) -> takenOrdinals.addAll(ordinals(range.start(), range.end())));
		}
		assertThat(takenOrdinals).isEqualTo(ordinals(0, takenOrdinals.size()));
	}

	@Test
	void issuesEveryKeyOfASmallKeySpaceOnceBeforeItIsExhausted() {
		BlockEngine engine = engine(digits(2), settings(7));
		this.executor.runImmediately();
		assertThat(take(engine, 100)).isEqualTo(ordinals(0, 100));
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take)
			.withMessageContaining("'test'")
			.withMessageContaining("was asked for 1 more id: of the 100 keys")
			.withMessageContaining("se another key space");
	}

	@Test
	void retriesAnExhaustedKeySpaceAfterADelay() {
		BlockEngine engine = engine(digits(1), settings(10));
		this.executor.runImmediately();
		take(engine, 10);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
		int requests = this.store.reservedRanges.size();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
		assertThat(this.store.reservedRanges).as("no request before the delay is over").hasSize(requests);
		KeySpace keySpace = digits(1);
		this.store.memory.restore(Map.of(NAME, new StoredKeySpace(NAME, keySpace.definition(), 10, 10)));
		this.time.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
		assertThat(this.store.reservedRanges).as("one more request after a minute").hasSize(requests + 1);
	}

	@Test
	void bulkCallLargerThanTheRemainderTakesNothing() {
		BlockEngine engine = engine(digits(1), settings(4));
		this.executor.runImmediately();
		take(engine, 3);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> engine.take(8, null))
			.withMessageContaining("8 more");
		assertThat(take(engine, 7)).isEqualTo(ordinals(3, 10));
	}

	@Test
	void bulkCallThatCannotBeServedReservesNothing() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		engine.take();
		long counter = this.store.nextOrdinal(NAME);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> engine.take(1_000_000, null));
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(counter);
	}

	@Test
	void bulkCallReturnsNoRangeAcrossABoundaryOfTheKeySpace() {
		KeySpace growing = new CoprimeSettings(Alphabet.of("0123456789"), 1, 3, null, 0).resolve(null);
		BlockEngine engine = engine(growing, settings(1_000));
		this.executor.runImmediately();
		assertThat(engine.take(1_110, null)).containsExactly(new OrdinalRange(0, 10), new OrdinalRange(10, 110),
				new OrdinalRange(110, 1_110));
	}

	@Test
	void bulkCallLargerThanABlockIsReservedInOneStep() {
		BlockEngine engine = engine(digits(6), settings(10));
		engine.start();
		this.executor.run();
		this.executor.runImmediately();
		assertThat(engine.take(5_000, null)).isNotEmpty();
		assertThat(this.store.reservedSizes().get(1)).isEqualTo(4_990);
	}

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
	void renewalThatCannotBeScheduledIsScheduledWithTheNextBlock() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		this.executor.rejectDelayedTasks(new InternalError("injected"));
		engine.start();
		this.executor.rejectDelayedTasks(null);
		this.executor.run();
		assertThat(this.executor.pendingDelayed()).isOne();
		this.executor.rejectDelayedTasks(new InternalError("injected"));
		this.executor.runDelayed();
		assertThat(source.renewals).isOne();
		this.executor.rejectDelayedTasks(null);
		take(engine, 60);
		this.executor.run();
		this.executor.runDelayed();
		assertThat(source.renewals).isEqualTo(2);
		assertThat(this.executor.pendingDelayed()).as("only one renewal is scheduled").isOne();
	}

	@Test
	void closeGivesBackUnusedIds() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 10);
		this.time.advance(Duration.ofSeconds(10));
		take(engine, 50);
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(200);
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(60);
		assertThat(this.executor.isClosed()).isTrue();
		assertThatIllegalStateException().isThrownBy(engine::take).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> engine.take(3, null)).withMessageContaining("closed");
		engine.beginClose();
		assertThat(this.store.givenBackRanges).hasSize(1);
	}

	@Test
	void closeGivesNothingBackIfAnotherInstanceHasReservedLaterIds() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 10);
		this.store.memory.reserve(NAME, 5, 1_000_000, DEADLINE);
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(105);
	}

	@Test
	void closeGivesBackOnlyIdsAdjacentToTheCounter() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 10);
		this.store.memory.reserve(NAME, 5, 1_000_000, DEADLINE);
		this.time.advance(Duration.ofSeconds(10));
		take(engine, 50);
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(205);
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(105);
	}

	@Test
	void closeDoesNotRepeatAGiveBackWhoseAnswerIsLost() {
		List<String> reports = new ArrayList<>();
		create(digits(6));
		BlockEngine engine = engine(digits(6), settings(100), this.executor,
				new Listeners(NAME, "coprime", List.of(new IdGeneratorListener() {

					@Override
					public void failed(String generator, RuntimeException failure, long inMemory) {
						reports.add("failed");
					}

					@Override
					public void notGivenBack(String generator, RuntimeException failure) {
						reports.add(failure.getMessage());
					}

				})));
		this.executor.runImmediately();
		take(engine, 10);
		this.store.failure = new IdStoreUnavailableException("lost answer");
		engine.beginClose();
		assertThat(reports).containsExactly("lost answer");
		assertThat(this.store.givenBackRanges).hasSize(1);
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(100);
	}

	@Test
	void closeGivesNothingBackAfterTheStoreHasFailed() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 10);
		this.store.failure = new IdStoreUnavailableException("injected");
		take(engine, 60);
		engine.beginClose();
		assertThat(this.store.givenBackRanges).isEmpty();
	}

	@Test
	void closeGivesBackABlockThatArrivesDuringClose() {
		BlockEngine engine = engine(digits(6), settings(100));
		CountDownLatch closing = new CountDownLatch(1);
		StoreThread thread = new StoreThread(NAME);
		this.store.beforeReserve = () -> awaitUninterruptibly(closing);
		BlockEngine closingEngine = engine(digits(6), settings(100), thread);
		closingEngine.start();
		CompletableFuture<Boolean> closed = closingEngine.beginClose();
		Awaitility.await().until(() -> closingEngine.snapshot().terminalFailure() != null);
		closing.countDown();
		closed.join();
		assertThat(this.store.nextOrdinal(NAME)).isZero();
		assertThat(this.store.reservedSizes()).containsExactly(100L);
		assertThat(engine.snapshot().block().reservations()).isZero();
	}

	@Test
	void closeGivesNothingBackIfItDetectsThatTheStoreWentBackwards() {
		BlockEngine engine = engine(digits(6), settings(100));
		Map<String, StoredKeySpace> backup = this.store.memory.keySpaces();
		engine.start();
		this.executor.run();
		this.time.advance(Duration.ofSeconds(10));
		take(engine, 51);
		this.store.memory.restore(backup);
		// the reservation requested at half of the block is still queued: it runs before
		// ids are given back, and detects that the store went backwards
		CompletableFuture<Boolean> closed = engine.beginClose();
		Awaitility.await().until(this.executor::isClosed);
		this.executor.run();
		closed.join();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(100);
		assertThat(this.store.givenBackRanges).isEmpty();
	}

	@Test
	void storeThatWentBackwardsStopsTheEngine() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		Map<String, StoredKeySpace> backup = this.store.memory.keySpaces();
		take(engine, 20);
		this.store.memory.restore(backup);
		take(engine, 30);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> take(engine, 30))
			.withMessageContaining("--ids.skip-ahead.key-space=test")
			.withMessageContaining("--ids.skip-ahead.confirm=true");
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(engine::take);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> engine.take(2, null));
		assertThat(engine.snapshot().block().remaining()).as("nothing is left to take").isZero();
		engine.beginClose();
		assertThat(this.store.givenBackRanges).as("nothing is given back").isEmpty();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '\'',
			value = { "shop.orders_2-a, --ids.skip-ahead.key-space=shop.orders_2-a",
					"shop orders, \"--ids.skip-ahead.key-space=shop orders\"",
					"a\"b$c`d\\, \"--ids.skip-ahead.key-space=a\\\"b\\$c\\`d\\\\\"" })
	void commandQuotesNamesThatAShellWouldChange(String keySpace, String argument) {
		assertThat(RecoveryInstructions.skipAheadIfLost(keySpace))
			.contains(" --ids.command=skip-ahead " + argument + " --ids.skip-ahead.by=");
	}

	@Test
	void readingAStoreThatWentBackwardsStopsTheEngine() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(engine, 20);
		this.store.memory.restore(Map.of());
		assertThat(engine.isReserved(50, Deadline.after(this.time, Duration.ofSeconds(5)))).isTrue();
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> engine.isReserved(5_000, Deadline.after(this.time, Duration.ofSeconds(5))));
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(engine::take);
	}

	@Test
	void giveBackByAnotherInstanceIsNotARegression() {
		BlockEngine first = engine(digits(6), settings(100));
		this.executor.runImmediately();
		take(first, 10);
		BlockEngine second = engine(digits(6), settings(100), new ManualStoreExecutor().runImmediately());
		take(second, 10);
		second.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(110);
		assertThat(take(first, 100)).hasSize(100);
	}

	@Test
	void reservationsOfAllInstancesCountAsReserved() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		assertThat(engine.isReserved(0, Deadline.after(this.time, Duration.ofSeconds(5)))).isFalse();
		this.store.memory.reserve(NAME, 5, 1_000_000, DEADLINE);
		assertThat(engine.isReserved(4, Deadline.after(this.time, Duration.ofSeconds(5)))).isTrue();
		assertThat(engine.isReserved(5, Deadline.after(this.time, Duration.ofSeconds(5)))).isFalse();
	}

	@Test
	void blocksGrowAtAHighRateAndShrinkAtALowRate() {
		BlockEngine engine = engine(digits(9), new BlockSettings(100, 1_000, Duration.ofSeconds(5), Duration.ZERO));
		this.executor.runImmediately();
		for (int i = 0; i < 10_000; i++) {
			engine.take();
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(this.store.reservedSizes()).startsWith(100L).contains(200L, 400L, 800L, 1_000L);
		assertThat(this.store.reservedSizes()).allMatch((size) -> size <= 1_000);
		for (int i = 0; i < 3_000; i++) {
			engine.take();
			this.time.advance(Duration.ofSeconds(10));
		}
		assertThat(engine.snapshot().block().size()).isEqualTo(100);
	}

	@Test
	void waitingCallersDoNotMakeBlocksGrow() {
		BlockEngine engine = engine(digits(9), settings(1_000));
		this.executor.runImmediately();
		for (int i = 0; i < 10; i++) {
			BlockSnapshot block = engine.snapshot().block();
			engine.take((int) (block.remaining() + block.ahead()) + 1, null);
			this.time.advance(Duration.ofSeconds(5));
		}
		assertThat(engine.snapshot().block().exhaustions()).as("the caller waited in each round").isEqualTo(10);
		assertThat(this.store.reservedSizes()).hasSize(10).containsOnly(1_000L);
		assertThat(engine.snapshot().block().size()).isEqualTo(1_000);
	}

	@Test
	void blockIsSmallWhenFewKeysRemain() {
		BlockEngine engine = engine(digits(3), settings(1_000));
		engine.start();
		this.executor.run();
		assertThat(this.store.reservedSizes()).singleElement().satisfies((size) -> assertThat(size).isLessThan(100));
		assertThat(engine.snapshot().block().size()).isLessThan(100);
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
	void leaseIsRenewedAtItsInterval() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		assertThat(this.executor.delays()).singleElement()
			.satisfies((delay) -> assertThat(delay).isBetween(Duration.ofMillis(7_500), Duration.ofSeconds(10)));
		for (int i = 1; i < 4; i++) {
			this.executor.runDelayed();
			assertThat(source.renewals).isEqualTo(i);
		}
		this.executor.runImmediately();
		engine.beginClose();
		this.executor.runDelayed();
		assertThat(source.renewals).as("nothing is renewed after the close").isEqualTo(3);
		assertThat(this.executor.pendingDelayed()).as("no further renewal is planned").isZero();
	}

	@Test
	void haltedEngineRenewsNoLease() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		engine.halt(new KeySpaceRegressionException("injected"));
		this.executor.runDelayed();
		assertThat(source.renewals).isZero();
	}

	@Test
	void failedRenewalDoesNotAffectCallersAndIsRetried() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		source.renewalFailure = new IdStoreUnavailableException("injected");
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).isEqualTo("injected");
		assertThat(take(engine, 10)).isEqualTo(ordinals(0, 10));
		source.renewalFailure = null;
		this.executor.runDelayed();
		assertThat(engine.snapshot().storeFailure()).isNull();
		assertThat(source.renewals).isEqualTo(2);
	}

	@Test
	void renewalThatDetectsARegressionStopsTheEngine() {
		LeasedSource source = new LeasedSource();
		BlockEngine engine = engine(digits(6), source);
		engine.start();
		this.executor.run();
		source.renewalFailure = new KeySpaceRegressionException("injected");
		this.executor.runDelayed();
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(engine::take)
			.withMessage(
					"Id generator 'test' has stopped: injected If no backup was restored and no replica was promoted,"
							+ " the cause may be one of the store's warnings: Reservations exist only in this JVM:"
							+ " after a restart, ids repeat.");
		assertThat(this.executor.pendingDelayed()).isZero();
	}

	/**
	 * Only a closed engine throws an IllegalStateException that is not an
	 * IdGenerationException.
	 */
	@Test
	void anyExceptionOfTheStoreIsReportedAsAStoreFailure() {
		create(digits(6));
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
	void bulkCallIsServedFromIdsGivenBackByAnotherInstance() {
		BlockEngine engine = engine(digits(2), settings(10));
		this.executor.runImmediately();
		take(engine, 1);
		OrdinalRange rangeOfAnotherInstance = this.store.memory.reserve(NAME, 80, 100, DEADLINE);
		engine.refresh(Deadline.after(this.time, Duration.ofSeconds(5))).join();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> engine.take(60, null));
		this.store.memory.giveBack(NAME, rangeOfAnotherInstance, DEADLINE);
		assertThat(engine.take(60, null).stream().mapToLong(OrdinalRange::size).sum()).isEqualTo(60);
	}

	@Test
	void failingListenerDoesNotAffectCallers() {
		create(digits(6));
		BlockEngine engine = engine(digits(6), settings(10), this.executor.runImmediately(),
				new Listeners(NAME, "coprime", List.of(new IdGeneratorListener() {

					@Override
					public void reserved(String generator, long count, Duration took) {
						throw new IllegalArgumentException("injected");
					}

				})));
		assertThat(take(engine, 100)).isEqualTo(ordinals(0, 100));
	}

	@Test
	void idsInDroppedMemoryAreNeitherIssuedNorGivenBack() {
		BlockEngine engine = engine(digits(9), settings(10));
		this.executor.runImmediately();
		engine.start();
		long takenKey = keys(engine).takeKey();
		Stripe stripe = engine.stripes().own(Thread.currentThread());
		assertThat(stripe).isNotNull();
		engine.dropMemory();
		assertThat(stripe.isReadyFor(Thread.currentThread())).isFalse();
		assertThat(countUnused(engine)).isZero();
		long reserved = this.store.memory.read(NAME, DEADLINE).orElseThrow().nextOrdinal();
		assertThat(engine.take()).as("the first ordinal that was not reserved before").isEqualTo(reserved);
		assertThat(engine.snapshot().issued()).isEqualTo(2);
		keys(engine).takeKey();
		assertThat(engine.stripes().own(Thread.currentThread())).isNotNull().isNotSameAs(stripe);
		engine.beginClose();
		assertThat(this.store.memory.read(NAME, DEADLINE).orElseThrow().nextOrdinal())
			.as("only the last block is given back")
			.isEqualTo(reserved + 2);
		assertThat(takenKey).isNotEqualTo(digits(9).key(reserved));
	}

	@Test
	void attemptRequestedBeforeMemoryIsDroppedReservesNothing() {
		BlockEngine engine = engine(digits(6), settings(10));
		engine.start();
		engine.dropMemory();
		this.executor.run();
		assertThat(this.store.memory.read(NAME, DEADLINE).orElseThrow().nextOrdinal()).isZero();
		this.executor.runImmediately();
		assertThat(engine.take()).isZero();
	}

	@Test
	void callerWaitingWhenMemoryIsDroppedIsServed() {
		BlockEngine engine = engine(digits(6), new BlockSettings(10, 10, Duration.ofHours(1), Duration.ZERO));
		CompletableFuture<Long> caller = CompletableFuture.supplyAsync(engine::take,
				(task) -> new Thread(task).start());
		Awaitility.await().until(() -> engine.snapshot().block().exhaustions() == 1);
		engine.dropMemory();
		// a block may arrive and be dropped before the caller wakes up; the caller then
		// requests another block
		Awaitility.await().until(() -> {
			this.executor.run();
			return caller.isDone();
		});
		assertThat(caller.join()).isIn(0L, 10L);
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

	@Test
	void snapshotReportsTheOriginalSizeOfBlocksInMemory() {
		BlockEngine engine = engine(digits(6), settings(10));
		assertThat(engine.snapshot().block().held()).isZero();
		engine.start();
		this.executor.run();
		take(engine, 4);
		assertThat(engine.snapshot().block().held()).isEqualTo(10);
		take(engine, 2);
		this.executor.run();
		BlockSnapshot block = engine.snapshot().block();
		assertThat(block.held()).isEqualTo(10 + block.ahead());
		engine.take(6, null);
		assertThat(engine.snapshot().block().held()).as("after a bulk call has started to use the next block")
			.isEqualTo(block.ahead());
	}

	private BlockEngine engine(KeySpace keySpace, BlockSettings settings) {
		return engine(keySpace, settings, this.executor);
	}

	private BlockEngine engine(KeySpace keySpace, BlockSettings settings, StoreExecutor executor) {
		create(keySpace);
		return engine(keySpace, settings, executor, new Listeners(NAME, "coprime", List.of()));
	}

	private BlockEngine engine(KeySpace keySpace, BlockSettings settings, StoreExecutor executor, Listeners listeners) {
		SharedCounter counter = new SharedCounter(NAME,
				new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0), keySpace, this.store);
		return new BlockEngine(NAME, reserved(keySpace, counter), counter, settings, this.time, executor, listeners,
				Stripes.of(keySpace));
	}

	private static long countUnused(BlockEngine engine) {
		return engine.unusedRanges().stream().mapToLong(OrdinalRange::size).sum();
	}

	private static StripedKeys keys(BlockEngine engine) {
		return new StripedKeys(engine, digits(9));
	}

	private ReservedKeySpace reserved(KeySpace keySpace, SharedCounter counter) {
		StoredKeySpace stored = new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0);
		return new ReservedKeySpace(new OpenedKeySpace(keySpace, stored), counter,
				new ReservationForecast(NAME, this.store, this.time), this.store);
	}

	private void create(KeySpace keySpace) {
		this.store.memory.create(NAME, keySpace.definition(), keySpace.capacity(), DEADLINE);
	}

	private static KeySpace digits(int length) {
		return new CoprimeSettings(Alphabet.of("0123456789"), length, length, null, 0).resolve(null);
	}

	private static BlockSettings settings(long size) {
		return new BlockSettings(size, Math.max(size, 100_000), Duration.ofSeconds(5), Duration.ZERO);
	}

	private static List<Long> take(BlockEngine engine, int count) {
		List<Long> takenOrdinals = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			takenOrdinals.add(engine.take());
		}
		return takenOrdinals;
	}

	private static List<Long> ordinals(long start, long end) {
		List<Long> ordinals = new ArrayList<>();
		for (long ordinal = start; ordinal < end; ordinal++) {
			ordinals.add(ordinal);
		}
		return ordinals;
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private BlockEngine engine(KeySpace keySpace, LeasedSource source) {
		create(keySpace);
		source.counter = new SharedCounter(NAME,
				new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0), keySpace, this.store);
		return new BlockEngine(NAME, reserved(keySpace, source.counter), source, settings(100), this.time,
				this.executor, new Listeners(NAME, "coprime", List.of()), Stripes.of(keySpace));
	}

	/**
	 * A counter with a lease that must be renewed.
	 */
	private static final class LeasedSource implements BlockSource {

		private SharedCounter counter;

		private int renewals;

		private boolean nextCountFails;

		private boolean isUsedUpFails;

		@Override
		public boolean isUsedUp() {
			if (this.isUsedUpFails) {
				throw new OutOfMemoryError("injected");
			}
			return BlockSource.super.isUsedUp();
		}

		@Override
		public long nextCount(long size, long inMemory) {
			if (this.nextCountFails) {
				throw new OutOfMemoryError("injected");
			}
			return size;
		}

		private RuntimeException renewalFailure;

		@Override
		public OrdinalRange reserve(long count, Deadline deadline) {
			return this.counter.reserve(count, deadline);
		}

		@Override
		public long giveBack(List<OrdinalRange> unused, Deadline deadline) {
			return this.counter.giveBack(unused, deadline);
		}

		@Override
		public long remaining() {
			return this.counter.remaining();
		}

		@Override
		public Duration renewalInterval() {
			return Duration.ofSeconds(10);
		}

		@Override
		public void renew(Deadline deadline) {
			this.renewals++;
			if (this.renewalFailure != null) {
				throw this.renewalFailure;
			}
		}

	}

}
