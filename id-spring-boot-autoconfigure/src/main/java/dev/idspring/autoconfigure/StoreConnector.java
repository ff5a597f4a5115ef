package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens the stores on a server. If the server cannot be reached, the exception names the
 * server, and the properties or the bean that configure it.
 */
abstract class StoreConnector implements AutoCloseable {

	/**
	 * The remedy that makes the driver's message visible in the log. Exceptions do not
	 * contain that message, because it may contain an address with a password.
	 */
	static final String DRIVER_HINT = " Start the application with --debug to log the message of the driver.";

	private final StoreType type;

	private final Duration timeout;

	private final TimeSource timeSource;

	/**
	 * Create a connector.
	 * @param type the type of the stores
	 * @param timeout how long the server may take to answer
	 */
	StoreConnector(StoreType type, Duration timeout, TimeSource timeSource) {
		this.type = type;
		this.timeout = timeout;
		this.timeSource = timeSource;
	}

	/**
	 * Open a store on another thread. The calling thread may be in a transaction, which
	 * must not determine the database that is opened.
	 * @param otherWork work that the calling thread does while the store is being opened
	 */
	final <T> T open(Supplier<T> work, Runnable otherWork) {
		// twice the timeout, because the JDBC store may make a second attempt. Add rather
		// than multiply: the first multiplication of a Duration in a JVM is slow, and
		// would delay the work
		return explainFailures(() -> StartupExecutor.call(this.timeout.plus(this.timeout), work, otherWork));
	}

	final Duration timeout() {
		return this.timeout;
	}

	final Deadline deadline() {
		return Deadline.after(this.timeSource, this.timeout);
	}

	final <T> T explainFailures(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (IdSetupException ex) {
			throw new IdSetupException(ex.getProblem(), ex.getRemedy(),
					ex.getProperties().isEmpty() ? List.of(this.type.group()) : ex.getProperties(), ex);
		}
		catch (IdStoreUnavailableException ex) {
			throw unreachable(String.valueOf(ex.getMessage()), ex);
		}
		catch (IdGenerationException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw translate(ex);
		}
	}

	/**
	 * Return the bean that provides the connections. This connector is closed before that
	 * bean.
	 */
	abstract Object resource();

	/**
	 * Close the connections that this connector has opened. Called after the generators
	 * have given back their unused ids.
	 */
	@Override
	public abstract void close();

	/**
	 * Create the exception for a server that cannot be reached.
	 * @param problem what is wrong, without the message of the driver
	 */
	abstract IdStoreUnavailableException unreachable(String problem, RuntimeException cause);

	/**
	 * Translate an exception of the driver or the pool.
	 * @return the exception to throw, which may be the given one
	 */
	RuntimeException translate(RuntimeException failure) {
		return failure;
	}

	/**
	 * Thrown if the server of the id store cannot be reached at startup.
	 */
	static final class UnreachableException extends IdStoreUnavailableException {

		private static final long serialVersionUID = 1L;

		private final transient List<String> properties;

		private final String remedy;

		/**
		 * Create an exception.
		 * @param problem what is wrong
		 * @param properties the full names of the properties that configure the address
		 * of the server
		 * @param remedy how to solve the problem
		 * @param cause the exception that caused the problem
		 */
		UnreachableException(String problem, List<String> properties, String remedy, @Nullable Throwable cause) {
			super(problem, cause);
			this.properties = properties;
			this.remedy = remedy;
		}

		List<String> getProperties() {
			return this.properties;
		}

		String getRemedy() {
			return this.remedy;
		}

	}

}
