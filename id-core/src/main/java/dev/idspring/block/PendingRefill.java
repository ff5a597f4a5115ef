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

	private final Deadline deadline;

	/** How many ordinals they want together. Guarded by the engine. */
	private long demand;

	PendingRefill(Deadline deadline) {
		this.deadline = deadline;
	}

	Deadline deadline() {
		return this.deadline;
	}

	/**
	 * Note that another caller waits.
	 */
	void demand(int count) {
		this.demand += count;
	}

	long demand() {
		return this.demand;
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
