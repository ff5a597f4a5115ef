package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.Stripes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the ordinals that remain in stripes when the store fails, when the engine
 * closes, and when the store went backwards.
 */
class StripeRemaindersTests extends AbstractStripesTests {

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

	private List<Long> takeBulkInThreadThatEnds(BlockEngine engine, int count) throws Exception {
		return inThreadThatEnds(() -> takeBulk(engine, count));
	}

	private static <T> T getUnwrapped(Future<T> future) throws Exception {
		try {
			return future.get();
		}
		catch (ExecutionException ex) {
			throw (Exception) ex.getCause();
		}
	}

}
