package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.jdbc.CallerTransactions.Work;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a gapless number could not be drawn, if the reason is that the caller's
 * session uses a different schema than the sessions of the store.
 *
 * @param table the table of gapless numbers as it is written in SQL
 */
record SchemaMismatch(JdbcDatabase database, String table) {

	/**
	 * Run work in the caller's session. If a table or row is missing because this session
	 * and the store use different schemas, the exception reports the difference.
	 */
	<T> T runAndExplain(Work<T> work, Connection connection, Deadline deadline) throws SQLException {
		try {
			return work.run(connection);
		}
		catch (KeySpaceRegressionException ex) {
			throw find(connection, ex, deadline).orElse(ex);
		}
		catch (SQLException ex) {
			Optional<IdGenerationException> mismatch = (SqlReason.of(ex) == SqlReason.MISSING)
					? find(connection, ex, deadline) : Optional.empty();
			if (mismatch.isPresent()) {
				throw mismatch.get();
			}
			throw ex;
		}
	}

	private Optional<IdGenerationException> find(Connection connection, Exception failure, Deadline deadline) {
		String prefix = this.database.tables().prefix();
		QualifiedName storeTable = this.database.tables().schema().isPresent() ? null : storeTable(deadline);
		String schema = schema(connection);
		if (storeTable == null || storeTable.schema() == null || storeTable.schema().equals(schema)) {
			return Optional.empty();
		}
		String qualified = storeTable.schema() + "." + prefix;
		return Optional.of(new IdSetupException(
				this.table + " is in schema " + storeTable.schema() + ", but this session is in "
						+ ((schema != null) ? schema : "another one") + ".",
				(TableNames.isPrefix(qualified) ? "Set ids.jdbc.table-prefix=" + qualified
						: "Move the tables to a schema whose name consists of letters, digits and underscores, and set"
								+ " ids.jdbc.table-prefix=<schema>." + prefix)
						+ ". If each tenant needs its own numbers, use a generator with scopes.",
				List.of("ids.jdbc.table-prefix"), failure));
	}

	/**
	 * Return the qualified name of the table that the store's sessions use, or
	 * {@code null} if there is not exactly one such table or the name cannot be read.
	 */
	private @Nullable QualifiedName storeTable(Deadline deadline) {
		try {
			List<QualifiedName> found = this.database.transactions()
				.readWithoutWaiting("find the schema of " + this.table,
						(connection, timeout) -> QualifiedName.find(connection, this.table), deadline);
			return (found.size() == 1) ? found.get(0) : null;
		}
		catch (IdStoreUnavailableException ex) {
			return null;
		}
	}

	/**
	 * Return the current schema of a session, or {@code null} if it cannot be read
	 * because the transaction is aborted.
	 */
	private static @Nullable String schema(Connection connection) {
		try {
			return QualifiedName.Place.of(connection).name();
		}
		catch (SQLException ex) {
			return null;
		}
	}

}
