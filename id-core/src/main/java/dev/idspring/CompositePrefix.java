package dev.idspring;

/**
 * Supplies the first part of the ids of the strategy {@code composite}: a tenant, a user,
 * or any other value to group ids by. Every call that draws ids calls a bean of this type
 * once, on the calling thread, unless {@code ids.composite.prefix} is set. The uniqueness
 * of ids never depends on it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CompositePrefix {

	/**
	 * Return the prefix of the ids that the calling thread is about to draw.
	 * @param generator the name of the generator
	 * @return from 0 to the greatest number of {@code ids.composite.prefix-digits} digits
	 */
	long prefix(String generator);

}
