package dev.idspring.block;

import dev.idspring.worker.Await;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The callers who wait for the same supply, and until when. What they want together is
 * guarded like the state of the server.
 */
final class PendingRefill {

	private final Await supplied = new Await();

	/** Why nothing was supplied. Published by the event. */
	private @Nullable RuntimeException failure;

	private final Deadline deadline;

	private long demand;

	PendingRefill(Deadline deadline) {
		this.deadline = deadline;
	}

	Deadline deadline() {
		return this.deadline;
	}

	void addDemand(int count) {
		this.demand += count;
	}

	long demand() {
		return this.demand;
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
