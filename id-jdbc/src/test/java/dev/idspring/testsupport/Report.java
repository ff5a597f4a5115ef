package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes each line of figures to a file immediately, so that no line is lost if a run is
 * aborted.
 */
public final class Report {

	private static final int PRINTED_LINES = 4;

	private final String name;

	private final Path file;

	private final List<String> lastLines = new ArrayList<>();

	/**
	 * Create a report.
	 * @param name the prefix of printed lines
	 * @param file the file, which is replaced
	 */
	public Report(String name, Path file) {
		this.name = name;
		this.file = file;
		try {
			Files.createDirectories(file.getParent());
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public void line(String format, Object... values) {
		String line = String.format(Locale.ROOT, format, values);
		this.lastLines.add(line);
		if (this.lastLines.size() > PRINTED_LINES) {
			this.lastLines.remove(0);
		}
		try {
			Files.writeString(this.file, line + System.lineSeparator(), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Print the latest lines.
	 */
	public void print() {
		this.lastLines.forEach((line) -> System.out.println(this.name + ": " + line));
	}

	@Override
	public String toString() {
		return this.file.toString();
	}

}
