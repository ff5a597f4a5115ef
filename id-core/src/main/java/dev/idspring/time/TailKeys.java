package dev.idspring.time;

import java.security.SecureRandom;

/**
 * Where the keys of random tails come from. That ids are unique does not rest on them:
 * they only make tails hard to foresee.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TailKeys {

	/**
	 * Return the key for the random tails of a generator. Asked once, when it is opened.
	 * @param generator the name of the generator
	 * @return any number
	 */
	long key(String generator);

	/**
	 * Return keys that cannot be foreseen.
	 * @return keys that differ at every start
	 */
	static TailKeys secure() {
		SecureRandom random = new SecureRandom();
		return (generator) -> random.nextLong();
	}

}
