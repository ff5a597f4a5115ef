package dev.idspring.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Supplies the current time. All code in this library that needs the time uses a
 * {@code TimeSource}, so that tests can set the time.
 *
 * @since 0.1.0
 */
public interface TimeSource {

	/**
	 * Return a reading of a clock that never goes backwards. Only differences between
	 * readings are meaningful.
	 * @return nanoseconds from an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Return the time of the wall clock, which may jump forwards or backwards.
	 * @return the current instant
	 */
	Instant instant();

	/**
	 * Return the time of the wall clock in milliseconds.
	 * @return the milliseconds since the start of 1970 in UTC
	 */
	default long millis() {
		return instant().toEpochMilli();
	}

	/**
	 * Make the calling thread wait. A time source that does not advance by itself must
	 * override this method and advance the time. Otherwise, callers wait forever.
	 * @param time how long to wait
	 * @throws InterruptedException if the thread was interrupted
	 */
	default void sleep(Duration time) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(time.toNanos());
	}

	/**
	 * Return whether the wall clock advances by itself. A clock that advances only when a
	 * test sets it must be read every time.
	 * @return {@code true} if callers may use a reading that is up to a millisecond old
	 */
	default boolean advancesByItself() {
		return false;
	}

	/**
	 * Return the time source of the system.
	 * @return the system's time source
	 */
	static TimeSource system() {
		return SystemTimeSource.INSTANCE;
	}

}
