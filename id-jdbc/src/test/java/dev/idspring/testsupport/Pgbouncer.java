package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.springframework.util.FileSystemUtils;

/**
 * The pooler pgbouncer in front of PostgreSQL. By default, it is in transaction mode:
 * each transaction of a client may use a different session of the server.
 */
public final class Pgbouncer implements AutoCloseable {

	private final Path directory;

	private final int port;

	private final ServerProcess process;

	/**
	 * Start a pooler in transaction mode.
	 * @param server the server behind the pooler
	 * @param sessions the maximum number of sessions of the server
	 */
	public Pgbouncer(DatabaseProcess server, int sessions) {
		this(server, sessions, "transaction", 0);
	}

	/**
	 * Start a pooler.
	 * @param server the server behind the pooler
	 * @param sessions the maximum number of sessions of the server
	 * @param mode how long a client keeps a session of the server: for one
	 * {@code transaction}, or for the client's whole {@code session}
	 * @param maxPreparedStatements the maximum number of prepared statements that the
	 * pooler makes available in all sessions, from version 1.21 on
	 */
	public Pgbouncer(DatabaseProcess server, int sessions, String mode, int maxPreparedStatements) {
		this.port = ServerProcess.freePort();
		try {
			this.directory = Files.createTempDirectory("ids-pgbouncer");
			// pgbouncer does not run as root, so another user must be able to read the
			// directory
			Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
			Path settings = Files.writeString(this.directory.resolve("pgbouncer.ini"), """
					[databases]
					* = host=127.0.0.1 port=%d user=postgres password=postgres
					[pgbouncer]
					listen_addr = 127.0.0.1
					listen_port = %d
					unix_socket_dir =
					auth_type = any
					pool_mode = %s
					max_prepared_statements = %d
					default_pool_size = %d
					max_client_conn = 500
					ignore_startup_parameters = extra_float_digits
					%s
					""".formatted(server.port(), this.port, mode, maxPreparedStatements, sessions,
					"root".equals(System.getProperty("user.name")) ? "user = nobody" : ""));
			List<String> command = new ArrayList<>(List.of(GivenServer.PGBOUNCER.location().split(" ")));
			command.add(settings.toString());
			this.process = ServerProcess.start(this.directory.resolve("log"), command)
				.await(() -> ServerProcess.isListening(this.port));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the database with the address of the pooler. The URL has no settings that
	 * adapt the driver to a pooler.
	 */
	public TestDatabase database() {
		return new TestDatabase("jdbc:postgresql://127.0.0.1:" + this.port + "/postgres", "postgres", "postgres",
				"postgresql");
	}

	@Override
	public void close() {
		this.process.close();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
