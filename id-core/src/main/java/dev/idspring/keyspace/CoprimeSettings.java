package dev.idspring.keyspace;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.Alphabet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a key space of short scattered keys. The cycle
 * {@code next = (last + multiplier) mod n}, where n is the number of texts of a length,
 * visits all of them before it repeats, because multiplier and n are coprime.
 * <p>
 * When all keys of a length are used, those of the next length follow, up to the greatest
 * length. The multiplier applies to the first length only. For a longer one it would be
 * too small: neighbouring keys would begin with the same characters. So every further
 * length has its own default multiplier. Its keys therefore do not depend on when the
 * greatest length was raised.
 * <p>
 * Any two neighbouring keys reveal the multiplier: this is obfuscation, not secrecy.
 *
 * @param alphabet the digits of the text form
 * @param length the number of characters of the first keys, at least 1
 * @param maxLength the number of characters of the last keys, at least {@code length};
 * there may be at most 2<sup>62</sup> keys in all
 * @param multiplier the step from one key of the first length to the next: positive,
 * coprime with the number of keys of that length, and reduced by it. {@code null} takes
 * the one with which the key space was created. A new key space takes the published one
 * (202652143553 for 62<sup>6</sup> keys), else the one nearest to the golden section
 * @param offset the number of the first key within each length, from 0 to the number of
 * keys of the first length, exclusive
 * @since 0.1.0
 */
public record CoprimeSettings(Alphabet alphabet, int length, int maxLength, @Nullable Long multiplier,
		long offset) implements KeySpaceSettings {

	private static final Pattern DEFINITION = Pattern
		.compile("coprime length=[0-9]+ multiplier=([1-9][0-9]{0,18}) offset=[0-9]+ alphabet=[!-~]+.*");

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range, the multiplier not
	 * coprime, or there are more than 2<sup>62</sup> keys; the message says what to do
	 */
	public CoprimeSettings {
		InvalidSettingException.requireGiven(CoprimeSettings.class, "alphabet", alphabet);
		verifyLengths(alphabet, length, maxLength);
		long size = BigInteger.valueOf(alphabet.size()).pow(length).longValueExact();
		if (multiplier != null) {
			verifyMultiplier(multiplier, size);
		}
		InvalidSettingException.requireRange(CoprimeSettings.class, "offset", offset, 0L, size - 1);
	}

	private static void require(boolean valid, String parameter, Object value, String requirement, String... related) {
		InvalidSettingException.require(valid, CoprimeSettings.class, parameter, value, requirement, related);
	}

	private static void verifyLengths(Alphabet alphabet, int length, int maxLength) {
		require(length >= 1, "length", length, "must be at least 1");
		require(maxLength >= length, "maxLength", maxLength, "must be at least %s, which is " + length, "length");
		int greatest = greatestLength(alphabet.size(), length);
		String tooMany = "with an alphabet of " + alphabet.size() + " there would be more than 2^62 keys: use ";
		require(greatest >= length, "length", length, tooMany + "a shorter length");
		require(maxLength <= greatest, "maxLength", maxLength, tooMany + "at most " + greatest);
	}

	/**
	 * Return the greatest length with at most 2^62 keys in all, or one shorter than the
	 * first length if there is none.
	 */
	private static int greatestLength(int characters, int length) {
		BigInteger room = BigInteger.valueOf(CoprimeCycle.MAX_MODULUS);
		int greatest = length - 1;
		while (greatest < room.bitLength()) {
			room = room.subtract(BigInteger.valueOf(characters).pow(greatest + 1));
			if (room.signum() < 0) {
				break;
			}
			greatest++;
		}
		return greatest;
	}

	private static void verifyMultiplier(long multiplier, long size) {
		require(multiplier >= 1, "multiplier", multiplier, "must be positive");
		long gcd = CoprimeCycle.gcd(multiplier, size);
		if (gcd != 1) {
			throw new InvalidSettingException(CoprimeSettings.class, "multiplier", multiplier,
					"must be coprime with the " + size + " keys of the first length, their greatest common divisor is "
							+ gcd + ": use " + nearestCoprime(multiplier, size) + ", or leave it out");
		}
	}

	private static long nearestCoprime(long multiplier, long size) {
		for (long distance = 1; distance < multiplier; distance++) {
			if (CoprimeCycle.gcd(multiplier - distance, size) == 1) {
				return multiplier - distance;
			}
			if (multiplier <= Long.MAX_VALUE - distance && CoprimeCycle.gcd(multiplier + distance, size) == 1) {
				return multiplier + distance;
			}
		}
		return 1;
	}

	/**
	 * Build the key space. A multiplier that is not set is taken from the stored
	 * definition, if that describes a coprime key space and its multiplier fits this
	 * length and alphabet. Otherwise the default is used.
	 */
	@Override
	public KeySpace resolve(@Nullable String storedDefinition) {
		long size = BigInteger.valueOf(this.alphabet.size()).pow(this.length).longValueExact();
		return new CoprimeKeySpace(this.alphabet, this.length, this.maxLength, multiplier(size, storedDefinition),
				this.offset);
	}

	private long multiplier(long size, @Nullable String storedDefinition) {
		if (this.multiplier != null) {
			return this.multiplier;
		}
		Matcher stored = DEFINITION.matcher((storedDefinition != null) ? storedDefinition : "");
		if (stored.matches()) {
			long multiplier = Long.parseUnsignedLong(stored.group(1));
			if (multiplier > 0 && multiplier < size && CoprimeCycle.gcd(multiplier, size) == 1) {
				return multiplier;
			}
		}
		return CoprimeCycle.defaultMultiplier(size);
	}

}
