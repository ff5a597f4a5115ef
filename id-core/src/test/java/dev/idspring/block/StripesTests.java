package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.stream.LongStream;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Stripes} in a {@link BlockEngine}: which key spaces have stripes, how
 * many ordinals stripes hold, and in which order threads take ordinals up to the last
 * one.
 */
class StripesTests extends AbstractStripesTests {

	@Test
	void largeUnorderedKeySpacesHaveStripes() {
		assertThat(Stripes.of(digits(8)).areUseful()).isTrue();
		assertThat(Stripes.of(digits(7)).areUseful()).isFalse();
		assertThat(Stripes.of(KeySpaceSettings.parkMiller().resolve(null)).areUseful()).isTrue();
		assertThat(Stripes.of(new SequentialSettings(1, Long.MAX_VALUE - 1).resolve(null)).areUseful()).isFalse();
		assertThat(Stripes.of(new RecycledSettings(1_000_000, 1_000_000_000_000L).resolve(null)).areUseful()).isFalse();
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

	private void restore(long nextOrdinal) {
		this.store.memory.restore(Map.of(NAME,
				new StoredKeySpace(NAME, this.keySpace.definition(), this.keySpace.capacity(), nextOrdinal)));
	}

}
