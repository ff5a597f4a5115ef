package dev.idspring.time;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TickBatch}.
 */
class TickBatchTests {

	private static TickBatch batch(long taken, long count) {
		return new TickBatch(taken, 7, 0, 100, count, 1_000, 0, 0, 0);
	}

	@Test
	void creatorOfABatchTakesTheFirstPositions() {
		assertThat(batch(1, 10).issued()).isEqualTo(1_001);
		assertThat(batch(3, 10).take(1)).isEqualTo(3);
		assertThat(batch(30, 10).issued()).as("no more positions than the batch has").isEqualTo(1_010);
		assertThat(batch(30, 10).take(1)).isEqualTo(10);
		assertThat(batch(1, 10).end()).isEqualTo(110);
	}

	@Test
	void positionsAreTakenOnce() {
		TickBatch batch = batch(0, 10);
		assertThat(batch.getAndIncrement()).isZero();
		assertThat(batch.take(4)).isEqualTo(1);
		assertThat(batch.getAndIncrement()).isEqualTo(5);
		assertThat(batch.take(40)).as("takes the remaining positions").isEqualTo(6);
		assertThat(batch.take(1)).as("no position is left").isEqualTo(10);
		assertThat(batch.getAndIncrement()).as("no position is left").isGreaterThanOrEqualTo(10);
		assertThat(batch.issued()).isEqualTo(1_010);
	}

	@Test
	void nothingIsTakenFromAClosedBatch() {
		TickBatch batch = batch(4, 10);
		assertThat(batch.close()).isEqualTo(4);
		for (int i = 0; i < 1_000; i++) {
			assertThat(batch.getAndIncrement()).isGreaterThanOrEqualTo(10);
			assertThat(batch.take(3)).isGreaterThanOrEqualTo(10);
			assertThat(batch.close()).as("each call returns the same number").isEqualTo(4);
			assertThat(batch.issued()).isEqualTo(1_004);
		}
	}

	@Test
	void closingAUsedUpBatchHasNoEffect() {
		TickBatch batch = batch(10, 10);
		for (int i = 0; i < 1_000; i++) {
			assertThat(batch.getAndIncrement()).isGreaterThanOrEqualTo(10);
			assertThat(batch.close()).isEqualTo(10);
		}
	}

	@Test
	void positionsTakenFromTheLargestBatchAreCounted() {
		TickBatch batch = batch(TickBatch.MAX_COUNT - 1, TickBatch.MAX_COUNT);
		assertThat(batch.close()).isEqualTo(TickBatch.MAX_COUNT - 1);
		assertThat(batch.getAndIncrement()).isGreaterThanOrEqualTo(TickBatch.MAX_COUNT);
		assertThat(batch.close()).isEqualTo(TickBatch.MAX_COUNT - 1);
		assertThat(batch(TickBatch.MAX_COUNT, TickBatch.MAX_COUNT).close()).isEqualTo(TickBatch.MAX_COUNT);
	}

	@Test
	void idsOfTheSameMillisecondAreCountedAcrossBatches() {
		TickBatch batch = batch(0, 10);
		assertThat(batch.countDrawnAt(5)).isZero();
		batch.take(3);
		assertThat(batch.countDrawnAt(5)).isEqualTo(3);
		TickBatch next = new TickBatch(1, 7, 0, 110, 10, 1_003, 0, 0, 0);
		next.continueCountOf(batch);
		assertThat(next.countDrawnAt(5)).isEqualTo(4);
		assertThat(next.countDrawnAt(6)).as("another millisecond").isZero();
	}

}
