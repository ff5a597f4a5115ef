package dev.idspring.block;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.block.stripe.Stripe;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BlockEngine} when its memory is dropped, as before a checkpoint or a
 * snapshot of the virtual machine.
 */
class BlockEngineDroppedMemoryTests extends AbstractBlockEngineTests {

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

	private static long countUnused(BlockEngine engine) {
		return engine.unusedRanges().stream().mapToLong(OrdinalRange::size).sum();
	}

	private static StripedKeys keys(BlockEngine engine) {
		return new StripedKeys(engine, digits(9));
	}

}
