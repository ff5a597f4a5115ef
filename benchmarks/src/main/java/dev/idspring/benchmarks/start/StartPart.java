package dev.idspring.benchmarks.start;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.testsupport.TestDatabase;

/**
 * Starts the same application with and without the starter, in turns, each time in a JVM
 * of its own, on PostgreSQL.
 */
public final class StartPart {

	/** The name of this part's file. */
	public static final String NAME = "start";

	private static final Pattern READY = Pattern.compile(StartApplication.READY + "(\\d+), (\\d+)");

	/** What such an application has; the rest is there for other parts. */
	private static final Pattern LIBRARIES = Pattern.compile("(spring-(?!boot-test|test).*|tomcat-.*|jackson-.*"
			+ "|logback-.*|slf4j-.*|jul-to-slf4j-.*|log4j-.*|snakeyaml-.*|HikariCP-.*|micrometer-.*|commons-logging-.*"
			+ "|jspecify-.*|jakarta\\.annotation-api-.*|HdrHistogram-.*|LatencyUtils-.*|postgresql-.*)\\.jar");

	/** What the starter adds to the libraries of such an application. */
	private static final Pattern STARTER = Pattern.compile("id-spring-boot-(?!.*-tests).*\\.jar");

	private final Path target;

	private final TestDatabase database;

	private StartPart(Path target, TestDatabase database) {
		this.target = target;
		this.database = database;
	}

	/**
	 * Run it.
	 * @param args where results go, the mode, and the directory of the build
	 */
	public static void main(String[] args) throws Exception {
		Results results = new Results(Path.of(args[0]));
		int starts = Mode.valueOf(args[1]).starts();
		StartPart part = new StartPart(Path.of(args[2]), TestDatabase.postgresql());
		// one each that does not count: tables are created, files come into memory
		List<Start> with = new ArrayList<>();
		List<Start> without = new ArrayList<>();
		for (int i = 0; i <= starts; i++) {
			String schema = "--ids.jdbc.initialize-schema=" + ((i == 0) ? "always" : "never");
			Start one = part.start((library) -> false, schema);
			Start other = part.start(STARTER.asMatchPredicate(), schema);
			System.out.println("Start: " + one.millis() + " ms, with the starter " + other.millis() + " ms");
			if (i > 0) {
				without.add(one);
				with.add(other);
				results.write(NAME, new StartResults(millis(with), millis(without), classes(with), classes(without)));
			}
		}
		System.exit(0);
	}

	private static List<Long> millis(List<Start> starts) {
		return starts.stream().map(Start::millis).toList();
	}

	private static double classes(List<Start> starts) {
		return StartResults.median(starts.stream().map(Start::classes).toList());
	}

	private Start start(Predicate<String> more, String schema) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath(more), StartApplication.class.getName(), "--server.port=0", "--spring.main.banner-mode=off",
				"--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password(), schema)
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor(1, TimeUnit.MINUTES);
		Matcher ready = READY.matcher(output);
		if (!ready.find()) {
			throw new IllegalStateException("The application did not start:\n" + output);
		}
		return new Start(Long.parseLong(ready.group(1)), Long.parseLong(ready.group(2)));
	}

	private String classPath(Predicate<String> more) throws IOException {
		try (Stream<Path> libraries = Files.list(this.target.resolve("lib"))) {
			Predicate<String> usual = LIBRARIES.asMatchPredicate();
			Stream<Path> chosen = libraries.filter((library) -> usual.or(more).test(library.getFileName().toString()))
				.sorted();
			return Stream.concat(Stream.of(this.target.resolve("classes")), chosen)
				.map(Path::toString)
				.collect(Collectors.joining(File.pathSeparator));
		}
	}

	/**
	 * What an application said when it was ready.
	 *
	 * @param millis how long it took
	 * @param classes how many classes it had loaded
	 */
	private record Start(long millis, long classes) {

	}

}
