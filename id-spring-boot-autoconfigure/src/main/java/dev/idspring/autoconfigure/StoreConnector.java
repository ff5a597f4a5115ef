package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * Opens the stores on a server. Failures name the server that cannot be used, and where
 * it is configured.
 */
abstract class StoreConnector implements AutoCloseable {

	/**
	 * The client's message is not shown, since clients quote addresses with passwords.
	 */
	static final String DRIVER = " Start with --debug to log what the driver says.";

	private final StoreType type;

	private final Duration timeout;

	private final TimeSource timeSource;

	/**
	 * Create a connector.
	 * @param type the store that it opens
	 * @param timeout how long the server may take to answer
	 */
	StoreConnector(StoreType type, Duration timeout, TimeSource timeSource) {
		this.type = type;
		this.timeout = timeout;
		this.timeSource = timeSource;
	}

	/**
	 * Open something, not on this thread: it may be in a transaction, which must not
	 * decide what is opened.
	 */
	final <T> T open(Supplier<T> work) {
		return explained(() -> StartupExecutor.call(this.timeout.multipliedBy(2), work));
	}

	final Duration timeout() {
		return this.timeout;
	}

	final Deadline deadline() {
		return Deadline.after(this.timeSource, this.timeout);
	}

	final <T> T explained(Supplier<T> work) {
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
	 * Return the bean that the connections come from. This connector is closed before it.
	 */
	abstract Object resource();

	/**
	 * Close what was opened, after the generators have returned their reservations.
	 */
	@Override
	public abstract void close();

	/**
	 * Explain that the server cannot be reached.
	 * @param problem what is wrong, without the client's message
	 */
	abstract IdStoreUnavailableException unreachable(String problem, RuntimeException cause);

	/**
	 * Explain a client's exception that is not one of ours.
	 * @return the exception to throw instead, or the same one
	 */
	RuntimeException translate(RuntimeException failure) {
		return failure;
	}

}
