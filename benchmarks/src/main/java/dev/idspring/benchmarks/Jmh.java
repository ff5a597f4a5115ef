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
 * Runs JMH benchmarks, each in its own JVM.
 */
public final class Jmh {

	private Jmh() {
	}

	/**
	 * Run benchmarks. If one fails, continue with the next one.
	 * @param packageName the package of the benchmarks
	 * @param benchmarks the classes and methods, as in {@code Ours.coprimeNumber}
	 * @param threads the number of calling threads
	 * @param iterations the number of warm-up iterations, and the number of measured ones
	 * @param iterationTime the duration of an iteration
	 * @param file the file to which the results are written
	 * @throws RunnerException if JMH cannot run the benchmarks
	 */
	public static void measure(String packageName, List<String> benchmarks, int threads, int iterations,
			Duration iterationTime, Path file) throws RunnerException {
		TimeValue time = TimeValue.milliseconds(iterationTime.toMillis());
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
