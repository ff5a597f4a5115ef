package dev.idspring;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Hands out consecutive numbers without a gap, separately for each scope: document
 * numbers of every tenant, project or year. They belong to the caller's transaction:
 * after a roll-back the same number is issued next.
 * <p>
 * The first number that a transaction draws locks the scope until the transaction ends.
 * Other transactions that need a number of this scope wait. Other scopes are not locked.
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
	 * @param scope the owner of the numbers, such as a tenant, or a tenant and a project:
	 * 1 to 8 texts. Without any, {@link IdScopeResolver} supplies the scope when numbers
	 * are used
	 * @return the numbers of that scope alone
	 * @throws IllegalArgumentException if a text cannot be part of a scope, or the
	 * pattern of the texts needs more or fewer; the message says why
	 */
	ScopedIds in(String... scope);

	/**
	 * Draw numbers of several scopes, all of the current period. Transactions that draw
	 * this way cannot deadlock with each other. A call that fails after it has drawn some
	 * numbers prevents the commit of the transaction.
	 * @param counts the number of ids of each scope, zero or more
	 * @return the numbers of each scope
	 * @throws IllegalArgumentException if a scope or a count cannot be used
	 */
	Map<List<String>, long[]> next(Map<List<String>, Integer> counts);

	/**
	 * Draw numbers of several scopes in the period of a date. The caller then knows the
	 * period with which to write them.
	 * @param counts the number of ids of each scope, zero or more
	 * @param date any day of the period, in the years 0 to 9999
	 * @return the numbers of each scope
	 * @throws IllegalArgumentException if a scope, a count or the date cannot be used
	 */
	Map<List<String>, long[]> next(Map<List<String>, Integer> counts, LocalDate date);

}
