package dev.idspring.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an attempt has failed or has an unknown outcome.
 */
final class RedisFailure extends Exception {

	private static final long serialVersionUID = 1L;

	private final boolean retryable;

	private final @Nullable Duration waitBeforeRetry;

	private RedisFailure(String message, @Nullable Throwable cause, boolean retryable, @Nullable Duration wait) {
		super(message, cause);
		this.retryable = retryable;
		this.waitBeforeRetry = wait;
	}

	/**
	 * Create a transient failure. Another attempt may succeed.
	 */
	static RedisFailure of(String message, @Nullable Throwable cause) {
		return new RedisFailure(message, cause, true, null);
	}

	/**
	 * Create a permanent failure. The attempt is not retried.
	 */
	static RedisFailure permanent(String message, @Nullable Throwable cause) {
		return new RedisFailure(message, cause, false, null);
	}

	/**
	 * Create a failure after which the next attempt must wait for a given time.
	 */
	static RedisFailure retryAfter(String reason, Duration wait) {
		return new RedisFailure(reason, null, true, wait);
	}

	/**
	 * Create the failure for a change that was not applied because other instances
	 * changed the same values first. The change is retried after a short wait.
	 */
	static RedisFailure conflict() {
		return retryAfter("other instances repeatedly changed the same values first", Duration.ofMillis(10));
	}

	boolean isRetryable() {
		return this.retryable;
	}

	/**
	 * Return how long to wait before the next attempt, or {@code null} if the caller may
	 * choose the time.
	 */
	@Nullable Duration waitBeforeRetry() {
		return this.waitBeforeRetry;
	}

}
