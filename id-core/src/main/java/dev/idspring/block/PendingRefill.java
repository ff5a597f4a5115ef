package dev.idspring.block;

import dev.idspring.worker.Await;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The callers who wait for the same refill, and until when.
 */
final class PendingRefill {

	private final Await supplied = new Await();

	/** Why nothing was supplied, or why nothing has been so far. */
	private volatile @Nullable RuntimeException failure;

	final Deadline deadline;

	/** How many ordinals they want together. Guarded like the state of the server. */
	long demand;

	PendingRefill(Deadline deadline) {
		this.deadline = deadline;
	}

	/**
	 * Note why an attempt failed, while another one is made for the callers.
	 */
	void goOn(RuntimeException failure) {
		this.failure = failure;
	}

	void complete(@Nullable RuntimeException failure) {
		this.failure = failure;
		this.supplied.end();
	}

	void await(Deadline callersDeadline, StoreAwait.Failure failure) {
		boolean ended = StoreAwait.isEnded(this.supplied, callersDeadline, failure);
		RuntimeException reason = this.failure;
		if (reason != null) {
			throw StoreAwait.rethrown(reason, failure);
		}
		if (!ended) {
			throw StoreAwait.timedOut(failure);
		}
	}

}
