package dev.idspring.time;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Base class of tests for sequences during bursts. In a burst, a sequence issues ids
 * without reading the clock until the next tick of its {@link ClockTicker}. During this
 * time, the sequence is called fresh.
 */
@Timeout(120)
abstract class AbstractFreshnessTests {

	static final long NO_LIMIT = 1L << 40;

	/** Ticks only when a test calls {@code tick()}. */
	final ClockTicker ticker = new ClockTicker((task) -> {
	});

	static TimeLayout layout(int tailBits, Tail tail) {
		return new SnowflakeSettings(Instant.EPOCH, 43, 0, tailBits, tail).scheme().layout();
	}

	final TimeSequence sequence(Tail tail, int tailBits) {
		return new TimeSequence(new TimeSequence.Layout(layout(tailBits, tail), 0, tail, 4711), 0, 0, this.ticker);
	}

	/**
	 * Draw enough ids in one millisecond for the sequence to stop reading the clock.
	 */
	static void burst(TimeSequence sequence, long now) {
		for (int i = 0; i <= TimeSequence.BURST_THRESHOLD; i++) {
			assertThat(sequence.next(now, NO_LIMIT)).isNotEqualTo(TimeSequence.NONE);
		}
		assertThat(sequence.isFresh()).isTrue();
	}

	/**
	 * Fails like an AssertJ assertion. AssertJ itself would take longer than the tested
	 * code.
	 */
	static void assertAtLeast(long actual, long least) {
		if (actual < least) {
			fail(actual + " is less than " + least);
		}
	}

	static <T> List<CompletableFuture<T>> startThreads(int count, IntFunction<T> task) {
		return IntStream.range(0, count)
			.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> task.apply(thread),
					(runnable) -> new Thread(runnable).start()))
			.toList();
	}

}
