package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the Java files of this project.
 */
public final class SourceFiles {

	private SourceFiles() {
	}

	/**
	 * Return the Java files of modules.
	 * @param modules matches the names of the modules, for example {@code id-*}
	 * @param directory the directory in each module, for example {@code src/main/java}
	 */
	public static List<Path> of(String modules, String directory) {
		List<Path> sources = new ArrayList<>();
		try (DirectoryStream<Path> matches = Files.newDirectoryStream(Path.of(".."), modules)) {
			for (Path module : matches) {
				Path root = module.resolve(directory);
				if (Files.isDirectory(root)) {
					try (Stream<Path> files = Files.walk(root)) {
						files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return sources;
	}

}
