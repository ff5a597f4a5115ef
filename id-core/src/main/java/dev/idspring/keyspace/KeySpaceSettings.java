package dev.idspring.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * What a user has said about a key space. Some of it may be left open; what is open is
 * decided when the key space is first created, and read back from its stored definition
 * ever after.
 *
 * @since 0.1.0
 */
public interface KeySpaceSettings {

	/**
	 * Build the key space.
	 * @param storedDefinition the {@link KeySpace#definition() definition} under which
	 * the key space was created, from which everything left open is taken, or
	 * {@code null} if it does not exist yet. Nothing that was said is ever overridden by
	 * it: the caller must compare the definitions
	 * @return the key space
	 */
	KeySpace resolve(@Nullable String storedDefinition);

	/**
	 * Return the settings of the pseudo-random key space of Park and Miller's generator
	 * on consecutive seeds: {@code key = 16807 * seed mod (2^31 - 1)}, seed = 1, 2, 3,
	 * ... Keys are the numbers from 1 to 2<sup>31</sup> - 2, each of them once; their
	 * text form is decimal, without leading zeros.
	 * <p>
	 * This is the coprime scheme with another modulus; seed 0 is not used. The ordinal i
	 * is the seed i + 1.
	 * @return settings in which there is nothing to set
	 * @see <a href="https://doi.org/10.1145/63039.63042">Stephen K. Park, Keith W.
	 * Miller: Random number generators: good ones are hard to find, CACM 31 (1988)</a>
	 */
	static KeySpaceSettings parkMiller() {
		long modulus = 2_147_483_647L;
		long multiplier = 16_807L;
		KeySpace keySpace = new DecimalKeySpace("park-miller modulus=" + modulus + " multiplier=" + multiplier,
				"park-miller", null, 1, modulus - 1, modulus - 1, new CoprimeCycle(modulus, multiplier, 0));
		return (storedDefinition) -> keySpace;
	}

}
