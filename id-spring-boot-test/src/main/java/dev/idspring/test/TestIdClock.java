package dev.idspring.test;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.InvalidSettingException;
import dev.idspring.worker.TimeSource;

/**
 * The clock of id generators in tests. Its time changes only when it is set or advanced.
 * A generator that has to wait advances the clock by the waiting time instead, so no test
 * hangs.
 *
 * @since 0.1.0
 */
public final class TestIdClock implements TimeSource {

	/** The default initial time of the clock. */
	public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicReference<Reading> reading;

	/**
	 * Create a clock.
	 * @param start the initial time of the clock
	 */
	public TestIdClock(Instant start) {
		InvalidSettingException.requireGiven(TestIdClock.class, "start", start);
		this.reading = new AtomicReference<>(new Reading(start, 0));
	}

	/**
	 * Set the time. A later time advances the clock, as {@link #advance} does. An earlier
	 * time sets the clock back, like a correction of the system clock. Time-based ids
	 * still increase afterwards, because generators continue from the latest time in
	 * their ids. A generator without a store fails instead if the time goes back by more
	 * than {@code ids.clock.max-skew}.
	 * @param instant the new time
	 * @throws IllegalArgumentException if the new time is more than 292 years after the
	 * current time of the clock
	 */
	public void set(Instant instant) {
		InvalidSettingException.requireGiven(TestIdClock.class, "instant", instant);
		this.reading.updateAndGet((current) -> {
			Duration passed = Duration.between(current.instant, instant);
			return passed.isNegative() ? new Reading(instant, current.nanos) : current.after(passed);
		});
	}

	/**
	 * Advance the clock.
	 * @param time the duration by which to advance the clock
	 * @throws IllegalArgumentException if the duration is negative or more than 292 years
	 */
	public void advance(Duration time) {
		InvalidSettingException.requireGiven(TestIdClock.class, "time", time);
		if (time.isNegative()) {
			throw new IllegalArgumentException("time is " + time + " but must not be negative; use set() to go back");
		}
		this.reading.updateAndGet((current) -> current.after(time));
	}

	@Override
	public long nanoTime() {
		return reading().nanos;
	}

	@Override
	public Instant instant() {
		return reading().instant;
	}

	private Reading reading() {
		return Objects.requireNonNull(this.reading.get());
	}

	/**
	 * Advance the clock by the given duration instead of waiting.
	 */
	@Override
	public void sleep(Duration time) {
		advance(time);
	}

	@Override
	public String toString() {
		return "Test clock at " + instant();
	}

	/**
	 * The values of {@link TestIdClock#instant} and {@link TestIdClock#nanoTime} at the
	 * same moment.
	 */
	private record Reading(Instant instant, long nanos) {

		Reading after(Duration time) {
			try {
				return new Reading(this.instant.plus(time), this.nanos + time.toNanos());
			}
			catch (ArithmeticException | DateTimeException ex) {
				throw new IllegalArgumentException("The clock shows " + this.instant + " and cannot be advanced by "
						+ time + ": the limit is 292 years at a time", ex);
			}
		}

	}

}
