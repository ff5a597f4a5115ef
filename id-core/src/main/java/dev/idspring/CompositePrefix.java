package dev.idspring;

/**
 * Gives the first part of the ids of the strategy {@code composite}: a tenant, a user,
 * whatever ids are to be kept together by. As a bean it is asked by every call that draws
 * ids, once and on the calling thread, unless {@code ids.composite.prefix} is set.
 * Whether ids are unique never depends on it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CompositePrefix {

	/**
	 * Return the prefix of the ids that the calling thread is about to draw.
	 * @param generator the name of the generator that they are drawn from
	 * @return from 0 to what {@code ids.composite.prefix-digits} digits can hold
	 */
	long prefix(String generator);

}
