package dev.idspring.text;

/**
 * Writes numbers in decimal without a sign and without leading zeros.
 *
 * @param digits the maximum number of digits, at most 19
 */
record DecimalText(int digits) implements TextForm {

	@Override
	public String format(long number) {
		String text = Long.toUnsignedString(number);
		if (text.length() > this.digits) {
			throw new IllegalArgumentException(
					"number is " + text + " but must have at most " + this.digits + " digits");
		}
		return text;
	}

	@Override
	public long parse(String text) {
		if (text == null || text.length() > this.digits || text.isEmpty()) {
			throw TextForm.invalid(text, ((text != null) ? "it has length " + text.length() + " but" : "it")
					+ " must have 1 to " + this.digits + " digits");
		}
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				throw TextForm.invalid(text, QuotedInput.of(text.codePointAt(i)) + " at position " + (i + 1)
						+ " is not a digit from 0 to 9");
			}
		}
		if (text.length() > 1 && text.charAt(0) == '0') {
			throw TextForm.invalid(text, "it must not begin with 0");
		}
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw TextForm.invalid(text, Alphabet.TOO_HIGH);
		}
	}

	@Override
	public String pattern() {
		return "(0|[1-9][0-9]{0," + (this.digits - 1) + "})";
	}

	@Override
	public boolean isSorted() {
		return false;
	}

}
