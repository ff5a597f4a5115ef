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
 * Tests for {@link FenceRules}.
 */
class FenceRulesTests {

	private static final long MARGIN = 1_000_000;

	private static final long LAG = 5 * FenceLine.SECOND;

	private static final long BURST = FenceLine.burst(LAG);

	private static final long CLOCK = 2 * FenceLine.SECOND;

	private static final long CAPACITY = 1L << 40;

	/** Usage of an instance that reserves little. */
	private static final Usage SLOW = new Usage(1, 2 * FenceLine.SECOND);

	private final FenceRules rules = new FenceRules(MARGIN, LAG, "Another server has taken over");

	private final List<String> stored = new ArrayList<>();

	private final FenceAccess<RuntimeException> access = new FenceAccess<>() {

		@Override
		public boolean followClock(FenceState fence, FenceLine followed) {
			return FenceRulesTests.this.stored.add("time " + followed.time());
		}

		@Override
		public boolean changeRate(FenceState fence, FenceLine changed) {
			return FenceRulesTests.this.stored.add("rate " + changed.rate() + " raised " + changed.raised());
		}

		@Override
		public boolean startRaise(FenceState fence) {
			return FenceRulesTests.this.stored.add("start");
		}

	};

	/**
	 * Return a state that is read on the server that wrote the key space. Its line is
	 * ahead of the clock by the given time.
	 */
	private FenceState ahead(long micros) {
		return new FenceState("a", "a", this.rules.unused(10, CLOCK + micros), CLOCK);
	}

	private FenceState promoted(long next) {
		return new FenceState("a", "b", this.rules.unused(next, FenceLine.SECOND), CLOCK);
	}

	@Test
	void followsTheServerClockAfterItWasSetBack() {
		assertThat(this.rules.repair(this.access, "test", ahead(BURST + 3 * LAG), SLOW, CAPACITY)).contains(true);
		assertThat(this.stored).containsExactly("time " + (CLOCK + BURST));
	}

	@Test
	void raisesTheRateBeforeItIsExhausted() {
		long rate = this.rules.unused(0, 0).rate();
		assertThat(this.rules.repair(this.access, "test", ahead(BURST / 2), SLOW, CAPACITY)).contains(true);
		assertThat(this.stored).containsExactly("rate " + rate + " raised " + FenceLine.RAISE_FACTOR * rate);
	}

	@Test
	void raisesTheRateInOneStepToAMultipleOfWhatIsUsed() {
		Usage used = new Usage(3_000_000, 3 * FenceLine.SECOND);
		assertThat(this.rules.repair(this.access, "test", ahead(BURST / 2), used, CAPACITY)).contains(true);
		assertThat(this.stored).containsExactly("rate 20000 raised 10000000");
	}

	@Test
	void burstOfLessThanASecondRaisesTheRateOnlyWhenItBlocksReservations() {
		Usage burst = new Usage(MARGIN, FenceLine.SECOND / 10);
		assertThat(this.rules.repair(this.access, "test", ahead(BURST / 2), burst, CAPACITY)).isEmpty();
		assertThat(this.rules.findObstacle(this.access, "test", ahead(BURST), burst, CAPACITY, 1, true)).isPresent();
		assertThat(this.stored).containsExactly("rate 20000 raised 10000000");
	}

	@Test
	void raisesTheRateNoFurtherThanATakeOverCanCover() {
		Usage used = new Usage(Long.MAX_VALUE, FenceLine.SECOND);
		long left = 64L * 23 * 5 * 160_000;
		assertThat(this.rules.repair(this.access, "test", ahead(BURST / 2), used, left)).contains(true);
		assertThat(this.stored).containsExactly("rate 20000 raised 160000");
		assertThat(this.rules.repair(this.access, "test", ahead(BURST / 2), used, left / 8)).isEmpty();
	}

	@Test
	void startsARaiseOnlyAfterItIsStored() {
		FenceState used = ahead(BURST / 2);
		FenceState raised = new FenceState("a", "a", used.line().raise(0, LAG, CAPACITY), CLOCK);
		assertThat(this.rules.repair(this.access, "test", raised, Usage.UNKNOWN, CAPACITY)).contains(true);
		assertThat(this.stored).containsExactly("start");
	}

	@Test
	void lowersARaisedRateThatIsNoLongerNeeded() {
		FenceState raised = new FenceState("a", "a",
				this.rules.unused(10, 0).raise(1_000_000, LAG, CAPACITY).startRaise(0, LAG), CLOCK + LAG);
		long minute = 60 * FenceLine.SECOND;
		assertThat(this.rules.repair(this.access, "test", raised, new Usage(1_200_001 + 60, minute), CAPACITY))
			.isEmpty();
		assertThat(this.rules.repair(this.access, "test", raised, new Usage(1, minute - 1), CAPACITY)).isEmpty();
		assertThat(this.rules.repair(this.access, "test", raised, new Usage(1_200_000, minute), CAPACITY))
			.contains(true);
		assertThat(this.stored).containsExactly("rate 20000 raised 20000");
		assertThat(this.rules.repair(this.access, "test", ahead(0), new Usage(1, minute), CAPACITY)).isEmpty();
	}

	@Test
	void changesNothingIfTheLineNeedsNoRepairOrATakeOverIsPending() {
		assertThat(this.rules.repair(this.access, "test", ahead(0), SLOW, CAPACITY)).isEmpty();
		assertThat(this.rules.repair(this.access, "test", promoted(10), SLOW, CAPACITY)).isEmpty();
		assertThat(this.rules.repair(this.access, "test", FenceState.NONE, SLOW, CAPACITY)).isEmpty();
		assertThat(FenceRules.none().repair(this.access, "test", ahead(BURST / 2), SLOW, CAPACITY)).isEmpty();
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
	void usesABoundThatIsNotStoredYet() {
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
		// the rate cannot be raised, because the line is held after a take-over
		FenceAccess<RuntimeException> changesNothing = new FenceAccess<>() {
		};
		Optional<Outcome<Boolean>> all = this.rules.findObstacle(changesNothing, "test", exhausted, SLOW, CAPACITY,
				10 * rate, false);
		Optional<Outcome<Boolean>> some = this.rules.findObstacle(changesNothing, "test", exhausted, SLOW, CAPACITY,
				10 * rate, true);
		assertThat(all.orElseThrow().pause()).hasSeconds(10);
		assertThat(all.orElseThrow().reason()).contains("as many ids as failover-margin allows");
		assertThat(some.orElseThrow().pause()).hasMillis(101);
	}

	@Test
	void waitsForOneLagAfterATakeOver() {
		FenceLine moved = this.rules.takeOverLine(promoted(10), CAPACITY);
		FenceState passed = new FenceState("b", "b", moved, CLOCK + 1);
		Optional<Outcome<Boolean>> wait = this.rules.findObstacle(this.access, "test", passed, SLOW, CAPACITY, 1, true);
		assertThat(wait.orElseThrow().reason()).contains("failed over");
		assertThat(wait.orElseThrow().pause()).isBetween(Duration.ofMillis(4_900), Duration.ofMillis(5_200));
	}

	@Test
	void readsAgainWhenAnotherInstanceHasRepairedTheLine() {
		FenceAccess<RuntimeException> changesNothing = new FenceAccess<>() {
		};
		Optional<Outcome<Boolean>> obstacle = this.rules.findObstacle(changesNothing, "test",
				ahead(BURST + 3_600 * LAG), SLOW, CAPACITY, 1, true);
		assertThat(obstacle.orElseThrow().pause()).isLessThan(Duration.ofSeconds(1));
	}

}
