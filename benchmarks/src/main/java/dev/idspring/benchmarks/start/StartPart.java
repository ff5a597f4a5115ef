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
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Jdks;
import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.start.StartResults.Archive;
import dev.idspring.benchmarks.start.StartResults.Setup;
import dev.idspring.testsupport.TestDatabase;

/**
 * Starts the same application with and without the starter, in turns, each time in a JVM
 * of its own, on PostgreSQL: on the running JDK, and on JDK 25 or later if there is one,
 * each without an archive and with those that it knows.
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
	private static final Pattern STARTER = Pattern.compile("id-(core|jdbc|spring-boot)-(?!.*-tests).*\\.jar");

	private final Path target;

	private final Path directory;

	private final TestDatabase database;

	private StartPart(Path target, Path directory, TestDatabase database) {
		this.target = target;
		this.directory = directory;
		this.database = database;
	}

	/**
	 * Run it.
	 * @param args where results go, the mode, and the directory of the build
	 */
	public static void main(String[] args) throws Exception {
		Results results = new Results(Path.of(args[0]));
		int starts = Mode.valueOf(args[1]).starts();
		StartPart part = new StartPart(Path.of(args[2]), Files.createTempDirectory("start"), TestDatabase.postgresql());
		part.packApplication();
		List<Path> jdks = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
		Jdks.atLeast(25).filter((jdk) -> Jdks.feature(jdk) != Jdks.feature(jdks.get(0))).ifPresent(jdks::add);
		// creates tables, brings files into memory, and does not count
		part.start(jdks.get(0), true, List.of(), "always");
		List<Setup> setups = new ArrayList<>();
		for (Path jdk : jdks) {
			for (Archive archive : Archive.values()) {
				if (archive.isKnownTo(Jdks.feature(jdk))) {
					setups.add(part.measure(jdk, archive, starts));
					results.write(NAME, new StartResults(setups));
				}
			}
		}
		System.exit(0);
	}

	/**
	 * Write a jar of the application: archives hold no classes from directories.
	 */
	private void packApplication() throws IOException {
		Path classes = this.target.resolve("classes");
		try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(application()));
				Stream<Path> files = Files.list(classes.resolve(StartPart.class.getPackageName().replace('.', '/')))) {
			for (Path file : files.sorted().toList()) {
				jar.putNextEntry(new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
				Files.copy(file, jar);
			}
		}
	}

	private Path application() {
		return this.directory.resolve("application.jar");
	}

	private Setup measure(Path jdk, Archive archive, int starts) throws Exception {
		List<String> without = prepare(jdk, archive, false);
		List<String> with = prepare(jdk, archive, true);
		List<Start> ones = new ArrayList<>();
		List<Start> others = new ArrayList<>();
		for (int i = 0; i < starts; i++) {
			// in turns, as machines become slower and faster
			boolean first = i % 2 == 0;
			if (first) {
				ones.add(start(jdk, false, without, "never"));
			}
			others.add(start(jdk, true, with, "never"));
			if (!first) {
				ones.add(start(jdk, false, without, "never"));
			}
			System.out.println("Start on JDK " + Jdks.feature(jdk) + " " + archive.title() + ": " + ones.get(i).millis()
					+ " ms, with the starter " + others.get(i).millis() + " ms");
		}
		return new Setup(Jdks.feature(jdk), archive, millis(others), millis(ones), classes(others), classes(ones));
	}

	/**
	 * Write an archive by a start that does not count.
	 * @return the options that use it
	 */
	private List<String> prepare(Path jdk, Archive archive, boolean starter) throws Exception {
		if (archive == Archive.NONE) {
			return List.of();
		}
		Path file = this.directory.resolve(Jdks.feature(jdk) + "-" + archive + "-" + starter);
		start(jdk, starter, List.of(archive.write() + file), "never");
		if (!Files.exists(file)) {
			throw new IllegalStateException("There is no " + archive.title() + " after a start on " + jdk);
		}
		return List.of(archive.read() + file);
	}

	private static List<Long> millis(List<Start> starts) {
		return starts.stream().map(Start::millis).toList();
	}

	private static double classes(List<Start> starts) {
		return StartResults.median(starts.stream().map(Start::classes).toList());
	}

	private Start start(Path jdk, boolean starter, List<String> options, String schema) throws Exception {
		List<String> command = new ArrayList<>(List.of(jdk.resolve("bin").resolve("java").toString()));
		command.addAll(options);
		command.addAll(List.of("-cp", classPath(starter), StartApplication.class.getName(), "--server.port=0",
				"--spring.main.banner-mode=off", "--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password(), "--ids.jdbc.initialize-schema=" + schema));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor(1, TimeUnit.MINUTES);
		Matcher ready = READY.matcher(output);
		if (!ready.find()) {
			throw new IllegalStateException("The application did not start:\n" + output);
		}
		return new Start(Long.parseLong(ready.group(1)), Long.parseLong(ready.group(2)));
	}

	private String classPath(boolean starter) throws IOException {
		try (Stream<Path> libraries = Files.list(this.target.resolve("lib"))) {
			Predicate<String> chosen = LIBRARIES.asMatchPredicate();
			Predicate<String> all = starter ? chosen.or(STARTER.asMatchPredicate()) : chosen;
			return Stream
				.concat(Stream.of(application()),
						libraries.filter((library) -> all.test(library.getFileName().toString())).sorted())
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
