package dev.idspring.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Finds a JDK on this machine.
 */
public final class Jdks {

	private Jdks() {
	}

	/**
	 * Return the JDK that {@code -Dbenchmarks.jdk} specifies, whatever its version. If
	 * this property is not set, return the running JDK if it is new enough, or else the
	 * newest JDK next to the running one. Return empty if none of these is new enough.
	 * @param feature the minimum feature version
	 */
	public static Optional<Path> atLeast(int feature) throws IOException {
		String specified = System.getProperty("benchmarks.jdk");
		if (specified != null) {
			return Optional.of(Path.of(specified));
		}
		Path running = Path.of(System.getProperty("java.home"));
		if (Runtime.version().feature() >= feature) {
			return Optional.of(running);
		}
		try (Stream<Path> installed = Files.list(running.toRealPath().getParent())) {
			return installed.filter((jdk) -> feature(jdk) >= feature).max(Comparator.comparing(Jdks::feature));
		}
	}

	/**
	 * Return the feature version of a JDK, 0 if its file {@code release} cannot be read.
	 */
	public static int feature(Path jdk) {
		Properties release = new Properties();
		try (var reader = Files.newBufferedReader(jdk.resolve("release"))) {
			release.load(reader);
			return Runtime.Version.parse(release.getProperty("JAVA_VERSION", "\"1\"").replace("\"", "")).feature();
		}
		catch (IOException ex) {
			return 0;
		}
	}

}
