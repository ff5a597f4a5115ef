package dev.idspring.benchmarks.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.store.Contestant.Source;

/**
 * Measures how soon the first id is available, and how many ids of a new key space two
 * threads can draw in the first seconds. Uses PostgreSQL. Measurements of this project
 * and of CosId's chain alternate in the same run.
 */
public final class FirstPart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "first";

	private static final int THREADS = 2;

	private static final Contestant CHAIN = new CosIdContestant(1_000);

	private final FirstResults firstResults = new FirstResults(new ArrayList<>(), new ArrayList<>());

	private final Results results;

	private final int rounds;

	private FirstPart(Results results, Mode mode) {
		this.results = results;
		this.rounds = (mode == Mode.FULL) ? 5 : 1;
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) {
		new FirstPart(new Results(Path.of(args[0])), Mode.valueOf(args[1])).run();
		// exit even if threads of a contestant are still running
		System.exit(0);
	}

	private void run() {
		for (int round = 0; round < this.rounds; round++) {
			for (int delay : List.of(0, 5, 50)) {
				measureFirstId(OursContestant.withDefaults(), delay);
				measureFirstId(CHAIN, delay);
			}
			measureBurst(new OursContestant("ours, sequential", "--ids.strategy=sequential"), 7);
			measureBurst(new OursContestant("ours, coprime with six characters"), 8);
			measureBurst(CHAIN, 7);
		}
	}

	private void measureFirstId(Contestant contestant, int delay) {
		try (Network network = new Network(Server.POSTGRESQL, Duration.ofMillis(delay))) {
			FirstResults.FirstId first = new FirstResults.FirstId(contestant.name(), delay,
					StorePart.firstIdMillis(network, contestant));
			System.out.printf(Locale.ROOT, "first id: %s, %d ms: %.1f ms%n", first.contestant(), delay, first.millis());
			this.firstResults.firstIds().add(first);
		}
		this.results.write(NAME, this.firstResults);
	}

	private void measureBurst(Contestant contestant, int seconds) {
		try (Network network = new Network(Server.POSTGRESQL, Duration.ZERO);
				Source source = contestant.open(network, "burst")) {
			long drawn = new Callers(source, THREADS).draw(Duration.ofSeconds(seconds)).count();
			System.out.printf(Locale.ROOT, "burst: %s, %d s: %,d ids%n", contestant.name(), seconds, drawn);
			this.firstResults.bursts().add(new FirstResults.Burst(contestant.name(), seconds, drawn));
		}
		this.results.write(NAME, this.firstResults);
	}

}
