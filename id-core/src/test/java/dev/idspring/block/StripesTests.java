package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.SharedChunk;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.testsupport.VirtualExecutor;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Stripes} in a {@link BlockEngine}. An owned stripe holds a chunk of a
 * block for one thread. Any thread may take from a shared chunk. A chunk in transit has
 * left its block, but no thread can take from it yet. In most tests, there is only one
 * owned stripe and one shared chunk, so that threads compete for them. The test decides
 * when the tasks of the engine run.
 */
class StripesTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static final String NAME = "test";

	private final ScriptedStore store = new ScriptedStore();

	private final TestTimeSource time = new TestTimeSource();

	private final ManualStoreExecutor executor = new ManualStoreExecutor();

	private final List<ExecutorService> liveThreads = new ArrayList<>();

	private final KeySpace keySpace = digits(9);

	@AfterEach
	void endThreads() {
		this.liveThreads.forEach(ExecutorService::shutdownNow);
	}

	@Test
	void largeUnorderedKeySpacesHaveStripes() {
		assertThat(Stripes.of(digits(8)).areUseful()).isTrue();
		assertThat(Stripes.of(digits(7)).areUseful()).isFalse();
		assertThat(Stripes.of(resolve(KeySpaceSettings.parkMiller())).areUseful()).isTrue();
		assertThat(Stripes.of(resolve(new SequentialSettings(1, Long.MAX_VALUE - 1))).areUseful()).isFalse();
		assertThat(Stripes.of(resolve(new RecycledSettings(1_000_000, 1_000_000_000_000L))).areUseful()).isFalse();
	}

	@Test
	void singleThreadTakesOrdinalsInOrder() {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>();
		for (int count = 1; count < 300; count++) {
			takenOrdinals.addAll(take(engine, count % 50));
			takenOrdinals.addAll(takeBulk(engine, count));
		}
		assertThat(takenOrdinals).isEqualTo(ordinals(0, takenOrdinals.size()));
	}

	@Test
	void threadThatTakesFewIdsHoldsFewIds() {
		BlockEngine engine = engine(settings(1_000_000), new Stripes(64, 8));
		this.executor.runImmediately();
		List<Long> idsHeld = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			take(engine, 1);
			idsHeld.add(engine.stripes().left());
		}
		assertThat(idsHeld).startsWith(0L, 2L, 1L, 0L, 6L, 5L);
		assertThat(LongStream.range(0, 10_000).filter((i) -> idsHeld.get((int) i) > 2 * (i + 1))).isEmpty();
		assertThat(idsHeld.stream().mapToLong(Long::longValue).max()).hasValue(4_095);
	}

	@Test
	void allStripesTogetherAreFilledWithNoMoreThanABlock() throws Exception {
		BlockEngine engine = engine(settings(1_000), new Stripes(64, 8));
		this.executor.runImmediately();
		for (int i = 0; i < 72; i++) {
			liveThread().submit(() -> take(engine, 103)).get();
		}
		assertThat(engine.stripes().left()).isBetween(64L, 1_000L);
	}

	/**
	 * After blocks have shrunk, an owner may hold more ids than a block contains. The
	 * snapshot reports the ids of owners separately, because other threads cannot take
	 * them.
	 */
	@Test
	void ownersRetainTheirChunksWhenBlocksShrink() throws Exception {
		BlockEngine engine = engine(new BlockSettings(100, 10_000, Duration.ofSeconds(5), Duration.ZERO));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		owner.submit(() -> takeMany(engine, 100_000)).get();
		assertThat(engine.snapshot().block().size()).isEqualTo(10_000);
		while (engine.stripes().left() < 1_023) {
			owner.submit(() -> take(engine, 1)).get();
		}
		for (int i = 0; i < 100 && engine.snapshot().block().size() > 100; i++) {
			this.time.advance(Duration.ofHours(1));
			takeBulk(engine, 1_000);
		}
		BlockSnapshot block = engine.snapshot().block();
		assertThat(block.size()).isEqualTo(100);
		assertThat(block.owned()).isGreaterThanOrEqualTo(1_023).isEqualTo(engine.stripes().left());
		assertThat(block.remaining() - block.owned() + block.ahead()).isBetween(0L, block.held());
	}

	/**
	 * While a thread of the common pool waits for a future, it may execute other tasks of
	 * the pool. If such a task took ids, it would use the stripe of its thread in the
	 * middle of the waiting call.
	 */
	@Test
	void waitingCallerExecutesNoOtherTasks() throws Exception {
		ForkJoinPool pool = ForkJoinPool.commonPool();
		assertThat(pool.getParallelism()).as("the build must set the parallelism of the common pool to 3").isEqualTo(3);
		BlockEngine engine = engine(settings(1_000));
		engine.start();
		this.executor.run();
		CountDownLatch busy = new CountDownLatch(2);
		CountDownLatch over = new CountDownLatch(1);
		Runnable occupant = () -> {
			busy.countDown();
			await(over);
		};
		pool.execute(occupant);
		pool.execute(occupant);
		busy.await();
		AtomicReference<Thread> caller = new AtomicReference<>();
		AtomicReference<CompletableFuture<List<Long>>> forked = new AtomicReference<>();
		Future<List<Long>> called = pool.submit(() -> {
			List<Long> takenOrdinals = new ArrayList<>(take(engine, 5));
			forked.set(CompletableFuture.supplyAsync(() -> take(engine, 3)));
			caller.set(Thread.currentThread());
			takenOrdinals.addAll(takeBulk(engine, 5_000));
			return takenOrdinals;
		});
		Awaitility.await().until(() -> caller.get() != null && caller.get().getState() == Thread.State.TIMED_WAITING);
		assertThat(forked.get()).isNotDone();
		Awaitility.await().until(() -> {
			boolean done = called.isDone();
			// run the tasks of the engine once more after the call has ended, so that the
			// forked task finds ordinals
			this.executor.run();
			return done;
		});
		over.countDown();
		List<Long> allOrdinals = new ArrayList<>(called.get());
		allOrdinals.addAll(forked.get().get());
		assertThat(allOrdinals).doesNotHaveDuplicates().hasSize(5_008);
	}

	@Test
	void stripeOfALiveThreadIsNotTakenOver() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		List<Long> takenOrdinals = new ArrayList<>(owner.submit(() -> take(engine, 5)).get());
		assertThat(engine.stripes().left()).isEqualTo(6);
		for (int i = 0; i < 20; i++) {
			engine.stripes().sweep();
			takenOrdinals.addAll(take(engine, 11));
			takenOrdinals.addAll(owner.submit(() -> take(engine, 7)).get());
			takenOrdinals.addAll(inThreadThatEnds(() -> take(engine, 3)));
		}
		assertThat(takenOrdinals).doesNotHaveDuplicates();
	}

	@Test
	void stripeIsClaimedByOneThread() {
		Stripes stripes = new Stripes(1, 1);
		Thread first = new NumberedThread(0);
		assertThat(stripes.claim(first)).isNotNull();
		assertThat(stripes.claim(new NumberedThread(0))).isNull();
		assertThat(stripes.own(first)).isNotNull();
		stripes.sweep();
		stripes.shut(new ArrayList<>());
		assertThat(stripes.claim(first)).isNull();
	}

	/**
	 * Without the lock, two threads could claim a stripe at the same time, and take the
	 * same ordinals.
	 */
	@Test
	void stripeIsClaimedUnderTheLockOfTheEngine() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		engine.start();
		this.executor.run();
		ExecutorService other = liveThread();
		CompletableFuture<Future<List<Long>>> takenOrdinals = new CompletableFuture<>();
		// the engine submits tasks while it holds its lock
		this.executor.beforeNextTask(() -> {
			Future<List<Long>> taking = other.submit(() -> take(engine, 1));
			try {
				taking.get(200, TimeUnit.MILLISECONDS);
				takenOrdinals.completeExceptionally(new AssertionError("claimed without the lock"));
			}
			catch (TimeoutException ex) {
				takenOrdinals.complete(taking);
			}
			catch (Exception ex) {
				takenOrdinals.completeExceptionally(ex);
			}
		});
		takeBulk(engine, 600);
		assertThat(takenOrdinals.join().get()).containsExactly(600L);
	}

	@Test
	void stripeOfADeadThreadIsTakenOverWithItsRemainder() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>(inThreadThatEnds(() -> take(engine, 5)));
		assertThat(engine.stripes().left()).isEqualTo(6);
		engine.stripes().sweep();
		takenOrdinals.addAll(inThreadThatEnds(() -> take(engine, 4)));
		engine.stripes().sweep();
		takenOrdinals.addAll(take(engine, 900));
		assertThat(takenOrdinals).isEqualTo(ordinals(0, 909));
	}

	@Test
	void remaindersInStripesAreUsedBeforeCallersFail() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		List<Long> takenOrdinals = new ArrayList<>(inThreadThatEnds(() -> take(engine, 20)));
		takenOrdinals.addAll(takeBulkInThreadThatEnds(engine, 50));
		engine.stripes().sweep();
		// the owner takes over the stripe of the dead thread, and leaves the shared
		// stripe to other threads
		takenOrdinals.addAll(owner.submit(() -> take(engine, 40)).get());
		takenOrdinals.addAll(take(engine, 40));
		this.store.failure = new IdStoreUnavailableException("injected");
		takenOrdinals.addAll(takeUntilFailure(engine, IdStoreUnavailableException.class));
		assertThat(engine.stripes().left()).as("ids that only the owner of the stripe can take").isPositive();
		assertThat(takenOrdinals).hasSize((int) (this.store.nextOrdinal(NAME) - engine.stripes().left()));
		takenOrdinals.addAll(owner.submit(() -> takeUntilFailure(engine, IdStoreUnavailableException.class)).get());
		assertThat(takenOrdinals).containsExactlyInAnyOrderElementsOf(ordinals(0, this.store.nextOrdinal(NAME)));
	}

	@Test
	void bulkCallIsServedFromRemaindersInStripes() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		engine.start();
		this.executor.run();
		this.store.failure = new IdStoreUnavailableException("injected");
		List<Long> takenOrdinals = new ArrayList<>(inThreadThatEnds(() -> take(engine, 20)));
		this.executor.runImmediately();
		takenOrdinals.addAll(takeBulk(engine, 980));
		assertThat(takenOrdinals).containsExactlyInAnyOrderElementsOf(ordinals(0, 1_000));
	}

	/**
	 * The retry reserves a block even if remainders of stripes are still in memory.
	 */
	@Test
	void retriesContinueAfterRemaindersInStripesAreTaken() throws Exception {
		BlockEngine engine = engine(settings(1_000), new Stripes(64, 8));
		this.executor.runImmediately();
		engine.start();
		for (int i = 0; i < 3; i++) {
			inThreadThatEnds(() -> take(engine, 20));
		}
		this.store.failure = new IdStoreUnavailableException("injected");
		engine.stripes().sweep();
		List<Long> takenOrdinals = new ArrayList<>(takeBulk(engine, 922));
		while (engine.snapshot().block().ahead() == 0) {
			takenOrdinals.addAll(take(engine, 1));
		}
		assertThat(engine.snapshot().storeFailure()).isNotNull();
		this.store.failure = null;
		this.executor.runDelayed();
		assertThat(this.store.reservedRanges).hasSize(2);
		assertThat(engine.snapshot().storeFailure()).isNull();
		takenOrdinals.addAll(take(engine, 1_500));
		assertThat(takenOrdinals).doesNotHaveDuplicates();
	}

	@Test
	void nextBlockIsReservedDespiteRemaindersInStripes() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		engine.start();
		inThreadThatEnds(() -> take(engine, 20));
		takeBulk(engine, 400);
		this.store.failure = new IdStoreUnavailableException("injected");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> takeBulk(engine, 700));
		takeBulk(engine, 300);
		assertThat(engine.snapshot().block().ahead()).as("the remainders of the stripes").isEqualTo(6);
		this.store.failure = null;
		this.executor.runDelayed();
		assertThat(this.store.reservedRanges).hasSize(2);
		assertThat(engine.snapshot().storeFailure()).isNull();
	}

	@Test
	void failedBulkCallLeavesTheStripeUnchanged() {
		BlockEngine engine = engine(settings(100));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>(take(engine, 5));
		this.store.failure = new IdStoreUnavailableException("injected");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> takeBulk(engine, 200));
		takenOrdinals.addAll(take(engine, 95));
		assertThat(takenOrdinals).isEqualTo(ordinals(0, 100));
	}

	@Test
	void reachingHalfOfABlockInsideAChunkTriggersTheNextReservation() {
		BlockEngine engine = engine(settings(1_000));
		engine.start();
		this.executor.run();
		this.time.advance(Duration.ofSeconds(10));
		take(engine, 247);
		assertThat(this.executor.pending()).isZero();
		take(engine, 255);
		assertThat(this.executor.pending()).isOne();
		this.executor.run();
		take(engine, 1_400);
		assertThat(engine.snapshot().block().exhaustions()).isZero();
	}

	@Test
	void issuesALargeKeySpaceUpToTheLastKey() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		long start = this.keySpace.capacity() - 5_000;
		restore(start);
		refresh(engine);
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		List<Long> takenOrdinals = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			takenOrdinals.addAll(owner.submit(() -> take(engine, 7)).get());
			takenOrdinals.addAll(take(engine, 7));
			assertThat(engine.stripes().left()).as("no ids remain in stripes of idle threads").isZero();
		}
		takenOrdinals.addAll(takeUntilFailure(engine, KeySpaceExhaustedException.class));
		assertThat(takenOrdinals).containsExactlyInAnyOrderElementsOf(ordinals(start, this.keySpace.capacity()));
	}

	@Test
	void closeGivesBackTheRemaindersOfDeadThreads() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		inThreadThatEnds(() -> take(engine, 5));
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(5);
	}

	@Test
	void closeGivesBackTheRemainderOfTheClosingThread() {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		take(engine, 5);
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(5);
		assertThatIllegalStateException().isThrownBy(() -> take(engine, 1)).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> takeBulk(engine, 1)).withMessageContaining("closed");
	}

	@Test
	void closeGivesBackTheRemaindersOfSharedStripes() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		owner.submit(() -> take(engine, 1)).get();
		take(engine, 5);
		assertThat(engine.stripes().left()).isEqualTo(6);
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(6);
		assertThatIllegalStateException().isThrownBy(() -> take(engine, 1)).withMessageContaining("closed");
	}

	@Test
	void closeDoesNotGiveBackChunksOfLiveThreadsButTheirCallsFail() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		owner.submit(() -> take(engine, 5)).get();
		engine.beginClose();
		assertThat(this.store.nextOrdinal(NAME)).as("the owner has used a part of its chunk of 7").isEqualTo(11);
		assertThat(engine.snapshot().issued()).isEqualTo(5);
		assertThat(engine.snapshot().block().remaining()).isZero();
		assertThatIllegalStateException().isThrownBy(() -> getUnwrapped(owner.submit(() -> take(engine, 1))))
			.withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> getUnwrapped(owner.submit(() -> takeBulk(engine, 2))))
			.withMessageContaining("closed");
	}

	@Test
	void closeNeitherGivesBackNorIssuesAChunkInTransit() throws Exception {
		Stripes stripes = new Stripes(1, 1);
		BlockEngine engine = engine(settings(1_000), stripes);
		this.executor.runImmediately();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		Future<Long> suspended = liveThread().submit(() -> stripes.takeShared(Thread.currentThread(), source((last) -> {
			SharedChunk chunk = nextChunk(last, engine.take(10, null).get(0));
			inside.countDown();
			await(closed);
			return chunk;
		})));
		inside.await();
		engine.beginClose();
		closed.countDown();
		assertThat(suspended.get()).isEqualTo(Stripe.NONE);
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(10);
		assertThat(engine.snapshot().issued()).as("including the chunk lost in transit").isEqualTo(10);
	}

	@Test
	void callerTakesFromTheBlockWhileASharedChunkIsReplaced() throws Exception {
		Stripes stripes = new Stripes(1, 1);
		BlockEngine engine = engine(settings(1_000), stripes);
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		owner.submit(() -> take(engine, 1)).get();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		Future<Long> suspended = owner.submit(() -> stripes.takeShared(new NumberedThread(0), source((last) -> {
			inside.countDown();
			await(free);
			return null;
		})));
		inside.await();
		assertThat(take(engine, 50)).isEqualTo(ordinals(1, 51));
		free.countDown();
		assertThat(suspended.get()).isEqualTo(Stripe.NONE);
		assertThat(take(engine, 50)).isEqualTo(ordinals(51, 101));
	}

	/**
	 * One thread is suspended while it replaces a shared chunk. It resumes when another
	 * thread requests a reservation.
	 */
	@Test
	void callerChecksTheStripesAgainAfterAFailedWait() throws Exception {
		Stripes stripes = new Stripes(1, 1);
		BlockEngine engine = engine(settings(100), stripes);
		this.executor.runImmediately();
		engine.start();
		liveThread().submit(() -> take(engine, 1)).get();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch resume = new CountDownLatch(1);
		this.store.failure = new IdStoreUnavailableException("injected");
		CompletableFuture<Long> suspended = CompletableFuture
			.supplyAsync(() -> stripes.takeShared(Thread.currentThread(), source((last) -> {
				SharedChunk chunk = nextChunk(last, engine.take(99, null).get(0));
				inside.countDown();
				await(resume);
				return chunk;
			})), liveThread());
		inside.await();
		this.store.beforeReserve = () -> {
			resume.countDown();
			suspended.join();
		};
		assertThat(take(engine, 98)).hasSize(98);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> take(engine, 1));
	}

	@Test
	void storeThatWentBackwardsStopsOwnersThatHaveIdsLeft() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		owner.submit(() -> take(engine, 20)).get();
		take(engine, 20);
		assertThat(engine.stripes().left()).as("six in each of the two stripes").isEqualTo(12);
		this.store.memory.restore(Map.of());
		refresh(engine);
		assertThat(engine.snapshot().issued()).isEqualTo(40);
		for (Callable<?> caller : List.<Callable<?>>of(() -> take(engine, 1), () -> takeBulk(engine, 1))) {
			assertThatExceptionOfType(KeySpaceRegressionException.class)
				.isThrownBy(() -> getUnwrapped(owner.submit(caller)));
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(caller::call);
		}
		engine.beginClose();
		assertThat(this.store.givenBackRanges).isEmpty();
	}

	@Test
	void countsAreExactWhileNoCallIsRunning() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		long takenCount = 0;
		for (int i = 1; i < 100; i++) {
			int count = i;
			owner.submit(() -> take(engine, count)).get();
			inThreadThatEnds(() -> take(engine, count));
			take(engine, count);
			takenCount += 3 * count;
			BlockEngines.Snapshot snapshot = engine.snapshot();
			assertThat(snapshot.issued()).isEqualTo(takenCount);
			assertThat(snapshot.block().remaining() + snapshot.block().ahead())
				.isEqualTo(this.store.nextOrdinal(NAME) - takenCount);
		}
	}

	@Test
	void memoryCountsAsEmptyWhenOnlyOneOwnerHasIdsLeft() throws Exception {
		BlockEngine engine = engine(settings(100));
		engine.start();
		this.executor.run();
		this.store.failure = new IdStoreUnavailableException("injected");
		this.executor.runImmediately();
		ExecutorService owner = liveThread();
		owner.submit(() -> take(engine, 5)).get();
		take(engine, 5);
		takeBulk(engine, 82);
		assertThat(engine.snapshot().block().remaining()).isEqualTo(8);
		assertThat(engine.snapshot().empty()).as("two ids are in the shared stripe").isFalse();
		take(engine, 2);
		assertThat(engine.snapshot().block().remaining()).isEqualTo(6);
		assertThat(engine.snapshot().block().owned()).isEqualTo(6);
		assertThat(engine.snapshot().empty()).isTrue();
		end(owner);
		assertThat(engine.snapshot().block().owned()).isZero();
		assertThat(engine.snapshot().empty()).as("the stripe of the ended thread can be taken over").isFalse();
	}

	@Test
	void issuedCountNeverDecreases() throws Exception {
		BlockEngine engine = engine(settings(1_000), new Stripes(4, 2));
		this.executor.runImmediately();
		CompletableFuture<?>[] callers = new CompletableFuture<?>[6];
		for (int i = 0; i < callers.length; i++) {
			callers[i] = CompletableFuture.runAsync(() -> takeMany(engine, 300_000),
					(task) -> new Thread(task).start());
		}
		CompletableFuture<Void> allCallers = CompletableFuture.allOf(callers);
		long issued = 0;
		while (!allCallers.isDone()) {
			long now = engine.snapshot().issued();
			assertThat(now).isGreaterThanOrEqualTo(issued);
			issued = now;
		}
		allCallers.join();
		assertThat(engine.snapshot().issued()).as("plus at most one chunk in transit per thread")
			.isBetween(1_800_000L, 1_800_000L + callers.length * 1_000 / 6);
	}

	@Test
	void issuedCountIsUnchangedWhenAChunkInTransitArrives() {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		OrdinalRange chunk = engine.take(10, null).get(0);
		assertThat(engine.snapshot().issued()).isEqualTo(10);
		engine.stripes().takeShared(Thread.currentThread(), source((last) -> nextChunk(last, chunk)));
		assertThat(engine.stripes().left()).isEqualTo(9);
		assertThat(engine.snapshot().issued()).isEqualTo(10);
		takeBulk(engine, 1);
		assertThat(engine.snapshot().issued()).as("unchanged, because the ids of the chunk were already counted")
			.isEqualTo(10);
	}

	@Test
	void stripesAreSweptWhileTheyHaveOwners() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		assertThat(this.executor.pendingDelayed()).isZero();
		ExecutorService owner = liveThread();
		owner.submit(() -> take(engine, 5)).get();
		take(engine, 5);
		assertThat(this.executor.delays()).containsExactly(Duration.ofMinutes(1));
		this.executor.runDelayed();
		assertThat(this.executor.pendingDelayed()).as("another sweep is scheduled while there are owners").isOne();
		end(owner);
		this.executor.runDelayed();
		assertThat(this.executor.pendingDelayed()).isZero();
		take(engine, 1);
		assertThat(this.executor.pendingDelayed()).as("sweeps restart with the next owner").isOne();
	}

	@Test
	void negativeAndDuplicateThreadIdsAreSupported() throws Exception {
		BlockEngine engine = engine(settings(1_000), new Stripes(64, 8));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>();
		for (long number : new long[] { 0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 5, 5, 5 }) {
			FutureTask<List<Long>> task = new FutureTask<>(() -> take(engine, 30));
			Thread thread = new NumberedThread(number, task);
			thread.start();
			takenOrdinals.addAll(task.get());
			thread.join();
		}
		takenOrdinals.addAll(take(engine, 30));
		assertThat(takenOrdinals).doesNotHaveDuplicates().hasSize(240);
	}

	@Test
	void stripeBelongsToTheThreadAndNotToItsId() throws Exception {
		BlockEngine engine = engine(settings(1_000));
		this.executor.runImmediately();
		CountDownLatch owned = new CountDownLatch(1);
		CountDownLatch resume = new CountDownLatch(1);
		FutureTask<List<Long>> owner = new FutureTask<>(() -> {
			List<Long> takenOrdinals = new ArrayList<>(take(engine, 5));
			owned.countDown();
			await(resume);
			takenOrdinals.addAll(take(engine, 6));
			return takenOrdinals;
		});
		FutureTask<List<Long>> taskWithSameThreadId = new FutureTask<>(() -> take(engine, 6));
		new NumberedThread(5, owner).start();
		owned.await();
		new NumberedThread(5, taskWithSameThreadId).start();
		taskWithSameThreadId.get();
		resume.countDown();
		assertThat(owner.get()).isEqualTo(ordinals(0, 11));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualThreadsOwnNoStripes() throws Exception {
		BlockEngine engine = engine(settings(1_000), new Stripes(64, 8));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			takenOrdinals.addAll(CompletableFuture.supplyAsync(() -> take(engine, 13), new VirtualExecutor()).get());
		}
		assertThat(this.executor.delays()).as("no sweep is scheduled without owners").isEmpty();
		assertThat(takenOrdinals).doesNotHaveDuplicates().hasSize(1_300);
	}

	private static SharedChunk.Source source(UnaryOperator<SharedChunk> nextChunk) {
		return new SharedChunk.Source() {

			@Override
			public SharedChunk after(SharedChunk last) {
				return nextChunk.apply(last);
			}

			@Override
			public void put(SharedChunk chunk) {
				assertThat(chunk.left()).isEqualTo(chunk.size() - 1);
			}

		};
	}

	private SharedChunk nextChunk(SharedChunk last, OrdinalRange range) {
		return last.next(range, this.keySpace.key(range.start()), this.keySpace.arithmeticRun(range.start()));
	}

	private BlockEngine engine(BlockSettings settings) {
		return engine(settings, new Stripes(1, 1));
	}

	private BlockEngine engine(BlockSettings settings, Stripes stripes) {
		this.store.memory.create(NAME, this.keySpace.definition(), this.keySpace.capacity(), DEADLINE);
		StoredKeySpace stored = new StoredKeySpace(NAME, this.keySpace.definition(), this.keySpace.capacity(), 0);
		SharedCounter counter = new SharedCounter(NAME, stored, this.keySpace, this.store);
		ReservedKeySpace reserved = new ReservedKeySpace(new OpenedKeySpace(this.keySpace, stored), counter,
				new ReservationForecast(NAME, this.store, this.time), this.store);
		return new BlockEngine(NAME, reserved, counter, settings, this.time, this.executor,
				new Listeners(NAME, "coprime", List.of()), stripes);
	}

	private StripedKeys keys(BlockEngine engine) {
		return new StripedKeys(engine, this.keySpace);
	}

	private void restore(long nextOrdinal) {
		this.store.memory.restore(Map.of(NAME,
				new StoredKeySpace(NAME, this.keySpace.definition(), this.keySpace.capacity(), nextOrdinal)));
	}

	private void refresh(BlockEngine engine) {
		CompletableFuture<?> refresh = engine.refresh(Deadline.after(this.time, Duration.ofMinutes(1)));
		this.executor.run();
		refresh.handle((done, failure) -> true).join();
	}

	private static KeySpace digits(int length) {
		return resolve(new CoprimeSettings(Alphabet.of("0123456789"), length, length, null, 0));
	}

	private static KeySpace resolve(KeySpaceSettings settings) {
		return settings.resolve(null);
	}

	private static BlockSettings settings(long size) {
		return new BlockSettings(size, size, Duration.ofSeconds(5), Duration.ZERO);
	}

	private List<Long> take(BlockEngine engine, int count) {
		List<Long> takenOrdinals = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			takenOrdinals.add(this.keySpace.ordinal(next(engine)));
		}
		return takenOrdinals;
	}

	private void takeMany(BlockEngine engine, int count) {
		for (int i = 0; i < count; i++) {
			next(engine);
		}
	}

	/**
	 * Take one key as generators do.
	 */
	private long next(BlockEngine engine) {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, engine.stripes().owned());
		return stripe.isReadyFor(thread) ? stripe.next() : keys(engine).takeKey();
	}

	private List<Long> takeBulk(BlockEngine engine, int count) {
		long[] keys = new long[count];
		keys(engine).takeKeys(keys);
		return LongStream.of(keys).map(this.keySpace::ordinal).boxed().toList();
	}

	private List<Long> takeBulkInThreadThatEnds(BlockEngine engine, int count) throws Exception {
		return inThreadThatEnds(() -> takeBulk(engine, count));
	}

	private List<Long> takeUntilFailure(BlockEngine engine, Class<? extends RuntimeException> failure) {
		List<Long> takenOrdinals = new ArrayList<>();
		try {
			for (int i = 0; i < 100_000; i++) {
				takenOrdinals.addAll(take(engine, 1));
			}
		}
		catch (RuntimeException ex) {
			assertThat(ex).isInstanceOf(failure);
			return takenOrdinals;
		}
		throw new AssertionError("The generator issued more ids than the store has reserved");
	}

	private static <T> T inThreadThatEnds(Callable<T> task) throws Exception {
		FutureTask<T> future = new FutureTask<>(task);
		Thread thread = new Thread(future);
		thread.start();
		thread.join();
		return future.get();
	}

	private ExecutorService liveThread() {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		this.liveThreads.add(thread);
		return thread;
	}

	private static void end(ExecutorService liveThread) throws Exception {
		Thread thread = liveThread.submit(Thread::currentThread).get();
		liveThread.shutdown();
		thread.join();
	}

	private static <T> T getUnwrapped(Future<T> future) throws Exception {
		try {
			return future.get();
		}
		catch (ExecutionException ex) {
			throw (Exception) ex.getCause();
		}
	}

	private static List<Long> ordinals(long start, long end) {
		return LongStream.range(start, end).boxed().toList();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A thread with a given id.
	 */
	private static final class NumberedThread extends Thread {

		private final long number;

		NumberedThread(long number) {
			this.number = number;
		}

		NumberedThread(long number, Runnable task) {
			super(task);
			this.number = number;
		}

		@Override
		@SuppressWarnings("deprecation")
		public long getId() {
			return this.number;
		}

	}

}
