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
 * Tests for {@link FenceLine} by simulated fail-overs.
 */
class FenceLineSimulationTests {

	/** {@code test.ids.simulated-failovers} sets how many find nothing. */
	private static final int RUNS = Integer.getInteger("test.ids.simulated-failovers", 10_000);

	/** A weakness may show itself only after so many. */
	private static final int MOST_RUNS = Math.max(RUNS, 100_000);

	private static final Set<FailoverAssumption> ANY_SERVER = EnumSet
		.complementOf(EnumSet.of(FailoverAssumption.FOLLOWER));

	private static final FailoverRule RULE = new FailoverRule() {
	};

	@Test
	void arbitraryServersIssueNoIdTwice() {
		assertThat(firstRepeat(RULE, ANY_SERVER, RUNS)).isEmpty();
	}

	@Test
	void serversThatFollowEachOtherIssueNoIdTwice() {
		assertThat(firstRepeat(RULE, EnumSet.of(FailoverAssumption.FOLLOWER, FailoverAssumption.SAME_RAISES), RUNS))
			.isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FOLLOWER")
	void eachAssumptionIsNeeded(FailoverAssumption assumption) {
		EnumSet<FailoverAssumption> others = EnumSet.copyOf(ANY_SERVER);
		others.remove(assumption);
		assertThat(firstRepeat(RULE, others, MOST_RUNS)).isPresent();
	}

	@ParameterizedTest
	@EnumSource
	void weakerRuleRepeatsIds(WeakRule rule) {
		assertThat(firstRepeat(rule, ANY_SERVER, MOST_RUNS)).isPresent();
	}

	@Test
	void runIsReproducible() {
		assertThat(SimulatedFailovers.run(7, WeakRule.CAP_OF_ZERO, ANY_SERVER))
			.isEqualTo(SimulatedFailovers.run(7, WeakRule.CAP_OF_ZERO, ANY_SERVER));
	}

	/**
	 * Return the number of the run; {@link SimulatedFailovers.Outcome#repeat()} of that
	 * run shows what happened.
	 */
	private static OptionalLong firstRepeat(FailoverRule rule, Set<FailoverAssumption> assumptions, int runs) {
		return LongStream.range(0, runs)
			.filter((seed) -> SimulatedFailovers.run(seed, rule, assumptions).repeat() != null)
			.findFirst();
	}

	enum WeakRule implements FailoverRule {

		MARGIN_WITHOUT_TIME {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return withTime(row, now + lag).takeOver(now, lag, left);
			}

		},

		NO_IDLE_TIME_IN_MOVE {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return withTime(row, Math.max(row.time(), now)).takeOver(now, lag, left);
			}

		},

		NO_REST {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return row.takeOver(now - lag, lag, left);
			}

		},

		REST_SHORT_BY_2_PERCENT {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				return row.takeOver(now - lag / 50, lag, left);
			}

		},

		NO_HOLD {

			@Override
			public FenceLine takeOver(FenceLine row, long now, long lag, long left) {
				FenceLine held = row.takeOver(now, lag, left);
				return new FenceLine(held.position(), held.time(), held.rate(), held.raised(), held.raiseAt(), 0);
			}

		},

		RAISE_USED_AT_ONCE {

			@Override
			public FenceLine startRaise(FenceLine row, long now, long lag) {
				return row.startRaise(now, 0);
			}

		},

		RAISE_STARTED_BY_THE_TRANSACTION_THAT_STORES_IT {

			@Override
			public FenceLine raise(FenceLine row, long used, long lag, long left) {
				// the commit comes so late that the raised rate takes effect at once
				FenceLine raised = row.raise(used, lag, left);
				return (raised != row) ? raised.startRaise(0, 0) : row;
			}

		},

		LOWERED_WHILE_HELD {

			@Override
			public FenceLine lower(FenceLine row, long now, long lag, long margin) {
				FenceLine free = new FenceLine(row.position(), row.time(), row.rate(), row.raised(), row.raiseAt(), 0);
				FenceLine lower = free.lower(now, lag, margin);
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
				FenceLine less = row.giveBack(count);
				return withTime(less, 2 * less.time() - row.time());
			}

		},

		REFUND_AT_THE_RATE_BEFORE_THE_RAISE {

			@Override
			public FenceLine giveBack(FenceLine row, long count) {
				FenceLine less = row.giveBack(count);
				return withTime(less, row.time() - (row.time() - less.time()) * (row.raised() / row.rate()));
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

			/** Every other client is late. */
			private long clock(long now, long lag) {
				return now - Math.floorMod(now, 2) * 3 * lag;
			}

		};

		private static FenceLine withTime(FenceLine row, long time) {
			return new FenceLine(row.position(), time, row.rate(), row.raised(), row.raiseAt(), row.holdUntil());
		}

	}

}
