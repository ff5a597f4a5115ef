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
 * Writes figures to a file as they come, so that a run that breaks off leaves them.
 */
public final class Report {

	private static final int PRINTED = 4;

	private final String name;

	private final Path file;

	private final List<String> last = new ArrayList<>();

	/**
	 * Begin a report.
	 * @param name what lines begin with that are printed
	 * @param file what is replaced
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
		this.last.add(line);
		if (this.last.size() > PRINTED) {
			this.last.remove(0);
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
	 * Print the last lines.
	 */
	public void print() {
		this.last.forEach((line) -> System.out.println(this.name + ": " + line));
	}

	@Override
	public String toString() {
		return this.file.toString();
	}

}
