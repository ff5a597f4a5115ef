package dev.idspring.worker;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.testsupport.LoggedFailures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StoreThread}.
 */
class StoreThreadTests {

	/** A stack size with which no JDK can start a thread. */
	private static final long TOO_LARGE_STACK = 1L << 50;

	@Test
	void failedTaskIsLoggedAndTheNextOneRuns() throws Exception {
		try (StoreThread thread = new StoreThread("orders"); LoggedFailures logged = new LoggedFailures()) {
			thread.execute(() -> {
				throw new InternalError("injected");
			});
			CompletableFuture<Boolean> next = new CompletableFuture<>();
			thread.execute(() -> next.complete(true));
			assertThat(next.get(60, TimeUnit.SECONDS)).isTrue();
			assertThat(logged.lines()).containsExactly(
					"Id generator 'orders': a task that accesses the store has failed: java.lang.InternalError: injected");
		}
	}

	/**
	 * The task must not run later, because its caller has already handled the error.
	 */
	@Test
	void taskIsNotRunLaterIfNoThreadCouldBeStarted() throws Exception {
		AtomicBoolean memoryExhausted = new AtomicBoolean(true);
		List<String> ran = new CopyOnWriteArrayList<>();
		try (StoreThread storeThread = new StoreThread(
				(task) -> new Thread(null, task, "store", memoryExhausted.get() ? TOO_LARGE_STACK : 0),
				new FailureLog("test", TimeSource.system()))) {
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> storeThread.execute(() -> ran.add("first")));
			memoryExhausted.set(false);
			CompletableFuture<Boolean> second = new CompletableFuture<>();
			storeThread.execute(() -> second.complete(ran.add("second")));
			assertThat(second.get(60, TimeUnit.SECONDS)).isTrue();
			assertThat(ran).containsExactly("second");
		}
	}

}
