package dev.idspring.keyspace;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.Alphabet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a key space with short keys in scattered order. The keys of each length
 * follow the cycle {@code next = (last + multiplier) mod n}, where n is the number of
 * strings of that length. Because multiplier and n are coprime, the cycle visits every
 * string once before it repeats.
 * <p>
 * When all keys of a length are used, the keys of the next length follow, up to
 * {@code maxLength}. Longer keys need a larger multiplier, because otherwise consecutive
 * keys would begin with the same characters. Therefore, {@code multiplier} applies only
 * to the first length. Each longer length has a default multiplier, which depends only on
 * the number of keys of that length.
 * <p>
 * Two consecutive keys reveal the multiplier, so the order is not secret.
 *
 * @param alphabet the digits of the text form
 * @param length the number of characters of the first keys, at least 1
 * @param maxLength the number of characters of the last keys, at least {@code length};
 * all lengths together may have at most 2<sup>62</sup> keys
 * @param multiplier the step between keys of the first length, positive and coprime with
 * n, the number of these keys; it is reduced modulo n. With {@code null}, an existing key
 * space retains its multiplier. A new key space uses 202652143553 if n is 62<sup>6</sup>.
 * Otherwise, it uses the number coprime with n that is nearest to n * (sqrt(5) - 1) / 2
 * @param offset the first key within each length, at least 0 and less than the number of
 * keys of the first length
 * @since 0.1.0
 */
public record CoprimeSettings(Alphabet alphabet, int length, int maxLength, @Nullable Long multiplier,
		long offset) implements KeySpaceSettings {

	private static final Pattern DEFINITION = Pattern
		.compile("coprime length=[0-9]+ multiplier=([1-9][0-9]{0,18}) offset=[0-9]+ alphabet=[!-~]+.*");

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range, the multiplier is not
	 * coprime, or there are more than 2<sup>62</sup> keys; the message contains the
	 * remedy
	 */
	public CoprimeSettings {
		InvalidSettingException.requireGiven(CoprimeSettings.class, "alphabet", alphabet);
		verifyLengths(alphabet, length, maxLength);
		long size = BigInteger.valueOf(alphabet.size()).pow(length).longValueExact();
		if (multiplier != null) {
			verifyMultiplier(multiplier, size, length);
		}
		InvalidSettingException.requireRange(CoprimeSettings.class, "offset", offset, 0L, size - 1);
	}

	private static void require(boolean valid, String parameter, Object value, String requirement, String... related) {
		InvalidSettingException.require(valid, CoprimeSettings.class, parameter, value, requirement, related);
	}

	private static void verifyLengths(Alphabet alphabet, int length, int maxLength) {
		require(length >= 1, "length", length, "must be at least 1");
		require(maxLength >= length, "maxLength", maxLength, "must be at least %s, which is " + length, "length");
		int longest = greatestMaxLength(alphabet.size(), length);
		String tooMany = "with an alphabet of " + alphabet.size()
				+ " characters there would be more than 2^62 keys: use ";
		require(longest >= length, "length", length, tooMany + "a shorter length");
		require(maxLength <= longest, "maxLength", maxLength, tooMany + "at most " + longest);
	}

	/**
	 * Return the greatest {@code maxLength} with at most 2^62 keys in total, or
	 * {@code length - 1} if there is none.
	 */
	private static int greatestMaxLength(int characters, int length) {
		BigInteger keysLeft = BigInteger.valueOf(CoprimeCycle.MAX_MODULUS);
		int longest = length - 1;
		while (longest < keysLeft.bitLength()) {
			keysLeft = keysLeft.subtract(BigInteger.valueOf(characters).pow(longest + 1));
			if (keysLeft.signum() < 0) {
				break;
			}
			longest++;
		}
		return longest;
	}

	private static void verifyMultiplier(long multiplier, long size, int length) {
		require(multiplier >= 1, "multiplier", multiplier, "must be positive");
		long gcd = CoprimeCycle.gcd(multiplier, size);
		if (gcd != 1) {
			throw new InvalidSettingException(CoprimeSettings.class, "multiplier", multiplier,
					"must be coprime with " + size + ", the number of ids with " + length
							+ " characters (their greatest common divisor is " + gcd + "): use "
							+ nearestCoprime(multiplier, size) + ", or leave the multiplier unset");
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
	 * Build the key space. If no multiplier is set, use that of the stored definition. If
	 * the stored definition is missing, has another strategy, or has a multiplier that is
	 * invalid for this length and alphabet, use the default multiplier.
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
		Matcher matcher = DEFINITION.matcher((storedDefinition != null) ? storedDefinition : "");
		if (matcher.matches()) {
			long multiplier = Long.parseUnsignedLong(matcher.group(1));
			if (multiplier > 0 && multiplier < size && CoprimeCycle.gcd(multiplier, size) == 1) {
				return multiplier;
			}
		}
		return CoprimeCycle.defaultMultiplier(size);
	}

}
