package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.worker.StoreThread;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for closing a {@link BlockEngine}: which unused ordinals it gives back.
 */
class BlockEngineCloseTests extends AbstractBlockEngineTests {

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
		CountDownLatch closing = new CountDownLatch(1);
		this.store.beforeReserve = () -> await(closing);
		BlockEngine engine = engine(digits(6), settings(100), new StoreThread(NAME));
		engine.start();
		CompletableFuture<Boolean> closed = engine.beginClose();
		Awaitility.await().until(() -> engine.snapshot().terminalFailure() != null);
		closing.countDown();
		closed.join();
		assertThat(this.store.nextOrdinal(NAME)).isZero();
		assertThat(this.store.reservedSizes()).containsExactly(100L);
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

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
