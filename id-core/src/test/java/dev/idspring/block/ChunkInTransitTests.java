package dev.idspring.block;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.stripe.SharedChunk;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for chunks in transit: a thread has cut such a chunk from a block, but no thread
 * can take from it yet.
 */
class ChunkInTransitTests extends AbstractStripesTests {

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

	private static SharedChunk.Source source(UnaryOperator<SharedChunk> nextChunk) {
		return new SharedChunk.Source() {

			@Override
			public SharedChunk after(SharedChunk last) {
				return nextChunk.apply(last);
			}

			@Override
			public void added(SharedChunk chunk) {
				assertThat(chunk.left()).isEqualTo(chunk.size() - 1);
			}

		};
	}

	private SharedChunk nextChunk(SharedChunk last, OrdinalRange range) {
		return last.next(range, this.keySpace.key(range.start()), this.keySpace.arithmeticRun(range.start()));
	}

}
