package dev.idspring.benchmarks.start;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import dev.idspring.benchmarks.start.StartResults.Start;
import dev.idspring.testsupport.TestDatabase;

/**
 * Starts the same application with each contestant (an added library, or none) in turn,
 * each time in a new JVM. The application uses PostgreSQL. It is started on the running
 * JDK and, if available, on another JDK of version 25 or later. On each JDK it is started
 * without an archive of loaded classes, with a CDS archive, and with an AOT cache if the
 * JDK supports it.
 */
public final class StartPart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "start";

	private static final Pattern READY = Pattern.compile(StartApplication.READY + "(\\d+), (\\d+)");

	private final Path target;

	private final Path directory;

	/** A database for each contestant, because Flyway must begin with an empty one. */
	private final Map<Contestant, TestDatabase> databases = new EnumMap<>(Contestant.class);

	private StartPart(Path target, Path directory) {
		this.target = target;
		this.directory = directory;
		for (Contestant contestant : Contestant.values()) {
			this.databases.put(contestant, TestDatabase.postgresql());
		}
	}

	/**
	 * Run this part.
	 * @param args the directory of the results, the mode, and the directory of the build
	 */
	public static void main(String[] args) throws Exception {
		Results results = new Results(Path.of(args[0]));
		int starts = Mode.valueOf(args[1]).starts();
		StartPart part = new StartPart(Path.of(args[2]), Files.createTempDirectory("start"));
		part.packApplication();
		List<Path> jdks = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
		Jdks.atLeast(25).filter((jdk) -> Jdks.feature(jdk) != Jdks.feature(jdks.get(0))).ifPresent(jdks::add);
		for (Contestant contestant : Contestant.values()) {
			// this start is not measured: it creates tables and loads files into memory
			part.start(jdks.get(0), contestant, List.of(), "always");
		}
		List<Setup> setups = new ArrayList<>();
		for (Path jdk : jdks) {
			for (Archive archive : Archive.values()) {
				if (archive.isSupportedBy(Jdks.feature(jdk))) {
					setups.add(part.measure(jdk, archive, starts));
					results.write(NAME, new StartResults(setups));
				}
			}
		}
		System.exit(0);
	}

	/**
	 * Create a jar of the application and its migrations. A jar is necessary because CDS
	 * archives and AOT caches do not contain classes that were loaded from directories.
	 * The jar has entries for directories, because Flyway requires them.
	 */
	private void packApplication() throws IOException {
		Path classes = this.target.resolve("classes");
		try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(application()))) {
			for (String content : List.of(StartPart.class.getPackageName().replace('.', '/'), "db")) {
				pack(jar, classes, classes.resolve(content));
			}
		}
	}

	private static void pack(JarOutputStream jar, Path classes, Path content) throws IOException {
		try (Stream<Path> files = Files.walk(content)) {
			for (Path file : files.sorted().toList()) {
				String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
				if (Files.isDirectory(file)) {
					jar.putNextEntry(new JarEntry(name + "/"));
				}
				else {
					jar.putNextEntry(new JarEntry(name));
					Files.copy(file, jar);
				}
			}
		}
	}

	private Path application() {
		return this.directory.resolve("application.jar");
	}

	private Setup measure(Path jdk, Archive archive, int rounds) throws Exception {
		Setup setup = new Setup(Jdks.feature(jdk), archive, new EnumMap<>(Contestant.class));
		Map<Contestant, List<String>> options = new EnumMap<>(Contestant.class);
		List<Contestant> order = new ArrayList<>(List.of(Contestant.values()));
		for (Contestant contestant : order) {
			options.put(contestant, prepare(jdk, archive, contestant));
			setup.starts().put(contestant, new ArrayList<>());
		}
		for (int i = 0; i < rounds; i++) {
			for (Contestant contestant : order) {
				setup.starts().get(contestant).add(start(jdk, contestant, options.get(contestant), "never"));
			}
			// change the order in each round, because the speed of a machine varies
			// over time
			Collections.rotate(order, 1);
			System.out.println(setup.title() + ": " + lastOf(setup.starts()));
		}
		return setup;
	}

	private static String lastOf(Map<Contestant, List<Start>> starts) {
		return starts.entrySet()
			.stream()
			.map((all) -> all.getKey().title() + " " + all.getValue().get(all.getValue().size() - 1).millis() + " ms")
			.collect(Collectors.joining(", "));
	}

	/**
	 * Start the application without measuring it, so that the JVM creates an archive.
	 * @return the JVM options that use the archive
	 */
	private List<String> prepare(Path jdk, Archive archive, Contestant contestant) throws Exception {
		if (archive == Archive.NONE) {
			return List.of();
		}
		Path file = this.directory.resolve(Jdks.feature(jdk) + "-" + archive + "-" + contestant);
		start(jdk, contestant, List.of(archive.writeOption() + file), "never");
		if (!Files.exists(file)) {
			throw new IllegalStateException(
					"The JVM of " + jdk + " did not create an archive of type " + archive.title());
		}
		return List.of(archive.readOption() + file);
	}

	private Start start(Path jdk, Contestant contestant, List<String> options, String initializeSchema)
			throws Exception {
		TestDatabase database = this.databases.get(contestant);
		List<String> command = new ArrayList<>(List.of(jdk.resolve("bin").resolve("java").toString()));
		command.addAll(options);
		command.addAll(List.of("-cp", classPath(contestant), StartApplication.class.getName(), "--server.port=0",
				"--spring.main.banner-mode=off", "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password()));
		command.addAll(contestant.arguments(initializeSchema));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor(1, TimeUnit.MINUTES);
		Matcher ready = READY.matcher(output);
		if (!ready.find()) {
			throw new IllegalStateException("The application did not start:\n" + output);
		}
		return new Start(Long.parseLong(ready.group(1)), Long.parseLong(ready.group(2)));
	}

	private String classPath(Contestant contestant) throws IOException {
		try (Stream<Path> libraries = Files.list(this.target.resolve("lib"))) {
			return Stream
				.concat(Stream.of(application()),
						libraries.filter((library) -> contestant.usesJar(library.getFileName().toString())).sorted())
				.map(Path::toString)
				.collect(Collectors.joining(File.pathSeparator));
		}
	}

}
