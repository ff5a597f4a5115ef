package dev.idspring;

/**
 * Supplies the prefix of the ids of the strategy {@code composite}: the number of a
 * tenant, of a user, or any other number to group ids by. If {@code ids.composite.prefix}
 * is not set, each call that draws ids invokes a bean of this type once, on the calling
 * thread. Ids are unique whatever the prefix is.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CompositePrefix {

	/**
	 * Return the prefix of the ids that the calling thread is about to draw.
	 * @param generator the name of the generator
	 * @return the prefix, from 0 to the greatest number with
	 * {@code ids.composite.prefix-digits} digits
	 */
	long prefix(String generator);

}
