package dev.idspring.block;

import dev.idspring.worker.Deadline;
import dev.idspring.worker.OneTimeEvent;
import org.jspecify.annotations.Nullable;

/**
 * A refill of the ordinals in memory, which any number of callers may wait for. A caller
 * that has not waited before uses the deadline of the refill as its own.
 */
final class PendingRefill {

	private final OneTimeEvent completion = new OneTimeEvent();

	/**
	 * Why the latest attempt to reserve ordinals failed, or {@code null} if no attempt
	 * has ended or the latest one succeeded.
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
	 * Record why an attempt failed. Callers continue to wait for the next attempt.
	 */
	void recordFailedAttempt(RuntimeException failure) {
		this.failure = failure;
	}

	void complete(@Nullable RuntimeException failure) {
		this.failure = failure;
		this.completion.signal();
	}

	/**
	 * Wait until this refill ends or its deadline passes. If the deadline of the refill
	 * passes first, this method returns normally. The caller must then join another
	 * refill, because an attempt to reserve ordinals completes only the latest refill.
	 * @throws RuntimeException if the refill failed, or if the caller's deadline passed
	 * before the refill ended
	 */
	void await(Deadline callersDeadline, StoreAwait.ExceptionFactory factory) {
		boolean refillEndsFirst = this.deadline.end() - callersDeadline.end() < 0;
		boolean ended = StoreAwait.awaitEvent(this.completion, refillEndsFirst ? this.deadline : callersDeadline,
				factory);
		if (!ended && refillEndsFirst) {
			return;
		}
		RuntimeException reason = this.failure;
		if (reason != null) {
			throw StoreAwait.callerException(reason, factory);
		}
		if (!ended) {
			throw StoreAwait.timedOut(factory);
		}
	}

}
