package dev.idspring.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of all parts, stored as JSON files. Because the files outlive a run, parts
 * can be measured separately.
 *
 * @param directory the directory of the files
 */
public record Results(Path directory) {

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(SerializationFeature.INDENT_OUTPUT)
		.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.build();

	/**
	 * Write a file, or replace it. If the process is killed while writing, the old file
	 * remains.
	 */
	public void write(String name, Object content) {
		try {
			Files.createDirectories(this.directory);
			Path written = Files.writeString(this.directory.resolve(name + ".json.part"),
					JSON.writeValueAsString(content) + "\n");
			Files.move(written, file(name), StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the path of a file, which may not exist.
	 */
	public Path file(String name) {
		return this.directory.resolve(name + ".json");
	}

	/**
	 * Read a file.
	 * @return the content of the file, or that of an empty JSON object if there is no
	 * such file
	 */
	public <T> T read(String name, Class<T> type) {
		Path file = file(name);
		return JSON.readValue(Files.exists(file) ? read(file) : "{}", type);
	}

	/**
	 * Read all files whose names begin with a prefix.
	 */
	public List<JsonNode> readAll(String prefix) {
		return files(prefix).stream().map((file) -> JSON.readTree(read(file))).toList();
	}

	/**
	 * Delete all files whose names begin with a prefix.
	 */
	public void delete(String prefix) {
		try {
			for (Path file : files(prefix)) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return all file names that begin with a prefix, without their extensions.
	 */
	public List<String> names(String prefix) {
		return files(prefix).stream()
			.map((file) -> file.getFileName().toString())
			.map((name) -> name.substring(0, name.length() - ".json".length()))
			.toList();
	}

	private List<Path> files(String prefix) {
		if (!Files.isDirectory(this.directory)) {
			return List.of();
		}
		try (Stream<Path> files = Files.list(this.directory)) {
			return files.filter((file) -> file.getFileName().toString().matches(prefix + ".*\\.json"))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
