package dev.idspring.benchmarks.store;

import java.util.function.Supplier;

import dev.idspring.testsupport.TestDatabase;

/**
 * The database servers, which are the same as in the tests. A server is started when it
 * is first used, unless an environment variable specifies one.
 */
enum Server {

	POSTGRESQL("PostgreSQL", TestDatabase::postgresql), MARIADB("MariaDB", TestDatabase::mariadb);

	private final String title;

	private final Supplier<TestDatabase> databases;

	Server(String title, Supplier<TestDatabase> databases) {
		this.title = title;
		this.databases = databases;
	}

	String title() {
		return this.title;
	}

	TestDatabase createDatabase() {
		return this.databases.get();
	}

}
