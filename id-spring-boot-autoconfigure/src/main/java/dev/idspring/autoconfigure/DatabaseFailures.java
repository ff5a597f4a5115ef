package dev.idspring.autoconfigure;

import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.SqlFailure;

/**
 * Says at start which database cannot be used, and where that is configured.
 */
final class DatabaseFailures {

	private static final String GROUP = "ids.jdbc";

	private DatabaseFailures() {
	}

	/**
	 * Do something with the database of the id store.
	 * @param own whether the id store has a {@code DataSource} of its own
	 */
	static <T> T explained(boolean own, Supplier<T> work) {
		try {
			return work.get();
		}
		catch (IdSetupException ex) {
			throw new IdSetupException(ex.getProblem(), ex.getRemedy(), List.of(GROUP), ex);
		}
		catch (IdStoreUnavailableException ex) {
			throw unreachable(String.valueOf(ex.getMessage()), own, ex);
		}
		catch (IdGenerationException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// some pools throw other exceptions when their first connection fails
			if (ex.getCause() instanceof SQLException) {
				throw unreachable("Cannot connect to the database of the id store: " + SqlFailure.describe(ex), own,
						ex);
			}
			throw ex;
		}
	}

	private static IdStoreUnavailableException unreachable(String problem, boolean own, RuntimeException cause) {
		return own
				? new IdStoreUnavailableException(
						problem + ". It is the database of the DataSource that is marked with @IdsDataSource.", cause)
				: new DefaultDatabaseUnreachableException(problem, cause);
	}

	/**
	 * The database of the application's {@code DataSource} cannot be reached.
	 */
	static final class DefaultDatabaseUnreachableException extends IdStoreUnavailableException {

		private static final long serialVersionUID = 1L;

		static final String ADDRESS = "spring.datasource.url";

		private DefaultDatabaseUnreachableException(String problem, Throwable cause) {
			super(problem + ". Its address is " + ADDRESS + ", unless the application declares the DataSource itself.",
					cause);
		}

	}

}
