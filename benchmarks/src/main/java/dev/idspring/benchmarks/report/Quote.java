package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import dev.idspring.benchmarks.Mode;

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

	/**
	 * Write a report beside the sources, and quote it in a page. What a quick run has
	 * measured goes to the results and is not published.
	 * @param mode how it was measured
	 * @param results where results are
	 * @param target the directory of the build
	 * @param name the report's file
	 * @param markdown the report
	 * @param page the page of the documentation that quotes it
	 * @param quoted what it quotes
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
		System.out.println("\nWritten to " + file + " and, in short, to docs/" + page);
	}

}
