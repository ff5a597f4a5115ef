package dev.idspring.text;

import java.util.function.UnaryOperator;

/**
 * Appends a check character, and verifies and removes it when parsing.
 *
 * @param rest the form without the check character
 * @param check computes the check character
 * @param checkedPart maps a string of {@code rest} to the characters from which the check
 * character is computed
 */
record CheckedText(TextForm rest, CheckCharacter check, UnaryOperator<String> checkedPart) implements TextForm {

	@Override
	public String format(long number) {
		String text = this.rest.format(number);
		return text + this.check.compute(this.checkedPart.apply(text));
	}

	@Override
	public long parse(String text) {
		if (text == null || text.length() < 2) {
			throw TextForm.invalid(text, "it must end with a check character");
		}
		String withoutCheck = text.substring(0, text.length() - 1);
		if (!this.check.matches(this.checkedPart.apply(withoutCheck), text.charAt(withoutCheck.length()))) {
			throw TextForm.invalid(text, "it has a wrong check character");
		}
		return this.rest.parse(withoutCheck);
	}

	@Override
	public String pattern() {
		return this.rest.pattern() + this.check.pattern();
	}

	@Override
	public boolean isSorted() {
		return this.rest.isSorted();
	}

	@Override
	public boolean isCaseSensitive() {
		return this.rest.isCaseSensitive();
	}

}
