package dev.idspring.tools.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.idspring.jdbc.SqlFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Queries to a database. Each may fail without stopping the others. Parts that could not
 * be read are noted.
 *
 * @param jdbc uses the connection
 * @param connection may be without auto-commit
 * @param product the database
 * @param notRead the parts that could not be read, and the reasons
 */
record Queries(JdbcTemplate jdbc, Connection connection, String product, List<String> notRead) {

	static Queries of(JdbcTemplate jdbc, Connection connection) throws SQLException {
		return new Queries(jdbc, connection, connection.getMetaData().getDatabaseProductName(), new ArrayList<>());
	}

	<T> List<T> query(String what, String sql, RowMapper<T> mapper, @Nullable Object... values) {
		return attempt(what, () -> this.jdbc.query(sql, mapper, values)).orElse(List.of());
	}

	/**
	 * Run a query.
	 * @param what the subject of the query, for the note if it fails
	 * @param question the query
	 * @return the result, or nothing
	 */
	<T> Optional<T> attempt(String what, Question<T> question) {
		Savepoint savepoint = null;
		try {
			savepoint = savepoint();
			T answer = question.ask();
			if (savepoint != null) {
				this.connection.releaseSavepoint(savepoint);
			}
			return Optional.of(answer);
		}
		catch (SQLException | DataAccessException ex) {
			this.notRead.add(what + ": " + SqlFailure.describe(ex));
			rollBackTo(savepoint);
			return Optional.empty();
		}
	}

	/**
	 * PostgreSQL rejects all statements after a failure in a transaction.
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

	/**
	 * A query to the database.
	 */
	@FunctionalInterface
	interface Question<T> {

		T ask() throws SQLException;

	}

}
