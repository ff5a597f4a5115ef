package dev.idspring.redis;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.idspring.store.FenceLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisFence}.
 */
class RedisFenceTests {

	private static final long CAPACITY = 1L << 40;

	private final RedisFence fence = new RedisFence(RedisSettings.defaults());

	/**
	 * Return what was read of a key space that server {@code a} wrote, from {@code b}.
	 */
	private Look promoted(long next) {
		FenceLine line = this.fence.unused(next, FenceLine.SECOND);
		Map<String, String> fields = new HashMap<>(Map.of("incarnation", "a", RedisFence.COUNTER, Long.toString(next),
				"capacity", Long.toString(CAPACITY)));
		fields.putAll(Map.of("line_time", Long.toString(line.time()), "line_rate", Long.toString(line.rate()),
				"line_raised_rate", Long.toString(line.raised()), "line_raised_at", "0", "line_held_until", "0"));
		return new Look("b", 2 * FenceLine.SECOND, fields, Collections.unmodifiableNavigableMap(new TreeMap<>()),
				false);
	}

	@Test
	void boundOfWhoFindsTheFailOverDoesNotLimitWhatIsSkipped() {
		Look look = promoted(10);
		long moved = this.fence.counter(look, CAPACITY);
		assertThat(moved).isGreaterThan(this.fence.margin());
		assertThat(this.fence.counter(look, 12)).isEqualTo(moved);
		List<String> change = List.of(this.fence.moveCounter(look, 12).arguments());
		assertThat(change.subList(change.lastIndexOf(RedisFence.COUNTER), change.size())).startsWith(RedisFence.COUNTER,
				Long.toString(moved));
	}

	@Test
	void boundThatIsNotStoredYetCounts() {
		Look look = promoted(CAPACITY - 10);
		assertThat(this.fence.counter(look, 2 * CAPACITY)).isGreaterThan(this.fence.counter(look, CAPACITY));
	}

}
