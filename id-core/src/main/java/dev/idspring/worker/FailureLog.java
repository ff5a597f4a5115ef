package dev.idspring.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs failures that are not reported to any caller. At most one failure per minute is
 * logged, so that a failure that recurs many times a second does not fill the disk.
 *
 * @since 0.1.0
 */
public final class FailureLog {

	private static final Logger logger = System.getLogger(FailureLog.class.getName());

	private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

	private final String generator;

	private final TimeSource timeSource;

	private final AtomicLong nextLog;

	/**
	 * Create a log.
	 * @param generator the name of the generator
	 * @param timeSource measures the time between log messages
	 */
	public FailureLog(String generator, TimeSource timeSource) {
		this.generator = generator;
		this.timeSource = timeSource;
		this.nextLog = new AtomicLong(timeSource.nanoTime());
	}

	/**
	 * Log a failure, unless another one was logged within the last minute. This method
	 * never throws an exception.
	 * @param what what failed, as a clause that follows the name of the generator
	 * @param failure the failure
	 */
	public void log(String what, Throwable failure) {
		try {
			long due = this.nextLog.get();
			long now = this.timeSource.nanoTime();
			if (now - due >= 0 && this.nextLog.compareAndSet(due, now + PAUSE_NANOS)) {
				logger.log(Level.WARNING, "Id generator '" + this.generator + "': " + what, failure);
			}
		}
		catch (Throwable ex) {
			// give up: memory is exhausted, or the logging system fails
		}
	}

}
