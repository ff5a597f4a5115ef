package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockEngine} without failures. They verify the order of ordinals, the
 * sizes of blocks, and the end of the key space.
 */
class BlockEngineTests extends AbstractBlockEngineTests {

	@Test
	void secondBlockIsReservedWhenMoreThanHalfOfTheFirstIsUsed() {
		BlockEngine engine = engine(digits(6), settings(1_000));
		engine.start();
		this.executor.run();
		assertThat(this.store.reservedSizes()).containsExactly(1_000L);
		this.time.advance(Duration.ofSeconds(10));
		take(engine, 500);
		assertThat(this.executor.pending()).isZero();
		take(engine, 1);
		this.executor.run();
		take(engine, 998);
		assertThat(this.store.reservedSizes()).containsExactly(1_000L, 1_000L);
		assertThat(engine.snapshot().block().exhaustions()).isZero();
	}

	@Test
	void issuesOrdinalsInOrderAcrossBlocks() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		List<Long> takenOrdinals = take(engine, 1_000);
		assertThat(takenOrdinals).isEqualTo(ordinals(0, 1_000));
	}

	@Test
	void issuesOrdinalsInOrderWhenSingleAndBulkCallsAlternate() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		List<Long> takenOrdinals = new ArrayList<>();
		for (int count = 1; count < 50; count++) {
			takenOrdinals.addAll(take(engine, count % 4));
			engine.take(count, null).forEach((range) -> takenOrdinals.addAll(ordinals(range.start(), range.end())));
		}
		assertThat(takenOrdinals).isEqualTo(ordinals(0, takenOrdinals.size()));
	}

	@Test
	void issuesEveryKeyOfASmallKeySpaceOnceBeforeItIsExhausted() {
		BlockEngine engine = engine(digits(2), settings(7));
		this.executor.runImmediately();
		assertThat(take(engine, 100)).isEqualTo(ordinals(0, 100));
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take)
			.withMessageContaining("'test'")
			.withMessageContaining("was asked for 1 more id: of the 100 keys")
			.withMessageContaining("se another key space");
	}

	@Test
	void retriesAnExhaustedKeySpaceAfterADelay() {
		BlockEngine engine = engine(digits(1), settings(10));
		this.executor.runImmediately();
		take(engine, 10);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
		int requests = this.store.reservedRanges.size();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
		assertThat(this.store.reservedRanges).as("no request before the delay is over").hasSize(requests);
		KeySpace keySpace = digits(1);
		this.store.memory.restore(Map.of(NAME, new StoredKeySpace(NAME, keySpace.definition(), 10, 10)));
		this.time.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
		assertThat(this.store.reservedRanges).as("one more request after a minute").hasSize(requests + 1);
	}

	@Test
	void bulkCallLargerThanTheRemainderTakesNothing() {
		BlockEngine engine = engine(digits(1), settings(4));
		this.executor.runImmediately();
		take(engine, 3);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> engine.take(8, null))
			.withMessageContaining("8 more");
		assertThat(take(engine, 7)).isEqualTo(ordinals(3, 10));
	}

	@Test
	void bulkCallThatCannotBeServedReservesNothing() {
		BlockEngine engine = engine(digits(6), settings(10));
		this.executor.runImmediately();
		engine.take();
		long counter = this.store.nextOrdinal(NAME);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> engine.take(1_000_000, null));
		assertThat(this.store.nextOrdinal(NAME)).isEqualTo(counter);
	}

	@Test
	void bulkCallReturnsNoRangeAcrossABoundaryOfTheKeySpace() {
		KeySpace growing = new CoprimeSettings(Alphabet.of("0123456789"), 1, 3, null, 0).resolve(null);
		BlockEngine engine = engine(growing, settings(1_000));
		this.executor.runImmediately();
		assertThat(engine.take(1_110, null)).containsExactly(new OrdinalRange(0, 10), new OrdinalRange(10, 110),
				new OrdinalRange(110, 1_110));
	}

	@Test
	void bulkCallLargerThanABlockIsReservedInOneStep() {
		BlockEngine engine = engine(digits(6), settings(10));
		engine.start();
		this.executor.run();
		this.executor.runImmediately();
		assertThat(engine.take(5_000, null)).isNotEmpty();
		assertThat(this.store.reservedSizes().get(1)).isEqualTo(4_990);
	}

	@Test
	void bulkCallIsServedFromIdsGivenBackByAnotherInstance() {
		BlockEngine engine = engine(digits(2), settings(10));
		this.executor.runImmediately();
		take(engine, 1);
		OrdinalRange rangeOfAnotherInstance = this.store.memory.reserve(NAME, 80, 100, DEADLINE);
		engine.refresh(Deadline.after(this.time, Duration.ofSeconds(5))).join();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> engine.take(60, null));
		this.store.memory.giveBack(NAME, rangeOfAnotherInstance, DEADLINE);
		assertThat(engine.take(60, null).stream().mapToLong(OrdinalRange::size).sum()).isEqualTo(60);
	}

	@Test
	void reservationsOfAllInstancesCountAsReserved() {
		BlockEngine engine = engine(digits(6), settings(100));
		this.executor.runImmediately();
		assertThat(engine.isReserved(0, Deadline.after(this.time, Duration.ofSeconds(5)))).isFalse();
		this.store.memory.reserve(NAME, 5, 1_000_000, DEADLINE);
		assertThat(engine.isReserved(4, Deadline.after(this.time, Duration.ofSeconds(5)))).isTrue();
		assertThat(engine.isReserved(5, Deadline.after(this.time, Duration.ofSeconds(5)))).isFalse();
	}

	@Test
	void blocksGrowAtAHighRateAndShrinkAtALowRate() {
		BlockEngine engine = engine(digits(9), new BlockSettings(100, 1_000, Duration.ofSeconds(5), Duration.ZERO));
		this.executor.runImmediately();
		for (int i = 0; i < 10_000; i++) {
			engine.take();
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(this.store.reservedSizes()).startsWith(100L).contains(200L, 400L, 800L, 1_000L);
		assertThat(this.store.reservedSizes()).allMatch((size) -> size <= 1_000);
		for (int i = 0; i < 3_000; i++) {
			engine.take();
			this.time.advance(Duration.ofSeconds(10));
		}
		assertThat(engine.snapshot().block().size()).isEqualTo(100);
	}

	@Test
	void waitingCallersDoNotMakeBlocksGrow() {
		BlockEngine engine = engine(digits(9), settings(1_000));
		this.executor.runImmediately();
		for (int i = 0; i < 10; i++) {
			BlockSnapshot block = engine.snapshot().block();
			engine.take((int) (block.remaining() + block.ahead()) + 1, null);
			this.time.advance(Duration.ofSeconds(5));
		}
		assertThat(engine.snapshot().block().exhaustions()).as("the caller waited in each round").isEqualTo(10);
		assertThat(this.store.reservedSizes()).hasSize(10).containsOnly(1_000L);
		assertThat(engine.snapshot().block().size()).isEqualTo(1_000);
	}

	@Test
	void blockIsSmallWhenFewKeysRemain() {
		BlockEngine engine = engine(digits(3), settings(1_000));
		engine.start();
		this.executor.run();
		assertThat(this.store.reservedSizes()).singleElement().satisfies((size) -> assertThat(size).isLessThan(100));
		assertThat(engine.snapshot().block().size()).isLessThan(100);
	}

	@Test
	void snapshotReportsTheOriginalSizeOfBlocksInMemory() {
		BlockEngine engine = engine(digits(6), settings(10));
		assertThat(engine.snapshot().block().held()).isZero();
		engine.start();
		this.executor.run();
		take(engine, 4);
		assertThat(engine.snapshot().block().held()).isEqualTo(10);
		take(engine, 2);
		this.executor.run();
		BlockSnapshot block = engine.snapshot().block();
		assertThat(block.held()).isEqualTo(10 + block.ahead());
		engine.take(6, null);
		assertThat(engine.snapshot().block().held()).as("after a bulk call has started to use the next block")
			.isEqualTo(block.ahead());
	}

}
