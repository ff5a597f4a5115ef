package dev.idspring.benchmarks.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;

/**
 * Simulates small fleets for a day, and large fleets for two hours from 10:10. The
 * instances start at random times in the ten minutes before the simulated period.
 */
public final class FleetPart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "fleet";

	private FleetPart() {
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) {
		Results results = new Results(Path.of(args[0]));
		List<Integer> sizes = (Mode.valueOf(args[1]) == Mode.FULL) ? List.of(3, 30, 300, 1_000, 3_000, 10_000)
				: List.of(3, 30, 300);
		FleetResults fleetResults = new FleetResults(null);
		for (FleetStrategy strategy : FleetStrategy.values()) {
			for (int size : sizes.stream().filter(strategy::isSimulatedFor).toList()) {
				FleetResults.Run run = FleetStrategy.isLarge(size)
						? new SimulatedFleet(strategy).run(size, Duration.ofHours(10), Duration.ofHours(2))
						: new SimulatedFleet(strategy).run(size, Duration.ofHours(0), Duration.ofHours(24));
				System.out.println("Fleet: " + run);
				fleetResults.runs().add(run);
				results.write(NAME, fleetResults);
			}
		}
	}

}
