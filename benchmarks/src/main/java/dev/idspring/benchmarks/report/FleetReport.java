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
 * simulated fleets. All numbers come from the results.
 */
public final class FleetReport {

	private static final Quote FLEETS = new Quote("fleets");

	private final FleetResults measured;

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
		this.measured = results.read(FleetPart.NAME, FleetResults.class);
		this.outcome = results.read(Outcome.file(FleetPart.NAME), Outcome.class);
		this.mode = mode;
		this.target = target;
		this.results = results.directory();
	}

	/**
	 * Write the report, if there are results.
	 */
	public void write() throws IOException {
		if (this.measured.runs().isEmpty()) {
			return;
		}
		FLEETS.publish(this.mode, this.results, this.target, "FLEETS.md", markdown(), "fleets.md", table());
	}

	private String markdown() {
		return """
				# Fleets

				Simulated, and written by a program:

				```shell
				mvn -q -Pbenchmarks -pl benchmarks -am -DskipTests package && java -jar benchmarks/target/benchmarks.jar fleet
				```

				The generators are the real ones, with their default settings but for the widths that rows name; time and the
				store are simulated. Each instance draws 20 ids a second on
				average, 36 at noon and 4 at night. All are restarted within ten minutes each morning, in order, and each crashes once in 30
				days on average, to be started again ten seconds later. Fleets of up to 300 are looked at for a day, larger ones for the
				two busiest hours, with a deployment; how long a key space lasts goes by the day's average for all of them. Leases are
				renewed three times before they end; fleets of more than 1,000 set `ids.lease: 5m`, the others keep the default of 30 s.
				`sequential` asks for what `coprime` asks for in large fleets too. Node numbers and their ids share 22 bits: 10 and 12
				by default, 14 and 8 in fleets of thousands. A reservation, a renewal, a read of the history and whatever else asks the
				database is a transaction.

				%s%s
				"""
			.formatted(FLEETS.marked(table()), (this.outcome.problem() != null)
					? "\n\n## What failed\n\n- the run " + this.outcome.problem() : "");
	}

	private String table() {
		Table table = new Table("strategy", "instances", "ids a second", "transactions a second",
				"in the busiest minute", "lost", "key space lasts, years", "series or nodes begun");
		for (Run run : this.measured.runs()) {
			table.row(run.strategy(), "%,d".formatted(run.instances()), Table.number(run.idsPerSecond()),
					Table.number(run.transactionsPerSecond()), Table.number(run.mostPerSecond()),
					(run.lost() != null) ? String.format(Locale.ROOT, "%.3f %%", run.lost() * 100) : Table.noValue(),
					Table.number(run.years()), (run.slots() > 0) ? "%,d".formatted(run.slots()) : Table.noValue());
		}
		return table.toString();
	}

}
