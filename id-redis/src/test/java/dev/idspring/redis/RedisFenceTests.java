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

	private static final long CLOCK = 2 * FenceLine.SECOND;

	private static final long LAG = RedisSettings.defaults().failoverLag().toNanos() / 1_000;

	private final RedisFence fence = new RedisFence(RedisSettings.defaults());

	private final long burst = FenceLine.burst(LAG);

	/**
	 * Return what was read of a key space that server {@code a} wrote, from {@code b}.
	 */
	private Look promoted(long next) {
		return look("b", this.fence.unused(next, FenceLine.SECOND));
	}

	/**
	 * Return what was read of a key space on the server that wrote it, whose line is
	 * ahead of the clock.
	 */
	private Look ahead(long micros) {
		return look("a", this.fence.unused(10, CLOCK + micros));
	}

	private static Look look(String server, FenceLine line) {
		Map<String, String> fields = new HashMap<>(Map.of("incarnation", "a", RedisFence.COUNTER,
				Long.toString(line.position()), "capacity", Long.toString(CAPACITY)));
		fields.putAll(Map.of("line_time", Long.toString(line.time()), "line_rate", Long.toString(line.rate()),
				"line_raised_rate", Long.toString(line.raised()), "line_raised_at", "0", "line_held_until", "0"));
		return new Look(server, CLOCK, fields, Collections.unmodifiableNavigableMap(new TreeMap<>()), false);
	}

	@Test
	void clockThatWasSetBackIsFollowed() {
		assertThat(mended(ahead(this.burst + 3 * LAG))).containsSequence("line_time",
				Long.toString(CLOCK + this.burst));
	}

	@Test
	void rateIsRaisedBeforeItIsExhausted() {
		long rate = this.fence.unused(0, 0).rate();
		assertThat(mended(ahead(this.burst / 2))).containsSequence("line_rate", Long.toString(rate))
			.containsSequence("line_raised_rate", Long.toString(FenceLine.RAISE * rate))
			.containsSequence("later", "line_raised_at", Long.toString(LAG))
			.doesNotContain("line_time");
	}

	@Test
	void lineThatIsInOrderIsLeftAlone() {
		assertThat(this.fence.repair("test", ahead(0))).isEmpty();
		assertThat(this.fence.repair("test", promoted(10))).as("the take-over comes first").isEmpty();
	}

	private List<String> mended(Look look) {
		return List.of(this.fence.repair("test", look).orElseThrow().arguments());
	}

	@Test
	void skipsTheFullDistanceWhenTheDetectingInstanceHasASmallerBound() {
		Look look = promoted(10);
		long moved = this.fence.counter(look, CAPACITY);
		assertThat(moved).isGreaterThan(RedisSettings.defaults().failoverMargin());
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
