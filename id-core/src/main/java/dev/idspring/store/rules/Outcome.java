package dev.idspring.store.rules;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one attempt at an operation: a result, or a reason to retry.
 *
 * @param result the result, or {@code null} if the operation must be retried
 * @param reason the reason for a retry
 * @param pause how long to wait before the retry
 * @param afterCommit an action that runs after the writes of the attempt are durable
 * @param <T> the type of the result
 * @since 0.1.0
 */
public record Outcome<T>(@Nullable T result, String reason, Duration pause, Runnable afterCommit) {

	private static final Runnable NOTHING = () -> {
	};

	/**
	 * Return an outcome with a result.
	 * @param result the result
	 * @param <T> its type
	 * @return the outcome
	 */
	public static <T> Outcome<T> of(T result) {
		return new Outcome<>(result, "", Duration.ZERO, NOTHING);
	}

	/**
	 * Return an outcome that requires a retry.
	 * @param reason the reason
	 * @param pause how long to wait before the retry
	 * @param <T> the type of the result
	 * @return the outcome
	 */
	static <T> Outcome<T> retry(String reason, Duration pause) {
		return new Outcome<>(null, reason, pause, NOTHING);
	}

	/**
	 * Return an outcome that requires a retry because other instances were faster.
	 */
	static <T> Outcome<T> retryAfterConflict() {
		return retry("other instances were repeatedly faster", Duration.ofMillis(10));
	}

}
