package dev.idspring.text;

import java.util.Locale;

/**
 * Quotes input in error messages. The result is one short line of printable ASCII
 * characters.
 */
final class QuotedInput {

	private static final int MAX_LENGTH = 40;

	private QuotedInput() {
	}

	/**
	 * Quote at most the first 40 characters of a string.
	 * @param text the string
	 * @return the quoted text
	 */
	static String of(String text) {
		boolean isTruncated = text.length() > MAX_LENGTH;
		StringBuilder quoted = new StringBuilder("'");
		(isTruncated ? text.substring(0, MAX_LENGTH) : text).codePoints()
			.forEach((codePoint) -> quoted
				.append(isPrintable(codePoint) ? Character.toString(codePoint) : '<' + unicode(codePoint) + '>'));
		return quoted.append(isTruncated ? "...'" : "'").toString();
	}

	/**
	 * Quote a character if it is printable ASCII. Return any other character as
	 * {@code U+XXXX}.
	 */
	static String of(int codePoint) {
		return isPrintable(codePoint) ? "'" + (char) codePoint + "'" : unicode(codePoint);
	}

	private static boolean isPrintable(int codePoint) {
		return codePoint >= 0x20 && codePoint <= 0x7E;
	}

	private static String unicode(int codePoint) {
		return String.format(Locale.ROOT, "U+%04X", codePoint);
	}

}
