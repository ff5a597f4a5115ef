package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import org.jspecify.annotations.Nullable;

/**
 * The state of a scoped generator at one moment, as operators see it.
 *
 * @param strategy the name of the strategy, as in {@code ids.strategy}
 * @param status the status of the generator: {@code UP} or {@code DOWN}. It is never
 * {@code LOW} or {@code EXHAUSTED}, because each scope has its own last number
 * @param storeFailure why the last refresh failed to read the store, or {@code null} if
 * it succeeded. Draws do not count
 * @param definition the definition of the numbers and of their text form
 * @param keySpace the name of the key space in its store
 * @param period the name of the current period, according to the last reading of the
 * store's clock
 * @param scopes how many scopes the current period had when the store was last read
 * @param maxScopes how many scopes a period may have
 * @param issued how many numbers this instance has drawn, including those of transactions
 * that were rolled back
 * @param draws how many draws of this instance have succeeded
 * @param failures how many draws of this instance have failed. Draws that failed because
 * of the caller (for example, without a transaction) or because no number was left do not
 * count
 * @param lastDrawAt when the last draw succeeded, or {@code null} if none has
 * @param lastDrawTook the duration of the last successful draw, or {@code null} if none
 * has succeeded
 * @since 0.1.0
 */
public record ScopedSnapshot(String strategy, GeneratorStatus status, @Nullable String storeFailure, String definition,
		String keySpace, String period, long scopes, long maxScopes, long issued, long draws, long failures,
		@Nullable Instant lastDrawAt, @Nullable Duration lastDrawTook) {

	/**
	 * The state of one scope in one period.
	 *
	 * @param name the name of the scope: its parts, separated by slashes
	 * @param key the key of the scope, which is also used to get the next page of a list
	 * @param next the next number of the scope
	 * @since 0.1.0
	 */
	public record ScopeState(String name, String key, long next) {

	}

}
