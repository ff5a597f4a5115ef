package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for database functions that create ids, on a server that writes a binary log for
 * replicas.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("wide")
class BinaryLogTests {

	private DatabaseProcess server;

	@BeforeAll
	void start() {
		this.server = DatabaseProcess.mariadb(List.of("--log-bin=binary", "--log-bin-trust-function-creators=1"));
	}

	@AfterAll
	void stop() {
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ROW", "MIXED" })
	void functionWorksWithRowBasedOrMixedLogging(String format) throws Exception {
		try (DatabaseIds ids = ids(); Connection connection = ids.pool.getConnection()) {
			DatabaseIds.execute(connection, "set session binlog_format = '" + format + "'");
			DatabaseIds.execute(connection, "create table orders (id bigint primary key)");
			DatabaseIds.execute(connection, "insert into orders (id) select next_id() from seq_1_to_20");
			assertThat(DatabaseIds.query(connection, "select count(*) from orders")).containsExactly(20L);
		}
	}

	@Test
	void functionFailsWithStatementBasedLogging() throws Exception {
		try (DatabaseIds ids = ids(); Connection connection = ids.pool.getConnection()) {
			DatabaseIds.execute(connection, "set session binlog_format = 'STATEMENT'");
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ids.draw(connection, 1))
				.withMessageContaining("binlog_format is STATEMENT: set it to ROW or MIXED");
		}
	}

	private DatabaseIds ids() {
		return new DatabaseIds(TestDatabase.createOn(this.server.server()), DatabaseIds.function(DatabaseIds.NARROW));
	}

}
