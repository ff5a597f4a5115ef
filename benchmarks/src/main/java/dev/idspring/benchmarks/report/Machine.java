package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Outcome;

/**
 * Describes the machine and the libraries on which the results depend.
 */
final class Machine {

	private static final Pattern JAR_NAME = Pattern.compile("(.+?)-(\\d.*)\\.jar");

	private static final List<String> REPORTED_LIBRARIES = List.of("cosid-core", "tsid-creator", "hypersistence-tsid",
			"uuid-creator", "java-uuid-generator", "hibernate-core", "spring-jdbc", "spring-boot", "postgresql",
			"mariadb-java-client", "HikariCP", "jmh-core", "bcprov-jdk18on", "sqids", "hashids", "jnanoid",
			"flyway-core", "quartz", "liquibase-core");

	private Machine() {
	}

	static String processors() {
		return "%d (%s)".formatted(Runtime.getRuntime().availableProcessors(),
				processor().orElse(System.getProperty("os.arch")));
	}

	static String operatingSystem() {
		return "%s %s, %s".formatted(System.getProperty("os.name"), System.getProperty("os.version"),
				System.getProperty("os.arch"));
	}

	/**
	 * Describe the JDK, the end time and the system load of a part of the benchmarks.
	 */
	static String circumstances(Outcome outcome) {
		String ended = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
			.withZone(ZoneOffset.UTC)
			.format(Objects.requireNonNull(outcome.ended()));
		return "on JDK %s, ended %s, load average before the measurement %s".formatted(outcome.jdk(), ended,
				Table.number((outcome.load() >= 0) ? outcome.load() : null));
	}

	private static Optional<String> processor() {
		try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
			return lines.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Return the names and versions of the libraries that the report lists.
	 * @param directory the directory of the libraries
	 * @return the libraries in alphabetical order, or {@code unknown} if none is found
	 * there or the directory cannot be read
	 */
	static String libraries(Path directory) {
		Map<String, String> versions = versions(directory, REPORTED_LIBRARIES);
		return versions.isEmpty() ? "unknown"
				: versions.entrySet()
					.stream()
					.map((library) -> library.getKey() + " " + library.getValue())
					.collect(Collectors.joining(", "));
	}

	private static Map<String, String> versions(Path directory, List<String> libraries) {
		Map<String, String> versions = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		try (Stream<Path> files = Files.list(directory)) {
			files.map((file) -> JAR_NAME.matcher(file.getFileName().toString()))
				.filter(Matcher::matches)
				.filter((library) -> libraries.contains(library.group(1)))
				.forEach((library) -> versions.put(library.group(1), library.group(2)));
		}
		catch (IOException ex) {
			// the versions remain unknown
		}
		return versions;
	}

	/**
	 * Return the version of a library.
	 * @param directory the directory of the libraries
	 * @param artifact the name of the library
	 * @return the version, or {@code unknown} if the library is not found there
	 */
	static String version(Path directory, String artifact) {
		return versions(directory, List.of(artifact)).getOrDefault(artifact, "unknown");
	}

}
