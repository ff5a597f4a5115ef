package dev.idspring.worker;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CoalescedRead}.
 */
class CoalescedReadTests {

	private final TestTimeSource time = new TestTimeSource();

	private final ManualStoreExecutor executor = new ManualStoreExecutor();

	private final AtomicInteger reads = new AtomicInteger();

	private final AtomicReference<Runnable> duringRead = new AtomicReference<>(() -> {
	});

	private final CoalescedRead coalescedRead = new CoalescedRead(this.executor, (deadline) -> {
		this.reads.incrementAndGet();
		this.duringRead.getAndSet(() -> {
		}).run();
	});

	@Test
	void oneReadServesAllRequestsMadeBeforeItBegins() {
		CompletableFuture<Boolean> first = request(60);
		CompletableFuture<Boolean> second = request(60);
		assertThat(this.executor.pending()).isEqualTo(1);
		this.executor.run();
		assertThat(this.reads).hasValue(1);
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
	}

	@Test
	void requestDuringAReadIsServedByAnotherRead() {
		AtomicReference<CompletableFuture<Boolean>> lateRequest = new AtomicReference<>();
		this.duringRead.set(() -> {
			lateRequest.set(request(60));
			request(60);
			assertThat(this.executor.pending()).as("the second read is not submitted during the first one").isZero();
			this.executor.execute(() -> {
				assertThat(this.reads).as("tasks submitted during the read run first").hasValue(1);
				assertThat(lateRequest.get()).isNotDone();
			});
		});
		CompletableFuture<Boolean> first = request(60);
		this.executor.run();
		assertThat(first).isCompletedWithValue(true);
		assertThat(lateRequest.get()).isCompletedWithValue(true);
		assertThat(this.reads).hasValue(2);
		assertThat(this.executor.pending()).isZero();
		assertThat(this.executor.failures()).isEmpty();
	}

	@Test
	void readUsesTheLatestDeadlineOfItsRequests() {
		AtomicReference<Duration> remaining = new AtomicReference<>();
		CoalescedRead coalescedRead = new CoalescedRead(this.executor,
				(deadline) -> remaining.set(deadline.remaining()));
		coalescedRead.readWithTimeout(deadline(5));
		coalescedRead.readWithTimeout(deadline(60));
		coalescedRead.readWithTimeout(deadline(7));
		this.executor.run();
		assertThat(remaining).hasValue(Duration.ofSeconds(60));
	}

	@Test
	void requestThatTimedOutFailsAndCausesNoRead() {
		CompletableFuture<Boolean> answer = this.coalescedRead
			.readWithTimeout(Deadline.after(this.time, Duration.ofMillis(1)));
		Awaitility.await().until(answer::isCompletedExceptionally);
		this.executor.run();
		assertThat(this.reads).hasValue(0);
		request(60);
		this.executor.run();
		assertThat(this.reads).hasValue(1);
	}

	/**
	 * The timer's thread keeps the context class loader of the thread that starts it, so
	 * a request must not start the timer. The JVM starts the timer only once, so this
	 * test can fail only if no earlier test has started it.
	 */
	@Test
	void timerIsStartedBeforeTheFirstRequest() {
		assertThat(this.reads).hasValue(0);
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.anyMatch((name) -> name.toLowerCase(Locale.ROOT).endsWith("delayscheduler"));
	}

	@Test
	void failureIsReportedToAllRequestsAndNotRemembered() {
		IllegalStateException injected = new IllegalStateException("injected");
		this.duringRead.set(() -> {
			throw injected;
		});
		CompletableFuture<Boolean> first = request(60);
		CompletableFuture<Boolean> second = request(60);
		this.executor.run();
		assertThat(first).isCompletedExceptionally();
		assertThat(second.handle((done, failure) -> failure)).isCompletedWithValue(injected);
		CompletableFuture<Boolean> third = request(60);
		this.executor.run();
		assertThat(third).isCompleted();
	}

	@Test
	void requestFailsIfTheExecutorIsClosed() {
		StoreThread closed = new StoreThread("closed");
		closed.close();
		CoalescedRead coalescedRead = new CoalescedRead(closed, (deadline) -> this.reads.incrementAndGet());
		for (int i = 0; i < 2; i++) {
			assertThat(coalescedRead.readWithTimeout(deadline(60))).isCompletedExceptionally();
		}
		assertThat(this.reads).hasValue(0);
	}

	@Test
	void requestAfterAFailedThreadStartIsServed() {
		InternalError injected = new InternalError("injected");
		this.executor.rejectTasks(injected);
		CompletableFuture<Boolean> first = request(60);
		assertThat(first.handle((done, failure) -> failure)).isCompletedWithValue(injected);
		this.executor.rejectTasks(null);
		CompletableFuture<Boolean> second = request(60);
		this.executor.run();
		assertThat(second).isCompleted();
		assertThat(this.reads).hasValue(1);
	}

	@Test
	void requestDuringAReadFailsIfNoThreadCanBeStarted() {
		AtomicReference<CompletableFuture<Boolean>> lateRequest = new AtomicReference<>();
		this.duringRead.set(() -> {
			lateRequest.set(request(60));
			this.executor.rejectTasks(new InternalError("injected"));
		});
		CompletableFuture<Boolean> first = request(60);
		this.executor.run();
		assertThat(first).isCompletedWithValue(true);
		assertThat(lateRequest.get()).isCompletedExceptionally();
		this.executor.rejectTasks(null);
		CompletableFuture<Boolean> next = request(60);
		this.executor.run();
		assertThat(next).isCompletedWithValue(true);
	}

	private CompletableFuture<Boolean> request(int seconds) {
		return this.coalescedRead.readWithTimeout(deadline(seconds));
	}

	private Deadline deadline(int seconds) {
		return Deadline.after(this.time, Duration.ofSeconds(seconds));
	}

}
