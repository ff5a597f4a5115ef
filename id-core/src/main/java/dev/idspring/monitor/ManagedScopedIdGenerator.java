package dev.idspring.monitor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdDescription;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * A generator of numbers with scopes, as operators see it.
 *
 * @since 0.1.0
 */
public interface ManagedScopedIdGenerator extends ScopedIdGenerator, AutoCloseable {

	/**
	 * Read from the store how many scopes there are, without counting them.
	 * @param timeout how long this may take
	 * @return completes when a snapshot shows it, or the reason why it does not
	 */
	CompletableFuture<?> refresh(Duration timeout);

	/**
	 * Take a snapshot of the known state. Does no I/O.
	 * @return the snapshot
	 */
	ScopedSnapshot snapshot();

	/**
	 * List scopes of a period. Reads the store, which may scan all of them.
	 * @param period the name of the period, or {@code null} for the current one
	 * @param after lists scopes after this key in the order of keys, from the first if it
	 * is a dash; {@code null} lists the scopes with the highest numbers
	 * @param count how many at most
	 * @param timeout how long this may take
	 * @return the scopes
	 * @throws IllegalArgumentException if the period or the count is invalid
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	List<ScopeState> scopes(@Nullable String period, @Nullable String after, int count, Duration timeout);

	/**
	 * Read a scope.
	 * @param period the name of the period, or {@code null} for the current one
	 * @param scope the parts of the scope
	 * @param timeout how long this may take
	 * @return the scope, or {@code null} if it has no numbers in that period
	 * @throws IllegalArgumentException if the period or the scope is invalid
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Nullable ScopeState scope(@Nullable String period, List<String> scope, Duration timeout);

	/**
	 * Describe the number of a text. May read the store.
	 * @param text any text
	 * @param timeout how long this may take
	 * @return the description, or empty if it is not a text of this generator
	 */
	Optional<ScopedDescription> describe(String text, Duration timeout);

	/**
	 * Return the settings of texts, apart from the pattern.
	 * @return the settings, which do not affect the numbers themselves
	 */
	TextSettings text();

	/**
	 * Return the pattern of the texts of numbers.
	 * @return the pattern
	 */
	ScopePattern pattern();

	/**
	 * A number of a scope, as read from its text.
	 *
	 * @param scope the name of the scope, {@code null} if texts do not contain it
	 * @param period the name of the period
	 * @param id the number; whether it is reserved is not known without the scope
	 */
	record ScopedDescription(@Nullable String scope, String period, IdDescription id) {

	}

	/**
	 * Hand out no more numbers.
	 */
	@Override
	void close();

}
