package dev.idspring.block;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.worker.Await;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the store: parked, bounded, interruptible. Nothing waits for a future itself:
 * on a thread of the common pool that means to run other tasks meanwhile, for as long as
 * those take, and they may draw from the same stripe.
 */
final class StoreAwait {

	private StoreAwait() {
	}

	/**
	 * Wait for a result.
	 * @param future completed by the executor
	 * @param deadline until when to wait
	 * @param failure makes the exception for the caller, so that it carries the caller's
	 * stack trace
	 */
	static <T> T on(CompletableFuture<T> future, Deadline deadline, Failure failure) {
		Await done = new Await();
		future.whenComplete((result, problem) -> done.end());
		try {
			if (!isEnded(done, deadline, failure)) {
				throw timedOut(failure);
			}
			return future.join();
		}
		catch (CompletionException ex) {
			throw rethrown(ex.getCause(), failure);
		}
		finally {
			// the caller waits no more: the store need not be asked for it
			future.cancel(false);
		}
	}

	/**
	 * Wait for an event.
	 * @param event ended by the executor
	 * @param deadline until when to wait
	 * @param failure makes the exception for a caller who is interrupted
	 * @return whether it has ended in time
	 */
	static boolean isEnded(Await event, Deadline deadline, Failure failure) {
		try {
			return event.await(deadline.remaining());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure.because("the thread was interrupted while it waited for the store", ex);
		}
	}

	static IdStoreUnavailableException timedOut(Failure failure) {
		return failure.because("the store did not answer within the wait-timeout", null);
	}

	/**
	 * Return the exception that tells a caller why nothing was supplied.
	 */
	static RuntimeException rethrown(@Nullable Throwable cause, Failure failure) {
		if (cause instanceof KeySpaceRegressionException || cause instanceof KeySpaceMismatchException
				|| cause instanceof ClosedException) {
			return forCaller((RuntimeException) cause);
		}
		return failure.because("the store failed: " + ((cause != null) ? cause.getMessage() : "for unknown reasons"),
				cause);
	}

	/**
	 * Return the reason why an engine has stopped once more, with the stack trace of the
	 * caller.
	 */
	static RuntimeException forCaller(RuntimeException reason) {
		if (reason instanceof KeySpaceRegressionException) {
			return new KeySpaceRegressionException(String.valueOf(reason.getMessage()), reason);
		}
		if (reason instanceof KeySpaceMismatchException mismatch) {
			return (RuntimeException) new KeySpaceMismatchException(String.valueOf(reason.getMessage()),
					mismatch.getStored(), mismatch.getConfigured())
				.initCause(reason);
		}
		return new IllegalStateException(reason.getMessage(), reason);
	}

	/**
	 * The reason why an engine has stopped that was closed. Tells it from what a store
	 * may throw.
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
