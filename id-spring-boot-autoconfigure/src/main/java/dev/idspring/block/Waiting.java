package dev.idspring.block;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.clock.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for the supply: parked, bounded, interruptible.
 */
final class Waiting {

	private Waiting() {
	}

	/**
	 * Wait for a result.
	 * @param future completed by the supply
	 * @param deadline until when to wait
	 * @param failure makes the exception for the caller, so that it carries the caller's
	 * stack trace
	 */
	static <T> T on(CompletableFuture<T> future, Deadline deadline, Failure failure) {
		try {
			return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw failure.because("the store did not answer within the wait-timeout", null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure.because("the thread was interrupted while it waited for the store", ex);
		}
		catch (ExecutionException ex) {
			throw rethrown(ex.getCause(), failure);
		}
	}

	private static RuntimeException rethrown(@Nullable Throwable cause, Failure failure) {
		if (cause instanceof KeySpaceRegressionException || cause instanceof ClosedException) {
			return forCaller((RuntimeException) cause);
		}
		return failure.because("the store failed: " + ((cause != null) ? cause.getMessage() : "for unknown reasons"),
				cause);
	}

	/**
	 * Return the reason why a server has stopped once more, with the stack trace of the
	 * caller who is told.
	 */
	static RuntimeException forCaller(RuntimeException reason) {
		if (reason instanceof KeySpaceRegressionException) {
			return new KeySpaceRegressionException(String.valueOf(reason.getMessage()), reason);
		}
		return new IllegalStateException(reason.getMessage(), reason);
	}

	/**
	 * The reason why a server has stopped that was closed. Tells it from what a store may
	 * throw.
	 */
	static final class ClosedException extends IllegalStateException {

		private static final long serialVersionUID = 1L;

		ClosedException(String generator) {
			super("Id generator '" + generator + "' is closed.");
		}

	}

	/**
	 * Makes the exception for a caller who waited in vain.
	 */
	interface Failure {

		IdStoreUnavailableException because(String problem, @Nullable Throwable cause);

	}

}
