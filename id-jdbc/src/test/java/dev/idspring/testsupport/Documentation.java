package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the README and the pages in {@code docs}.
 */
public final class Documentation {

	private static final Path ROOT = Path.of("..");

	public static final Path README = ROOT.resolve("README.md");

	private Documentation() {
	}

	public static String readme() {
		return read(README);
	}

	/**
	 * Return the text of a page.
	 * @param name the name, such as {@code operations}
	 */
	public static String page(String name) {
		return read(file(name));
	}

	public static Path file(String name) {
		return ROOT.resolve("docs").resolve(name + ".md");
	}

	/**
	 * Return the README and all pages.
	 */
	public static List<Path> files() {
		try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
			return Stream.concat(Stream.of(README), pages.filter((page) -> page.toString().endsWith(".md")).sorted())
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the code blocks of a language.
	 */
	public static List<String> examples(String text, String language) {
		return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
			.matcher(text)
			.results()
			.map((example) -> example.group(1))
			.toList();
	}

	public static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
