package dev.idspring;

import java.util.Set;

/**
 * All generators of an application by name. Iteration follows the order of
 * {@link #names()}. It skips the default generator until its first use, if there are
 * others. It never includes generators whose numbers have a scope: see {@link #scoped}.
 *
 * @since 0.1.0
 */
public interface IdGenerators extends Iterable<IdGenerator> {

	/**
	 * Return the generator of a name. The first use opens the default generator, if there
	 * are others.
	 * @param name {@code default}, or a name under {@code ids.generators}, whose dashes,
	 * underscores and case do not matter
	 * @return the generator
	 * @throws IllegalArgumentException if there is none; the message lists the known
	 * names
	 * @throws IdSetupException if this call opens the default generator, and its
	 * configuration is wrong
	 * @throws IdGenerationException if this call opens the default generator, and its
	 * store refuses
	 */
	IdGenerator get(String name);

	/**
	 * Return the generator of a name whose numbers have a scope.
	 * @param name a name under {@code ids.generators}, as lenient as in {@link #get}
	 * @return the generator
	 * @throws IllegalArgumentException if there is none; the message lists the known
	 * names
	 */
	ScopedIdGenerator scoped(String name);

	/**
	 * Return the names of all generators, the default one first.
	 * @return the names, unmodifiable
	 */
	Set<String> names();

}
