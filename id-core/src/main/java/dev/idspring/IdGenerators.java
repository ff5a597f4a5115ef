package dev.idspring;

import java.util.Set;

/**
 * All generators of an application by name. Iteration follows the order of
 * {@link #names()}. If there are generators besides the default one, iteration skips the
 * default one until it is first used. Iteration never includes the generators that
 * {@link #scoped} returns.
 *
 * @since 0.1.0
 */
public interface IdGenerators extends Iterable<IdGenerator> {

	/**
	 * Return the generator with the given name. If there are generators besides the
	 * default one, the default one is opened when it is first requested.
	 * @param name {@code default}, or a name under {@code ids.generators}; dashes,
	 * underscores and case do not matter
	 * @return the generator
	 * @throws IllegalArgumentException if the generator is unknown (the message lists the
	 * known names) or scoped
	 * @throws IdSetupException if this call opens the default generator, and its
	 * configuration is wrong
	 * @throws IdGenerationException if this call opens the default generator, and the
	 * store fails or rejects the generator
	 */
	IdGenerator get(String name);

	/**
	 * Return the scoped generator with the given name. The generator counts its numbers
	 * separately for each scope.
	 * @param name a name under {@code ids.generators}; dashes, underscores and case do
	 * not matter
	 * @return the generator
	 * @throws IllegalArgumentException if the generator is unknown (the message lists the
	 * known names) or not scoped
	 */
	ScopedIdGenerator scoped(String name);

	/**
	 * Return the names of the generators that {@link #get} returns. The set includes a
	 * default generator that has not been used yet, as its first name.
	 * @return the names, as an unmodifiable set
	 */
	Set<String> names();

}
