package dev.idspring.autoconfigure;

import java.sql.SQLException;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.DriverMessages;
import org.springframework.core.NestedExceptionUtils;

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
			throw new IdStoreUnavailableException(ex.getMessage() + reason(ex) + " " + where(own), ex);
		}
		catch (IdGenerationException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// not every pool throws what it ought to when its first connection fails
			if (ex.getCause() instanceof SQLException cause) {
				throw new IdStoreUnavailableException("Cannot connect to the database of the id store: "
						+ DriverMessages.of(NestedExceptionUtils.getMostSpecificCause(cause)) + ". " + where(own), ex);
			}
			throw ex;
		}
	}

	/**
	 * Return what the driver says, unless the message has it: pools say only that they
	 * have waited.
	 */
	private static String reason(IdStoreUnavailableException ex) {
		String reason = "";
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException && cause.getMessage() != null) {
				reason = DriverMessages.of(cause);
			}
		}
		return String.valueOf(ex.getMessage()).contains(reason) ? "" : ". " + reason;
	}

	private static String where(boolean own) {
		return own ? "It is the database of the DataSource that is marked with @IdsDataSource."
				: "Its address is spring.datasource.url, unless the application declares the DataSource itself.";
	}

}
