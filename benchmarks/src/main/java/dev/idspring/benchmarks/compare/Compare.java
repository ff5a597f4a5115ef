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
import java.util.stream.Stream;

/**
 * Compares the hot paths of this build with those of another build, in alternating JVMs.
 */
public final class Compare {

	/**
	 * The number of measurements per build. With ten measurements, the second and the
	 * ninth are a 97.9 % confidence interval of the median, for any distribution.
	 */
	private static final int FORKS = 10;

	/**
	 * The libraries of a plain application. Other libraries on the class path are for
	 * other benchmarks.
	 */
	private static final Pattern LIBRARIES = Pattern
		.compile("(spring-(?!boot-(test|data|netty)|test|data|oxm).*|logback-.*|slf4j-.*"
				+ "|jul-to-slf4j-.*|log4j-.*|snakeyaml-.*|commons-logging-.*|jspecify-.*|jakarta\\.annotation-api-.*"
				+ "|micrometer-.*|id-(?!.*-tests).*)\\.jar");

	private static final Pattern ANSWER = Pattern.compile(HotPath.ANSWER + "(\\d+)");

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
	 * @throws IllegalArgumentException if {@code other} is not such a directory
	 */
	public static void run(Path target, Path other) throws Exception {
		if (!Files.isDirectory(other.resolve("lib"))) {
			throw new IllegalArgumentException(
					other + " is not the benchmarks/target of a build: build it there as here, with -Pbenchmarks.");
		}
		Compare compare = new Compare(target, other);
		System.out.println("strategy     draws   other/s       this/s        this : other, interval");
		for (String strategy : List.of("coprime", "sequential", "recycled", "snowflake")) {
			for (String what : List.of("long", "string")) {
				compare.print(strategy, what);
			}
		}
	}

	private void print(String strategy, String what) throws Exception {
		double[] before = new double[FORKS];
		double[] now = new double[FORKS];
		for (int i = 0; i < FORKS; i++) {
			before[i] = measure(this.other, strategy, what);
			now[i] = measure(this.target, strategy, what);
		}
		double[] ratios = new double[FORKS];
		for (int i = 0; i < FORKS; i++) {
			ratios[i] = now[i] / before[i];
		}
		System.out.printf(Locale.ROOT, "%-12s %-7s %,-13.0f %,-13.0f %.3f, %.3f to %.3f%n", strategy, what,
				median(before), median(now), median(ratios), ratios[1], ratios[FORKS - 2]);
	}

	private static double median(double[] values) {
		Arrays.sort(values);
		return (values[FORKS / 2 - 1] + values[FORKS / 2]) / 2;
	}

	private double measure(Path build, String strategy, String what) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-cp", classPath(build), HotPath.class.getName(), strategy, what)
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		Matcher answer = ANSWER.matcher(output);
		if (!answer.find()) {
			throw new IllegalStateException("The application of " + build + " did not measure:\n" + output);
		}
		return Double.parseDouble(answer.group(1));
	}

	/**
	 * Return a class path with the program of this build and the libraries of a build.
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
