package dev.idspring.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs benchmarks of JMH, each in a JVM of its own.
 */
public final class Jmh {

	private Jmh() {
	}

	/**
	 * Measure, and continue with the next benchmark where one fails.
	 * @param packageName where the benchmarks are
	 * @param benchmarks their classes and methods, as in {@code Ours.coprimeNumber}
	 * @param threads how many threads call
	 * @param iterations how many iterations are measured, after as many to warm up
	 * @param iteration how long one of them takes
	 * @param file where results go
	 */
	public static void measure(String packageName, List<String> benchmarks, int threads, int iterations,
			Duration iteration, Path file) throws RunnerException {
		TimeValue time = TimeValue.milliseconds(iteration.toMillis());
		ChainedOptionsBuilder options = new OptionsBuilder().forks(1)
			.threads(threads)
			.warmupIterations(iterations)
			.warmupTime(time)
			.measurementIterations(iterations)
			.measurementTime(time)
			.timeout(TimeValue.seconds(30))
			.shouldFailOnError(false)
			.addProfiler(GCProfiler.class)
			.resultFormat(ResultFormatType.JSON)
			.result(file.toString());
		for (String benchmark : benchmarks) {
			options.include("\\Q" + packageName + "." + benchmark + "\\E$");
		}
		new Runner(options.build()).run();
	}

}
