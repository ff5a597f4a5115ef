package dev.idspring.testsupport;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers that tests run against, each started when it is first needed, once for a
 * run of Maven, elsewhere once for the JVM: without Docker, on a free port, reachable
 * from this machine only. Servers that run already can be given by the environment:
 * {@code IDS_TEST_POSTGRESQL_URL}, {@code IDS_TEST_MARIADB_URL} and
 * {@code IDS_TEST_MYSQL_URL}, with user and password in the URL, of a user who may create
 * databases. Without the last one MySQL's driver and scripts are tested on MariaDB.
 */
final class TestServers {

	private TestServers() {
	}

	static TestDatabase postgresql() {
		String given = System.getenv("IDS_TEST_POSTGRESQL_URL");
		return (given != null) ? given(given, "postgresql") : Postgresql.SERVER;
	}

	static TestDatabase mariadb() {
		String given = System.getenv("IDS_TEST_MARIADB_URL");
		return (given != null) ? given(given, "mariadb") : Mariadb.SERVER;
	}

	static TestDatabase mysql() {
		return given(GivenServer.MYSQL.location(), "mysql");
	}

	private static TestDatabase given(String url, String platform) {
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
