package dev.idspring.text;

/**
 * Appends a check character to digits, and verifies and removes it when parsing.
 */
record CheckedText(TextForm digits, CheckCharacter check) implements TextForm {

	@Override
	public String format(long number) {
		String text = this.digits.format(number);
		return text + this.check.compute(text);
	}

	@Override
	public long parse(String text) {
		if (text == null || text.length() < 2) {
			throw TextForm.invalid(text, "it must end with a check character");
		}
		String withoutCheck = text.substring(0, text.length() - 1);
		if (!this.check.matches(withoutCheck, text.charAt(withoutCheck.length()))) {
			throw TextForm.invalid(text, "it has a wrong check character");
		}
		return this.digits.parse(withoutCheck);
	}

	@Override
	public String pattern() {
		return this.digits.pattern() + this.check.pattern();
	}

	@Override
	public boolean isSorted() {
		return this.digits.isSorted();
	}

	@Override
	public boolean isCaseSensitive() {
		return this.digits.isCaseSensitive();
	}

}
