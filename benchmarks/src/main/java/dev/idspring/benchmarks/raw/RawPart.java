package dev.idspring.benchmarks.raw;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.idspring.benchmarks.Jmh;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs the benchmarks of this package. Each round runs almost all benchmarks from which
 * the report computes ratios, so that a temporary slowdown of the machine affects both
 * sides of a ratio. The other benchmarks run only once, and only in a full run.
 */
public final class RawPart {

	/**
	 * The prefix of this part's file names. The JDK version follows it.
	 */
	public static final String NAME = "raw";

	private static final List<String> REPEATED_BENCHMARKS = List.of("Ours.coprimeNumber", "Ours.coprimeByDefault",
			"Ours.coprimeText", "Ours.coprimeBulk", "Ours.snowflakeBurst", "Ours.snowflakeSustained", "CosId.chain",
			"CosId.chainText", "CosId.snowflake", "Hibernate.pooledLoThreadLocal", "Limits.threadLocalRandom",
			"Limits.cellOfThread", "Limits.endlessStripe", "Limits.tickerAndCounter", "Limits.emptyBulk",
			"Limits.sameText");

	private static final List<String> OTHER_BENCHMARKS = List.of("CosId.segment", "Hibernate.pooledLo",
			"Libraries.tsidCreator", "Libraries.hypersistenceTsid", "Libraries.uuidCreatorV7",
			"Libraries.javaUuidGeneratorV7", "Libraries.randomUuid", "Limits.atomicLong", "Limits.longAdder",
			"Limits.threadConfined");

	private final Results results;

	private final Mode mode;

	/**
	 * Return the prefix of this part's file names for this JDK. Results from other JDKs
	 * are in separate files.
	 */
	public static String name() {
		return NAME + "-" + Runtime.version().feature();
	}

	private RawPart(Results results, Mode mode) {
		this.results = results;
		this.mode = mode;
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, and the mode
	 */
	public static void main(String[] args) throws Exception {
		new RawPart(new Results(Path.of(args[0])), Mode.valueOf(args[1])).run();
	}

	private void run() throws RunnerException, IOException {
		Files.createDirectories(this.results.directory());
		for (int round = 1; round <= this.mode.rounds(); round++) {
			for (int threads : this.mode.threads()) {
				run("ratios", REPEATED_BENCHMARKS, round, threads, this.mode.iterations());
			}
		}
		if (this.mode == Mode.FULL) {
			for (int threads : this.mode.threads()) {
				run("others", OTHER_BENCHMARKS, 1, threads, this.mode.iterations() - 1);
			}
		}
	}

	private void run(String name, List<String> benchmarks, int round, int threads, int iterations)
			throws RunnerException {
		Jmh.measure(RawPart.class.getPackageName(), benchmarks, threads, iterations, this.mode.iteration(),
				this.results.file(name() + "-" + name + "-" + threads + "-" + round));
	}

}
