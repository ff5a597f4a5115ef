package dev.idspring.soak;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.idspring.testsupport.FaultyDataSource.Fault;
import dev.idspring.testsupport.FaultyDataSource.Outcome;

/**
 * What is wrong with a database for a while.
 */
final class Disturbance {

	/** What takes a round trip. */
	private static final Set<String> ROUND_TRIPS = Set.of("getConnection", "executeUpdate", "executeQuery", "commit");

	private static final Duration SLOW = Duration.ofMillis(20);

	private Disturbance() {
	}

	static Fault none() {
		return (index, call) -> Outcome.SUCCEEDS;
	}

	/**
	 * Choose one: the server is gone, slow, full or about to stop, or connections are cut
	 * before a statement or a commit arrives, or before it is answered.
	 */
	static Fault any(Random random) {
		return switch (random.nextInt(6)) {
			case 0 -> none();
			case 1 -> when(1, random, () -> Outcome.failsBefore("08001"));
			case 2 -> when(1, random, () -> {
				LockSupport.parkNanos(SLOW.toNanos());
				return Outcome.SUCCEEDS;
			});
			case 3 -> when(2, random, () -> Outcome.failsBefore("53100"));
			case 4 -> when(5, random, () -> Outcome.failsBefore("08006"));
			default -> when(5, random, () -> Outcome.failsAfter("08006"));
		};
	}

	/**
	 * Let one of so many round trips go wrong.
	 */
	private static Fault when(int oneOf, Random random, Supplier<Outcome> outcome) {
		Random own = new Random(random.nextLong());
		return (index, call) -> (ROUND_TRIPS.contains(call) && own.nextInt(oneOf) == 0) ? outcome.get()
				: Outcome.SUCCEEDS;
	}

}
