package dev.idspring.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The source of time. All code in this library that needs the time reads a
 * {@code TimeSource}, so that tests can set it.
 *
 * @since 0.1.0
 */
public interface TimeSource {

	/**
	 * Return a reading of a clock that never goes backwards. Only differences are
	 * meaningful.
	 * @return nanoseconds from an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Return the wall clock's time, which may jump either way.
	 * @return the current instant
	 */
	Instant instant();

	/**
	 * Return the wall clock's time in milliseconds, which may jump either way.
	 * @return milliseconds since 1970 in UTC
	 */
	default long millis() {
		return instant().toEpochMilli();
	}

	/**
	 * Let the calling thread wait for a time. A time source that does not advance by
	 * itself must advance here, or its callers wait for ever.
	 * @param time how long
	 * @throws InterruptedException if the thread was interrupted
	 */
	default void sleep(Duration time) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(time.toNanos());
	}

	/**
	 * Return whether the wall clock runs by itself, so that a reading may be reused for a
	 * moment. A clock that tests set must be read every time.
	 * @return {@code true} if times may be a millisecond old
	 */
	default boolean runsByItself() {
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
