package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Outcome;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.fleet.FleetPart;
import dev.idspring.benchmarks.fleet.FleetResults;
import dev.idspring.benchmarks.fleet.FleetResults.Run;

/**
 * Generates {@code FLEETS.md} and the table in {@code docs/fleets.md} from the results of
 * simulated fleets. All numbers in the table come from these results.
 */
public final class FleetReport {

	private static final Quote FLEETS = new Quote("fleets");

	private final FleetResults fleetResults;

	private final Outcome outcome;

	private final Mode mode;

	private final Path target;

	private final Path results;

	/**
	 * Read the results.
	 * @param results the results
	 * @param mode the mode of the simulation
	 * @param target the directory of the build
	 */
	public FleetReport(Results results, Mode mode, Path target) {
		this.fleetResults = results.read(FleetPart.NAME, FleetResults.class);
		this.outcome = results.read(Outcome.file(FleetPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.results = results.directory();
	}

	/**
	 * Write the report, if there are results.
	 */
	public void write() throws IOException {
		if (this.fleetResults.runs().isEmpty()) {
			return;
		}
		FLEETS.publish(this.mode, this.results, this.target, "FLEETS.md", markdown(), "fleets.md", table());
	}

	private String markdown() {
		return """
				# Fleets

				This report shows how the strategies behave in a fleet: many instances of an application that share a store.
				[strategies.md](../docs/strategies.md#terms) explains the terms. This command simulates the fleets and writes the
				report:

				```shell
				mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar fleet
				```

				The generators are real. Only the time and the store are simulated. Each instance draws 20 ids per second on average: 36
				at noon, and 4 at midnight. Every morning at 11:00, a deployment begins. It restarts all instances, one after another,
				within ten minutes. Each instance crashes once in 30 days on average, and is started again ten seconds later.

				Settings have their defaults, except for the lengths and bits in the first column, and for the leases of large fleets. A
				lease of a series or node lasts 30 s by default, and 5 minutes (`ids.lease: 5m`) in fleets of more than 1,000 instances.
				Each lease is renewed about three times in its duration.

				`sequential` is simulated for small fleets only, because in large fleets it makes the same reservations as `coprime`. By
				default, an id of `snowflake` has 10 bits for the node and 12 bits for the tail. Fleets of 1,000 instances or more use
				14 bits for the node and 8 bits for the tail.

				Fleets of up to 300 instances are simulated for a day. Larger fleets are simulated only from 10:10 to 12:10, so their
				rates are close to those of noon. The years until the key space is used up are computed from the average rate of a whole
				day. For `snowflake`, they do not depend on the rate.

				Each access to the store counts as a transaction, whether it reserves ids, renews a lease or only reads. An id is lost
				if it is reserved but never issued, for example because the instance crashed. The last column counts the series or nodes
				that were claimed at least once.

				%s%s
				"""
			.formatted(FLEETS.marked(table()), (this.outcome.problem() != null)
					? "\n\n## What failed\n\n- the run " + this.outcome.problem() : "");
	}

	private String table() {
		Table table = new Table("strategy", "instances", "ids per second", "transactions per second",
				"transactions per second in the busiest minute", "ids lost", "years until the key space is used up",
				"series or nodes claimed");
		for (Run run : this.fleetResults.runs()) {
			table.row(run.strategy(), "%,d".formatted(run.instances()), Table.number(run.idsPerSecond()),
					Table.number(run.transactionsPerSecond()), Table.number(run.mostPerSecond()),
					(run.lost() != null) ? String.format(Locale.ROOT, "%.3f %%", run.lost() * 100) : Table.noValue(),
					Table.number(run.years()), (run.slots() > 0) ? "%,d".formatted(run.slots()) : Table.noValue());
		}
		return table.toString();
	}

}
