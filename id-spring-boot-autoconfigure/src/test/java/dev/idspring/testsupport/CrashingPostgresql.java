package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server of a test's own that can be killed with all its processes, and
 * started again on what it left behind, at the same port.
 */
public final class CrashingPostgresql implements AutoCloseable {

	private final Path data;

	private EmbeddedPostgres server;

	private CrashingPostgresql(Path data, EmbeddedPostgres server) {
		this.data = data;
		this.server = server;
	}

	public static CrashingPostgresql start(Map<String, String> settings) {
		try {
			Path data = Files.createTempDirectory("ids-crashing-postgresql").resolve("data");
			return new CrashingPostgresql(data, start(data, 0, settings));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static EmbeddedPostgres start(Path data, int port, Map<String, String> settings) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setDataDirectory(data)
			.setCleanDataDirectory(false)
			.setServerConfig("fsync", "on");
		settings.forEach(builder::setServerConfig);
		return ((port != 0) ? builder.setPort(port) : builder).start();
	}

	public TestDatabase database() {
		return new TestDatabase(this.server.getJdbcUrl("postgres", "postgres").replaceAll("\\?.*", ""), "postgres",
				"postgres", "postgresql");
	}

	/**
	 * Kill the server: the postmaster first, so that it cannot tidy up after the others.
	 */
	public void crash() {
		ProcessHandle postmaster = postmaster();
		List<ProcessHandle> all = Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
		all.forEach(ProcessHandle::destroyForcibly);
		all.forEach((process) -> process.onExit().join());
	}

	/**
	 * The process that was started may be one that became another user first.
	 */
	private ProcessHandle postmaster() {
		try {
			String pid = Files.readAllLines(this.data.resolve("postmaster.pid")).get(0).strip();
			return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start again after a crash.
	 */
	public void restart(Map<String, String> settings) {
		int port = this.server.getPort();
		try {
			// gives its hold on the directory up
			this.server.close();
			this.server = start(this.data, port, settings);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
			FileSystemUtils.deleteRecursively(this.data.getParent());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
