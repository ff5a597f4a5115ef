package dev.idspring.testsupport;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers on which tests run. A server is started when a test first needs it, without
 * Docker, on a free port that is reachable only from this machine. All JVMs of a Maven
 * run share the server.
 * <p>
 * The environment can provide running servers instead. The variables are
 * {@code IDS_TEST_POSTGRESQL_URL}, {@code IDS_TEST_MARIADB_URL} and
 * {@code IDS_TEST_MYSQL_URL}. A URL must contain the user and the password, and the user
 * must be allowed to create databases. Without a MySQL server, MySQL's driver and scripts
 * are tested on MariaDB.
 */
final class TestServers {

	private TestServers() {
	}

	static TestDatabase postgresql() {
		String url = System.getenv("IDS_TEST_POSTGRESQL_URL");
		return (url != null) ? databaseAt(url, "postgresql") : Postgresql.SERVER;
	}

	static TestDatabase mariadb() {
		String url = System.getenv("IDS_TEST_MARIADB_URL");
		return (url != null) ? databaseAt(url, "mariadb") : Mariadb.SERVER;
	}

	static TestDatabase mysql() {
		return databaseAt(GivenServer.MYSQL.location(), "mysql");
	}

	private static TestDatabase databaseAt(String url, String platform) {
		return new TestDatabase(url, parameter(url, "user"), parameter(url, "password"), platform);
	}

	private static String parameter(String url, String name) {
		Matcher parameter = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
		return parameter.find() ? parameter.group(1) : "";
	}

	private static final class Postgresql {

		static final TestDatabase SERVER = SharedServer.port("postgresql")
			.map(DatabaseProcess::postgresqlAt)
			.orElseGet(() -> DatabaseProcess.postgresql().server());

	}

	private static final class Mariadb {

		static final TestDatabase SERVER = SharedServer.port("mariadb")
			.map(DatabaseProcess::mariadbAt)
			.orElseGet(() -> DatabaseProcess.mariadb().server());

	}

}
