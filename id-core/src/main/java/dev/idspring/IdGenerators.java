package dev.idspring;

import java.util.Set;

/**
 * All generators of an application by name. Iteration follows the order of
 * {@link #names()} and leaves out the default generator until something has used it, if
 * there are others. Generators whose numbers have a scope are apart: {@link #scoped}.
 *
 * @since 0.1.0
 */
public interface IdGenerators extends Iterable<IdGenerator> {

	/**
	 * Return the generator of a name. The default generator is opened now if there are
	 * others and nothing has used it before.
	 * @param name {@code default}, or a name under {@code ids.generators}, whose dashes,
	 * underscores and case do not matter
	 * @return the generator
	 * @throws IllegalArgumentException if there is none; the message lists the known
	 * names
	 * @throws IdSetupException if the default generator is opened now, and is configured
	 * wrongly
	 * @throws IdGenerationException if the default generator is opened now, and its store
	 * does not let it
	 */
	IdGenerator get(String name);

	/**
	 * Return the generator of a name whose numbers have a scope.
	 * @param name a name under {@code ids.generators}, as lenient as that of {@link #get}
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
