package dev.idspring.testsupport;

import java.util.Objects;

/**
 * Servers, programs and libraries that the environment can provide for tests.
 */
public enum GivenServer {

	/** The URL of a running MySQL server, with a user that may create databases. */
	MYSQL("IDS_TEST_MYSQL_URL"),

	/**
	 * The command that runs {@code mysqld} of MySQL 9, including arguments, but without a
	 * data directory.
	 */
	MYSQLD("IDS_TEST_MYSQLD"),

	/**
	 * The program {@code pgbouncer}, version 1.21 or later, or a command that runs it.
	 */
	PGBOUNCER("IDS_TEST_PGBOUNCER"),

	/** The provider library of Galera, which Debian's {@code mariadbd} loads. */
	GALERA("IDS_TEST_GALERA"),

	/** The commands that run Patroni, one for each version, separated by commas. */
	PATRONI("IDS_TEST_PATRONI");

	private final String variable;

	GivenServer(String variable) {
		this.variable = variable;
	}

	String variable() {
		return this.variable;
	}

	/**
	 * Return whether the environment provides the server.
	 */
	public boolean isGiven() {
		return System.getenv(this.variable) != null;
	}

	/**
	 * Return the value of the variable.
	 */
	public String location() {
		return Objects.requireNonNull(System.getenv(this.variable), this.variable);
	}

}
