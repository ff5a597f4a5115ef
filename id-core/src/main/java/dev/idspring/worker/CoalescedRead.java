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
 * Reads the store once for all callers that ask the same question. At most one read is
 * under way, and one more is pending for all callers that have asked since. An answer
 * from an earlier read may be stale, and a slow store must not be read once for each
 * observer.
 * <ol>
 * <li>A caller adds itself to {@link #waiting}, and then requests an attempt of the
 * {@link StoreWorker}.</li>
 * <li>A read takes all callers that are waiting when it begins, so it begins after each
 * of them asked. It answers them when it ends.</li>
 * <li>It ends its attempt before it checks for callers that arrived meanwhile. So either
 * it finds them, or they find that no read is under way.</li>
 * <li>If the executor rejects the read, the waiting callers get the reason.</li>
 * <li>A read is submitted to the executor when the previous one has ended. Tasks that
 * were submitted before then run first.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class CoalescedRead implements StoreWorker.Job {

	private final StoreWorker worker;

	private final Consumer<Deadline> question;

	/** Callers that wait for a read that has not begun. */
	private final Queue<Asker> waiting = new ConcurrentLinkedQueue<>();

	/**
	 * Create a read.
	 * @param executor runs tasks one at a time
	 * @param question reads the store, until a deadline
	 */
	public CoalescedRead(StoreExecutor executor, Consumer<Deadline> question) {
		this.worker = new StoreWorker(executor, this);
		this.question = question;
	}

	/**
	 * Request a read of the store. Returns at once.
	 * @param deadline how long an answer is useful
	 * @return completes when a read has ended that began after this call, exceptionally
	 * when it has failed, the deadline has passed, or the executor rejected it
	 */
	public CompletableFuture<Boolean> ask(Deadline deadline) {
		return begin(deadline).orTimeout(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Request a read of the store, for a caller that limits its own wait. Uses no timer:
	 * timers are shared, and a StackOverflowError of the caller could damage them.
	 * @param deadline how long an answer is useful
	 * @return as {@link #ask}, but nothing ends it when the deadline passes: cancel it
	 */
	public CompletableFuture<Boolean> begin(Deadline deadline) {
		StackProbe.verify();
		Asker asker = new Asker(deadline, new CompletableFuture<>());
		this.waiting.add(asker);
		this.worker.request();
		return asker.answer;
	}

	@Override
	public void attempt() {
		List<Asker> askers = new ArrayList<>();
		Throwable failure = null;
		try {
			takeInto(askers);
			askers.stream()
				.filter((asker) -> !asker.answer.isDone())
				.map(Asker::deadline)
				.max(Comparator.comparing(Deadline::remaining))
				.ifPresent(this.question);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.worker.ended();
		if (!this.waiting.isEmpty()) {
			this.worker.request();
		}
		answer(askers, failure);
	}

	@Override
	public void abandoned(Throwable reason) {
		List<Asker> askers = new ArrayList<>();
		takeInto(askers);
		answer(askers, reason);
	}

	private void takeInto(List<Asker> askers) {
		for (Asker asker = this.waiting.poll(); asker != null; asker = this.waiting.poll()) {
			askers.add(asker);
		}
	}

	private static void answer(List<Asker> askers, @Nullable Throwable failure) {
		for (Asker asker : askers) {
			if (failure != null) {
				asker.answer.completeExceptionally(failure);
			}
			else {
				asker.answer.complete(true);
			}
		}
	}

	/**
	 * A waiting caller.
	 */
	private record Asker(Deadline deadline, CompletableFuture<Boolean> answer) {

	}

}
