package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Uses libfaketime to control the wall clock of a process. {@code System.nanoTime} is not
 * affected.
 */
final class FakeClock {

	private static final String VARIABLE = "IDS_TEST_FAKETIME";

	/** The path of the library in Debian's package. */
	private static final String INSTALLED = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

	private FakeClock() {
	}

	/**
	 * Let a process read the offset of its wall clock from a file.
	 * @param clock the file
	 */
	static void preload(ProcessBuilder builder, Path clock) {
		Path library = Path.of(Objects.requireNonNullElse(System.getenv(VARIABLE), INSTALLED));
		if (!Files.exists(library)) {
			throw new NotRunException("libfaketime is not installed, and " + VARIABLE + " does not point to it");
		}
		if (!Files.exists(clock)) {
			set(clock, 0);
		}
		builder.environment()
			.putAll(Map.of("LD_PRELOAD", library.toString(), "FAKETIME_TIMESTAMP_FILE", clock.toString(),
					"FAKETIME_NO_CACHE", "1", "FAKETIME_DONT_FAKE_MONOTONIC", "1",
					// without this setting, timed waits end immediately
					"FAKETIME_FORCE_MONOTONIC_FIX", "0"));
	}

	/**
	 * Set the offset of the wall clock in a file.
	 */
	static void set(Path clock, int seconds) {
		try {
			Files.writeString(clock, (seconds < 0) ? Integer.toString(seconds) : "+" + seconds);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
