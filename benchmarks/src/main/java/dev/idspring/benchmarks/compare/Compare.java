package dev.idspring.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Median;

/**
 * Compares how fast this build and another build draw ids. Each measurement runs in its
 * own JVM, and the builds take turns.
 */
public final class Compare {

	/**
	 * The number of measurements per build. With twelve measurements, the third smallest
	 * and the third largest ratio are the ends of a 96.1% confidence interval of the
	 * median, for any distribution.
	 */
	private static final int FORKS = 12;

	/**
	 * The files in {@code lib} that a minimal application with the starter needs. The
	 * rest are for other benchmarks, and are not on the class path.
	 */
	private static final Pattern LIBRARIES = Pattern
		.compile("(spring-(?!boot-(test|data|netty)|test|data|oxm).*|logback-.*|slf4j-.*"
				+ "|jul-to-slf4j-.*|log4j-.*|snakeyaml-.*|commons-logging-.*|jspecify-.*|jakarta\\.annotation-api-.*"
				+ "|micrometer-.*|id-(?!.*-tests).*)\\.jar");

	private static final Pattern RESULT = Pattern.compile(HotPath.RESULT_PREFIX + "(\\d+)");

	private final Path target;

	private final Path other;

	private Compare(Path target, Path other) {
		this.target = target;
		this.other = other;
	}

	/**
	 * Compare two builds.
	 * @param target the {@code benchmarks/target} of this build
	 * @param other the {@code benchmarks/target} of the build to compare with
	 * @throws IllegalArgumentException if {@code other} has no directory {@code lib}
	 */
	public static void run(Path target, Path other) throws Exception {
		if (!Files.isDirectory(other.resolve("lib"))) {
			throw new IllegalArgumentException(
					"%s has no directory 'lib'. Pass the benchmarks/target of another checkout that was built with "
						.formatted(other) + "-Pbenchmarks.");
		}
		Compare compare = new Compare(target, other);
		System.out.println("strategy     type    other, ids/s  this, ids/s   this/other (96.1% interval)");
		for (String strategy : List.of("coprime", "sequential", "recycled", "snowflake")) {
			for (String idType : List.of("long", "string")) {
				compare.print(strategy, idType);
			}
		}
	}

	private void print(String strategy, String idType) throws Exception {
		double[] others = new double[FORKS];
		double[] ours = new double[FORKS];
		for (int i = 0; i < FORKS; i++) {
			others[i] = measure(this.other, strategy, idType);
			ours[i] = measure(this.target, strategy, idType);
		}
		double[] ratios = new double[FORKS];
		for (int i = 0; i < FORKS; i++) {
			ratios[i] = ours[i] / others[i];
		}
		Arrays.sort(ratios);
		System.out.printf(Locale.ROOT, "%-12s %-7s %,-13.0f %,-13.0f %.3f (%.3f to %.3f)%n", strategy, idType,
				Median.of(DoubleStream.of(others)), Median.of(DoubleStream.of(ours)),
				Median.of(DoubleStream.of(ratios)), ratios[2], ratios[FORKS - 3]);
	}

	private double measure(Path build, String strategy, String idType) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-cp", classPath(build), HotPath.class.getName(), strategy, idType)
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		Matcher result = RESULT.matcher(output);
		if (!result.find()) {
			throw new IllegalStateException(
					"The measurement with the libraries of " + build + " printed no result. Its output:\n" + output);
		}
		return Double.parseDouble(result.group(1));
	}

	/**
	 * Return a class path with {@link HotPath} of this build and the libraries of the
	 * given build, so that the same program measures both.
	 */
	private String classPath(Path build) throws IOException {
		try (Stream<Path> libraries = Files.list(build.resolve("lib"))) {
			return Stream.concat(Stream.of(this.target.resolve("classes")),
					libraries.filter((library) -> LIBRARIES.matcher(library.getFileName().toString()).matches())
						.sorted())
				.map(Path::toString)
				.collect(Collectors.joining(File.pathSeparator));
		}
	}

}
