package dev.idspring.block;

import java.util.concurrent.CompletableFuture;

import dev.idspring.clock.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The callers who wait for the same supply, and until when. What they want together is
 * guarded by the lock of the server.
 */
final class Round {

	private final CompletableFuture<Boolean> supplied = new CompletableFuture<>();

	private final Deadline deadline;

	private long demand;

	Round(Deadline deadline) {
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
		if (failure != null) {
			this.supplied.completeExceptionally(failure);
		}
		else {
			this.supplied.complete(true);
		}
	}

	void await(Deadline callersDeadline, Waiting.Failure failure) {
		Waiting.on(this.supplied, callersDeadline, failure);
	}

}
