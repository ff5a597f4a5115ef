package dev.idspring.testsupport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Prepares JVMs with the class path of the tests.
 */
public final class ChildProcess {

	private ChildProcess() {
	}

	/**
	 * Prepare a JVM.
	 * @param mainClass the class to run
	 */
	public static ProcessBuilder of(Class<?> mainClass, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
						"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
						System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
						mainClass.getName()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command);
	}

}
