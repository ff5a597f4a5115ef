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
 * Detects that a caller's transaction failed because of another one. The caller gets the
 * same exception as for its own statements, so that the same rules for retrying a
 * transaction apply. Spring's translator decides, by vendor codes and SQLStates, plus two
 * codes of Galera that it does not know.
 */
final class TransactionConflicts {

	/** The most causes to follow, in case they form a cycle. */
	private static final int DEPTH = 20;

	private final JdbcDatabase database;

	TransactionConflicts(JdbcDatabase database) {
		this.database = database;
	}

	/**
	 * Return the exception for a conflict with another transaction.
	 * @param task the operation
	 * @param failure the exception of a driver or of a pool
	 * @return the exception, or {@code null} for any other failure
	 */
	@Nullable ConcurrencyFailureException of(String task, Throwable failure) {
		// created from the product's name, because a translator for a DataSource would
		// open another connection
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
	 * Return a failure and its causes, the outermost first.
	 */
	static List<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEPTH).toList();
	}

}
