package dev.idspring.block;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.stripe.Stripes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the numbers of ordinals in the snapshot of a {@link BlockEngine} with
 * {@link Stripes}.
 */
class StripeCountsTests extends AbstractStripesTests {

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

}
