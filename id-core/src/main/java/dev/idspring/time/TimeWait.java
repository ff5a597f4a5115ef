package dev.idspring.time;

import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

import dev.idspring.ClockException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Makes callers wait while no id can be generated. They wait for the clock to advance, or
 * for the next window: the times for which the node may generate ids. After the wait
 * timeout, or at once if waiting cannot help, callers get an exception with the reason.
 */
final class TimeWait {

	private static final Duration A_MILLISECOND = Duration.ofMillis(1);

	private final TimeContext context;

	private final NodeClock clock;

	private final long maxAhead;

	private final NodeAssignment assignment;

	/** The maximum number of ids that a caller may draw at once. */
	private final long maxBulk;

	private final LongAdder waits = new LongAdder();

	/** The total time that callers have waited, in nanoseconds. */
	private final LongAdder waited = new LongAdder();

	TimeWait(TimeContext context, NodeAssignment assignment) {
		this.context = context;
		this.clock = context.clock();
		this.maxAhead = context.maxAhead();
		this.assignment = assignment;
		this.maxBulk = context.layout()
			.idsPerNode(servableMillis())
			.min(BigInteger.valueOf(Long.MAX_VALUE))
			.longValue();
	}

	/**
	 * Return how often callers had to wait.
	 */
	long count() {
		return this.waits.sum();
	}

	/**
	 * Return the total time that callers have waited.
	 */
	Duration total() {
		return Duration.ofNanos(this.waited.sum());
	}

	/**
	 * Verify that a caller can get this number of ids within the wait timeout.
	 */
	void verifyBulkSize(int count) {
		if (count > this.maxBulk) {
			throw new IllegalArgumentException(this.context
				.message("was asked for " + count + " ids at once, but can generate at most " + this.maxBulk
						+ " within " + servableMillis() + " ms (maxAhead plus waitTimeout). Ask for fewer at a time."));
		}
	}

	private long servableMillis() {
		return this.maxAhead + this.context.waitTimeout().toMillis();
	}

	/**
	 * Wait until ids may be available again, or throw an exception with the reason.
	 * @param callersDeadline the deadline of the caller, {@code null} before its first
	 * wait
	 * @return the deadline of the caller
	 */
	Deadline await(@Nullable Deadline callersDeadline) {
		Deadline deadline = (callersDeadline != null) ? callersDeadline : this.context.deadline();
		if (callersDeadline == null) {
			this.waits.increment();
		}
		RuntimeException permanentFailure = this.assignment.permanentFailure();
		if (permanentFailure != null) {
			throw new KeySpaceRegressionException(message(permanentFailure.getMessage()), permanentFailure);
		}
		// check the deadline before reading the clock: a caller that is paused between
		// the two steps then tries once more before it fails
		boolean isLate = deadline.hasPassed();
		Node node = this.assignment.node();
		Reading reading = this.clock.read();
		long now = this.context.time(reading);
		long started = this.context.timeSource().nanoTime();
		try {
			if (node != null && this.clock.isTrusted(reading) && mustWaitForClock(node, now)) {
				verifyTimeLeft(isLate, node, now);
				this.context.sleeper().sleep(A_MILLISECOND);
			}
			else {
				verifyObtainable(isLate, node, reading, now);
				this.assignment.await(deadline);
			}
			return deadline;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unavailable("the thread was interrupted while it waited.", ex);
		}
		finally {
			this.waited.add(this.context.timeSource().nanoTime() - started);
		}
	}

	/**
	 * Return whether the caller must wait for the clock instead of the window. A node
	 * that has already been used for times later than the clock can be used again when
	 * the clock is within {@code maxAhead} of those times.
	 */
	private boolean mustWaitForClock(Node node, long now) {
		return !node.sequence.isSealed()
				&& (!node.isLimitedByWindow(now, this.maxAhead) || node.isAheadOf(now, this.maxAhead));
	}

	/**
	 * Verify that the caller may continue to wait for the clock. The wait has no fixed
	 * length, because other callers may take the ids of each new millisecond.
	 * @param isLate whether the deadline has passed; if so, the caller may try again only
	 * if the clock has advanced far enough
	 */
	private void verifyTimeLeft(boolean isLate, Node node, long now) {
		if (isLate && node.isAheadOf(now, this.maxAhead)) {
			throw new ClockException(this.context.message("uses node " + node.number
					+ ", which must not create ids for times before " + this.context.layout().instant(node.first)
					+ ", but the clock has not reached that time yet. Wait, correct the clock if it is wrong, or use"
					+ " another node."));
		}
		if (isLate && node.sequence.lastTime() - now >= this.maxAhead) {
			throw new ClockException(this.context.message("is " + (node.sequence.lastTime() - now)
					+ " ms ahead of the clock, and maxAhead is " + this.maxAhead
					+ " ms: callers draw more ids than the layout allows (" + this.context.layout().tails()
					+ " per millisecond and node). Draw fewer, or use a layout with a wider tail in a new key space."));
		}
	}

	/**
	 * Verify that the caller may continue to wait for a later window, a correct clock or
	 * a node.
	 */
	private void verifyObtainable(boolean isLate, @Nullable Node node, Reading reading, long now) {
		RuntimeException failure = this.assignment.failure();
		boolean windowIsLast = node != null && node.windowEnd >= this.context.layout().ticks();
		if (this.clock.isTrusted(reading) && (windowIsLast || now >= this.context.layout().ticks())) {
			throw this.context.exhausted();
		}
		if (failure instanceof ClockException) {
			throw new ClockException(message(failure.getMessage()), failure);
		}
		if (!this.clock.isTrusted(reading) && this.clock.hasNoStore()) {
			throw new ClockException(message(this.clock.untrustedClockException().getMessage()));
		}
		if (isLate) {
			if (failure instanceof NodeUnavailableException) {
				throw new NodeUnavailableException(message(failure.getMessage()), failure);
			}
			throw unavailable(describeFailure(failure), failure);
		}
	}

	/**
	 * Return why the window was not extended. If the failure has no cause, the store is
	 * assumed to have answered, and the message of the failure contains the remedy.
	 */
	private String describeFailure(@Nullable RuntimeException failure) {
		String problem = (failure != null) ? String.valueOf(failure.getMessage())
				: "the store did not answer within the wait-timeout";
		boolean storeAnswered = failure != null && failure.getCause() == null;
		return problem + (problem.endsWith(".") ? "" : ".") + (storeAnswered ? "" : " Check the store of key space '"
				+ this.context.keySpaceName() + "'; the generator recovers by itself as soon as the store answers.");
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(message(problem), cause);
	}

	private String message(@Nullable String problem) {
		return this.context.message("cannot generate an id: " + problem);
	}

}
