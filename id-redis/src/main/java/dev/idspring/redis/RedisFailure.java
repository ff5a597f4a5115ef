package dev.idspring.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * An attempt that failed, or whose outcome is unknown.
 */
final class RedisFailure extends Exception {

	private static final long serialVersionUID = 1L;

	private final boolean repeatable;

	private final @Nullable Duration wait;

	private RedisFailure(String message, @Nullable Throwable cause, boolean repeatable, @Nullable Duration wait) {
		super(message, cause);
		this.repeatable = repeatable;
		this.wait = wait;
	}

	/**
	 * Return a transient failure: another attempt may succeed.
	 */
	static RedisFailure of(String message, @Nullable Throwable cause) {
		return new RedisFailure(message, cause, true, null);
	}

	/**
	 * Return a permanent failure: every attempt will fail.
	 */
	static RedisFailure permanent(String message, @Nullable Throwable cause) {
		return new RedisFailure(message, cause, false, null);
	}

	/**
	 * Return a failure to retry after a wait.
	 */
	static RedisFailure notYet(String reason, Duration wait) {
		return new RedisFailure(reason, null, true, wait);
	}

	/**
	 * Return a failure to retry soon.
	 */
	static RedisFailure lostToOthers() {
		return notYet("other instances were faster repeatedly", Duration.ofMillis(10));
	}

	boolean isRepeatable() {
		return this.repeatable;
	}

	/**
	 * Return how long to wait, or {@code null} if that is not known.
	 */
	@Nullable Duration waitFor() {
		return this.wait;
	}

}
