package dev.idspring.jdbc;

import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

import dev.idspring.store.FenceLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FenceLine} with simulated fail-overs.
 */
class FenceLineSimulationTests {

	/**
	 * The number of runs that must not find a duplicate, set by
	 * {@code test.ids.simulated-failovers}.
	 */
	private static final int RUNS = Integer.getInteger("test.ids.simulated-failovers", 10_000);

	/**
	 * The maximum number of runs with a weaker rule or without an assumption. The runs
	 * end at the first duplicate.
	 */
	private static final int MAX_RUNS = Math.max(RUNS, 100_000);

	private static final Set<FailoverAssumption> ASSUMPTIONS_FOR_ANY_SERVER = EnumSet
		.complementOf(EnumSet.of(FailoverAssumption.FOLLOWER));

	private static final FailoverRule ACTUAL_RULE = new FailoverRule() {
	};

	@Test
	void serversThatDidNotReplicateEachOtherIssueNoIdTwice() {
		assertThat(findFirstRepeat(ACTUAL_RULE, ASSUMPTIONS_FOR_ANY_SERVER, RUNS)).isEmpty();
	}

	@Test
	void serversThatReplicateThePreviousPrimaryIssueNoIdTwice() {
		assertThat(findFirstRepeat(ACTUAL_RULE, EnumSet.of(FailoverAssumption.FOLLOWER, FailoverAssumption.SAME_RAISES),
				RUNS))
			.isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FOLLOWER")
	void eachAssumptionIsNeeded(FailoverAssumption assumption) {
		EnumSet<FailoverAssumption> remainingAssumptions = EnumSet.copyOf(ASSUMPTIONS_FOR_ANY_SERVER);
		remainingAssumptions.remove(assumption);
		assertThat(findFirstRepeat(ACTUAL_RULE, remainingAssumptions, MAX_RUNS)).isPresent();
	}

	@ParameterizedTest
	@EnumSource
	void weakerRuleIssuesIdsTwice(WeakRule rule) {
		assertThat(findFirstRepeat(rule, ASSUMPTIONS_FOR_ANY_SERVER, MAX_RUNS)).isPresent();
	}

	@Test
	void runIsReproducible() {
		assertThat(SimulatedFailovers.run(7, WeakRule.CAP_OF_ZERO, ASSUMPTIONS_FOR_ANY_SERVER))
			.isEqualTo(SimulatedFailovers.run(7, WeakRule.CAP_OF_ZERO, ASSUMPTIONS_FOR_ANY_SERVER));
	}

	/**
	 * Return the number of the first run that issues an ordinal twice. The
	 * {@link SimulatedFailovers.Outcome#repeat()} of that run describes what happened.
	 */
	private static OptionalLong findFirstRepeat(FailoverRule rule, Set<FailoverAssumption> assumptions, int runs) {
		return LongStream.range(0, runs)
			.filter((seed) -> SimulatedFailovers.run(seed, rule, assumptions).repeat() != null)
			.findFirst();
	}

	/**
	 * Variants of the rules of {@link FenceLine}, each of which is too weak in one
	 * respect.
	 */
	enum WeakRule implements FailoverRule {

		SKIP_OF_THE_MARGIN_ONLY {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return withTime(row, now + lag).takeOver(now, lag, left);
			}

		},

		SKIP_WITHOUT_IDLE_TIME {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return withTime(row, Math.max(row.time(), now)).takeOver(now, lag, left);
			}

		},

		NO_WAIT_AFTER_TAKE_OVER {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return row.takeOver(now - lag, lag, left);
			}

		},

		WAIT_TOO_SHORT_BY_2_PERCENT {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return row.takeOver(now - lag / 50, lag, left);
			}

		},

		NO_HOLD {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				FenceLine heldLine = row.takeOver(now, lag, left);
				return new FenceLine(heldLine.position(), heldLine.time(), heldLine.rate(), heldLine.raised(),
						heldLine.raiseAt(), 0);
			}

		},

		RAISED_RATE_USED_IMMEDIATELY {

			@Override
			public FenceLine startRaise(FenceLine row, long now, long lag) {
				return row.startRaise(now, 0);
			}

		},

		RAISE_STARTED_BY_THE_TRANSACTION_THAT_STORES_IT {

			@Override
			public FenceLine raise(FenceLine row, long used, long lag, long left) {
				// the commit is so late that the raised rate takes effect immediately
				FenceLine raised = row.raise(used, lag, left);
				return (raised != row) ? raised.startRaise(0, 0) : row;
			}

		},

		RATE_LOWERED_WHILE_HELD {

			@Override
			public FenceLine lower(FenceLine row, long now, long lag, long margin) {
				FenceLine freeLine = new FenceLine(row.position(), row.time(), row.rate(), row.raised(), row.raiseAt(),
						0);
				FenceLine lower = freeLine.lower(now, lag, margin);
				return new FenceLine(row.position(), row.time(), lower.rate(), lower.raised(), lower.raiseAt(),
						row.holdUntil());
			}

		},

		BUCKET_OF_TWICE_THE_SIZE {

			@Override
			public long affordable(FenceLine row, long now, long lag) {
				return 2 * row.affordable(now, lag);
			}

			@Override
			public long wait(FenceLine row, long count, long now, long lag) {
				return row.wait(count / 2, now, lag);
			}

		},

		CAP_OF_ZERO {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return row.takeOver(now, lag, 0);
			}

		},

		REFUND_OF_TWICE_THE_TIME {

			@Override
			public FenceLine giveBack(FenceLine row, long count) {
				FenceLine afterGiveBack = row.giveBack(count);
				return withTime(afterGiveBack, 2 * afterGiveBack.time() - row.time());
			}

		},

		REFUND_AT_THE_RATE_BEFORE_THE_RAISE {

			@Override
			public FenceLine giveBack(FenceLine row, long count) {
				FenceLine afterGiveBack = row.giveBack(count);
				return withTime(afterGiveBack,
						row.time() - (row.time() - afterGiveBack.time()) * (row.raised() / row.rate()));
			}

		},

		CLOCK_OF_A_CLIENT {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return row.takeOver(clock(now, lag), lag, left);
			}

			@Override
			public long wait(FenceLine row, long count, long now, long lag) {
				return row.wait(count, clock(now, lag), lag);
			}

			/** Half of the clients have a clock that is slow by three lags. */
			private long clock(long now, long lag) {
				return now - Math.floorMod(now, 2) * 3 * lag;
			}

		};

		private static FenceLine withTime(FenceLine row, long time) {
			return new FenceLine(row.position(), time, row.rate(), row.raised(), row.raiseAt(), row.holdUntil());
		}

	}

}
