package dev.idspring.time;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link TimeSequence} from which several threads draw during a burst.
 */
class FreshnessConcurrencyTests extends AbstractFreshnessTests {

	/**
	 * If a thread begins to draw after another thread has got an id, it gets a greater
	 * id. This holds with and without reading the clock, whatever the clock and the
	 * ticker do.
	 */
	@ParameterizedTest
	@EnumSource(value = Tail.class, mode = Mode.INCLUDE, names = { "SEQUENCE", "ROLLING" })
	void idsIncreaseAcrossAllThreads(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		AtomicLong highest = new AtomicLong(-1);
		long withoutClock = draw(sequence, (before, id) -> {
			assertAtLeast(id, before + 1);
			highest.accumulateAndGet(id, Math::max);
		}, highest, 500);
		assertThat(withoutClock).isGreaterThan(50_000);
	}

	/**
	 * A thread that is about to take an id gets none from a batch that another thread has
	 * just closed. All ids are counted.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void nothingIsTakenFromABatchThatWasReplaced(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		AtomicLong highest = new AtomicLong(-1);
		draw(sequence, (before, id) -> {
			assertAtLeast(id >> 12, before);
			highest.accumulateAndGet(id >> 12, Math::max);
		}, highest, 80);
	}

	@ParameterizedTest
	@EnumSource(value = Tail.class, mode = Mode.INCLUDE, names = { "FREE_RUNNING", "RANDOM" })
	void timesNeverDecreaseAcrossAllThreads(Tail tail) {
		TimeSequence sequence = sequence(tail, 12);
		AtomicLong highest = new AtomicLong(-1);
		draw(sequence, (before, id) -> {
			assertAtLeast(id >> 12, before);
			highest.accumulateAndGet(id >> 12, Math::max);
		}, highest, 500);
	}

	private long draw(TimeSequence sequence, IdConsumer consumer, AtomicLong highest, int drawsPerChange) {
		AtomicLong clock = new AtomicLong(10_000);
		AtomicLong withoutClock = new AtomicLong();
		List<CompletableFuture<List<Long>>> threads = startThreads(4, (thread) -> {
			Random random = new Random(thread);
			List<Long> ids = new ArrayList<>();
			for (int i = 0; i < 100_000; i++) {
				if (random.nextInt(drawsPerChange) == 0) {
					clock.addAndGet(random.nextInt(20) - 8);
				}
				if (random.nextInt(drawsPerChange) == 0) {
					this.ticker.tick();
				}
				long before = highest.get();
				long id = sequence.next();
				if (id != TimeSequence.NONE) {
					withoutClock.incrementAndGet();
				}
				else {
					id = sequence.next(clock.get(), NO_LIMIT);
				}
				consumer.accept(before, id);
				ids.add(id);
			}
			return ids;
		});
		Set<Long> allIds = new HashSet<>();
		threads.forEach((thread) -> allIds.addAll(thread.join()));
		assertThat(allIds).as("no duplicates").hasSize(400_000);
		assertThat(sequence.issued()).as("all are counted").isEqualTo(400_000);
		return withoutClock.get();
	}

	@ParameterizedTest
	@EnumSource(Tail.class)
	void noIdIsLaterThanTheTimeThatSealReturns(Tail tail) {
		for (int round = 0; round < 130; round++) {
			TimeSequence sequence = sequence(tail, round % 13);
			AtomicLong clock = new AtomicLong(1);
			AtomicLong drawn = new AtomicLong();
			int tailBits = round % 13;
			List<CompletableFuture<Long>> takers = startThreads(3, (thread) -> {
				long last = -1;
				for (int i = 0; true; i++) {
					long id = sequence.next();
					if (id == TimeSequence.NONE) {
						id = sequence.next((i % 300 == 0) ? clock.incrementAndGet() : clock.get(), NO_LIMIT);
					}
					if (id == TimeSequence.NONE) {
						drawn.addAndGet(i);
						return last;
					}
					last = Math.max(last, id >> tailBits);
				}
			});
			while (sequence.issued() < 2_000) {
				Thread.onSpinWait();
			}
			long lastTime = sequence.seal();
			long issued = sequence.issued();
			assertThat(sequence.isFresh()).isFalse();
			assertThat(sequence.next()).isEqualTo(TimeSequence.NONE);
			assertThat(takers.stream().mapToLong(CompletableFuture::join).max()).hasValue(lastTime);
			assertThat(sequence.issued()).isEqualTo(issued).isEqualTo(drawn.get());
		}
	}

	/**
	 * Receives a drawn id, and the highest value that was known before the draw.
	 */
	private interface IdConsumer {

		void accept(long before, long id);

	}

}
