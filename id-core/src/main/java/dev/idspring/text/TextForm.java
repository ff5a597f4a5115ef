package dev.idspring.text;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * Converts numbers to texts and back. {@link #parse} rejects every text that
 * {@link #format} would not produce, with one exception: an alphabet may read several
 * characters as the same digit, such as upper-case and lower-case letters.
 *
 * @since 0.1.0
 */
public interface TextForm {

	/**
	 * Convert a number to its text.
	 * @param number a number in the range of this form
	 * @return the text
	 */
	String format(long number);

	/**
	 * Convert a text to its number. The caller must check whether the number is an id.
	 * @param text the text
	 * @return the number
	 * @throws IllegalArgumentException if the text is not of this form; the message says
	 * why
	 */
	long parse(String text);

	/**
	 * Return a regular expression that matches all texts of this form. It is intended for
	 * API descriptions: {@link #parse} may still reject a text that matches. The
	 * expression has no anchors and works the same way in Java and in JavaScript.
	 * @return the expression
	 */
	String pattern();

	/**
	 * Return whether texts sort in the same order as their numbers, both by character
	 * code and in dictionary order. Only then can a database find the greatest id among
	 * the texts.
	 * @return {@code false} if the orders may differ, for example because texts have
	 * different lengths
	 */
	default boolean isSorted() {
		return true;
	}

	/**
	 * Return whether two texts may differ only in case. A database column for such texts
	 * must be case-sensitive.
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
	 * @return the form of numbers from 0 to the highest with that number of digits
	 */
	static TextForm decimal(int digits) {
		InvalidSettingException.requireRange(TextForm.class, "digits", digits, 1, 19);
		return new DecimalText(digits, false);
	}

	/**
	 * Return the form of exactly 20 decimal digits, padded with zeros. Its texts sort in
	 * the same order as the numbers.
	 * @return the form of all {@code long} values, read as unsigned numbers
	 */
	static TextForm decimal20() {
		return new DecimalText(20, true);
	}

	/**
	 * Return the form of a fixed number of digits, padded with the alphabet's zero.
	 * @param alphabet the digits
	 * @param length the number of digits, 1 to 64
	 * @return the form of numbers from 0 to the highest of that length, but at most to
	 * 2<sup>63</sup> - 1
	 */
	static TextForm digits(Alphabet alphabet, int length) {
		return digits(alphabet, length, length);
	}

	/**
	 * Return a form whose texts have several lengths. The smallest numbers have the
	 * shortest texts. When all texts of a length are used, the next number has the next
	 * length.
	 * @param alphabet the digits
	 * @param length the number of digits of the shortest texts, 1 to 64
	 * @param maxLength the number of digits of the longest texts, {@code length} to 64
	 * @return the form of numbers from 0 to the highest of these lengths, but at most to
	 * 2<sup>63</sup> - 1
	 */
	static TextForm digits(Alphabet alphabet, int length, int maxLength) {
		InvalidSettingException.requireGiven(TextForm.class, "alphabet", alphabet);
		InvalidSettingException.requireRange(TextForm.class, "length", length, 1, 64);
		InvalidSettingException.requireRange(TextForm.class, "maxLength", maxLength, length, 64);
		return new Digits(alphabet, length, maxLength, Long.SIZE - 1);
	}

	/**
	 * Create the exception for a text that is rejected.
	 * @param text the text
	 * @param why the reason, which the message contains
	 * @return the exception to throw
	 */
	static IllegalArgumentException invalid(@Nullable String text, String why) {
		return new IllegalArgumentException(((text != null) ? QuotedInput.of(text) : "null") + " is not a key: " + why);
	}

	/**
	 * Create the exception for a text that has the form of an id but is not the text of
	 * any id. The message does not reveal the number in the text.
	 * @param text the text
	 * @return the exception to throw
	 */
	static IllegalArgumentException unknownId(String text) {
		return invalid(text, "no id has this text");
	}

}
