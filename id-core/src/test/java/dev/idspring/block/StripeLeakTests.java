package dev.idspring.block;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.testsupport.VirtualExecutor;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.ManualStoreExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a generator does not keep terminated or virtual threads reachable, and that
 * a live thread does not keep closed generators reachable.
 */
class StripeLeakTests {

	private final InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();

	private final ExecutorService liveThread = Executors.newSingleThreadExecutor();

	@AfterEach
	void endThread() {
		this.liveThread.shutdownNow();
	}

	@Test
	void sweepReleasesDeadThreads() throws Exception {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		try (BlockIdGenerator ids = open(executor)) {
			List<WeakReference<Thread>> threads = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				threads.add(drawInThreadThatEnds(ids));
			}
			executor.runDelayed();
			assertAreCollected(threads);
			assertThat(ids.nextLongs(3)).doesNotHaveDuplicates();
		}
	}

	@Test
	void reservationReleasesDeadThreads() throws Exception {
		try (BlockIdGenerator ids = open(new ManualStoreExecutor().runImmediately())) {
			WeakReference<Thread> thread = drawInThreadThatEnds(ids);
			ids.nextLongs(600);
			assertIsCollected(thread);
			assertThat(ids.nextLongs(3)).doesNotHaveDuplicates();
		}
	}

	@Test
	void closeReleasesThreadsThatAreStillAlive() throws Exception {
		BlockIdGenerator ids = open(new ManualStoreExecutor().runImmediately());
		Thread[] thread = { this.liveThread.submit(() -> {
			ids.nextLong();
			return Thread.currentThread();
		}).get() };
		ids.close();
		this.liveThread.shutdown();
		thread[0].join();
		WeakReference<Thread> reference = new WeakReference<>(thread[0]);
		thread[0] = null;
		assertIsCollected(reference);
		assertThat(ids.snapshot().issued()).isOne();
	}

	@Test
	void liveThreadsReleaseAClosedGenerator() throws Exception {
		WeakReference<BlockIdGenerator> reference = drawInLiveThread();
		assertIsCollected(reference);
		assertThat(this.liveThread.submit(() -> true).get()).isTrue();
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void generatorHoldsNoReferenceToVirtualThreads() {
		try (BlockIdGenerator ids = open(new ManualStoreExecutor().runImmediately())) {
			CompletableFuture<WeakReference<Thread>> drawn = new CompletableFuture<>();
			new VirtualExecutor().start(() -> {
				ids.nextLong();
				drawn.complete(new WeakReference<>(Thread.currentThread()));
			});
			assertIsCollected(drawn.join());
			assertThat(ids.nextLongs(3)).doesNotHaveDuplicates();
		}
	}

	private WeakReference<BlockIdGenerator> drawInLiveThread() throws Exception {
		BlockIdGenerator ids = generator().open();
		this.liveThread.submit(() -> {
			ids.nextLong();
			ids.nextLongs(3);
			ids.nextString();
		}).get();
		ids.close();
		return new WeakReference<>(ids);
	}

	private static WeakReference<Thread> drawInThreadThatEnds(BlockIdGenerator ids) throws InterruptedException {
		Thread thread = new Thread(() -> {
			for (int i = 0; i < 20; i++) {
				ids.nextLong();
			}
		});
		thread.start();
		thread.join();
		return new WeakReference<>(thread);
	}

	private static void assertIsCollected(WeakReference<?> reference) {
		assertAreCollected(List.of(reference));
	}

	private static void assertAreCollected(List<? extends WeakReference<?>> references) {
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(references).allSatisfy((reference) -> assertThat(reference.get()).isNull());
		});
	}

	private BlockIdGenerator open(ManualStoreExecutor executor) {
		return generator().executors((number) -> executor).open();
	}

	private BlockIdGenerator.Builder generator() {
		BlockSettings defaults = BlockSettings.defaults();
		return BlockIdGenerator.coprime("test", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), this.store)
			.blockSettings(new BlockSettings(defaults.size(), defaults.maxSize(), Duration.ofMinutes(1),
					defaults.outageReserve()));
	}

}
