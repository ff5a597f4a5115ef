package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A database server for all JVMs of one Maven run. The first JVM that needs the server
 * starts a process for it. That process stops the server after Maven has ended.
 */
final class SharedServer {

	private SharedServer() {
	}

	/**
	 * Return the port of the server, or nothing if Maven did not start this JVM.
	 */
	static Optional<Integer> port(String platform) {
		String directory = System.getProperty("test.servers");
		return (directory != null) ? maven().map((maven) -> port(Path.of(directory), platform, maven))
				: Optional.empty();
	}

	private static Optional<ProcessHandle> maven() {
		return Stream.iterate(ProcessHandle.current().parent(), Optional::isPresent, (one) -> one.get().parent())
			.map(Optional::get)
			.filter((process) -> process.info()
				.command()
				.filter((command) -> command.matches(".*\\bjava(\\.exe)?"))
				.isPresent())
			.findFirst();
	}

	private static int port(Path directory, String platform, ProcessHandle maven) {
		try {
			Path file = Files.createDirectories(directory).resolve(platform + "-" + maven.pid() + ".port");
			try (FileChannel channel = FileChannel.open(directory.resolve(platform + ".lock"),
					StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
				channel.lock();
				if (!Files.exists(file)) {
					start(directory.resolve(platform + ".log"), platform, file, maven);
				}
				return Integer.parseInt(Files.readString(file));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void start(Path log, String platform, Path file, ProcessHandle maven) throws IOException {
		// the process gets the full class path, because the shortened one of this JVM is
		// deleted when this JVM ends
		Process process = ChildProcess.of(SharedServer.class, platform, file.toString(), Long.toString(maven.pid()))
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		Awaitility.await().forever().until(() -> Files.exists(file) || !process.isAlive());
		if (!Files.exists(file)) {
			throw new IllegalStateException("No server: " + Files.readString(log));
		}
	}

	public static void main(String[] args) throws Exception {
		Path file = Path.of(args[1]);
		try (DatabaseProcess server = args[0].equals("postgresql") ? DatabaseProcess.postgresql()
				: DatabaseProcess.mariadb()) {
			Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"),
					Integer.toString(server.port()));
			Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
			ProcessHandle.of(Long.parseLong(args[2])).ifPresent((maven) -> maven.onExit().join());
			Files.delete(file);
		}
		System.exit(0); // threads of libraries may still be running
	}

}
