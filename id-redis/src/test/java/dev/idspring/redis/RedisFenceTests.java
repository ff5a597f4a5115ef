package dev.idspring.redis;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisFence}.
 */
class RedisFenceTests {

	private static final FenceLine LINE = new FenceLine(10, 11, 12, 13, 14, 15);

	private static final KeySpaceSnapshot SNAPSHOT = new KeySpaceSnapshot("b", 2 * FenceLine.SECOND,
			Map.of("incarnation", "a", RedisFence.COUNTER, "10", "line_time", "11", "line_rate", "12",
					"line_raised_rate", "13", "line_raised_at", "14", "line_held_until", "15"),
			Collections.unmodifiableNavigableMap(new TreeMap<>()), false);

	private final RedisFence fence = new RedisFence(RedisSettings.defaults());

	@Test
	void stateIsReadFromTheKeySpace() {
		assertThat(this.fence.state(SNAPSHOT, RedisFence.COUNTER))
			.isEqualTo(new FenceState("a", "b", LINE, 2 * FenceLine.SECOND));
		assertThat(new RedisFence(RedisSettings.defaults().withFailover(0, RedisSettings.defaults().failoverLag()))
			.state(SNAPSHOT, RedisFence.COUNTER)).isEqualTo(FenceState.NONE);
	}

	@Test
	void takeOverDependsOnTheWriterAndTheCounterThatWereRead() {
		assertThat(List.of(this.fence.takeOver(SNAPSHOT, RedisFence.COUNTER, LINE).arguments()))
			.containsSequence("field", "incarnation", "a", "field", RedisFence.COUNTER, "10", "set", RedisFence.COUNTER)
			.containsSequence("set", "incarnation", "b");
	}

	@Test
	void lineFollowsTheClockOnlyIfItsStoredTimeIsUnchanged() {
		assertThat(List.of(this.fence.followClock(SNAPSHOT, LINE).arguments())).containsSequence("field", "line_time",
				"11");
	}

	@Test
	void raiseDoesNotChangeTheTimeOfTheLine() {
		assertThat(List.of(this.fence.changeRate(SNAPSHOT, LINE).arguments()))
			.containsSequence("field", "line_raised_rate", "13", "field", "line_raised_at", "14")
			.containsSequence("set", "line_rate", "12", "set", "line_raised_rate", "13")
			.containsSequence("set", "line_raised_at", "14")
			.doesNotContain("line_time");
	}

	@Test
	void serverComputesWhenARaiseTakesEffect() {
		assertThat(List.of(this.fence.startRaise(SNAPSHOT).arguments()))
			.containsSequence("field", "line_raised_rate", "13", "field", "line_raised_at", "14")
			.containsSequence("later", "line_raised_at", Long.toString(this.fence.rules().lag()));
	}

}
