package dev.idspring.autoconfigure;

import java.sql.SQLException;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.SqlFailure;

/**
 * Says at start which database cannot be reached.
 */
final class UnreachableDatabase {

	private UnreachableDatabase() {
	}

	/**
	 * Do something with the database of the id store.
	 * @param own whether the id store has a {@code DataSource} of its own
	 */
	static <T> T explained(boolean own, Supplier<T> work) {
		try {
			return work.get();
		}
		catch (IdStoreUnavailableException ex) {
			throw new IdStoreUnavailableException(ex.getMessage() + ". " + where(own), ex);
		}
		catch (IdGenerationException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// some pools throw other exceptions when their first connection fails
			if (ex.getCause() instanceof SQLException) {
				throw new IdStoreUnavailableException("Cannot connect to the database of the id store: "
						+ SqlFailure.describe(ex) + ". " + where(own), ex);
			}
			throw ex;
		}
	}

	private static String where(boolean own) {
		return own ? "It is the database of the DataSource that is marked with @IdsDataSource."
				: "Its address is spring.datasource.url, unless the application declares the DataSource itself.";
	}

}
