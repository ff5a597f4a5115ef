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
 * Tests for {@link Stripes} in a {@link BlockEngine}, whose supply runs when the test
 * says so. There is one stripe of each kind, so that threads meet.
 */
class StripesTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static final String NAME = "test";

	private final ScriptedStore store = new ScriptedStore();

	private final TestTimeSource time = new TestTimeSource();

	private final ManualStoreExecutor supply = new ManualStoreExecutor();

	private final List<ExecutorService> living = new ArrayList<>();

	private final KeySpace keySpace = digits(9);

	@AfterEach
	void endThreads() {
		this.living.forEach(ExecutorService::shutdownNow);
	}

	@Test
	void largeKeySpacesWithoutAnOrderHaveStripes() {
		assertThat(Stripes.of(digits(8)).areUseful()).isTrue();
		assertThat(Stripes.of(digits(7)).areUseful()).isFalse();
		assertThat(Stripes.of(resolve(KeySpaceSettings.parkMiller())).areUseful()).isTrue();
		assertThat(Stripes.of(resolve(new SequentialSettings(1, Long.MAX_VALUE - 1))).areUseful()).isFalse();
		assertThat(Stripes.of(resolve(new RecycledSettings(1_000_000, 1_000_000_000_000L))).areUseful()).isFalse();
	}

	@Test
	void singleThreadTakesOrdinalsInOrder() {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		List<Long> taken = new ArrayList<>();
		for (int count = 1; count < 300; count++) {
			taken.addAll(take(server, count % 50));
			taken.addAll(takeBulk(server, count));
		}
		assertThat(taken).isEqualTo(ordinals(0, taken.size()));
	}

	@Test
	void threadThatTakesFewIdsHoldsFew() {
		BlockEngine server = server(settings(1_000_000), new Stripes(64, 8));
		this.supply.immediate();
		List<Long> held = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			take(server, 1);
			held.add(server.stripes().left());
		}
		assertThat(held).startsWith(0L, 2L, 1L, 0L, 6L, 5L);
		assertThat(LongStream.range(0, 10_000).filter((i) -> held.get((int) i) > 2 * (i + 1))).isEmpty();
		assertThat(held.stream().mapToLong(Long::longValue).max()).hasValue(4_095);
	}

	@Test
	void allStripesTogetherAreFilledWithNoMoreThanABlock() throws Exception {
		BlockEngine server = server(settings(1_000), new Stripes(64, 8));
		this.supply.immediate();
		for (int i = 0; i < 72; i++) {
			living().submit(() -> take(server, 103)).get();
		}
		assertThat(server.stripes().left()).isBetween(64L, 1_000L);
	}

	/**
	 * Which then may be more than a block is, and says nothing about what others find.
	 */
	@Test
	void ownersRetainTheirChunksWhenBlocksShrink() throws Exception {
		BlockEngine server = server(new BlockSettings(100, 10_000, Duration.ofSeconds(5), Duration.ZERO));
		this.supply.immediate();
		ExecutorService owner = living();
		owner.submit(() -> takeMany(server, 100_000)).get();
		assertThat(server.snapshot().block().size()).isEqualTo(10_000);
		while (server.stripes().left() < 1_023) {
			owner.submit(() -> take(server, 1)).get();
		}
		for (int i = 0; i < 100 && server.snapshot().block().size() > 100; i++) {
			this.time.advance(Duration.ofHours(1));
			takeBulk(server, 1_000);
		}
		BlockSnapshot block = server.snapshot().block();
		assertThat(block.size()).isEqualTo(100);
		assertThat(block.owned()).isGreaterThanOrEqualTo(1_023).isEqualTo(server.stripes().left());
		assertThat(block.remaining() - block.owned() + block.ahead()).isBetween(0L, block.held());
	}

	/**
	 * Who waits for a future on a thread of the common pool is given other tasks to run,
	 * which would take from the same stripe in the middle of a call.
	 */
	@Test
	void waitingCallerRunsNoOtherTasks() throws Exception {
		ForkJoinPool pool = ForkJoinPool.commonPool();
		assertThat(pool.getParallelism()).as("otherwise futures do not use the pool").isEqualTo(3);
		BlockEngine server = server(settings(1_000));
		server.start();
		this.supply.run();
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
			List<Long> taken = new ArrayList<>(take(server, 5));
			forked.set(CompletableFuture.supplyAsync(() -> take(server, 3)));
			caller.set(Thread.currentThread());
			taken.addAll(takeBulk(server, 5_000));
			return taken;
		});
		Awaitility.await().until(() -> caller.get() != null && caller.get().getState() == Thread.State.TIMED_WAITING);
		assertThat(forked.get()).isNotDone();
		Awaitility.await().until(() -> {
			boolean done = called.isDone();
			// once more when it is done, so that the other one finds ordinals
			this.supply.run();
			return done;
		});
		over.countDown();
		List<Long> all = new ArrayList<>(called.get());
		all.addAll(forked.get().get());
		assertThat(all).doesNotHaveDuplicates().hasSize(5_008);
	}

	@Test
	void stripeOfALiveThreadIsNotTakenOver() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		ExecutorService owner = living();
		List<Long> taken = new ArrayList<>(owner.submit(() -> take(server, 5)).get());
		assertThat(server.stripes().left()).isEqualTo(6);
		for (int i = 0; i < 20; i++) {
			server.stripes().sweep();
			taken.addAll(take(server, 11));
			taken.addAll(owner.submit(() -> take(server, 7)).get());
			taken.addAll(inThreadThatDies(() -> take(server, 3)));
		}
		assertThat(taken).doesNotHaveDuplicates();
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
	 * Two threads that claim one at the same time would take the same ordinals.
	 */
	@Test
	void stripeIsClaimedUnderTheGuardOfTheEngine() throws Exception {
		BlockEngine server = server(settings(1_000));
		server.start();
		this.supply.run();
		ExecutorService other = living();
		CompletableFuture<Future<List<Long>>> taken = new CompletableFuture<>();
		// a task is given to the supply under the guard
		this.supply.whenGiven(() -> {
			Future<List<Long>> taking = other.submit(() -> take(server, 1));
			try {
				taking.get(200, TimeUnit.MILLISECONDS);
				taken.completeExceptionally(new AssertionError("claimed without the guard"));
			}
			catch (TimeoutException ex) {
				taken.complete(taking);
			}
			catch (Exception ex) {
				taken.completeExceptionally(ex);
			}
		});
		takeBulk(server, 600);
		assertThat(taken.join().get()).containsExactly(600L);
	}

	@Test
	void stripeOfADeadThreadIsTakenOverWithItsRemainder() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		List<Long> taken = new ArrayList<>(inThreadThatDies(() -> take(server, 5)));
		assertThat(server.stripes().left()).isEqualTo(6);
		server.stripes().sweep();
		taken.addAll(inThreadThatDies(() -> take(server, 4)));
		server.stripes().sweep();
		taken.addAll(take(server, 900));
		assertThat(taken).isEqualTo(ordinals(0, 909));
	}

	@Test
	void remaindersInStripesAreUsedBeforeCallersFail() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		ExecutorService owner = living();
		List<Long> taken = new ArrayList<>(inThreadThatDies(() -> take(server, 20)));
		taken.addAll(takeBulkInThreadThatDies(server, 50));
		server.stripes().sweep();
		// inherits, and leaves the others the shared stripe
		taken.addAll(owner.submit(() -> take(server, 40)).get());
		taken.addAll(take(server, 40));
		this.store.failure = new IdStoreUnavailableException("planted");
		taken.addAll(untilFailure(server, IdStoreUnavailableException.class));
		assertThat(server.stripes().left()).as("ids that only their owner can take").isPositive();
		assertThat(taken).hasSize((int) (this.store.counter(NAME) - server.stripes().left()));
		taken.addAll(owner.submit(() -> untilFailure(server, IdStoreUnavailableException.class)).get());
		assertThat(taken).containsExactlyInAnyOrderElementsOf(ordinals(0, this.store.counter(NAME)));
	}

	@Test
	void bulkCallIsServedFromRemaindersInStripes() throws Exception {
		BlockEngine server = server(settings(1_000));
		server.start();
		this.supply.run();
		this.store.failure = new IdStoreUnavailableException("planted");
		List<Long> taken = new ArrayList<>(inThreadThatDies(() -> take(server, 20)));
		this.supply.immediate();
		taken.addAll(takeBulk(server, 980));
		assertThat(taken).containsExactlyInAnyOrderElementsOf(ordinals(0, 1_000));
	}

	/**
	 * However much of what was left in stripes is still there.
	 */
	@Test
	void recoveryContinuesAfterRemaindersInStripesAreTaken() throws Exception {
		BlockEngine server = server(settings(1_000), new Stripes(64, 8));
		this.supply.immediate();
		server.start();
		for (int i = 0; i < 3; i++) {
			inThreadThatDies(() -> take(server, 20));
		}
		this.store.failure = new IdStoreUnavailableException("planted");
		server.stripes().sweep();
		List<Long> taken = new ArrayList<>(takeBulk(server, 922));
		while (server.snapshot().block().ahead() == 0) {
			taken.addAll(take(server, 1));
		}
		assertThat(server.snapshot().storeFailure()).isNotNull();
		this.store.failure = null;
		this.supply.runLater();
		assertThat(this.store.reserved).hasSize(2);
		assertThat(server.snapshot().storeFailure()).isNull();
		taken.addAll(take(server, 1_500));
		assertThat(taken).doesNotHaveDuplicates();
	}

	@Test
	void nextBlockIsReservedDespiteRemaindersInStripes() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		server.start();
		inThreadThatDies(() -> take(server, 20));
		takeBulk(server, 400);
		this.store.failure = new IdStoreUnavailableException("planted");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> takeBulk(server, 700));
		takeBulk(server, 300);
		assertThat(server.snapshot().block().ahead()).as("the remainders").isEqualTo(6);
		this.store.failure = null;
		this.supply.runLater();
		assertThat(this.store.reserved).hasSize(2);
		assertThat(server.snapshot().storeFailure()).isNull();
	}

	@Test
	void failedBulkCallLeavesTheStripeUnchanged() {
		BlockEngine server = server(settings(100));
		this.supply.immediate();
		List<Long> taken = new ArrayList<>(take(server, 5));
		this.store.failure = new IdStoreUnavailableException("planted");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> takeBulk(server, 200));
		taken.addAll(take(server, 95));
		assertThat(taken).isEqualTo(ordinals(0, 100));
	}

	@Test
	void halfOfABlockInsideAChunkTriggersTheNextReservation() {
		BlockEngine server = server(settings(1_000));
		server.start();
		this.supply.run();
		this.time.advance(Duration.ofSeconds(10));
		take(server, 247);
		assertThat(this.supply.pending()).isZero();
		take(server, 255);
		assertThat(this.supply.pending()).isOne();
		this.supply.run();
		take(server, 1_400);
		assertThat(server.snapshot().block().exhaustions()).isZero();
	}

	@Test
	void issuesTheEndOfALargeKeySpaceToTheLastKey() throws Exception {
		BlockEngine server = server(settings(1_000));
		long start = this.keySpace.capacity() - 5_000;
		restore(start);
		refresh(server);
		this.supply.immediate();
		ExecutorService owner = living();
		List<Long> taken = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			taken.addAll(owner.submit(() -> take(server, 7)).get());
			taken.addAll(take(server, 7));
			assertThat(server.stripes().left()).as("no ids remain with idle threads").isZero();
		}
		taken.addAll(untilFailure(server, KeySpaceExhaustedException.class));
		assertThat(taken).containsExactlyInAnyOrderElementsOf(ordinals(start, this.keySpace.capacity()));
	}

	@Test
	void closeGivesBackTheRemaindersOfDeadThreads() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		inThreadThatDies(() -> take(server, 5));
		server.close();
		assertThat(this.store.counter(NAME)).isEqualTo(5);
	}

	@Test
	void closeGivesBackTheRemainderOfTheClosingThread() {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		take(server, 5);
		server.close();
		assertThat(this.store.counter(NAME)).isEqualTo(5);
		assertThatIllegalStateException().isThrownBy(() -> take(server, 1)).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> takeBulk(server, 1)).withMessageContaining("closed");
	}

	@Test
	void closeGivesBackTheRemaindersOfSharedStripes() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		ExecutorService owner = living();
		owner.submit(() -> take(server, 1)).get();
		take(server, 5);
		assertThat(server.stripes().left()).isEqualTo(6);
		server.close();
		assertThat(this.store.counter(NAME)).isEqualTo(6);
		assertThatIllegalStateException().isThrownBy(() -> take(server, 1)).withMessageContaining("closed");
	}

	@Test
	void closeDoesNotGiveBackChunksOfLiveThreadsButRefusesTheirCalls() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		ExecutorService owner = living();
		owner.submit(() -> take(server, 5)).get();
		server.close();
		assertThat(this.store.counter(NAME)).as("the owner has used a part of its chunk of 7").isEqualTo(11);
		assertThat(server.snapshot().issued()).isEqualTo(5);
		assertThat(server.snapshot().block().remaining()).isZero();
		assertThatIllegalStateException().isThrownBy(() -> unwrapped(owner.submit(() -> take(server, 1))))
			.withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> unwrapped(owner.submit(() -> takeBulk(server, 2))))
			.withMessageContaining("closed");
	}

	@Test
	void closeNeitherGivesBackNorServesAChunkInTransit() throws Exception {
		Stripes stripes = new Stripes(1, 1);
		BlockEngine server = server(settings(1_000), stripes);
		this.supply.immediate();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		Future<Long> suspended = living().submit(() -> stripes.takeShared(Thread.currentThread(), source((last) -> {
			SharedChunk chunk = follow(last, server.take(10).get(0));
			inside.countDown();
			await(closed);
			return chunk;
		})));
		inside.await();
		server.close();
		closed.countDown();
		assertThat(suspended.get()).isEqualTo(Stripe.NONE);
		assertThat(this.store.counter(NAME)).isEqualTo(10);
		assertThat(server.snapshot().issued()).as("including those lost in transit").isEqualTo(10);
	}

	@Test
	void callerTakesFromTheBlockWhileASharedChunkIsReplaced() throws Exception {
		Stripes stripes = new Stripes(1, 1);
		BlockEngine server = server(settings(1_000), stripes);
		this.supply.immediate();
		ExecutorService owner = living();
		owner.submit(() -> take(server, 1)).get();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		Future<Long> suspended = owner.submit(() -> stripes.takeShared(new NumberedThread(0), source((last) -> {
			inside.countDown();
			await(free);
			return null;
		})));
		inside.await();
		assertThat(take(server, 50)).isEqualTo(ordinals(1, 51));
		free.countDown();
		assertThat(suspended.get()).isEqualTo(Stripe.NONE);
		assertThat(take(server, 50)).isEqualTo(ordinals(51, 101));
	}

	/**
	 * A thread is suspended in a shared stripe until somebody else has begun to wait.
	 */
	@Test
	void callerChecksTheStripesAgainAfterAFailedWait() throws Exception {
		Stripes stripes = new Stripes(1, 1);
		BlockEngine server = server(settings(100), stripes);
		this.supply.immediate();
		server.start();
		living().submit(() -> take(server, 1)).get();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		this.store.failure = new IdStoreUnavailableException("planted");
		CompletableFuture<Long> suspended = CompletableFuture
			.supplyAsync(() -> stripes.takeShared(Thread.currentThread(), source((last) -> {
				SharedChunk rest = follow(last, server.take(99).get(0));
				inside.countDown();
				await(goOn);
				return rest;
			})), living());
		inside.await();
		this.store.beforeReserve = () -> {
			goOn.countDown();
			suspended.join();
		};
		assertThat(take(server, 98)).hasSize(98);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> take(server, 1));
	}

	@Test
	void storeThatWentBackwardsStopsOwnersThatHaveIdsLeft() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		ExecutorService owner = living();
		owner.submit(() -> take(server, 20)).get();
		take(server, 20);
		assertThat(server.stripes().left()).as("six for each of them").isEqualTo(12);
		this.store.memory.restore(Map.of());
		refresh(server);
		assertThat(server.snapshot().issued()).isEqualTo(40);
		for (Callable<?> caller : List.<Callable<?>>of(() -> take(server, 1), () -> takeBulk(server, 1))) {
			assertThatExceptionOfType(KeySpaceRegressionException.class)
				.isThrownBy(() -> unwrapped(owner.submit(caller)));
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(caller::call);
		}
		server.close();
		assertThat(this.store.givenBack).isEmpty();
	}

	@Test
	void countsAreExactWhileNoCallIsRunning() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		ExecutorService owner = living();
		long taken = 0;
		for (int i = 1; i < 100; i++) {
			int count = i;
			owner.submit(() -> take(server, count)).get();
			inThreadThatDies(() -> take(server, count));
			take(server, count);
			taken += 3 * count;
			BlockEngines.Snapshot snapshot = server.snapshot();
			assertThat(snapshot.issued()).isEqualTo(taken);
			assertThat(snapshot.block().remaining() + snapshot.block().ahead())
				.isEqualTo(this.store.counter(NAME) - taken);
		}
	}

	@Test
	void memoryIsEmptyWhenOnlyOneOwnerHasIdsLeft() throws Exception {
		BlockEngine server = server(settings(100));
		server.start();
		this.supply.run();
		this.store.failure = new IdStoreUnavailableException("planted");
		this.supply.immediate();
		ExecutorService owner = living();
		owner.submit(() -> take(server, 5)).get();
		take(server, 5);
		takeBulk(server, 82);
		assertThat(server.snapshot().block().remaining()).isEqualTo(8);
		assertThat(server.snapshot().empty()).as("two are in the shared stripe").isFalse();
		take(server, 2);
		assertThat(server.snapshot().block().remaining()).isEqualTo(6);
		assertThat(server.snapshot().block().owned()).isEqualTo(6);
		assertThat(server.snapshot().empty()).isTrue();
		end(owner);
		assertThat(server.snapshot().block().owned()).isZero();
		assertThat(server.snapshot().empty()).as("the stripe of the ended thread can be taken over").isFalse();
	}

	@Test
	void issuedCountNeverDecreases() throws Exception {
		BlockEngine server = server(settings(1_000), new Stripes(4, 2));
		this.supply.immediate();
		CompletableFuture<?>[] callers = new CompletableFuture<?>[6];
		for (int i = 0; i < callers.length; i++) {
			callers[i] = CompletableFuture.runAsync(() -> takeMany(server, 300_000),
					(task) -> new Thread(task).start());
		}
		CompletableFuture<Void> all = CompletableFuture.allOf(callers);
		long issued = 0;
		while (!all.isDone()) {
			long now = server.snapshot().issued();
			assertThat(now).isGreaterThanOrEqualTo(issued);
			issued = now;
		}
		all.join();
		assertThat(server.snapshot().issued()).as("plus at most one chunk in transit per thread")
			.isBetween(1_800_000L, 1_800_000L + callers.length * 1_000 / 6);
	}

	@Test
	void issuedCountIsUnchangedWhenAChunkInTransitArrives() {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		OrdinalRange chunk = server.take(10).get(0);
		assertThat(server.snapshot().issued()).isEqualTo(10);
		server.stripes().takeShared(Thread.currentThread(), source((last) -> follow(last, chunk)));
		assertThat(server.stripes().left()).isEqualTo(9);
		assertThat(server.snapshot().issued()).isEqualTo(10);
		takeBulk(server, 1);
		assertThat(server.snapshot().issued()).as("two were taken").isEqualTo(10);
	}

	@Test
	void stripesAreSweptWhileTheyHaveOwners() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		assertThat(this.supply.pendingLater()).isZero();
		ExecutorService owner = living();
		owner.submit(() -> take(server, 5)).get();
		take(server, 5);
		assertThat(this.supply.delays()).containsExactly(Duration.ofMinutes(1));
		this.supply.runLater();
		assertThat(this.supply.pendingLater()).as("continues while there are owners").isOne();
		end(owner);
		this.supply.runLater();
		assertThat(this.supply.pendingLater()).isZero();
		take(server, 1);
		assertThat(this.supply.pendingLater()).as("and restarts with the next owner").isOne();
	}

	@Test
	void negativeAndDuplicateThreadIdsAreSupported() throws Exception {
		BlockEngine server = server(settings(1_000), new Stripes(64, 8));
		this.supply.immediate();
		List<Long> taken = new ArrayList<>();
		for (long number : new long[] { 0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 5, 5, 5 }) {
			FutureTask<List<Long>> task = new FutureTask<>(() -> take(server, 30));
			Thread thread = new NumberedThread(number, task);
			thread.start();
			taken.addAll(task.get());
			thread.join();
		}
		taken.addAll(take(server, 30));
		assertThat(taken).doesNotHaveDuplicates().hasSize(240);
	}

	@Test
	void stripeBelongsToTheThreadAndNotToItsId() throws Exception {
		BlockEngine server = server(settings(1_000));
		this.supply.immediate();
		CountDownLatch owned = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		FutureTask<List<Long>> owner = new FutureTask<>(() -> {
			List<Long> taken = new ArrayList<>(take(server, 5));
			owned.countDown();
			await(goOn);
			taken.addAll(take(server, 6));
			return taken;
		});
		FutureTask<List<Long>> namesake = new FutureTask<>(() -> take(server, 6));
		new NumberedThread(5, owner).start();
		owned.await();
		new NumberedThread(5, namesake).start();
		namesake.get();
		goOn.countDown();
		assertThat(owner.get()).isEqualTo(ordinals(0, 11));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualThreadsOwnNoStripes() throws Exception {
		BlockEngine server = server(settings(1_000), new Stripes(64, 8));
		this.supply.immediate();
		List<Long> taken = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			taken.addAll(CompletableFuture.supplyAsync(() -> take(server, 13), new VirtualExecutor()).get());
		}
		assertThat(this.supply.delays()).as("there are no owners to sweep").isEmpty();
		assertThat(taken).doesNotHaveDuplicates().hasSize(1_300);
	}

	private static SharedChunk.Source source(UnaryOperator<SharedChunk> follow) {
		return new SharedChunk.Source() {

			@Override
			public SharedChunk after(SharedChunk last) {
				return follow.apply(last);
			}

			@Override
			public void put(SharedChunk chunk) {
				assertThat(chunk.left()).isEqualTo(chunk.size() - 1);
			}

		};
	}

	private SharedChunk follow(SharedChunk last, OrdinalRange range) {
		return last.next(range, this.keySpace.key(range.start()), this.keySpace.arithmeticRun(range.start()));
	}

	private BlockEngine server(BlockSettings settings) {
		return server(settings, new Stripes(1, 1));
	}

	private BlockEngine server(BlockSettings settings, Stripes stripes) {
		this.store.memory.create(NAME, this.keySpace.definition(), this.keySpace.capacity(), DEADLINE);
		StoredKeySpace stored = new StoredKeySpace(NAME, this.keySpace.definition(), this.keySpace.capacity(), 0);
		SharedCounter counter = new SharedCounter(NAME, stored, this.keySpace, this.store);
		ReservedKeySpace reserved = new ReservedKeySpace(new OpenedKeySpace(this.keySpace, stored), counter,
				new ReservationForecast(NAME, this.store, this.time), this.store);
		return new BlockEngine(NAME, reserved, counter, settings, this.time, this.supply,
				new Listeners(NAME, "coprime", List.of()), stripes);
	}

	private StripedKeys keys(BlockEngine server) {
		return new StripedKeys(server, this.keySpace);
	}

	private void restore(long nextOrdinal) {
		this.store.memory.restore(Map.of(NAME,
				new StoredKeySpace(NAME, this.keySpace.definition(), this.keySpace.capacity(), nextOrdinal)));
	}

	private void refresh(BlockEngine server) {
		CompletableFuture<?> look = server.refresh(Deadline.after(this.time, Duration.ofMinutes(1)));
		this.supply.run();
		look.handle((done, failure) -> true).join();
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

	private List<Long> take(BlockEngine server, int count) {
		List<Long> taken = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			taken.add(this.keySpace.ordinal(next(server)));
		}
		return taken;
	}

	private void takeMany(BlockEngine server, int count) {
		for (int i = 0; i < count; i++) {
			next(server);
		}
	}

	/**
	 * As generators do.
	 */
	private long next(BlockEngine server) {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, server.stripes().owned());
		return stripe.isReadyFor(thread) ? stripe.next() : keys(server).takeKey();
	}

	private List<Long> takeBulk(BlockEngine server, int count) {
		long[] keys = new long[count];
		keys(server).takeKeys(keys);
		return LongStream.of(keys).map(this.keySpace::ordinal).boxed().toList();
	}

	private List<Long> takeBulkInThreadThatDies(BlockEngine server, int count) throws Exception {
		return inThreadThatDies(() -> takeBulk(server, count));
	}

	private List<Long> untilFailure(BlockEngine server, Class<? extends RuntimeException> failure) {
		List<Long> taken = new ArrayList<>();
		try {
			for (int i = 0; i < 100_000; i++) {
				taken.addAll(take(server, 1));
			}
		}
		catch (RuntimeException ex) {
			assertThat(ex).isInstanceOf(failure);
			return taken;
		}
		throw new AssertionError("There is no end of them");
	}

	private static <T> T inThreadThatDies(Callable<T> task) throws Exception {
		FutureTask<T> future = new FutureTask<>(task);
		Thread thread = new Thread(future);
		thread.start();
		thread.join();
		return future.get();
	}

	private ExecutorService living() {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		this.living.add(thread);
		return thread;
	}

	private static void end(ExecutorService living) throws Exception {
		Thread thread = living.submit(Thread::currentThread).get();
		living.shutdown();
		thread.join();
	}

	private static <T> T unwrapped(Future<T> future) throws Exception {
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
	 * A thread that chooses its number.
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
