package dev.idspring.block;

import dev.idspring.worker.Deadline;
import dev.idspring.worker.OneTimeEvent;
import org.jspecify.annotations.Nullable;

/**
 * A refill of the ordinals in memory, and the common deadline of the callers that wait
 * for the refill.
 */
final class PendingRefill {

	private final OneTimeEvent completion = new OneTimeEvent();

	/**
	 * Why the latest attempt failed, or {@code null} if no attempt has ended or the
	 * latest one succeeded.
	 */
	private volatile @Nullable RuntimeException failure;

	private final Deadline deadline;

	/** How many ordinals the callers need in total. Protected by the engine's lock. */
	private long demand;

	PendingRefill(Deadline deadline) {
		this.deadline = deadline;
	}

	Deadline deadline() {
		return this.deadline;
	}

	/**
	 * Add the demand of another caller.
	 */
	void addDemand(int count) {
		this.demand += count;
	}

	long demand() {
		return this.demand;
	}

	/**
	 * Record why an attempt failed, while callers continue to wait for the next attempt.
	 */
	void recordFailedAttempt(RuntimeException failure) {
		this.failure = failure;
	}

	void complete(@Nullable RuntimeException failure) {
		this.failure = failure;
		this.completion.signal();
	}

	/**
	 * Wait until this refill ends or its deadline passes. After the deadline, the caller
	 * must join another refill, because an attempt completes only the latest one.
	 * @throws RuntimeException the reason, if the refill failed or the caller's deadline
	 * passed first
	 */
	void await(Deadline callersDeadline, StoreAwait.Failure failure) {
		boolean isRefillFirst = this.deadline.end() - callersDeadline.end() < 0;
		boolean ended = StoreAwait.awaitEvent(this.completion, isRefillFirst ? this.deadline : callersDeadline,
				failure);
		if (!ended && isRefillFirst) {
			return;
		}
		RuntimeException reason = this.failure;
		if (reason != null) {
			throw StoreAwait.callerException(reason, failure);
		}
		if (!ended) {
			throw StoreAwait.timedOut(failure);
		}
	}

}
