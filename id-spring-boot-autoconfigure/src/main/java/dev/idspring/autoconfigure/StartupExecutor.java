package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import dev.idspring.IdStoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Queries the store on a separate thread. The thread that triggers the creation of a bean
 * may be in a transaction, for example in a read-only one that is routed to a replica.
 * The query must not run in that transaction, and the transaction must not determine
 * which database is queried.
 */
final class StartupExecutor {

	private static final Log logger = LogFactory.getLog(StartupExecutor.class);

	private StartupExecutor() {
	}

	/**
	 * Query the store.
	 * @param timeout how long to wait for the answer
	 * @param query runs on the other thread. A result that arrives too late is closed if
	 * it is closeable
	 */
	static <T> T call(Duration timeout, Supplier<T> query) {
		return await(ask(query), timeout);
	}

	/**
	 * Query the store, and do other work in the meantime.
	 * @param timeout how long to wait for the answer after the other work
	 * @param query as in {@link #call(Duration, Supplier)}
	 * @param otherWork the work of the calling thread. If it fails, this method first
	 * waits for the answer, for at most the timeout, and closes the answer if it is
	 * closeable. Then this method throws the exception of the work
	 */
	static <T> T call(Duration timeout, Supplier<T> query, Runnable otherWork) {
		CompletableFuture<T> answer = ask(query);
		try {
			otherWork.run();
		}
		catch (RuntimeException | Error ex) {
			try {
				close(await(answer, timeout));
			}
			catch (RuntimeException other) {
				ex.addSuppressed(other);
			}
			throw ex;
		}
		return await(answer, timeout);
	}

	private static <T> CompletableFuture<T> ask(Supplier<T> query) {
		return CompletableFuture.supplyAsync(query, (task) -> {
			Thread thread = new Thread(null, task, "ids-start", 0, false);
			thread.setDaemon(true);
			thread.start();
		});
	}

	private static <T> T await(CompletableFuture<T> answer, Duration timeout) {
		try {
			return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new IllegalStateException("The id store failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			closeOnArrival(answer);
			throw new IdStoreUnavailableException("The id store did not answer within " + timeout.toMillis() + " ms."
					+ " The time limit depends on ids.block.wait-timeout.", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			closeOnArrival(answer);
			throw new IdStoreUnavailableException("Interrupted while waiting for the id store.", ex);
		}
	}

	private static void closeOnArrival(CompletableFuture<?> answer) {
		answer.thenAccept(StartupExecutor::close);
	}

	private static void close(Object result) {
		if (result instanceof AutoCloseable closeable) {
			try {
				closeable.close();
			}
			catch (Exception ex) {
				logger.warn("Cannot close an id store that was opened but is not used", ex);
			}
		}
	}

}
