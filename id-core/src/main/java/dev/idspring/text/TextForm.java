package dev.idspring.text;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * Converts numbers to strings and back. {@link #parse} rejects every string that
 * {@link #format} would not produce. There is one exception: an alphabet may read several
 * characters as the same digit, such as upper-case and lower-case letters.
 *
 * @since 0.1.0
 */
public interface TextForm {

	/**
	 * Convert a number to its text form.
	 * @param number a number in the range of this form
	 * @return the string
	 */
	String format(long number);

	/**
	 * Convert a string to its number. The number is not necessarily an id.
	 * @param text the string
	 * @return the number
	 * @throws IllegalArgumentException if the string does not have this form; the message
	 * says why
	 */
	long parse(String text);

	/**
	 * Return a regular expression for API descriptions. It matches all strings of this
	 * form, and may match strings that {@link #parse} rejects. The expression has no
	 * anchors, and has the same meaning in Java and JavaScript.
	 * @return the expression
	 */
	String pattern();

	/**
	 * Return whether strings sort in the order of their numbers, both by character code
	 * and in dictionary order. If so, a database can find the greatest id among the
	 * strings.
	 * @return {@code false} if the orders may differ, for example because of different
	 * lengths
	 */
	default boolean isSorted() {
		return true;
	}

	/**
	 * Return whether two strings may differ only in case. A database column for such
	 * strings must be case-sensitive.
	 * @return {@code true} if the upper-case and the lower-case form of a letter are
	 * different digits
	 */
	default boolean isCaseSensitive() {
		return false;
	}

	/**
	 * Return the form of decimal digits without leading zeros.
	 * @return the form of numbers from 0 to 2<sup>63</sup> - 1
	 */
	static TextForm decimal() {
		return decimal(19);
	}

	/**
	 * Return the form of decimal digits without leading zeros, up to a maximum length.
	 * @param digits the maximum number of digits, 1 to 19
	 * @return the form of numbers from 0 to the highest number with that many digits, or
	 * to 2<sup>63</sup> - 1 if that is lower
	 */
	static TextForm decimal(int digits) {
		InvalidSettingException.requireRange(TextForm.class, "digits", digits, 1, 19);
		return new DecimalText(digits);
	}

	/**
	 * Return the form of exactly 20 decimal digits, padded with zeros. Its strings sort
	 * in the order of the numbers.
	 * @return the form of all {@code long} values, read as unsigned numbers
	 */
	static TextForm decimal20() {
		return new Digits(Alphabet.DECIMAL, 20, 20, Long.SIZE);
	}

	/**
	 * Return the form of a fixed number of digits, padded with the alphabet's zero.
	 * @param alphabet the digits
	 * @param length the number of digits, 1 to 64
	 * @return the form of numbers from 0 to the highest number with that many digits, or
	 * to 2<sup>63</sup> - 1 if that is lower
	 */
	static TextForm digits(Alphabet alphabet, int length) {
		return digits(alphabet, length, length);
	}

	/**
	 * Return a form whose strings have several lengths. The smallest numbers have the
	 * shortest strings. When all strings of one length are used up, the next number has a
	 * string that is one digit longer.
	 * @param alphabet the digits
	 * @param length the number of digits of the shortest strings, 1 to 64
	 * @param maxLength the number of digits of the longest strings, {@code length} to 64
	 * @return the form of numbers from 0 to the highest number that has a string of at
	 * most {@code maxLength} digits, or to 2<sup>63</sup> - 1 if that is lower
	 */
	static TextForm digits(Alphabet alphabet, int length, int maxLength) {
		InvalidSettingException.requireGiven(TextForm.class, "alphabet", alphabet);
		InvalidSettingException.requireRange(TextForm.class, "length", length, 1, 64);
		InvalidSettingException.requireRange(TextForm.class, "maxLength", maxLength, length, 64);
		return new Digits(alphabet, length, maxLength, Long.SIZE - 1);
	}

	/**
	 * Create the exception for a rejected string.
	 * @param text the string
	 * @param why the reason, which the message contains
	 * @return the exception to throw
	 */
	static IllegalArgumentException invalid(@Nullable String text, String why) {
		return new IllegalArgumentException(((text != null) ? QuotedInput.of(text) : "null") + " is not a key: " + why);
	}

}
