package dev.idspring.worker;

import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * How long to wait after one failure, and after the next: twice as long each time, up to
 * a bound. Used by one thread at a time.
 *
 * @since 0.1.0
 */
public final class BackOff {

	private static final Duration FIRST = Duration.ofMillis(250);

	private final Duration last;

	private final LongUnaryOperator jitter;

	private Duration next = FIRST;

	/**
	 * Create a back-off.
	 * @param last the longest wait
	 * @param jitter returns a number from 0 below its argument: up to a quarter of the
	 * wait is added, so that instances do not try again together
	 */
	public BackOff(Duration last, LongUnaryOperator jitter) {
		this.last = last;
		this.jitter = jitter;
	}

	/**
	 * Begin with the shortest wait again.
	 */
	public void reset() {
		this.next = FIRST;
	}

	/**
	 * Return how long to wait this time.
	 * @return the wait
	 */
	public Duration next() {
		Duration wait = this.next;
		Duration doubled = wait.multipliedBy(2);
		this.next = (doubled.compareTo(this.last) < 0) ? doubled : this.last;
		return wait.plusNanos(this.jitter.applyAsLong(wait.toNanos() / 4));
	}

}
