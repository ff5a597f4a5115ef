package dev.idspring.autoconfigure;

import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;

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
	 * @param dataSource how it is reached
	 * @param own whether the id store has a {@code DataSource} of its own
	 */
	static <T> T explained(DataSource dataSource, boolean own, Supplier<T> work) {
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
			DriverMessages messages = new DriverMessages(dataSource);
			Throwable cause = messages.cause(ex);
			if (ex.getCause() instanceof SQLException || cause != ex) {
				throw new IdStoreUnavailableException(
						"Cannot connect to the database of the id store: "
								+ messages.of(NestedExceptionUtils.getMostSpecificCause(ex)) + ". " + where(own),
						cause);
			}
			throw ex;
		}
	}

	/**
	 * Return what the driver says, which has been cleaned before, unless the message has
	 * it: pools say only that they have waited.
	 */
	private static String reason(IdStoreUnavailableException ex) {
		String reason = "";
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException && cause.getMessage() != null) {
				reason = cause.getMessage();
			}
		}
		return String.valueOf(ex.getMessage()).contains(reason) ? "" : ". " + reason;
	}

	private static String where(boolean own) {
		return own ? "It is the database of the DataSource that is marked with @IdsDataSource."
				: "Its address is spring.datasource.url, unless the application declares the DataSource itself.";
	}

}
