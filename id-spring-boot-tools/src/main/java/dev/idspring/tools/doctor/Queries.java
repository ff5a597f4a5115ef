package dev.idspring.tools.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.idspring.jdbc.SqlFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Runs queries on a database. If a query fails, its subject and the reason are recorded,
 * and further queries can run.
 *
 * @param jdbc runs the queries on the connection
 * @param connection the connection, with or without auto-commit
 * @param product the product name of the database
 * @param notRead the parts that could not be read, and the reasons
 */
record Queries(JdbcTemplate jdbc, Connection connection, String product, List<String> notRead) {

	static Queries of(JdbcTemplate jdbc, Connection connection) throws SQLException {
		return new Queries(jdbc, connection, connection.getMetaData().getDatabaseProductName(), new ArrayList<>());
	}

	/**
	 * Run a query that returns rows. If it fails, record the failure and return no rows.
	 * @param what the subject of the query, which is reported if the query fails
	 */
	<T> List<T> query(String what, String sql, RowMapper<T> mapper, @Nullable Object... values) {
		return attempt(what, () -> this.jdbc.query(sql, mapper, values)).orElse(List.of());
	}

	/**
	 * Run a query. If it fails, record the failure instead of throwing an exception.
	 * @param what the subject of the query, which is reported if the query fails
	 * @param query the query
	 * @return the result, empty if the query failed
	 */
	<T> Optional<T> attempt(String what, Callable<T> query) {
		Savepoint savepoint = null;
		try {
			savepoint = savepoint();
			T answer = query.call();
			if (savepoint != null) {
				this.connection.releaseSavepoint(savepoint);
			}
			return Optional.of(answer);
		}
		catch (Exception ex) {
			this.notRead.add(what + ": " + SqlFailure.describe(ex));
			rollBackTo(savepoint);
			return Optional.empty();
		}
	}

	/**
	 * Create a savepoint if the database needs one. After a failure in a transaction,
	 * PostgreSQL rejects all statements until the transaction is rolled back, in full or
	 * to a savepoint.
	 */
	private @Nullable Savepoint savepoint() throws SQLException {
		return (this.product.equals("PostgreSQL") && !this.connection.getAutoCommit()) ? this.connection.setSavepoint()
				: null;
	}

	private void rollBackTo(@Nullable Savepoint savepoint) {
		try {
			if (savepoint != null) {
				this.connection.rollback(savepoint);
			}
		}
		catch (SQLException ex) {
			this.notRead.add("subsequent queries: " + SqlFailure.describe(ex));
		}
	}

}
