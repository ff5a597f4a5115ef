package dev.idspring.lab;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.TestStores;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;

/**
 * The database of the {@link Laboratory}, and the settings of its server that faults
 * change.
 */
final class LabDatabase implements AutoCloseable {

	/**
	 * The connection limit of the server; on MariaDB, only during the fault
	 * {@code CONNECTIONS_USED_UP}.
	 */
	private static final int MAX_CONNECTIONS = 60;

	private final DatabaseProcess process;

	private final TestDatabase direct;

	LabDatabase(DatabaseProcess process) {
		this.process = process;
		this.direct = create(process.server());
	}

	/**
	 * Return a server that accepts few connections. The server acknowledges commits
	 * before they are on disk, unless a session changes this setting.
	 */
	static DatabaseProcess postgresql() {
		return DatabaseProcess.postgresql(Map.of("max_connections", Integer.toString(MAX_CONNECTIONS),
				"synchronous_commit", "off", "deadlock_timeout", "200ms"));
	}

	/**
	 * Create a database, and a user with only the privileges that ids need. The workers
	 * are not administrators, because administrators can write to a read-only database.
	 */
	private static TestDatabase create(TestDatabase server) {
		boolean postgresql = server.platform().equals("postgresql");
		server.execute("create database lab");
		TestDatabase lab = new TestDatabase(server.url().replaceAll("/[^/]*$", "/lab"), server.username(),
				server.password(), server.platform());
		try (HikariDataSource pool = lab.pool(1)) {
			TestStores.initialize(pool, lab, "ids_");
			TestDatabase.execute(pool, "create table " + Callers.INVOICE_TABLE + " (id bigint not null primary key)",
					postgresql ? "create user lab password 'lab'" : "create user lab@localhost identified by 'lab'");
			for (String table : List.of("ids_key_space", "ids_slot", "ids_gapless", Callers.INVOICE_TABLE)) {
				TestDatabase.execute(pool,
						"grant select, insert, update on " + table + " to " + (postgresql ? "lab" : "lab@localhost"));
			}
		}
		return lab;
	}

	/**
	 * Return the database as the workers use it: through a proxy, and without the
	 * privileges of an administrator.
	 */
	TestDatabase through(FaultProxy proxy) {
		return new TestDatabase(this.direct.url().replaceAll("//[^/]*/", "//127.0.0.1:" + proxy.port() + "/"), "lab",
				"lab", this.direct.platform());
	}

	DatabaseProcess process() {
		return this.process;
	}

	/**
	 * Open a pool of connections that do not use the proxy.
	 */
	HikariDataSource pool(int size) {
		return this.direct.pool(size);
	}

	boolean isPostgresql() {
		return this.direct.platform().equals("postgresql");
	}

	void setReadOnly(boolean readOnly) {
		if (isPostgresql()) {
			this.direct.execute("alter system set default_transaction_read_only = " + (readOnly ? "on" : "off"),
					"select pg_reload_conf()");
		}
		else {
			this.direct.execute("set global read_only = " + (readOnly ? 1 : 0));
		}
	}

	/**
	 * Set the connection limit on MariaDB. The limit of PostgreSQL is set from the start.
	 */
	void limitConnections() {
		if (!isPostgresql()) {
			this.direct.execute("set global max_connections = " + MAX_CONNECTIONS);
		}
	}

	/**
	 * Raise the connection limit on MariaDB.
	 * @return whether the server had a connection left for this statement
	 */
	boolean raiseConnectionLimit() {
		try {
			this.direct.execute("set global max_connections = 200");
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Open connections until the server refuses more.
	 * @return whether any connection was opened
	 */
	boolean openAllowedConnections(List<Connection> connections) {
		int sizeBefore = connections.size();
		try {
			while (connections.size() < 2 * MAX_CONNECTIONS) {
				connections.add(
						DriverManager.getConnection(this.direct.url(), this.direct.username(), this.direct.password()));
			}
		}
		catch (SQLException ex) {
			// no connection is left
		}
		return connections.size() > sizeBefore;
	}

	@Override
	public void close() {
		this.process.close();
	}

}
