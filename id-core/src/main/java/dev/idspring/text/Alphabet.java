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
 * character represents zero.
 * <ul>
 * <li>{@code base62}: {@code 0-9a-zA-Z}</li>
 * <li>{@code base58}: Bitcoin's alphabet, which omits {@code 0OIl}. Its {@code 1}
 * represents zero</li>
 * <li>{@code base36}: {@code 0-9a-z}</li>
 * <li>{@code base32}: Douglas Crockford's alphabet, {@code 0-9A-Z} without {@code ILOU}.
 * Parsing also accepts lower-case letters, {@code I} and {@code L} for 1, and {@code O}
 * for 0</li>
 * <li>a custom alphabet of 2 to 94 characters</li>
 * </ul>
 * Alphabets are immutable and thread-safe. Two alphabets are equal if they have the same
 * characters in the same order.
 *
 * @since 0.1.0
 * @see <a href="https://www.crockford.com/base32.html">Crockford's Base32</a>
 * @see <a href="https://datatracker.ietf.org/doc/html/draft-msporny-base58-03">Base58</a>
 */
public final class Alphabet {

	static final String TOO_HIGH = "it is higher than any key";

	private static final int MIN_SIZE = 2;

	private static final int MAX_SIZE = 94;

	private static final Pattern NAME = Pattern.compile("base[-_]?([0-9]+)", Pattern.CASE_INSENSITIVE);

	private static final List<Alphabet> KNOWN_ALPHABETS = List.of(
			new Alphabet("base62", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
			new Alphabet("base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
			new Alphabet("base36", "0123456789abcdefghijklmnopqrstuvwxyz"),
			new Alphabet("base32", "0123456789ABCDEFGHJKMNPQRSTVWXYZ").acceptLookAlikes());

	/** The decimal digits. This alphabet has no name. */
	static final Alphabet DECIMAL = new Alphabet(null, "0123456789");

	private final @Nullable String name;

	private final String characters;

	/** The square of the number of digits. */
	private final long square;

	/** 2<sup>64</sup> divided by {@code square}, rounded down. */
	private final long reciprocal;

	/** The two characters of each number below {@code square}, one pair after another. */
	private final byte[] pairs;

	/** The value of each ASCII character as a digit, or -1 if it is not a digit. */
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
	 * Find a known alphabet by its name, or create an alphabet from its characters. Names
	 * are case-insensitive, and may contain a hyphen or underscore before the number. An
	 * argument in the form of a name is never used as a list of characters.
	 * @param nameOrCharacters {@code base62}, {@code base58}, {@code base36},
	 * {@code base32}, or 2 to 94 distinct printable ASCII characters without the space,
	 * the first of which represents zero. The characters of a known alphabet select that
	 * alphabet
	 * @return the alphabet
	 * @throws IllegalArgumentException if the argument is neither a known name nor a
	 * valid list of characters
	 */
	public static Alphabet of(String nameOrCharacters) {
		if (nameOrCharacters == null) {
			throw new InvalidSettingException(TextSettings.class, "alphabet", null,
					"must not be null: use " + choices());
		}
		Matcher named = NAME.matcher(nameOrCharacters);
		if (named.matches()) {
			return findKnown((known) -> ("base" + named.group(1)).equals(known.name))
				.orElseThrow(() -> invalid(nameOrCharacters, "is not the name of a known alphabet"));
		}
		verify(nameOrCharacters);
		return findKnown((known) -> known.characters.equals(nameOrCharacters))
			.orElseGet(() -> new Alphabet(null, nameOrCharacters));
	}

	private static Optional<Alphabet> findKnown(Predicate<Alphabet> condition) {
		return KNOWN_ALPHABETS.stream().filter(condition).findFirst();
	}

	private static void verify(String characters) {
		if (characters.length() < MIN_SIZE || characters.length() > MAX_SIZE) {
			throw invalid(characters, "has length " + characters.length());
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

	private static InvalidSettingException invalid(String nameOrCharacters, String why) {
		return new InvalidSettingException(TextSettings.class, "alphabet", nameOrCharacters,
				"cannot be used because this value " + why + ": use " + choices());
	}

	private static String choices() {
		List<String> names = KNOWN_ALPHABETS.stream().map(Alphabet::toString).toList();
		return String.join(", ", names) + ", or " + MIN_SIZE + " to " + MAX_SIZE
				+ " distinct printable ASCII characters without the space";
	}

	/**
	 * Return whether the characters are in ascending order, and consist only of decimal
	 * digits and of letters in one case. If so, strings of these characters sort in the
	 * same order by character code and in dictionary order.
	 */
	boolean isSorted() {
		return this.characters.matches("[0-9a-z]+|[0-9A-Z]+") && IntStream.range(1, this.characters.length())
			.allMatch((i) -> this.characters.charAt(i - 1) < this.characters.charAt(i));
	}

	/**
	 * Return whether the alphabet contains some letter in both upper case and lower case.
	 */
	boolean isCaseSensitive() {
		for (char letter = 'a'; letter <= 'z'; letter++) {
			if (this.characters.indexOf(letter) >= 0 && this.characters.indexOf(Character.toUpperCase(letter)) >= 0) {
				return true;
			}
		}
		return false;
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

	/**
	 * Make this alphabet accept {@code I}, {@code L}, {@code O} and lower-case letters
	 * when parsing. This method may be called only before other threads can see the
	 * alphabet, which is immutable from then on.
	 */
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
	 * {@code null} if it has no name
	 */
	public @Nullable String name() {
		return this.name;
	}

	/**
	 * Return the characters of this alphabet.
	 * @return one character per digit, in ascending order of value
	 */
	public String characters() {
		return this.characters;
	}

	/**
	 * Write a number, two digits at a time.
	 * @param value the number, from 0 (inclusive) to {@code size()} to the power of
	 * {@code length} (exclusive)
	 * @param length the number of characters; smaller numbers are padded with zeros on
	 * the left
	 */
	String encode(long value, int length) {
		// with a constant length, the JIT compiler optimizes away the array in write
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

	@SuppressWarnings("deprecation") // this constructor is correct for ASCII
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
	 * Divide a non-negative number by {@code square}. Multiplication by the reciprocal is
	 * faster than a division. The reciprocal is too small by less than 1, so the quotient
	 * is exact or one too small. The comparison corrects the quotient.
	 */
	private long quotient(long number) {
		long quotient = Math.multiplyHigh(number, this.reciprocal);
		return (number - quotient * this.square >= this.square) ? quotient + 1 : quotient;
	}

	/**
	 * Parse a number.
	 * @param text digits of this alphabet, the most significant one first
	 * @return the number, as an unsigned {@code long}
	 * @throws IllegalArgumentException if a character is not a digit, or the number does
	 * not fit in 64 bits
	 */
	long decode(String text) {
		return decode(text, 0, text.length());
	}

	/**
	 * Parse the part of a string from {@code start} (inclusive) to {@code end}
	 * (exclusive).
	 */
	long decode(String text, int start, int end) {
		int size = this.characters.length();
		long value = 0;
		for (int i = start; i < end; i++) {
			int digit = digit(text.charAt(i));
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
	 * Return the value of a character, or -1 if {@code decode} does not accept it as a
	 * digit.
	 */
	int digit(char character) {
		return (character < this.digits.length) ? this.digits[character] : -1;
	}

	/**
	 * Return a regular expression that matches one character if {@code decode} accepts it
	 * as a digit.
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
