package dev.idspring.text;

import java.util.Locale;

/**
 * Renders input for a message: short, on one line, in printable ASCII.
 */
final class QuotedInput {

	private static final int MAX_LENGTH = 40;

	private QuotedInput() {
	}

	/**
	 * Render a text in quotes, cut after 40 characters.
	 * @param text the text
	 * @return the text for a message
	 */
	static String of(String text) {
		boolean cut = text.length() > MAX_LENGTH;
		StringBuilder echo = new StringBuilder("'");
		(cut ? text.substring(0, MAX_LENGTH) : text).codePoints()
			.forEach((codePoint) -> echo
				.append(isPrintable(codePoint) ? Character.toString(codePoint) : '<' + unicode(codePoint) + '>'));
		return echo.append(cut ? "...'" : "'").toString();
	}

	/**
	 * Render a character: in quotes if it is printable ASCII, else as {@code U+XXXX}.
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
