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
 * A scoped generator that can be monitored and closed. Each scope, such as a customer,
 * has separate numbers in each period, such as a year.
 *
 * @since 0.1.0
 */
public interface ManagedScopedIdGenerator extends ScopedIdGenerator, AutoCloseable {

	/**
	 * Read from the store how many scopes the current period has. The cost does not
	 * depend on this number.
	 * @param timeout the maximum duration of the operation
	 * @return a future that completes when {@link #snapshot()} shows the number or, if
	 * the request failed, the reason
	 */
	CompletableFuture<?> refresh(Duration timeout);

	/**
	 * Return the state of the generator as this instance knows it, without I/O.
	 * @return the snapshot
	 */
	ScopedSnapshot snapshot();

	/**
	 * List scopes of a period. This method calls the store, which may read all scopes of
	 * the period.
	 * @param period the name of the period, or {@code null} for the current one
	 * @param after {@code null} to list the scopes with the highest numbers first;
	 * otherwise, the scopes are listed in the order of their keys, beginning after this
	 * key, or with the first key if this is {@code -}
	 * @param count the maximum number of scopes to return
	 * @param timeout the maximum duration of the operation
	 * @return the scopes
	 * @throws IllegalArgumentException if the period or the count is invalid
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	List<ScopeState> scopes(@Nullable String period, @Nullable String after, int count, Duration timeout);

	/**
	 * Read the state of a scope.
	 * @param period the name of the period, or {@code null} for the current one
	 * @param scope the parts of the scope
	 * @param timeout the maximum duration of the operation
	 * @return the scope, or {@code null} if the scope does not exist in that period
	 * @throws IllegalArgumentException if the period or the scope is invalid
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Nullable ScopeState scope(@Nullable String period, List<String> scope, Duration timeout);

	/**
	 * Describe the number that a string contains. This method may call the store.
	 * @param text any string
	 * @param timeout the maximum duration of the operation
	 * @return the description, or empty if the string is not the text form of a number of
	 * this generator
	 */
	Optional<ScopedDescription> describe(String text, Duration timeout);

	/**
	 * Return the settings of the text form, apart from the pattern.
	 * @return the settings
	 */
	TextSettings text();

	/**
	 * Return the pattern of the text form of the numbers.
	 * @return the pattern
	 */
	ScopePattern pattern();

	/**
	 * A number of a scope, as parsed from its text.
	 *
	 * @param scope the name of the scope, or {@code null} if the text form does not
	 * contain it
	 * @param period the name of the period, or {@code null} if the text form does not
	 * contain it
	 * @param id the description of the number. Its {@code reserved} is {@code null} if
	 * the scope is not known or the store does not answer
	 */
	record ScopedDescription(@Nullable String scope, @Nullable String period, IdDescription id) {

	}

	/**
	 * Close the generator. A closed generator issues no numbers.
	 */
	@Override
	void close();

}
