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
 * Detects whether a caller's transaction failed because of a conflict with another
 * transaction. Such a failure is reported with the exception that Spring throws for a
 * conflict of the caller's own statements, so the caller's retry rules apply. Spring's
 * translator recognizes conflicts by vendor codes and SQLStates. This class adds two
 * codes of Galera that the translator does not know.
 */
record TransactionConflicts(JdbcDatabase database) {

	/** The maximum number of exceptions to examine, because causes may form a cycle. */
	private static final int MAX_CAUSES = 20;

	/**
	 * Return the exception for a conflict with another transaction.
	 * @param task the operation
	 * @param failure the exception of a driver or of a pool
	 * @return the exception, or {@code null} for any other failure
	 */
	@Nullable ConcurrencyFailureException of(String task, Throwable failure) {
		// pass the product's name, because with a DataSource the translator would open
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
		return this.database.dialect().isAbortedByCluster(failure)
				? new CannotAcquireLockException(task + ": " + SqlFailure.describe(failure), failure)
				: translator.translate(task, null, failure);
	}

	/**
	 * Return the {@code SQLException}s in the chain of causes of a failure. Each
	 * {@code SQLException} is followed by its chain of next exceptions.
	 */
	static List<SQLException> sqlExceptions(Throwable failure) {
		List<SQLException> found = new ArrayList<>();
		for (Throwable cause : causes(failure)) {
			SQLException next = (cause instanceof SQLException sql) ? sql : null;
			while (next != null && found.size() < MAX_CAUSES) {
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
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES).toList();
	}

}
