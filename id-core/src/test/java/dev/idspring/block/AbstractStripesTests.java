package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;

import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Engines and threads for tests of {@link Stripes} in a {@link BlockEngine}. An owned
 * stripe holds a chunk of a block for one thread. Any thread may take from a shared
 * chunk. A chunk in transit has left its block, but no thread can take from it yet. In
 * most tests, there is only one owned stripe and one shared chunk, so that threads
 * compete for them. The test decides when the tasks of the engine run.
 */
abstract class AbstractStripesTests extends AbstractEngineTests {

	private final List<ExecutorService> liveThreads = new ArrayList<>();

	final KeySpace keySpace = digits(9);

	@AfterEach
	void endThreads() {
		this.liveThreads.forEach(ExecutorService::shutdownNow);
	}

	BlockEngine engine(BlockSettings settings) {
		return engine(settings, new Stripes(1, 1));
	}

	BlockEngine engine(BlockSettings settings, Stripes stripes) {
		return engine(this.keySpace, settings, stripes);
	}

	private StripedKeys keys(BlockEngine engine) {
		return new StripedKeys(engine, this.keySpace);
	}

	void refresh(BlockEngine engine) {
		CompletableFuture<?> refresh = engine.refresh(Deadline.after(this.time, Duration.ofMinutes(1)));
		this.executor.run();
		refresh.handle((done, failure) -> true).join();
	}

	static BlockSettings settings(long size) {
		return new BlockSettings(size, size, Duration.ofMinutes(1), Duration.ZERO);
	}

	List<Long> take(BlockEngine engine, int count) {
		List<Long> takenOrdinals = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			takenOrdinals.add(this.keySpace.ordinal(next(engine)));
		}
		return takenOrdinals;
	}

	void takeMany(BlockEngine engine, int count) {
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

	List<Long> takeBulk(BlockEngine engine, int count) {
		long[] keys = new long[count];
		keys(engine).takeKeys(keys);
		return LongStream.of(keys).map(this.keySpace::ordinal).boxed().toList();
	}

	List<Long> takeUntilFailure(BlockEngine engine, Class<? extends RuntimeException> failure) {
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

	static <T> T inThreadThatEnds(Callable<T> task) throws Exception {
		FutureTask<T> future = new FutureTask<>(task);
		Thread thread = new Thread(future);
		thread.start();
		thread.join();
		return future.get();
	}

	ExecutorService liveThread() {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		this.liveThreads.add(thread);
		return thread;
	}

	static void end(ExecutorService liveThread) throws Exception {
		Thread thread = liveThread.submit(Thread::currentThread).get();
		liveThread.shutdown();
		thread.join();
	}

	static void await(CountDownLatch latch) {
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
	static final class NumberedThread extends Thread {

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
