package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import org.jspecify.annotations.Nullable;

/**
 * What operators see of a generator whose numbers have scopes, at one moment.
 *
 * @param strategy the name of the strategy, as in {@code ids.strategy}
 * @param status how the generator is doing: up or down, as each scope has an end of its
 * own
 * @param storeFailure why the store could not be asked, or {@code null} if it answered
 * @param definition what fixes the numbers and their texts
 * @param keySpace the name of the key space in its store
 * @param period the period by the store's clock, as last read
 * @param scopes how many scopes it has, of all instances, as last read
 * @param maxScopes how many it may have
 * @param issued how many numbers this instance has drawn, whether or not their
 * transactions were committed
 * @param draws how often it drew
 * @param failures how many draws failed
 * @param lastDrawAt when it drew last, or {@code null}
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
	 * @param key what identifies it, for the next page of a list
	 * @param next the number that comes next
	 * @since 0.1.0
	 */
	public record ScopeState(String name, String key, long next) {

	}

}
