package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the README or a page quotes of a report. It stands in both between the same marks,
 * so that a test can tell whether they say the same.
 *
 * @param name the name in the marks
 */
record Quote(String name) {

	private String begin() {
		return "<!-- begin " + this.name + " -->\n";
	}

	private String end() {
		return "<!-- end " + this.name + " -->";
	}

	/**
	 * Put a text between the marks.
	 */
	String marked(String text) {
		return begin() + text + end();
	}

	/**
	 * Replace what a file has between the marks.
	 */
	void replaceIn(Path file, String text) throws IOException {
		String old = Files.readString(file);
		int begin = old.indexOf(begin());
		int end = old.indexOf(end(), begin);
		if (begin < 0 || end < 0) {
			throw new IllegalStateException("There is no place for " + this.name + " in " + file.getFileName() + ".");
		}
		Files.writeString(file, old.substring(0, begin) + begin() + text + old.substring(end));
	}

}
