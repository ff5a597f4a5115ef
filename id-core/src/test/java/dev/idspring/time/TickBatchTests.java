package dev.idspring.time;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TickBatch}.
 */
class TickBatchTests {

	private static TickBatch span(long taken, long count) {
		return new TickBatch(taken, 7, 0, 100, count, 1_000, 0, 0, 0);
	}

	@Test
	void firstPositionsAreTakenByWhoMakesIt() {
		assertThat(span(1, 10).made()).isEqualTo(1_001);
		assertThat(span(3, 10).take(1)).isEqualTo(3);
		assertThat(span(30, 10).made()).as("no more than there are").isEqualTo(1_010);
		assertThat(span(30, 10).take(1)).isEqualTo(10);
		assertThat(span(1, 10).end()).isEqualTo(110);
	}

	@Test
	void positionsAreTakenOnce() {
		TickBatch span = span(0, 10);
		assertThat(span.getAndIncrement()).isZero();
		assertThat(span.take(4)).isEqualTo(1);
		assertThat(span.getAndIncrement()).isEqualTo(5);
		assertThat(span.take(40)).as("the rest").isEqualTo(6);
		assertThat(span.take(1)).as("none").isEqualTo(10);
		assertThat(span.getAndIncrement()).as("none").isGreaterThanOrEqualTo(10);
		assertThat(span.made()).isEqualTo(1_010);
	}

	@Test
	void nothingIsTakenOnceItIsClosed() {
		TickBatch span = span(4, 10);
		assertThat(span.close()).isEqualTo(4);
		for (int i = 0; i < 1_000; i++) {
			assertThat(span.getAndIncrement()).isGreaterThanOrEqualTo(10);
			assertThat(span.take(3)).isGreaterThanOrEqualTo(10);
			assertThat(span.close()).as("known to all who close").isEqualTo(4);
			assertThat(span.made()).isEqualTo(1_004);
		}
	}

	@Test
	void spanThatIsUsedUpNeedsNoClosing() {
		TickBatch span = span(10, 10);
		for (int i = 0; i < 1_000; i++) {
			assertThat(span.getAndIncrement()).isGreaterThanOrEqualTo(10);
			assertThat(span.close()).isEqualTo(10);
		}
	}

	@Test
	void longestSpanIsCountedToo() {
		TickBatch span = span(TickBatch.LONGEST - 1, TickBatch.LONGEST);
		assertThat(span.close()).isEqualTo(TickBatch.LONGEST - 1);
		assertThat(span.getAndIncrement()).isGreaterThanOrEqualTo(TickBatch.LONGEST);
		assertThat(span.close()).isEqualTo(TickBatch.LONGEST - 1);
		assertThat(span(TickBatch.LONGEST, TickBatch.LONGEST).close()).isEqualTo(TickBatch.LONGEST);
	}

	@Test
	void idsOfAMillisecondOfTheClockAreCounted() {
		TickBatch span = span(0, 10);
		assertThat(span.drawnAt(5)).isZero();
		span.take(3);
		assertThat(span.drawnAt(5)).isEqualTo(3);
		TickBatch next = new TickBatch(1, 7, 0, 110, 10, 1_003, 0, 0, 0);
		next.follow(span);
		assertThat(next.drawnAt(5)).isEqualTo(4);
		assertThat(next.drawnAt(6)).as("a new one").isZero();
	}

}
