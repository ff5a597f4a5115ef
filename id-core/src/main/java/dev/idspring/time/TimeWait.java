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
 * Lets callers wait while no id can be made: for the clock, or for the node's window.
 * After the wait-timeout it throws the reason.
 */
final class TimeWait {

	private static final Duration A_MILLISECOND = Duration.ofMillis(1);

	private final TimeContext context;

	private final NodeClock clock;

	private final long maxAhead;

	private final NodeAssignment assignment;

	/** How many ids a caller can draw at once. */
	private final long servable;

	private final LongAdder waits = new LongAdder();

	/** How long callers have waited, in nanoseconds. */
	private final LongAdder waited = new LongAdder();

	TimeWait(TimeContext context, NodeAssignment assignment) {
		this.context = context;
		this.clock = context.clock();
		this.maxAhead = context.maxAhead();
		this.assignment = assignment;
		this.servable = context.layout().ids(servableMillis()).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
	}

	/**
	 * Return how often a caller had to wait.
	 */
	long count() {
		return this.waits.sum();
	}

	/**
	 * Return how long all callers together have waited.
	 */
	Duration total() {
		return Duration.ofNanos(this.waited.sum());
	}

	/**
	 * Verify that a caller can get this many ids within the wait-timeout.
	 */
	void verifyServable(int count) {
		if (count > this.servable) {
			throw new IllegalArgumentException(this.context.named("was asked for " + count
					+ " ids at once, but makes at most " + this.servable + " within maxAhead and waitTimeout together, "
					+ servableMillis() + " ms. Ask for fewer at a time."));
		}
	}

	private long servableMillis() {
		return this.maxAhead + this.context.waitTimeout().toMillis();
	}

	/**
	 * Wait until ids may be available again, or throw the reason why none are.
	 * @param known the caller's deadline, or {@code null} if it has not waited yet
	 * @return the caller's deadline
	 */
	Deadline await(@Nullable Deadline known) {
		Deadline deadline = (known != null) ? known : this.context.deadline();
		if (known == null) {
			this.waits.increment();
		}
		RuntimeException permanentFailure = this.assignment.permanentFailure();
		if (permanentFailure != null) {
			throw new KeySpaceRegressionException(named(permanentFailure), permanentFailure);
		}
		// first: a caller suspended beyond its deadline checks again before it fails
		boolean late = deadline.hasPassed();
		Node node = this.assignment.node();
		Reading reading = this.clock.read();
		long now = this.context.time(reading);
		long started = this.context.timeSource().nanoTime();
		try {
			if (node != null && this.clock.isTrusted(reading) && canWaitForTheClock(node, now)) {
				verifyTimeLeft(late, node, now);
				this.context.pause().sleep(A_MILLISECOND);
			}
			else {
				verifyObtainable(late, node, reading, now);
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
	 * Return whether the clock has to advance, rather than the window. A node already
	 * used at times later than the clock has no window until then.
	 */
	private boolean canWaitForTheClock(Node node, long now) {
		return !node.sequence.isSealed()
				&& (!node.isWindowUsedUp(now, this.maxAhead) || node.isAheadOf(now, this.maxAhead));
	}

	/**
	 * Verify that the caller may wait for the clock. How far the clock has to advance
	 * depends on how many others wait.
	 * @param late whether the deadline has passed, which does not matter if the clock has
	 * advanced far enough meanwhile
	 */
	private void verifyTimeLeft(boolean late, Node node, long now) {
		if (late && node.isAheadOf(now, this.maxAhead)) {
			throw new ClockException(this.context.named("is node " + node.number + ", which has been used until "
					+ this.context.layout().instant(node.first)
					+ ", and the clock is not there yet. Wait, or correct the clock if it is wrong."));
		}
		if (late && node.sequence.lastTime() - now >= this.maxAhead) {
			throw new ClockException(this.context.named("is " + (node.sequence.lastTime() - now)
					+ " ms ahead of the clock, and maxAhead is " + this.maxAhead
					+ " ms: more ids are drawn than the layout has, which is " + this.context.layout().tails()
					+ " a millisecond and node. Draw fewer, or use a layout with a wider tail in a new key space."));
		}
	}

	/**
	 * Verify that the caller may wait for a new window, a correct clock or a node.
	 */
	private void verifyObtainable(boolean late, @Nullable Node node, Reading reading, long now) {
		RuntimeException failure = this.assignment.failure();
		boolean windowIsLast = node != null && node.window >= this.context.layout().ticks();
		if (this.clock.isTrusted(reading) && (windowIsLast || now >= this.context.layout().ticks())) {
			throw this.context.exhausted();
		}
		if (failure instanceof ClockException) {
			throw new ClockException(named(failure), failure);
		}
		if (!this.clock.isTrusted(reading) && this.clock.hasNoStore()) {
			throw new ClockException(named(this.clock.untrustedClockException()));
		}
		if (late) {
			if (failure instanceof NodeUnavailableException) {
				throw new NodeUnavailableException(named(failure), failure);
			}
			throw unavailable(describeFailure(failure), failure);
		}
	}

	/**
	 * Return why the window was not moved. If the store rejected the request, its message
	 * says what to do.
	 */
	private String describeFailure(@Nullable RuntimeException failure) {
		String problem = (failure != null) ? String.valueOf(failure.getMessage())
				: "the store did not answer within the wait-timeout";
		boolean refused = failure != null && failure.getCause() == null;
		return problem + (problem.endsWith(".") ? "" : ".") + (refused ? "" : " Check the store of key space '"
				+ this.context.keySpaceName() + "'; the generator recovers by itself as soon as the store answers.");
	}

	private String named(RuntimeException failure) {
		return this.context.named("cannot make ids: " + failure.getMessage());
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(this.context.named("has exhausted its reserved time window: " + problem),
				cause);
	}

}
