package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.testsupport.VirtualExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that only its owner takes from a stripe, in one call at a time, and that another
 * thread takes the stripe over only after the owner has ended.
 */
class StripeOwnershipTests extends AbstractStripesTests {

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

}
