package dev.idspring.block;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.OneTimeEvent;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the store. The waiting thread is parked until the store answers, the deadline
 * passes, or the thread is interrupted. It does not wait on a future: a thread of the
 * common pool that waits on a future may run other tasks first. Those tasks may take a
 * long time, or take ids from the thread's own {@link dev.idspring.block.stripe.Stripe}.
 */
final class StoreAwait {

	private StoreAwait() {
	}

	/**
	 * Wait for a result.
	 * @param future the result, which another thread completes
	 * @param deadline the limit of the wait
	 * @param factory creates the exception on the thread of the caller, so that the
	 * exception has the caller's stack trace
	 */
	static <T> T await(CompletableFuture<T> future, Deadline deadline, ExceptionFactory factory) {
		OneTimeEvent done = new OneTimeEvent();
		future.whenComplete((result, problem) -> done.signal());
		try {
			if (!awaitEvent(done, deadline, factory)) {
				throw timedOut(factory);
			}
			return future.join();
		}
		catch (CompletionException ex) {
			throw callerException(ex.getCause(), factory);
		}
		finally {
			// the caller no longer waits, so work that has not begun need not run
			future.cancel(false);
		}
	}

	/**
	 * Wait for an event.
	 * @param event the event, which another thread signals
	 * @param deadline the limit of the wait
	 * @param factory creates the exception for a caller that is interrupted
	 * @return whether the event happened before the deadline
	 */
	static boolean awaitEvent(OneTimeEvent event, Deadline deadline, ExceptionFactory factory) {
		try {
			return event.await(deadline.remaining());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw factory.create("the thread was interrupted while it waited for the store", ex);
		}
	}

	static IdStoreUnavailableException timedOut(ExceptionFactory factory) {
		return factory.create("the store did not answer within the wait-timeout", null);
	}

	/**
	 * Return the exception to throw to a caller because the store failed.
	 */
	static RuntimeException callerException(@Nullable Throwable cause, ExceptionFactory factory) {
		if (cause instanceof KeySpaceRegressionException || cause instanceof KeySpaceMismatchException
				|| cause instanceof ClosedException) {
			return copyForCaller((RuntimeException) cause);
		}
		return factory.create("the store failed: " + ((cause != null) ? cause.getMessage() : "the reason is unknown"),
				cause);
	}

	/**
	 * Return a copy of the exception that stopped a {@link BlockEngine}. The copy has the
	 * stack trace of the caller, and the original as its cause.
	 */
	static RuntimeException copyForCaller(RuntimeException reason) {
		if (reason instanceof KeySpaceRegressionException) {
			return new KeySpaceRegressionException(String.valueOf(reason.getMessage()), reason);
		}
		if (reason instanceof KeySpaceMismatchException mismatch) {
			return (RuntimeException) new KeySpaceMismatchException(mismatch.getReason(),
					String.valueOf(reason.getMessage()), mismatch.getStored(), mismatch.getConfigured())
				.initCause(reason);
		}
		return new IllegalStateException(reason.getMessage(), reason);
	}

	/**
	 * The exception of a closed engine. Its type distinguishes it from exceptions that a
	 * store may throw.
	 */
	static final class ClosedException extends IllegalStateException {

		private static final long serialVersionUID = 1L;

		ClosedException(String generator) {
			super("Id generator '" + generator + "' is closed.");
		}

	}

	/**
	 * Creates the exception for a caller whose wait did not succeed.
	 */
	interface ExceptionFactory {

		IdStoreUnavailableException create(String problem, @Nullable Throwable cause);

	}

}
