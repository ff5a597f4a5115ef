package dev.idspring.text;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * The digits of the text form of a key: distinct printable ASCII characters. The first
 * one is the zero.
 * <ul>
 * <li>{@code base62}: {@code 0-9a-zA-Z}</li>
 * <li>{@code base58}: Bitcoin's, without the look-alikes {@code 0OIl}, beginning with
 * {@code 1}</li>
 * <li>{@code base36}: {@code 0-9a-z}</li>
 * <li>{@code base32}: Douglas Crockford's, upper case without {@code ILOU}. Reads lower
 * case, too, and reads {@code I} and {@code L} as 1 and {@code O} as 0</li>
 * <li>or any other 2 to 94 characters</li>
 * </ul>
 * Immutable and thread-safe; alphabets of the same characters are equal.
 *
 * @since 0.1.0
 * @see <a href="https://www.crockford.com/base32.html">Crockford's Base32</a>
 * @see <a href="https://datatracker.ietf.org/doc/html/draft-msporny-base58-03">Base58</a>
 */
public final class Alphabet {

	static final String TOO_HIGH = "it is higher than any";

	private static final int MIN_SIZE = 2;

	private static final int MAX_SIZE = 94;

	private static final Pattern NAME = Pattern.compile("base[-_]?([0-9]+)", Pattern.CASE_INSENSITIVE);

	private static final List<Alphabet> KNOWN = List.of(
			new Alphabet("base62", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
			new Alphabet("base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
			new Alphabet("base36", "0123456789abcdefghijklmnopqrstuvwxyz"),
			new Alphabet("base32", "0123456789ABCDEFGHJKMNPQRSTVWXYZ").acceptLookAlikes());

	/** Not known by a name. */
	static final Alphabet DECIMAL = new Alphabet(null, "0123456789");

	private final @Nullable String name;

	private final String characters;

	private final long square;

	/** 2<sup>64</sup> divided by the square. */
	private final long reciprocal;

	/** The two characters of every number below the square of the size. */
	private final byte[] pairs;

	/** The digit of every ASCII character, or -1. */
	private final byte[] digits;

	private Alphabet(@Nullable String name, String characters) {
		this.name = name;
		this.characters = characters;
		this.square = (long) characters.length() * characters.length();
		this.reciprocal = BigInteger.ONE.shiftLeft(Long.SIZE).divide(BigInteger.valueOf(this.square)).longValueExact();
		this.pairs = pairs(characters.getBytes(StandardCharsets.ISO_8859_1));
		this.digits = digits(characters);
	}

	/**
	 * Find an alphabet by its name, or create one from its characters. Any text in the
	 * form of a name ({@code base}, an optional hyphen or underscore, and digits, in any
	 * case) must be the name of a known alphabet.
	 * @param nameOrCharacters {@code base62}, {@code base58}, {@code base36},
	 * {@code base32}, or 2 to 94 distinct printable ASCII characters without the space,
	 * the zero digit first. The characters of a known alphabet return that alphabet
	 * @return the alphabet
	 * @throws IllegalArgumentException if it is neither; the message says why
	 */
	public static Alphabet of(String nameOrCharacters) {
		if (nameOrCharacters == null) {
			throw new InvalidSettingException(TextSettings.class, "alphabet", null,
					"must not be null: use " + choices());
		}
		Matcher named = NAME.matcher(nameOrCharacters);
		if (named.matches()) {
			return known((known) -> ("base" + named.group(1)).equals(known.name))
				.orElseThrow(() -> invalid(nameOrCharacters, "is not the name of one"));
		}
		verify(nameOrCharacters);
		return known((known) -> known.characters.equals(nameOrCharacters))
			.orElseGet(() -> new Alphabet(null, nameOrCharacters));
	}

	private static Optional<Alphabet> known(Predicate<Alphabet> condition) {
		return KNOWN.stream().filter(condition).findFirst();
	}

	private static void verify(String characters) {
		if (characters.length() < MIN_SIZE || characters.length() > MAX_SIZE) {
			throw invalid(characters, "has " + characters.length() + " characters");
		}
		for (int i = 0; i < characters.length(); i++) {
			char character = characters.charAt(i);
			if (character <= 0x20 || character >= 0x7F) {
				throw invalid(characters,
						"has " + QuotedInput.of(characters.codePointAt(i)) + " at position " + (i + 1));
			}
			if (characters.indexOf(character) < i) {
				throw invalid(characters, "has " + QuotedInput.of(character) + " twice");
			}
		}
	}

	private static InvalidSettingException invalid(String given, String why) {
		return new InvalidSettingException(TextSettings.class, "alphabet", given,
				"cannot be used, it " + why + ": use " + choices());
	}

	private static String choices() {
		List<String> names = KNOWN.stream().map(Alphabet::toString).toList();
		return String.join(", ", names) + ", or " + MIN_SIZE + " to " + MAX_SIZE
				+ " distinct printable ASCII characters without the space";
	}

	/**
	 * Return whether the characters are digits and letters of one case in ascending
	 * order, so that all collations sort them in the same way.
	 */
	boolean isSorted() {
		return this.characters.matches("[0-9a-z]+|[0-9A-Z]+") && IntStream.range(1, this.characters.length())
			.allMatch((i) -> this.characters.charAt(i - 1) < this.characters.charAt(i));
	}

	/**
	 * Return whether a letter is a digit in upper and in lower case.
	 */
	boolean isCaseSensitive() {
		return this.characters.chars()
			.anyMatch((digit) -> digit >= 'a' && digit <= 'z'
					&& this.characters.indexOf(Character.toUpperCase(digit)) >= 0);
	}

	private static byte[] pairs(byte[] characters) {
		int size = characters.length;
		byte[] pairs = new byte[2 * size * size];
		for (int i = 0; i < size * size; i++) {
			pairs[2 * i] = characters[i / size];
			pairs[2 * i + 1] = characters[i % size];
		}
		return pairs;
	}

	private static byte[] digits(String characters) {
		byte[] digits = new byte[128];
		Arrays.fill(digits, (byte) -1);
		for (int i = 0; i < characters.length(); i++) {
			digits[characters.charAt(i)] = (byte) i;
		}
		return digits;
	}

	/** Called before the object is published in {@link #KNOWN}. */
	private Alphabet acceptLookAlikes() {
		this.digits['I'] = this.digits['1'];
		this.digits['L'] = this.digits['1'];
		this.digits['O'] = this.digits['0'];
		System.arraycopy(this.digits, 'A', this.digits, 'a', 26);
		return this;
	}

	/**
	 * Return the number of digits.
	 * @return 2 to 94
	 */
	public int size() {
		return this.characters.length();
	}

	/**
	 * Return the name of this alphabet.
	 * @return {@code base62}, {@code base58}, {@code base36}, {@code base32}, or
	 * {@code null} if it is none of these
	 */
	public @Nullable String name() {
		return this.name;
	}

	/**
	 * Return the digits.
	 * @return as many characters as there are digits, in ascending order
	 */
	public String characters() {
		return this.characters;
	}

	/**
	 * Write a number, two digits at a time.
	 * @param value from 0 to {@code size()} to the power of the length, exclusive
	 * @param length the number of characters, padded with zeros on the left
	 */
	String encode(long value, int length) {
		// with a short constant length, only the array of the String is allocated
		return switch (length) {
			case 1 -> write(value, 1);
			case 2 -> write(value, 2);
			case 3 -> write(value, 3);
			case 4 -> write(value, 4);
			case 5 -> write(value, 5);
			case 6 -> write(value, 6);
			case 7 -> write(value, 7);
			case 8 -> write(value, 8);
			default -> write(value, length);
		};
	}

	@SuppressWarnings("deprecation") // ASCII needs no charset
	private String write(long value, int length) {
		byte[] text = new byte[length];
		long rest = value;
		for (int at = length - 2; at >= 0; at -= 2) {
			long quotient = quotient(rest);
			int pair = 2 * (int) (rest - quotient * this.square);
			text[at] = this.pairs[pair];
			text[at + 1] = this.pairs[pair + 1];
			rest = quotient;
		}
		if (length % 2 == 1) {
			text[0] = this.pairs[2 * (int) rest + 1];
		}
		return new String(text, 0, 0, length);
	}

	/**
	 * Divide by the square of the size, without a division: the reciprocal is too small
	 * by less than one part in 2<sup>64</sup>, so that the quotient of any {@code long}
	 * is right or one too small.
	 */
	private long quotient(long number) {
		long quotient = Math.multiplyHigh(number, this.reciprocal);
		return (number - quotient * this.square >= this.square) ? quotient + 1 : quotient;
	}

	/**
	 * Read a number.
	 * @param text digits
	 * @return an unsigned number
	 * @throws IllegalArgumentException if a character is not a digit, or the number does
	 * not fit 64 bits
	 */
	long decode(String text) {
		return decode(text, 0, text.length());
	}

	/**
	 * Read a part of a text.
	 */
	long decode(String text, int start, int end) {
		int size = this.characters.length();
		long value = 0;
		for (int i = start; i < end; i++) {
			char character = text.charAt(i);
			int digit = (character < this.digits.length) ? this.digits[character] : -1;
			if (digit < 0) {
				throw TextForm.invalid(text, QuotedInput.of(text.codePointAt(i)) + " at position " + (i + 1)
						+ " is not in the alphabet " + this);
			}
			if (Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, size)) > 0) {
				throw TextForm.invalid(text, TOO_HIGH);
			}
			value = value * size + digit;
		}
		return value;
	}

	/**
	 * Return a regular expression of one character that is read as a digit.
	 */
	String pattern() {
		StringBuilder pattern = new StringBuilder("[");
		for (char first = '!'; first <= '~'; first++) {
			if (this.digits[first] >= 0) {
				char last = first;
				while (this.digits[last + 1] >= 0) {
					last++;
				}
				append(pattern, first);
				if (last > first) {
					append(pattern.append((last > first + 1) ? "-" : ""), last);
				}
				first = last;
			}
		}
		return pattern.append(']').toString();
	}

	private static void append(StringBuilder pattern, char character) {
		pattern.append(("[]\\^-".indexOf(character) >= 0) ? "\\" : "").append(character);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Alphabet alphabet && this.characters.equals(alphabet.characters);
	}

	@Override
	public int hashCode() {
		return this.characters.hashCode();
	}

	@Override
	public String toString() {
		return (this.name != null) ? this.name : this.characters;
	}

}
