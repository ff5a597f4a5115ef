package dev.idspring.testsupport;

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

	private static final class Postgresql {

		static final TestDatabase SERVER = DatabaseProcess.postgresql().server();

	}

	private static final class Mariadb {

		static final TestDatabase SERVER = DatabaseProcess.mariadb().server();

	}

}
