package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator of numbers with scopes at one moment, for operators.
 *
 * @param strategy the name of the strategy, as in {@code ids.strategy}
 * @param status the status of the generator: only up or down, because each scope ends by
 * itself
 * @param storeFailure why the store could not be read, or {@code null} if it answered
 * @param definition the definition of the numbers and their texts
 * @param keySpace the name of the key space in its store
 * @param period the period by the store's clock, as last read
 * @param scopes how many scopes the period has, of all instances, as last read
 * @param maxScopes how many it may have
 * @param issued how many numbers this instance has drawn, whether or not their
 * transactions were committed
 * @param draws how often this instance drew
 * @param failures how many draws failed
 * @param lastDrawAt when the last draw was, or {@code null}
 * @param lastDrawTook how long that took, or {@code null}
 * @since 0.1.0
 */
public record ScopedSnapshot(String strategy, GeneratorStatus status, @Nullable String storeFailure, String definition,
		String keySpace, String period, long scopes, long maxScopes, long issued, long draws, long failures,
		@Nullable Instant lastDrawAt, @Nullable Duration lastDrawTook) {

	/**
	 * One scope in one period.
	 *
	 * @param name its name: its parts with slashes between them
	 * @param key its identifier, for the next page of a list
	 * @param next the next number
	 * @since 0.1.0
	 */
	public record ScopeState(String name, String key, long next) {

	}

}
