package dev.idspring.worker;

import java.time.Duration;
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

	private final ManualStoreExecutor supply = new ManualStoreExecutor();

	private final AtomicInteger reads = new AtomicInteger();

	private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
	});

	private final CoalescedRead coalesced = new CoalescedRead(this.supply, (deadline) -> {
		this.reads.incrementAndGet();
		this.meanwhile.getAndSet(() -> {
		}).run();
	});

	@Test
	void oneReadServesAllRequestsMadeBeforeItBegins() {
		CompletableFuture<Boolean> first = request(5);
		CompletableFuture<Boolean> second = request(60);
		assertThat(this.supply.pending()).isEqualTo(1);
		this.supply.run();
		assertThat(this.reads).hasValue(1);
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
	}

	@Test
	void requestDuringAReadIsServedByAnotherRead() {
		AtomicReference<CompletableFuture<Boolean>> late = new AtomicReference<>();
		this.meanwhile.set(() -> {
			late.set(request(60));
			request(60);
			assertThat(this.supply.pending()).as("the second read is not submitted during the first one").isZero();
			this.supply.execute(() -> {
				assertThat(this.reads).as("tasks submitted during the read run first").hasValue(1);
				assertThat(late.get()).isNotDone();
			});
		});
		request(60);
		this.supply.run();
		assertThat(late.get()).isCompleted();
		assertThat(this.reads).hasValue(2);
		assertThat(this.supply.pending()).isZero();
	}

	@Test
	void readUsesTheLatestDeadlineOfItsRequests() {
		AtomicReference<Duration> left = new AtomicReference<>();
		CoalescedRead coalesced = new CoalescedRead(this.supply, (deadline) -> left.set(deadline.remaining()));
		coalesced.readWithTimeout(deadline(5));
		coalesced.readWithTimeout(deadline(60));
		coalesced.readWithTimeout(deadline(7));
		this.supply.run();
		assertThat(left).hasValue(Duration.ofSeconds(60));
	}

	@Test
	void requestThatTimedOutFailsAndCausesNoRead() {
		CompletableFuture<Boolean> answer = this.coalesced
			.readWithTimeout(Deadline.after(this.time, Duration.ofMillis(1)));
		Awaitility.await().until(answer::isCompletedExceptionally);
		this.supply.run();
		assertThat(this.reads).hasValue(0);
		request(60);
		this.supply.run();
		assertThat(this.reads).hasValue(1);
	}

	@Test
	void failureIsReportedToAllRequestsAndNotRemembered() {
		IllegalStateException injected = new IllegalStateException("injected");
		this.meanwhile.set(() -> {
			throw injected;
		});
		CompletableFuture<Boolean> first = request(60);
		CompletableFuture<Boolean> second = request(60);
		this.supply.run();
		assertThat(first).isCompletedExceptionally();
		assertThat(second.handle((done, failure) -> failure)).isCompletedWithValue(injected);
		CompletableFuture<Boolean> third = request(60);
		this.supply.run();
		assertThat(third).isCompleted();
	}

	@Test
	void requestFailsIfTheExecutorIsClosed() {
		StoreThread closed = new StoreThread("closed");
		closed.close();
		CoalescedRead coalesced = new CoalescedRead(closed, (deadline) -> this.reads.incrementAndGet());
		for (int i = 0; i < 2; i++) {
			assertThat(coalesced.readWithTimeout(deadline(60))).isCompletedExceptionally();
		}
		assertThat(this.reads).hasValue(0);
	}

	@Test
	void requestAfterAFailedThreadStartIsServed() {
		InternalError injected = new InternalError("injected");
		this.supply.refuse(injected);
		CompletableFuture<Boolean> first = request(60);
		assertThat(first.handle((done, failure) -> failure)).isCompletedWithValue(injected);
		this.supply.refuse(null);
		CompletableFuture<Boolean> second = request(60);
		this.supply.run();
		assertThat(second).isCompleted();
		assertThat(this.reads).hasValue(1);
	}

	@Test
	void requestDuringAReadFailsIfNoThreadCanBeStarted() {
		AtomicReference<CompletableFuture<Boolean>> late = new AtomicReference<>();
		this.meanwhile.set(() -> {
			late.set(request(60));
			this.supply.refuse(new InternalError("injected"));
		});
		CompletableFuture<Boolean> first = request(60);
		this.supply.run();
		assertThat(first).isCompletedWithValue(true);
		assertThat(late.get()).isCompletedExceptionally();
		this.supply.refuse(null);
		CompletableFuture<Boolean> next = request(60);
		this.supply.run();
		assertThat(next).isCompletedWithValue(true);
	}

	private CompletableFuture<Boolean> request(int seconds) {
		return this.coalesced.readWithTimeout(deadline(seconds));
	}

	private Deadline deadline(int seconds) {
		return Deadline.after(this.time, Duration.ofSeconds(seconds));
	}

}
