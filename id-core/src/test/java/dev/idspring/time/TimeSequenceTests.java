package dev.idspring.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.idspring.testsupport.FewInvocations;
import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link TimeSequence}.
 */
class TimeSequenceTests {

	private static final long NO_LIMIT = 1L << 40;

	/**
	 * Return a sequence whose ids are time * tails + tail. {@code tails} is the number of
	 * ids per millisecond.
	 */
	private static TimeSequence sequence(long first, long tails, Tail tail, long key) {
		return sequence(first, tails, tail, key, null);
	}

	private static TimeSequence sequence(long first, long tails, Tail tail, long key, @Nullable ClockTicker ticker) {
		TimeLayout layout = TimeLayout.withRemainingTime(Instant.EPOCH, false, TimeScheme.LAST, List.of(),
				List.of(new TimeLayout.Part(Field.TAIL, tails)));
		return new TimeSequence(new TimeSequence.Layout(layout, 0, tail, key), first, 0, ticker);
	}

	private static TimeSequence sequence(Tail tail, long tails) {
		return sequence(0, tails, tail, 4711);
	}

	private static List<String> take(TimeSequence sequence, int tails, int count, long now) {
		List<String> pairs = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			long next = sequence.next(now, NO_LIMIT);
			pairs.add(next / tails + "/" + next % tails);
		}
		return pairs;
	}

	@Test
	void sequenceStartsAtZeroInEachMillisecond() {
		TimeSequence sequence = sequence(Tail.SEQUENCE, 4);
		assertThat(take(sequence, 4, 2, 7)).containsExactly("7/0", "7/1");
		assertThat(take(sequence, 4, 3, 9)).containsExactly("9/0", "9/1", "9/2");
		assertThat(take(sequence, 4, 3, 9)).as("continues in the next milliseconds")
			.containsExactly("9/3", "10/0", "10/1");
		assertThat(take(sequence, 4, 1, 3)).as("the clock jumped back").containsExactly("10/2");
		assertThat(take(sequence, 4, 1, 10)).containsExactly("10/3");
	}

	@Test
	void rollingTailContinuesWhileHalfOfTheRangeIsLeft() {
		TimeSequence sequence = sequence(Tail.ROLLING, 8);
		assertThat(IntStream.range(1, 8).mapToObj((now) -> take(sequence, 8, 1, now).get(0))).containsExactly("1/0",
				"2/1", "3/2", "4/3", "5/0", "6/1", "7/2");
		assertThat(take(sequence, 8, 8, 8)).containsExactly("8/3", "8/4", "8/5", "8/6", "8/7", "9/0", "9/1", "9/2");
	}

	@Test
	void freeRunningTailIsNeverReset() {
		TimeSequence sequence = sequence(Tail.FREE_RUNNING, 4);
		assertThat(take(sequence, 4, 3, 1)).containsExactly("1/0", "1/1", "1/2");
		assertThat(take(sequence, 4, 6, 5)).containsExactly("5/3", "5/0", "5/1", "5/2", "6/3", "6/0");
	}

	@ParameterizedTest
	@FewInvocations(6)
	@CsvSource({ "4096", "8192", "1", "2", "10", "7", "1000000" })
	void randomTailsOfEachMillisecondAreAPermutation(int tails) {
		TimeSequence sequence = sequence(Tail.RANDOM, tails);
		List<Long> firstTails = new ArrayList<>();
		for (int time = 0; time < 3; time++) {
			Set<Long> seen = new HashSet<>();
			for (int i = 0; i < tails; i++) {
				long next = sequence.next(0, NO_LIMIT);
				// without AssertJ, which would take longer than the tested code
				if (next / tails != time || !seen.add(next % tails)) {
					fail("time %d, id %d of that time is %d".formatted(time, i, next));
				}
				if (i == 0) {
					firstTails.add(next % tails);
				}
			}
		}
		if (tails > 1_000) {
			assertThat(firstTails).doesNotHaveDuplicates();
		}
	}

	@ParameterizedTest
	@CsvSource({ "1024", "1000", "10", "6", "210" })
	void randomTailsAreAPermutationForAnyKey(int tails) {
		for (long key = 0; key < 64; key++) {
			TimeSequence sequence = sequence(0, tails, Tail.RANDOM, key);
			Set<Long> seen = new HashSet<>();
			for (int i = 0; i < tails; i++) {
				assertThat(seen.add(sequence.next(0, 1))).as("key %s", key).isTrue();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void nothingIsTakenAtOrBeyondTheLimit(Tail tail) {
		TimeSequence sequence = sequence(100, 4, tail, 1);
		assertThat(sequence.lastTime()).isEqualTo(99);
		assertThat(sequence.next(100, 100)).isEqualTo(TimeSequence.NONE);
		for (int i = 0; i < 8; i++) {
			assertThat(sequence.next(100, 102) / 4).isEqualTo(100 + i / 4);
		}
		assertThat(sequence.next(100, 102)).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.next(5_000, 102)).as("the clock is far ahead of the limit").isEqualTo(TimeSequence.NONE);
		assertThat(sequence.lastTime()).as("the sequence does not follow the clock").isEqualTo(101);
		assertThat(sequence.next(102, 103) / 4).isEqualTo(102);
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void nothingIsTakenBeforeTheFirstMillisecond(Tail tail) {
		TimeSequence sequence = sequence(1_000, 16, tail, 1);
		assertThat(sequence.next(5, NO_LIMIT) / 16).isEqualTo(1_000);
	}

	@ParameterizedTest
	@EnumSource(value = Tail.class, mode = Mode.INCLUDE, names = { "SEQUENCE", "ROLLING" })
	void idsIncreaseWithAnErraticClock(Tail tail) {
		TimeSequence sequence = sequence(tail, 8);
		Random random = new Random(1);
		long now = 1_000_000;
		long last = -1;
		for (int i = 0; i < 100_000; i++) {
			now += random.nextInt(100) == 0 ? random.nextInt(7_200) - 3_600 : random.nextInt(2);
			long next = sequence.next(now, NO_LIMIT);
			assertThat(next).isGreaterThan(last);
			last = next;
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void threadsGetDistinctIdsWithAnErraticClock(Tail tail) {
		TimeSequence sequence = sequence(tail, 64);
		AtomicLong clock = new AtomicLong(10_000);
		List<CompletableFuture<List<Long>>> threads = IntStream.range(0, 4)
			.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> {
				Random random = new Random(thread);
				List<Long> ids = new ArrayList<>();
				for (int i = 0; i < 100_000; i++) {
					if (random.nextInt(50) == 0) {
						clock.addAndGet(random.nextInt(2_000) - 950);
					}
					ids.add(sequence.next(clock.get(), NO_LIMIT));
				}
				return ids;
			}, (task) -> new Thread(task).start()))
			.toList();
		Set<Long> allIds = new HashSet<>();
		for (CompletableFuture<List<Long>> thread : threads) {
			long lastTime = 0;
			for (long next : thread.join()) {
				assertThat(allIds.add(next)).isTrue();
				assertThat(next / 64).isGreaterThanOrEqualTo(lastTime);
				lastTime = next / 64;
			}
		}
		assertThat(allIds).hasSize(400_000);
	}

	/**
	 * Draws one id a second, like an application with little load. If a shard is chosen
	 * by {@code id mod n}, all shards must get about the same number of ids.
	 */
	@ParameterizedTest
	@CsvSource({ "ROLLING, 4", "ROLLING, 7", "ROLLING, 1024", "RANDOM, 4", "RANDOM, 7", "RANDOM, 1024",
			"FREE_RUNNING, 4", "FREE_RUNNING, 7", "FREE_RUNNING, 1024" })
	void lowBitsAreSpreadEvenlyAtLowRates(Tail tail, int shards) {
		TimeLayout layout = SnowflakeSettings.Preset.STANDARD.settings().scheme().layout();
		TimeSequence sequence = sequence(tail, layout.tails());
		int count = 200 * shards + 100_000;
		long[] hits = new long[shards];
		for (int i = 0; i < count; i++) {
			long next = sequence.next(1_000L * i, NO_LIMIT);
			long id = layout.id(0, next / layout.tails(), 5, next % layout.tails());
			hits[(int) (id % shards)]++;
		}
		double expected = (double) count / shards;
		double chiSquare = 0;
		for (long hit : hits) {
			chiSquare += (hit - expected) * (hit - expected) / expected;
		}
		// five standard deviations above the mean of the distribution
		int degreesOfFreedom = shards - 1;
		assertThat(chiSquare).isLessThan(degreesOfFreedom + 5 * Math.sqrt(2.0 * degreesOfFreedom));
	}

	/**
	 * If the tails at which a millisecond may begin can be divided evenly among the
	 * shards, the frequencies differ only by rounding. Otherwise, they differ by at most
	 * 0.2 percent of the draws.
	 */
	@ParameterizedTest
	@CsvSource({ "4096, 1024", "128, 64", "1024, 512", "2, 2", "1000, 4", "8192, 7" })
	void rollingTailStartsEquallyOftenInEachShard(int tails, int shards) {
		TimeSequence sequence = sequence(Tail.ROLLING, tails);
		int rounds = tails * shards;
		long[] hits = new long[shards];
		for (int i = 1; i <= rounds; i++) {
			hits[(int) (sequence.next(i, NO_LIMIT) % tails % shards)]++;
		}
		long most = Arrays.stream(hits).max().orElseThrow();
		long least = Arrays.stream(hits).min().orElseThrow();
		assertThat(most - least).isLessThanOrEqualTo((tails % (2 * shards) == 0 || tails == 2) ? 2 : rounds / 500);
	}

	@Test
	void plainSequenceAlwaysStartsAtZeroAtLowRates() {
		TimeSequence sequence = sequence(Tail.SEQUENCE, 4_096);
		for (int i = 1; i < 100; i++) {
			assertThat(sequence.next(1_000L * i, NO_LIMIT) % 4_096).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void bulkCallsTakeTheSameIdsAsSingleCalls(Tail tail) {
		TimeSequence singleCalls = sequence(tail, 16);
		TimeSequence bulkCalls = sequence(tail, 16);
		Random random = new Random(1);
		long now = 100;
		for (int round = 0; round < 2_000; round++) {
			now += random.nextInt(3);
			long[] ids = new long[random.nextInt(40)];
			int count = 0;
			while (count < ids.length) {
				int takenCount = bulkCalls.next(now, NO_LIMIT, ids, count);
				assertThat(takenCount).isPositive();
				assertThat(ids[count] / 16).isEqualTo(ids[count + takenCount - 1] / 16);
				count += takenCount;
			}
			for (long id : ids) {
				assertThat(singleCalls.next(now, NO_LIMIT)).isEqualTo(id);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void bulkCallsRespectTheLimit(Tail tail) {
		TimeSequence sequence = sequence(100, 4, tail, 1);
		long[] ids = new long[10];
		assertThat(sequence.next(100, 101, ids, 3)).isEqualTo(4);
		assertThat(Arrays.stream(ids, 3, 7)).containsExactlyInAnyOrder(400L, 401L, 402L, 403L);
		assertThat(sequence.next(100, 101, ids, 7)).isZero();
		assertThat(ids).endsWith(0, 0, 0).startsWith(0, 0, 0);
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void nothingIsTakenFromASealedSequence(Tail tail) {
		for (long tails : new long[] { 1, 2, 3, 4, 1_000, 4_096 }) {
			TimeSequence sequence = sequence(100, tails, tail, 1);
			sequence.next(105, NO_LIMIT);
			assertThat(sequence.seal()).isEqualTo(105);
			for (int i = 0; i < 10; i++) {
				assertThat(sequence.next(106 + i, Long.MAX_VALUE)).isEqualTo(TimeSequence.NONE);
				assertThat(sequence.next(106 + i, Long.MAX_VALUE, new long[7], 0)).isZero();
			}
			assertThat(sequence(100, tails, tail, 1).seal()).as("nothing was taken").isEqualTo(99);
		}
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void sealReturnsTheLastTimeTaken(Tail tail) {
		for (int round = 0; round < 60; round++) {
			int tails = 1 + round % 4;
			TimeSequence sequence = sequence(tail, tails);
			AtomicLong clock = new AtomicLong(1);
			List<CompletableFuture<Long>> takers = IntStream.range(0, 3)
				.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> {
					long last = -1;
					while (true) {
						long next = sequence.next(clock.incrementAndGet(), NO_LIMIT);
						if (next == TimeSequence.NONE) {
							return last;
						}
						last = Math.max(last, next / tails);
					}
				}, (task) -> new Thread(task).start()))
				.toList();
			while (clock.get() < 50) {
				Thread.onSpinWait();
			}
			long sealed = sequence.seal();
			assertThat(takers.stream().mapToLong(CompletableFuture::join).max()).hasValue(sealed);
		}
	}

	/**
	 * Draws the last two ids of the layout that has the largest ids.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void sequenceEndsAtTheLargestNumber(Tail tail) {
		long ticks = 1L << 62;
		TimeLayout layout = TimeLayout.bits(Instant.EPOCH, 62, 0, 1);
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(layout, 0, tail, 1), ticks - 1, 0, null);
		assertThat(List.of(sequence.next(0, ticks), sequence.next(0, ticks))).containsExactlyInAnyOrder(Long.MAX_VALUE,
				Long.MAX_VALUE - 1);
		assertThat(sequence.next(0, ticks)).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.next(ticks, ticks)).isEqualTo(TimeSequence.NONE);
		assertThat(sequence.lastTime()).isEqualTo(ticks - 1);
	}

}
