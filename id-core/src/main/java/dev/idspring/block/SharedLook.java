package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.idspring.clock.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the store for all who want to know the same. One look at a time, and one that
 * waits for all who have asked meanwhile: the answer to a question from before may be too
 * old, and a store that is slow must not be asked once for each of those who watch it.
 * <p>
 * The look that waits is given to the executor when the one before has ended: what else
 * was given to it until then comes first.
 *
 * @since 0.1.0
 */
public final class SharedLook {

	private final Executor executor;

	private final Consumer<Deadline> question;

	private final Lock lock = new ReentrantLock();

	// From here on everything is guarded by the lock.

	/** Whether a look is under way, or has been given to the executor. */
	private boolean busy;

	/** Those who wait for a look that has not begun; one that begins needs no memory. */
	private List<Asker> waiting = List.of();

	/**
	 * Create a look.
	 * @param executor runs one task after the other, or each on a thread of its own
	 * @param question is put to the store, until a deadline
	 */
	public SharedLook(Executor executor, Consumer<Deadline> question) {
		this.executor = executor;
		this.question = question;
	}

	/**
	 * Have the store looked at. Returns at once.
	 * @param deadline until when there is any use in an answer
	 * @return completes when a look has ended that began after this call, exceptionally
	 * when it has failed, the deadline has passed, or the executor did not take it
	 */
	public CompletableFuture<Boolean> ask(Deadline deadline) {
		Asker asker = new Asker(deadline, new CompletableFuture<>());
		boolean begin;
		this.lock.lock();
		try {
			if (this.waiting.isEmpty()) {
				this.waiting = new ArrayList<>();
			}
			this.waiting.add(asker);
			begin = !this.busy;
			this.busy = true;
		}
		finally {
			this.lock.unlock();
		}
		if (begin) {
			execute();
		}
		return asker.answer.orTimeout(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
	}

	private void execute() {
		try {
			this.executor.execute(this::look);
		}
		catch (Throwable ex) {
			// closed, or no thread could be started: whoever asks next tries again
			List<Asker> askers = begin();
			goOn();
			tell(askers, ex);
		}
	}

	private void look() {
		List<Asker> askers = begin();
		Throwable failure = null;
		try {
			Deadline deadline = latest(askers);
			if (deadline != null) {
				this.question.accept(deadline);
			}
		}
		catch (Throwable ex) {
			failure = ex;
		}
		goOn();
		tell(askers, failure);
	}

	private static void tell(List<Asker> askers, @Nullable Throwable failure) {
		for (Asker asker : askers) {
			asker.complete(failure);
		}
	}

	private List<Asker> begin() {
		this.lock.lock();
		try {
			List<Asker> askers = this.waiting;
			this.waiting = List.of();
			return askers;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void goOn() {
		this.lock.lock();
		try {
			this.busy = !this.waiting.isEmpty();
			if (!this.busy) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		execute();
	}

	/**
	 * Return until when anybody waits, or {@code null} if nobody does any more.
	 */
	private static @Nullable Deadline latest(List<Asker> askers) {
		Deadline latest = null;
		for (Asker asker : askers) {
			if (!asker.answer.isDone()
					&& (latest == null || asker.deadline.remaining().compareTo(latest.remaining()) > 0)) {
				latest = asker.deadline;
			}
		}
		return latest;
	}

	/**
	 * Somebody who has asked.
	 */
	private record Asker(Deadline deadline, CompletableFuture<Boolean> answer) {

		void complete(@Nullable Throwable failure) {
			if (failure != null) {
				this.answer.completeExceptionally(failure);
			}
			else {
				this.answer.complete(true);
			}
		}

	}

}
