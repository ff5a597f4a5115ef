package dev.idspring.store.rules;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FenceRules}.
 */
class FenceRulesTests {

	private static final long MARGIN = 1_000_000;

	private static final long LAG = 5 * FenceLine.SECOND;

	private static final long BURST = FenceLine.burst(LAG);

	private static final long CLOCK = 2 * FenceLine.SECOND;

	private static final long CAPACITY = 1L << 40;

	private final FenceRules rules = new FenceRules(MARGIN, LAG, "Another server has taken over");

	private final List<String> stored = new ArrayList<>();

	private final FenceAccess<RuntimeException> access = new FenceAccess<>() {

		@Override
		public boolean followClock(FenceState fence, FenceLine followed) {
			return FenceRulesTests.this.stored.add("time " + followed.time());
		}

		@Override
		public boolean raise(FenceState fence, FenceLine raised) {
			return FenceRulesTests.this.stored.add("rate " + raised.rate() + " raised " + raised.raised());
		}

	};

	/**
	 * Return what was read on the server that wrote the key space, whose line is ahead of
	 * the clock.
	 */
	private FenceState ahead(long micros) {
		return new FenceState("a", "a", this.rules.unused(10, CLOCK + micros), CLOCK);
	}

	private FenceState promoted(long next) {
		return new FenceState("a", "b", this.rules.unused(next, FenceLine.SECOND), CLOCK);
	}

	@Test
	void followsTheClockOfTheServerWhenItWasSetBack() {
		assertThat(this.rules.repair(this.access, "test", ahead(BURST + 3 * LAG))).contains(true);
		assertThat(this.stored).containsExactly("time " + (CLOCK + BURST));
	}

	@Test
	void raisesTheRateBeforeItIsExhausted() {
		long rate = this.rules.unused(0, 0).rate();
		assertThat(this.rules.repair(this.access, "test", ahead(BURST / 2))).contains(true);
		assertThat(this.stored).containsExactly("rate " + rate + " raised " + FenceLine.RAISE_FACTOR * rate);
	}

	@Test
	void changesNothingIfTheLineIsInOrderOrTheServerHasNotPassedTheFence() {
		assertThat(this.rules.repair(this.access, "test", ahead(0))).isEmpty();
		assertThat(this.rules.repair(this.access, "test", promoted(10))).isEmpty();
		assertThat(this.rules.repair(this.access, "test", FenceState.NONE)).isEmpty();
		assertThat(FenceRules.none().repair(this.access, "test", ahead(BURST / 2))).isEmpty();
		assertThat(this.stored).isEmpty();
	}

	@Test
	void skipsTheFullDistanceRegardlessOfTheBound() {
		KeySpaceView view = new KeySpaceView(new StoredKeySpace("test", "definition", CAPACITY, 10), false, "",
				promoted(10));
		long moved = this.rules.position(view.fence(), view.end(12));
		assertThat(moved).isGreaterThan(MARGIN).isEqualTo(this.rules.position(view.fence(), view.end(CAPACITY)));
		assertThat(this.rules.takeOverLine(view.fence(), view.end(12)).position()).isEqualTo(moved);
	}

	@Test
	void countsABoundThatIsNotStoredYet() {
		FenceState state = promoted(CAPACITY - 10);
		assertThat(this.rules.position(state, 2 * CAPACITY)).isGreaterThan(this.rules.position(state, CAPACITY));
	}

	@Test
	void skipsNothingOnFirstContact() {
		FenceState first = new FenceState(null, "a", new FenceLine(10, 0, 0, 0, 0, 0), CLOCK);
		assertThat(first.needsTakeOver()).isTrue();
		assertThat(this.rules.takeOverLine(first, CAPACITY)).isEqualTo(this.rules.unused(10, CLOCK));
		assertThat(this.rules.position(first, CAPACITY)).isEqualTo(10);
	}

	@Test
	void waitsForAllIdsUnlessFewerAreUseful() {
		long rate = this.rules.unused(0, 0).rate();
		FenceState exhausted = new FenceState("a", "a", new FenceLine(10, CLOCK + BURST, rate, rate, 0, CLOCK + 1),
				CLOCK);
		// held after a take-over, so the rate cannot be raised
		FenceAccess<RuntimeException> slow = new FenceAccess<>() {
		};
		Optional<Outcome<Boolean>> all = this.rules.findObstacle(slow, "test", exhausted, 10 * rate, false);
		Optional<Outcome<Boolean>> some = this.rules.findObstacle(slow, "test", exhausted, 10 * rate, true);
		assertThat(all.orElseThrow().pause()).hasSeconds(10);
		assertThat(all.orElseThrow().reason()).contains("as many ids as failover-margin allows");
		assertThat(some.orElseThrow().pause()).hasMillis(101);
	}

	@Test
	void waitsForALagAfterATakeOver() {
		FenceLine moved = this.rules.takeOverLine(promoted(10), CAPACITY);
		FenceState passed = new FenceState("b", "b", moved, CLOCK + 1);
		Optional<Outcome<Boolean>> wait = this.rules.findObstacle(this.access, "test", passed, 1, true);
		assertThat(wait.orElseThrow().reason()).contains("failed over");
		assertThat(wait.orElseThrow().pause()).isBetween(Duration.ofMillis(4_900), Duration.ofMillis(5_200));
	}

	@Test
	void readsAgainWhenAnotherInstanceHasRepairedTheLine() {
		FenceAccess<RuntimeException> slow = new FenceAccess<>() {
		};
		Optional<Outcome<Boolean>> obstacle = this.rules.findObstacle(slow, "test", ahead(BURST + 3_600 * LAG), 1,
				true);
		assertThat(obstacle.orElseThrow().pause()).isLessThan(Duration.ofSeconds(1));
	}

}
