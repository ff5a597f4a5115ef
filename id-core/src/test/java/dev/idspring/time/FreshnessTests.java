package dev.idspring.time;

import java.time.Instant;
import java.util.List;
import java.util.Random;

import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for a {@link TimeSequence} during a burst: when it reads the clock, and which ids
 * it issues.
 */
class FreshnessTests extends AbstractFreshnessTests {

	@Test
	void tailsWrapAroundDuringABurst() {
		TimeLayout layout = TimeLayout.withRemainingTime(Instant.EPOCH, false, TimeScheme.LAST, List.of(),
				List.of(new Part(Field.TAIL, 1_000), new Part(Field.NODE, 10)));
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(layout, 7, Tail.FREE_RUNNING, 1), 0, 0,
				this.ticker);
		sequence.next(1, NO_LIMIT, new long[300], 0);
		for (int i = 0; i < 2_000; i++) {
			long id = sequence.next();
			id = (id != TimeSequence.NONE) ? id : sequence.next(2, NO_LIMIT);
			assertThat(id).isEqualTo(layout.id(0, 2 + i / 1_000, 7, (300 + i) % 1_000));
		}
		assertThat(sequence.isFresh()).isTrue();
	}

	@Test
	void clockIsReadForEachIdUntilABurstBegins() {
		TimeSequence sequence = sequence(Tail.SEQUENCE, 12);
		for (int now = 1; now < 1_000; now++) {
			for (int i = 0; i < TimeSequence.BURST_THRESHOLD; i++) {
				assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
				assertThat(sequence.next(now, NO_LIMIT) >> 12).isEqualTo(now);
			}
		}
		assertThat(this.ticker.tick()).as("the ticker watches no sequence").isFalse();
		burst(sequence, 1_000);
		assertThat(sequence.next() >> 12).isEqualTo(1_000);
		assertThat(this.ticker.tick()).isTrue();
		assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
	}

	@Test
	void clockIsReadForEachIdWithoutATicker() {
		TimeLayout layout = layout(12, Tail.SEQUENCE);
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(layout, 0, Tail.SEQUENCE, 1), 0, 0, null);
		for (int i = 0; i < 10_000; i++) {
			assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
			sequence.next(1, NO_LIMIT);
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void idAfterABurstAndAPauseHasTheCurrentTime(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		burst(sequence, 1_000);
		this.ticker.tick();
		assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.next(11_000, NO_LIMIT) >> 12).isEqualTo(11_000);
	}

	/**
	 * The ticker starves if the process is frozen in a burst, or if no processor is free.
	 */
	@ParameterizedTest
	@CsvSource({ "12, SEQUENCE", "20, RANDOM", "4, ROLLING", "0, SEQUENCE", "12, FREE_RUNNING" })
	void starvedTickerCausesFewIdsWithAPastTime(int tailBits, Tail tail) {
		TimeSequence sequence = sequence(tail, tailBits);
		int idsWithoutClock = 0;
		long now = 1_000;
		for (int i = 0; i < 100_000; i++) {
			long id = sequence.next();
			if (id != TimeSequence.NONE) {
				idsWithoutClock++;
			}
			else {
				id = sequence.next(now, NO_LIMIT);
				assertAtLeast(id >> tailBits, now);
				idsWithoutClock = 0;
				// advance the clock far beyond the latest time in an id
				now += sequence.isFresh() ? 1_000_000 : 0;
			}
			assertAtLeast(TimeSequence.USUAL_COUNT, idsWithoutClock);
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void clockIsReadAgainAfterTheLimitIsReached(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		burst(sequence, 1_000);
		assertThat(sequence.next(1_000, 1_000)).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.isFresh()).isFalse();
		assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.next(1_000, 1_001) >> 12).isEqualTo(1_000);
	}

	/**
	 * Single and bulk calls return the same ids with and without reading the clock.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void idsAreTheSameWithAndWithoutReadingTheClock(Tail tail) {
		for (int tailBits : new int[] { 0, 1, 3, 7, 10, 12, 13 }) {
			TimeSequence fast = sequence(tail, tailBits);
			TimeSequence slow = new TimeSequence(new TimeSequence.Layout(layout(tailBits, tail), 0, tail, 4711), 0, 0,
					null);
			Random random = new Random(tailBits);
			long now = 100;
			int withoutClock = 0;
			for (int round = 0; round < 300; round++) {
				now += random.nextInt(3);
				this.ticker.tick();
				for (int i = random.nextInt(600); i > 0; i--) {
					if (random.nextInt(20) == 0) {
						long[] batch = new long[1 + random.nextInt(30)];
						int takenCount = fast.next(now, NO_LIMIT, batch, 0);
						for (int j = 0; j < takenCount; j++) {
							assertSame(batch[j], slow.next(now, NO_LIMIT));
						}
					}
					long id = fast.next();
					withoutClock += (id != TimeSequence.NONE) ? 1 : 0;
					id = (id != TimeSequence.NONE) ? id : fast.next(now, NO_LIMIT);
					assertSame(id, slow.next(now, NO_LIMIT));
				}
			}
			assertThat(fast.issued()).isEqualTo(slow.issued());
			assertThat(withoutClock).as("tail of %s bits", tailBits).matches((count) -> tailBits < 7 || count > 10_000);
		}
	}

	private static void assertSame(long actual, long expected) {
		if (actual != expected) {
			fail(actual + " is not " + expected);
		}
	}

}
