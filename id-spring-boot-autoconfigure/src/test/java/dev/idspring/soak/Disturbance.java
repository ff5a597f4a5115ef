package dev.idspring.soak;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.idspring.testsupport.FaultyDataSource.Fault;
import dev.idspring.testsupport.FaultyDataSource.Outcome;

/**
 * Creates random faults of a database.
 */
final class Disturbance {

	/** The JDBC calls that faults affect. */
	private static final Set<String> AFFECTED_CALLS = Set.of("getConnection", "execute", "executeUpdate",
			"executeQuery", "commit", "rollback");

	private static final Duration DELAY = Duration.ofMillis(20);

	private Disturbance() {
	}

	static Fault none() {
		return (index, call) -> Outcome.SUCCEEDS;
	}

	/**
	 * Choose at random: no fault, an unreachable server, a slow server, a full disk, or a
	 * connection that is cut before or after the server has executed a call.
	 */
	static Fault any(Random random) {
		return switch (random.nextInt(6)) {
			case 0 -> none();
			case 1 -> affecting(1, random, () -> Outcome.failsBefore("08001"));
			case 2 -> affecting(1, random, () -> {
				LockSupport.parkNanos(DELAY.toNanos());
				return Outcome.SUCCEEDS;
			});
			case 3 -> affecting(2, random, () -> Outcome.failsBefore("53100"));
			case 4 -> affecting(5, random, () -> Outcome.failsBefore("08006"));
			default -> affecting(5, random, () -> Outcome.failsAfter("08006"));
		};
	}

	/**
	 * Return a fault that affects one in {@code oneOf} {@link #AFFECTED_CALLS} on
	 * average.
	 */
	private static Fault affecting(int oneOf, Random random, Supplier<Outcome> outcome) {
		Random faultRandom = new Random(random.nextLong());
		return (index, call) -> (AFFECTED_CALLS.contains(call) && faultRandom.nextInt(oneOf) == 0) ? outcome.get()
				: Outcome.SUCCEEDS;
	}

}
