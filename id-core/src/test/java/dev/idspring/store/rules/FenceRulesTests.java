package dev.idspring.store.rules;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.rules.FenceRules.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FenceRules}. Each reservation advances the time of a counter's
 * {@link FenceLine line}, to at most one burst ahead of the clock.
 */
class FenceRulesTests {

	private static final long MARGIN = 1_000_000;

	private static final long LAG = 5 * FenceLine.SECOND;

	private static final long BURST = FenceLine.burst(LAG);

	private static final long CLOCK_TIME = 2 * FenceLine.SECOND;

	private static final long CAPACITY = 1L << 40;

	/** The usage of a counter that advances slowly. */
	private static final Usage SLOW_USAGE = new Usage(1, 2 * FenceLine.SECOND);

	private final FenceRules rules = new FenceRules(MARGIN, LAG, "The keys are now on another server");

	private final List<String> writes = new ArrayList<>();

	private final FenceAccess<RuntimeException> access = new FenceAccess<>() {

		@Override
		public boolean followClock(FenceState fence, FenceLine followed) {
			return FenceRulesTests.this.writes.add("time " + followed.time());
		}

		@Override
		public boolean changeRate(FenceState fence, FenceLine changed) {
			return FenceRulesTests.this.writes.add("rate " + changed.rate() + " raised " + changed.raised());
		}

		@Override
		public boolean startRaise(FenceState fence) {
			return FenceRulesTests.this.writes.add("start");
		}

	};

	/**
	 * Return a state that is read on the server that wrote the key space. The time of the
	 * line is ahead of the clock by the given duration.
	 */
	private FenceState stateAhead(long micros) {
		return new FenceState("a", "a", this.rules.unused(10, CLOCK_TIME + micros), CLOCK_TIME);
	}

	private FenceState stateAfterPromotion(long next) {
		return new FenceState("a", "b", this.rules.unused(next, FenceLine.SECOND), CLOCK_TIME);
	}

	@Test
	void followsTheServerClockAfterItWasSetBack() {
		assertThat(this.rules.adjust(this.access, "test", stateAhead(BURST + 3 * LAG), SLOW_USAGE, CAPACITY))
			.contains(true);
		assertThat(this.writes).containsExactly("time " + (CLOCK_TIME + BURST));
	}

	@Test
	void raisesTheRateBeforeTheBurstIsUsedUp() {
		long rate = this.rules.unused(0, 0).rate();
		assertThat(this.rules.adjust(this.access, "test", stateAhead(BURST / 2), SLOW_USAGE, CAPACITY)).contains(true);
		assertThat(this.writes).containsExactly("rate " + rate + " raised " + FenceLine.RAISE_FACTOR * rate);
	}

	@Test
	void raisesTheRateInOneStepToAMultipleOfWhatIsUsed() {
		Usage usage = new Usage(3_000_000, 3 * FenceLine.SECOND);
		assertThat(this.rules.adjust(this.access, "test", stateAhead(BURST / 2), usage, CAPACITY)).contains(true);
		assertThat(this.writes).containsExactly("rate 20000 raised 10000000");
	}

	@Test
	void usageOverLessThanASecondRaisesTheRateOnlyIfReservationsMustWait() {
		Usage usage = new Usage(MARGIN, FenceLine.SECOND / 10);
		assertThat(this.rules.adjust(this.access, "test", stateAhead(BURST / 2), usage, CAPACITY)).isEmpty();
		assertThat(this.rules.findObstacle(this.access, "test", stateAhead(BURST), usage, CAPACITY, 1, true))
			.isPresent();
		assertThat(this.writes).containsExactly("rate 20000 raised 10000000");
	}

	@Test
	void raisesTheRateNoFurtherThanATakeOverCanCover() {
		Usage usage = new Usage(Long.MAX_VALUE, FenceLine.SECOND);
		long remaining = 64L * 23 * 5 * 160_000;
		assertThat(this.rules.adjust(this.access, "test", stateAhead(BURST / 2), usage, remaining)).contains(true);
		assertThat(this.writes).containsExactly("rate 20000 raised 160000");
		assertThat(this.rules.adjust(this.access, "test", stateAhead(BURST / 2), usage, remaining / 8)).isEmpty();
	}

	@Test
	void startsARaiseOnlyAfterItIsStored() {
		FenceState state = stateAhead(BURST / 2);
		FenceState raised = new FenceState("a", "a", state.line().raise(0, LAG, CAPACITY), CLOCK_TIME);
		assertThat(this.rules.adjust(this.access, "test", raised, Usage.UNKNOWN, CAPACITY)).contains(true);
		assertThat(this.writes).containsExactly("start");
	}

	@Test
	void lowersARaisedRateThatIsNoLongerNeeded() {
		FenceState raised = new FenceState("a", "a",
				this.rules.unused(10, 0).raise(1_000_000, LAG, CAPACITY).startRaise(0, LAG), CLOCK_TIME + LAG);
		long minute = 60 * FenceLine.SECOND;
		assertThat(this.rules.adjust(this.access, "test", raised, new Usage(1_200_001 + 60, minute), CAPACITY))
			.isEmpty();
		assertThat(this.rules.adjust(this.access, "test", raised, new Usage(1, minute - 1), CAPACITY)).isEmpty();
		assertThat(this.rules.adjust(this.access, "test", raised, new Usage(1_200_000, minute), CAPACITY))
			.contains(true);
		assertThat(this.writes).containsExactly("rate 20000 raised 20000");
		assertThat(this.rules.adjust(this.access, "test", stateAhead(0), new Usage(1, minute), CAPACITY)).isEmpty();
	}

	@Test
	void changesNothingIfNoChangeIsDueOrATakeOverIsPending() {
		assertThat(this.rules.adjust(this.access, "test", stateAhead(0), SLOW_USAGE, CAPACITY)).isEmpty();
		assertThat(this.rules.adjust(this.access, "test", stateAfterPromotion(10), SLOW_USAGE, CAPACITY)).isEmpty();
		assertThat(this.rules.adjust(this.access, "test", FenceState.NONE, SLOW_USAGE, CAPACITY)).isEmpty();
		assertThat(FenceRules.none().adjust(this.access, "test", stateAhead(BURST / 2), SLOW_USAGE, CAPACITY))
			.isEmpty();
		assertThat(this.writes).isEmpty();
	}

	@Test
	void takeOverSkipsTheFullDistanceEvenIfTheInstanceHasASmallerBound() {
		KeySpaceView view = new KeySpaceView(new StoredKeySpace("test", "definition", CAPACITY, 10), false, "",
				stateAfterPromotion(10));
		long moved = this.rules.position(view.fence(), view.end(12));
		assertThat(moved).isGreaterThan(MARGIN).isEqualTo(this.rules.position(view.fence(), view.end(CAPACITY)));
		assertThat(this.rules.takeOverLine(view.fence(), view.end(12)).position()).isEqualTo(moved);
	}

	@Test
	void takeOverUsesAHigherBoundThatIsNotStoredYet() {
		FenceState state = stateAfterPromotion(CAPACITY - 10);
		assertThat(this.rules.position(state, 2 * CAPACITY)).isGreaterThan(this.rules.position(state, CAPACITY));
	}

	@Test
	void skipsNothingOnFirstContact() {
		FenceState first = new FenceState(null, "a", new FenceLine(10, 0, 0, 0, 0, 0), CLOCK_TIME);
		assertThat(first.needsTakeOver()).isTrue();
		assertThat(this.rules.takeOverLine(first, CAPACITY)).isEqualTo(this.rules.unused(10, CLOCK_TIME));
		assertThat(this.rules.position(first, CAPACITY)).isEqualTo(10);
	}

	@Test
	void waitsForAllIdsUnlessFewerAreUseful() {
		long rate = this.rules.unused(0, 0).rate();
		// the rate cannot be raised, because the line is held after a take-over
		FenceState exhausted = new FenceState("a", "a",
				new FenceLine(10, CLOCK_TIME + BURST, rate, rate, 0, CLOCK_TIME + 1), CLOCK_TIME);
		FenceAccess<RuntimeException> changesNothing = new FenceAccess<>() {
		};
		Optional<Outcome<Boolean>> waitForAll = this.rules.findObstacle(changesNothing, "test", exhausted, SLOW_USAGE,
				CAPACITY, 10 * rate, false);
		Optional<Outcome<Boolean>> waitForSome = this.rules.findObstacle(changesNothing, "test", exhausted, SLOW_USAGE,
				CAPACITY, 10 * rate, true);
		assertThat(waitForAll.orElseThrow().pause()).hasSeconds(10);
		assertThat(waitForAll.orElseThrow().reason()).contains("as many ids as failover-margin allows");
		assertThat(waitForSome.orElseThrow().pause()).hasMillis(101);
	}

	@Test
	void waitsForOneLagAfterATakeOver() {
		FenceLine moved = this.rules.takeOverLine(stateAfterPromotion(10), CAPACITY);
		FenceState stateAfterTakeOver = new FenceState("b", "b", moved, CLOCK_TIME + 1);
		Optional<Outcome<Boolean>> wait = this.rules.findObstacle(this.access, "test", stateAfterTakeOver, SLOW_USAGE,
				CAPACITY, 1, true);
		assertThat(wait.orElseThrow().reason()).contains("failed over");
		assertThat(wait.orElseThrow().pause()).isBetween(Duration.ofMillis(4_900), Duration.ofMillis(5_200));
	}

	@Test
	void retriesSoonWhenAnotherInstanceHasChangedTheLine() {
		// every write returns false, as if another instance had changed the line
		FenceAccess<RuntimeException> refusesWrites = new FenceAccess<>() {
		};
		Optional<Outcome<Boolean>> obstacle = this.rules.findObstacle(refusesWrites, "test",
				stateAhead(BURST + 3_600 * LAG), SLOW_USAGE, CAPACITY, 1, true);
		assertThat(obstacle.orElseThrow().pause()).isLessThan(Duration.ofSeconds(1));
	}

}
