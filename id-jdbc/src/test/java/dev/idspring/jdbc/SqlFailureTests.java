package dev.idspring.jdbc;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SqlFailure}.
 */
class SqlFailureTests {

	private static final String SAID = "No driver for jdbc:x://app:S3cr3t@db";

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null",
			value = { "08001 | there is no connection to the database (SQLState 08001, code 7)",
					"28P01 | the database refuses the user or the password (SQLState 28P01, code 7)",
					"3D000 | there is no database of this name (SQLState 3D000, code 7)",
					"40001 | another transaction was in the way (SQLState 40001, code 7)",
					"42P01 | a table, a column or a right is missing (SQLState 42P01, code 7)",
					"53300 | the database is short of resources (SQLState 53300, code 7)",
					"HYT00 | the database did not answer in time, or ended the statement (SQLState HYT00, code 7)",
					"XX000 | the database or its driver failed (SQLState XX000, code 7)",
					"S3cr3t | the database or its driver failed (SQLException)",
					"null | the database or its driver failed (SQLException)" })
	void statesHaveMeanings(String state, String description) {
		assertThat(SqlFailure.describe(new SQLException(SAID, state, 7))).isEqualTo(description);
	}

	@ParameterizedTest
	@CsvSource({ "25006, 0", "HY000, 1290", "HY000, 1836", "25006, 1792", "90097, 90097", "25502, 30000" })
	void readOnlyServersAreNamed(String state, int code) {
		assertThat(SqlFailure.describe(new SQLException(SAID, state, code)))
			.startsWith("the server is a standby that has not been promoted yet, or read-only");
	}

	@ParameterizedTest
	@CsvSource({ "HY000, the database or its driver failed", "25P03, the transaction has ended",
			"25P02, the transaction has ended", "HY008, the database did not answer in time, or ended the statement" })
	void otherFailuresAreNotTakenForReadOnlyServers(String state, String description) {
		assertThat(SqlFailure.describe(new SQLException(SAID, state, 7))).startsWith(description);
	}

	@Test
	void unknownDatabaseOfMariadbIsNamed() {
		assertThat(SqlFailure.describe(new SQLException(SAID, "42000", 1049)))
			.isEqualTo("there is no database of this name (SQLState 42000, code 1049)");
	}

	@Test
	void stateOfTheCauseCounts() {
		IllegalStateException failure = new IllegalStateException(SAID,
				new SQLException(SAID, null, new SQLException(SAID, "08006")));
		assertThat(SqlFailure.describe(failure))
			.isEqualTo("there is no connection to the database (SQLState 08006, code 0)");
	}

	@Test
	void otherExceptionsAreNamed() {
		assertThat(SqlFailure.describe(new IllegalStateException(SAID)))
			.isEqualTo("the database or its driver failed (IllegalStateException)");
	}

}
