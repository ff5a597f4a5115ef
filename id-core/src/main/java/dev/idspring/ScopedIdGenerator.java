package dev.idspring;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Hands out consecutive numbers without a gap, separately for each scope. For example,
 * each tenant or project has its own document numbers. The numbers belong to the caller's
 * transaction, so they are issued again after a rollback.
 * <p>
 * The first number that a transaction draws from a scope locks that scope until the
 * transaction ends. Other transactions that need a number of the scope have to wait.
 *
 * @since 0.1.0
 * @see ScopedIds
 */
public interface ScopedIdGenerator {

	/**
	 * Return the name of this generator.
	 * @return the name under {@code ids.generators}
	 */
	String name();

	/**
	 * Return the numbers of a scope.
	 * @param scope the parts of the scope, such as a tenant, or a tenant and a project;
	 * at most 8 parts. Without parts, each method of the result that needs the scope
	 * calls the {@link IdScopeResolver}
	 * @return the numbers of that scope
	 * @throws IllegalArgumentException if a part is invalid, or if {@code text.pattern}
	 * needs a different number of parts; the message says why
	 */
	ScopedIds in(String... scope);

	/**
	 * Draw numbers from several scopes in the current period, such as the current year.
	 * Transactions that draw all of their numbers in a single call of this method cannot
	 * deadlock with each other. If a call fails after it has drawn some numbers, the
	 * transaction cannot commit.
	 * @param counts how many numbers to draw from each scope, zero or more
	 * @return the numbers of each scope
	 * @throws IllegalArgumentException if a scope or a count is invalid
	 */
	Map<List<String>, long[]> next(Map<List<String>, Integer> counts);

	/**
	 * Draw numbers from several scopes in the period of a date. To format the numbers
	 * later, pass the same date to {@link ScopedIds#at}.
	 * @param counts how many numbers to draw from each scope, zero or more
	 * @param date any day of the period, in the years 0 to 9999
	 * @return the numbers of each scope
	 * @throws IllegalArgumentException if a scope, a count or the date is invalid
	 */
	Map<List<String>, long[]> next(Map<List<String>, Integer> counts, LocalDate date);

}
