package dev.idspring.test;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.InvalidSettingException;
import dev.idspring.worker.TimeSource;

/**
 * The clock that id generators go by in tests. It stands still until it is set otherwise,
 * except that a generator which has to wait for it moves it on by as much as it waits: so
 * nothing waits for ever.
 *
 * @since 0.1.0
 */
public final class TestIdClock implements TimeSource {

	/** What the clock shows at first, unless told otherwise. */
	public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicReference<Reading> reading;

	/**
	 * Create a clock.
	 * @param start what it shows
	 */
	public TestIdClock(Instant start) {
		InvalidSettingException.requireGiven(TestIdClock.class, "start", start);
		this.reading = new AtomicReference<>(new Reading(start, 0));
	}

	/**
	 * Set the time. To a later one, as much time passes as lies between. To an earlier
	 * one, the clock jumps back like that of a machine that is corrected: ids go on
	 * rising, from the latest time they have carried.
	 * @param instant what the clock is to show
	 * @throws IllegalArgumentException if it is more than 292 years later
	 */
	public void set(Instant instant) {
		InvalidSettingException.requireGiven(TestIdClock.class, "instant", instant);
		this.reading.updateAndGet((known) -> {
			Duration passed = Duration.between(known.instant, instant);
			return passed.isNegative() ? new Reading(instant, known.nanos) : known.after(passed);
		});
	}

	/**
	 * Let time pass.
	 * @param time how much
	 * @throws IllegalArgumentException if it is negative, or more than 292 years
	 */
	public void advance(Duration time) {
		InvalidSettingException.requireGiven(TestIdClock.class, "time", time);
		if (time.isNegative()) {
			throw new IllegalArgumentException("time is " + time + " but must not be negative: set the clock instead");
		}
		this.reading.updateAndGet((known) -> known.after(time));
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
	 * Do not wait, but let as much time pass.
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
	 * What the two clocks of a machine show.
	 */
	private record Reading(Instant instant, long nanos) {

		Reading after(Duration time) {
			try {
				return new Reading(this.instant.plus(time), this.nanos + time.toNanos());
			}
			catch (ArithmeticException | DateTimeException ex) {
				throw new IllegalArgumentException("The clock shows " + this.instant + " and cannot be set ahead by "
						+ time + ": at most 292 years can pass at once", ex);
			}
		}

	}

}
