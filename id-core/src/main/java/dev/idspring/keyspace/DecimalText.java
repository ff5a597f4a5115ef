package dev.idspring.keyspace;

/**
 * The text form of keys that are plain decimal numbers: no sign, no leading zero.
 */
final class DecimalText {

	private DecimalText() {
	}

	/**
	 * Read a number.
	 * @param text the digits
	 * @param maxDigits how many digits the highest key has, at most 19
	 * @return the number, which the caller compares with the keys there are
	 */
	static long parse(String text, int maxDigits) {
		if (text == null) {
			throw new IllegalArgumentException("null is not a key: it must have 1 to " + maxDigits + " digits");
		}
		if (text.isEmpty() || text.length() > maxDigits) {
			throw new IllegalArgumentException(QuotedInput.of(text) + " is not a key: it has length " + text.length()
					+ " and must have 1 to " + maxDigits + " digits");
		}
		verifyDigits(text);
		if (text.length() > 1 && text.charAt(0) == '0') {
			throw new IllegalArgumentException(QuotedInput.of(text) + " is not a key: it must not begin with 0");
		}
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(QuotedInput.of(text) + " is not a key: it is higher than any", ex);
		}
	}

	/**
	 * Read an unsigned number of a fixed number of digits.
	 * @param text the digits
	 * @param digits how many there must be, at most 20
	 * @return the number, to be read as unsigned
	 */
	static long parseUnsigned(String text, int digits) {
		if (text == null || text.length() != digits) {
			throw new IllegalArgumentException(((text != null) ? QuotedInput.of(text) : "null")
					+ " is not an id: it must have " + digits + " digits");
		}
		verifyDigits(text);
		try {
			return Long.parseUnsignedLong(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(QuotedInput.of(text) + " is not an id: it is higher than any", ex);
		}
	}

	private static void verifyDigits(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				throw new IllegalArgumentException(
						QuotedInput.of(text) + " is not a key: " + QuotedInput.of(text.codePointAt(i)) + " at position "
								+ (i + 1) + " is not a digit from 0 to 9");
			}
		}
	}

}
