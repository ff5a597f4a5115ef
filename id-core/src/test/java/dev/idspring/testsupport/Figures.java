package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Prints figures that tests on real servers have measured. If the environment variable
 * {@code IDS_TEST_FIGURES} names a file, the figures are also appended to this file.
 */
public final class Figures {

	private Figures() {
	}

	public static void add(String format, Object... values) {
		String line = String.format(Locale.ROOT, format, values);
		System.out.println("clusters: " + line);
		String file = System.getenv("IDS_TEST_FIGURES");
		if (file != null) {
			try {
				Files.writeString(Path.of(file), line + System.lineSeparator(), StandardOpenOption.CREATE,
						StandardOpenOption.APPEND);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
