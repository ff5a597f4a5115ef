package dev.idspring;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Hands out consecutive numbers without a gap, of each scope apart: document numbers of
 * every tenant, project or year. They belong to the caller's transaction: one that is
 * rolled back comes next again.
 * <p>
 * From the first number that a transaction draws of a scope to its end, all others that
 * want one of the same scope wait. Other scopes do not wait for it.
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
	 * @param scope what the numbers belong to, such as a tenant, or a tenant and a
	 * project: 1 to 8 texts. Without any, what {@link IdScopeResolver} returns when
	 * numbers are used
	 * @return the numbers of that scope alone
	 * @throws IllegalArgumentException if a text cannot be part of a scope, or there are
	 * more or less than the pattern of the texts has; the message says why
	 */
	ScopedIds in(String... scope);

	/**
	 * Draw numbers of several scopes, all of the present period. Transactions that draw
	 * this way cannot wait for each other in a circle. A call that fails after it has
	 * drawn some keeps the transaction from being committed.
	 * @param counts how many numbers of each scope, zero or more
	 * @return the numbers of each scope
	 * @throws IllegalArgumentException if a scope or a count cannot be used
	 */
	Map<List<String>, long[]> next(Map<List<String>, Integer> counts);

	/**
	 * Draw numbers of several scopes in the period of a date, so that the caller knows
	 * how to write them.
	 * @param counts how many numbers of each scope, zero or more
	 * @param date any day of the period, in the years 0 to 9999
	 * @return the numbers of each scope
	 * @throws IllegalArgumentException if a scope, a count or the date cannot be used
	 */
	Map<List<String>, long[]> next(Map<List<String>, Integer> counts, LocalDate date);

}
