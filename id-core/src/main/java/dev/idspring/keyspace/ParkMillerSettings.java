package dev.idspring.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * The pseudo-random key space of Park and Miller's generator on consecutive seeds:
 * {@code key = 16807 * seed mod (2^31 - 1)}, seed = 1, 2, 3, ... Keys are the numbers
 * from 1 to 2<sup>31</sup> - 2, each of them once; their text form is decimal, without
 * leading zeros. There is nothing to set.
 * <p>
 * This is the coprime scheme with another modulus; seed 0 is not used.
 *
 * @since 0.1.0
 * @see <a href="https://doi.org/10.1145/63039.63042">Stephen K. Park, Keith W. Miller:
 * Random number generators: good ones are hard to find, CACM 31 (1988)</a>
 */
public record ParkMillerSettings() implements KeySpaceSettings {

	/**
	 * Build the key space. It is always the same.
	 */
	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		return new ParkMillerKeySpace();
	}

}
