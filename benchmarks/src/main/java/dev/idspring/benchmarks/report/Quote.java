package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import dev.idspring.benchmarks.Mode;

/**
 * A part of a report that the README or a page of the documentation quotes. The report
 * and the file that quotes it have this part between the same markers, so that a test can
 * compare the two versions.
 *
 * @param name the name in the markers
 */
record Quote(String name) {

	private String begin() {
		return "<!-- begin " + this.name + " -->\n";
	}

	private String end() {
		return "<!-- end " + this.name + " -->";
	}

	/**
	 * Return a text, enclosed in the two markers.
	 */
	String marked(String text) {
		return begin() + text + end();
	}

	/**
	 * Replace the text between the markers in a file.
	 */
	void replaceIn(Path file, String text) throws IOException {
		String old = Files.readString(file);
		int begin = old.indexOf(begin());
		int end = old.indexOf(end(), begin);
		if (begin < 0 || end < 0) {
			throw new IllegalStateException(file.getFileName() + " has no markers for the quote '" + this.name + "'.");
		}
		Files.writeString(file, old.substring(0, begin) + begin() + text + old.substring(end));
	}

	/**
	 * Write a report to the module's directory, and quote it in a page of the
	 * documentation. The report of a quick run is written to the directory of the results
	 * instead.
	 * @param mode the mode of the measurement
	 * @param results the directory of the results
	 * @param target the directory of the build
	 * @param name the name of the report's file
	 * @param markdown the text of the report
	 * @param page the page of the documentation that quotes the report
	 * @param quoted the text that the page quotes
	 */
	void publish(Mode mode, Path results, Path target, String name, String markdown, String page, String quoted)
			throws IOException {
		if (mode == Mode.QUICK) {
			Path file = Files.writeString(results.resolve(name), markdown);
			System.out.println("\n" + markdown + "\nWritten to " + file);
			return;
		}
		Path module = Objects.requireNonNull(target.getParent());
		Path file = Files.writeString(module.resolve(name), markdown);
		replaceIn(module.resolveSibling("docs").resolve(page), quoted);
		System.out.println("\nWritten to " + file + ", with a summary in docs/" + page);
	}

}
