package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;

/**
 * Finds out whether a caller's transaction failed because of another one, and makes the
 * exception that callers know of their own statements, so that the same rules for
 * repeating a transaction apply. Spring's translator decides, by vendor codes and
 * SQLStates, plus two codes of Galera that it does not know.
 */
final class TransactionConflicts {

	/** How far causes are followed, should they go round in a circle. */
	private static final int DEPTH = 20;

	private final JdbcDatabase database;

	TransactionConflicts(JdbcDatabase database) {
		this.database = database;
	}

	/**
	 * Return the exception for a transaction that lost against another one.
	 * @param task what was being done
	 * @param failure the exception of a driver or of a pool
	 * @return the exception, or {@code null} if something else went wrong
	 */
	@Nullable ConcurrencyFailureException of(String task, Throwable failure) {
		// made from the name of the product, as a translator of a DataSource would take
		// another connection
		SQLErrorCodeSQLExceptionTranslator translator = new SQLErrorCodeSQLExceptionTranslator(
				String.valueOf(this.database.describe().database()));
		return sqlExceptions(failure).stream()
			.map((sql) -> conflict(translator, task, sql))
			.filter(ConcurrencyFailureException.class::isInstance)
			.map(ConcurrencyFailureException.class::cast)
			.findFirst()
			.orElse(null);
	}

	private @Nullable DataAccessException conflict(SQLErrorCodeSQLExceptionTranslator translator, String task,
			SQLException failure) {
		return this.database.dialect().isEndedByCluster(failure)
				? new CannotAcquireLockException(task + ": " + SqlFailure.describe(failure), failure)
				: translator.translate(task, null, failure);
	}

	/**
	 * Return all exceptions of the database that led to a failure.
	 */
	static List<SQLException> sqlExceptions(Throwable failure) {
		List<SQLException> found = new ArrayList<>();
		for (Throwable cause : causes(failure)) {
			SQLException next = (cause instanceof SQLException sql) ? sql : null;
			while (next != null && found.size() < DEPTH) {
				found.add(next);
				next = next.getNextException();
			}
		}
		return found;
	}

	/**
	 * Return a failure and what caused it, the outermost first.
	 */
	static List<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEPTH).toList();
	}

}
