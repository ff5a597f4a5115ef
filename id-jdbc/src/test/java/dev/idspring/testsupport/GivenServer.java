package dev.idspring.testsupport;

import java.util.Objects;

/**
 * Servers that the environment gives to tests.
 */
public enum GivenServer {

	/** The URL of a running MySQL server, of a user who may create databases. */
	MYSQL("IDS_TEST_MYSQL_URL"),

	/** The command that runs {@code mysqld} of MySQL 9, with arguments but no data. */
	MYSQLD("IDS_TEST_MYSQLD"),

	/** The program {@code pgbouncer}, from version 1.21 on, or a command that runs it. */
	PGBOUNCER("IDS_TEST_PGBOUNCER"),

	/** The provider library of Galera, which Debian's {@code mariadbd} loads. */
	GALERA("IDS_TEST_GALERA");

	private final String variable;

	GivenServer(String variable) {
		this.variable = variable;
	}

	String variable() {
		return this.variable;
	}

	boolean isGiven() {
		return System.getenv(this.variable) != null;
	}

	/**
	 * Return where it is.
	 */
	public String location() {
		return Objects.requireNonNull(System.getenv(this.variable), this.variable);
	}

}
