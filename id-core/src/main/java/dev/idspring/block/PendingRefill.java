package dev.idspring.block;

import dev.idspring.worker.Await;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The callers who wait for the same refill, and until when.
 */
final class PendingRefill {

	private final Await supplied = new Await();

	/** Why nothing was supplied. Published by the event. */
	private @Nullable RuntimeException failure;

	final Deadline deadline;

	/** How many ordinals they want together. Guarded like the state of the server. */
	long demand;

	PendingRefill(Deadline deadline) {
		this.deadline = deadline;
	}

	void complete(@Nullable RuntimeException failure) {
		this.failure = failure;
		this.supplied.end();
	}

	void await(Deadline callersDeadline, StoreAwait.Failure failure) {
		StoreAwait.on(this.supplied, callersDeadline, failure);
		if (this.failure != null) {
			throw StoreAwait.rethrown(this.failure, failure);
		}
	}

}
