package dev.idspring.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Reads the store once for all callers that request a read at about the same time. At
 * most one read is under way. Callers that arrive during a read share the next one,
 * because the result of the current read may already be stale.
 * <ol>
 * <li>A caller adds itself to {@link #waitingCallers}, and then requests an attempt of
 * the {@link StoreWorker}.</li>
 * <li>A read answers exactly the callers that were waiting when it began. So no caller
 * gets the result of a read that began before its request.</li>
 * <li>A read ends its attempt before it checks for callers that have arrived in the
 * meantime. So either the read finds these callers and requests the next read, or they
 * find that no read is under way and begin one.</li>
 * <li>If the executor rejects the read, the waiting callers get the exception.</li>
 * <li>A read is submitted to the executor only when the previous one has ended. So
 * another task of the executor waits for at most one read.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class CoalescedRead implements StoreWorker.Job {

	private final StoreWorker worker;

	private final Consumer<Deadline> storeRead;

	/** Callers whose read has not begun yet. */
	private final Queue<Waiter> waitingCallers = new ConcurrentLinkedQueue<>();

	/**
	 * Create a read.
	 * @param executor runs tasks one at a time
	 * @param storeRead reads the store by the given deadline
	 */
	public CoalescedRead(StoreExecutor executor, Consumer<Deadline> storeRead) {
		this.worker = new StoreWorker(executor, this);
		this.storeRead = storeRead;
		// start the timer thread of the JVM now, because a caller that starts it later
		// may have little stack left, or a context class loader that the thread would
		// retain
		new CompletableFuture<Boolean>().orTimeout(0, TimeUnit.NANOSECONDS);
	}

	/**
	 * Request a read of the store, without waiting for it.
	 * @param deadline the time after which an answer is useless
	 * @return a future that completes at the end of a read that begins after this call.
	 * The future completes exceptionally if the read fails, the executor rejects the
	 * read, or the deadline passes
	 */
	public CompletableFuture<Boolean> readWithTimeout(Deadline deadline) {
		return read(deadline).orTimeout(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Request a read of the store, for a caller that limits its own wait. Unlike
	 * {@link #readWithTimeout}, this method uses no timer. All threads of the JVM share
	 * one timer, and a StackOverflowError of the caller could damage that timer.
	 * @param deadline the time after which an answer is useless
	 * @return a future like that of {@link #readWithTimeout}, except that it does not
	 * complete when the deadline passes; the caller must cancel it when it stops waiting
	 */
	public CompletableFuture<Boolean> read(Deadline deadline) {
		StackProbe.verify();
		Waiter waiter = new Waiter(deadline, new CompletableFuture<>());
		this.waitingCallers.add(waiter);
		this.worker.request();
		return waiter.answer;
	}

	@Override
	public void attempt() {
		List<Waiter> waiters = new ArrayList<>();
		Throwable failure = null;
		try {
			drainInto(waiters);
			waiters.stream()
				.filter((waiter) -> !waiter.answer.isDone())
				.map(Waiter::deadline)
				.max(Comparator.comparing(Deadline::remaining))
				.ifPresent(this.storeRead);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.worker.ended();
		if (!this.waitingCallers.isEmpty()) {
			this.worker.request();
		}
		answer(waiters, failure);
	}

	@Override
	public void abandoned(Throwable reason) {
		List<Waiter> waiters = new ArrayList<>();
		drainInto(waiters);
		answer(waiters, reason);
	}

	private void drainInto(List<Waiter> waiters) {
		for (Waiter waiter = this.waitingCallers.poll(); waiter != null; waiter = this.waitingCallers.poll()) {
			waiters.add(waiter);
		}
	}

	private static void answer(List<Waiter> waiters, @Nullable Throwable failure) {
		for (Waiter waiter : waiters) {
			if (failure != null) {
				waiter.answer.completeExceptionally(failure);
			}
			else {
				waiter.answer.complete(true);
			}
		}
	}

	/**
	 * A caller that waits for an answer.
	 */
	private record Waiter(Deadline deadline, CompletableFuture<Boolean> answer) {

	}

}
