package dev.idspring.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.idspring.benchmarks.Results;

/**
 * A project directory with a page that contains the begin and end markers of a quoted
 * table.
 */
final class ReportProject {

	private final Path directory;

	private final Path page;

	private final Path target;

	private final Results results;

	ReportProject(Path directory, String page, String quote) throws IOException {
		this.directory = directory;
		this.page = directory.resolve(page);
		Files.createDirectories(this.page.getParent());
		this.target = Files.createDirectories(directory.resolve("benchmarks/target/lib")).getParent();
		this.results = new Results(Files.createDirectories(this.target.resolve("results")));
		writePage("before\n<!-- begin %s -->\nold\n<!-- end %s -->\nafter\n".formatted(quote, quote));
	}

	Path target() {
		return this.target;
	}

	Results results() {
		return this.results;
	}

	String page() throws IOException {
		return Files.readString(this.page);
	}

	void writePage(String content) throws IOException {
		Files.writeString(this.page, content);
	}

	/**
	 * Return the path of a published file.
	 */
	Path published(String name) {
		return this.directory.resolve("benchmarks").resolve(name);
	}

	/**
	 * Return the content of the report of a quick run.
	 */
	String quick(String name) throws IOException {
		return Files.readString(this.results.directory().resolve(name));
	}

}
