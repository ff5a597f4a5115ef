package dev.idspring.text;

/**
 * Adds a fixed prefix to the strings of another form.
 */
record PrefixedText(String prefix, TextForm rest) implements TextForm {

	@Override
	public String format(long number) {
		return this.prefix + this.rest.format(number);
	}

	@Override
	public long parse(String text) {
		if (text == null || !text.startsWith(this.prefix)) {
			throw TextForm.invalid(text, "it must begin with " + this.prefix);
		}
		try {
			return this.rest.parse(text.substring(this.prefix.length()));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("After the prefix " + this.prefix + ": " + ex.getMessage(), ex);
		}
	}

	@Override
	public String pattern() {
		// a prefix consists of letters, digits, _ and -, which need no escaping
		return this.prefix + this.rest.pattern();
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
