package dev.idspring.text;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * The text form of numbers. Reading rejects every text that writing would not produce,
 * except for letters that an alphabet reads in both cases.
 *
 * @since 0.1.0
 */
public interface TextForm {

	/**
	 * Write a number.
	 * @param number a number that has this form
	 * @return the text
	 */
	String format(long number);

	/**
	 * Read a number. The caller decides whether it is an id.
	 * @param text the text
	 * @return the number
	 * @throws IllegalArgumentException if the text is not of this form; the message says
	 * why
	 */
	long parse(String text);

	/**
	 * Return a regular expression that all texts of this form match, for descriptions of
	 * an interface. Reading may still reject a text that matches. The expression has no
	 * anchors, and works in the same way in Java and in JavaScript.
	 * @return the expression
	 */
	String pattern();

	/**
	 * Return whether texts sort like their numbers, by character code and in dictionary
	 * order alike, so that a database finds the greatest one.
	 * @return {@code false} if they differ in length, or in upper and lower case
	 */
	default boolean isSorted() {
		return true;
	}

	/**
	 * Return whether two texts may differ only in case, so that a column must be
	 * case-sensitive.
	 * @return {@code true} if the same letter is a digit in both cases
	 */
	default boolean isCaseSensitive() {
		return false;
	}

	/**
	 * Decimal digits, as many as needed.
	 * @return the form of numbers from 0 to 2<sup>63</sup> - 1
	 */
	static TextForm decimal() {
		return decimal(19);
	}

	/**
	 * Decimal digits, as many as needed.
	 * @param digits the greatest number of digits, 1 to 19
	 * @return the form of numbers from 0 to the highest with that number of digits
	 */
	static TextForm decimal(int digits) {
		InvalidSettingException.requireRange(TextForm.class, "digits", digits, 1, 19);
		return new DecimalText(digits, false);
	}

	/**
	 * Twenty decimal digits, padded with zeros, so that texts sort like numbers.
	 * @return the form of all numbers, as unsigned ones
	 */
	static TextForm decimal20() {
		return new DecimalText(20, true);
	}

	/**
	 * Digits of an alphabet, padded with its zero to a fixed length.
	 * @param alphabet the digits
	 * @param length the number of digits, 1 to 64
	 * @return the form of numbers from 0 to the highest of that length, or to
	 * 2<sup>63</sup> - 1
	 */
	static TextForm digits(Alphabet alphabet, int length) {
		return digits(alphabet, length, length);
	}

	/**
	 * Digits of an alphabet: all numbers of one length, then those of the next.
	 * @param alphabet the digits
	 * @param length the number of digits of the first numbers, 1 to 64
	 * @param maxLength the greatest number of digits, {@code length} to 64
	 * @return the form of numbers from 0 to the highest of these lengths, or to
	 * 2<sup>63</sup> - 1
	 */
	static TextForm digits(Alphabet alphabet, int length, int maxLength) {
		InvalidSettingException.requireGiven(TextForm.class, "alphabet", alphabet);
		InvalidSettingException.requireRange(TextForm.class, "length", length, 1, 64);
		InvalidSettingException.requireRange(TextForm.class, "maxLength", maxLength, length, 64);
		return new Digits(alphabet, length, maxLength, Long.SIZE - 1);
	}

	/**
	 * Describe why a text is rejected.
	 * @param text the text
	 * @param why what is wrong with it
	 * @return the exception to throw
	 */
	static IllegalArgumentException invalid(@Nullable String text, String why) {
		return new IllegalArgumentException(((text != null) ? QuotedInput.of(text) : "null") + " is not a key: " + why);
	}

	/**
	 * Describe that a text has the form of an id but belongs to none, without revealing
	 * its number.
	 * @param text the text
	 * @return the exception to throw
	 */
	static IllegalArgumentException noId(String text) {
		return invalid(text, "no id has this text");
	}

}
