package dev.idspring.tools.doctor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * A text column that identifies rows, and whose collation ignores the difference between
 * upper and lower case.
 *
 * @param place the table with its schema
 * @param column the name of the column
 * @param key the constraint by which the column identifies rows: {@code primary key},
 * {@code unique} or {@code foreign key}
 * @param read the number of texts that were read
 * @param mixed one of these texts that mixes upper and lower case as ids do, {@code null}
 * if there is none
 * @param remedy the statement that makes the column case-sensitive, or a description
 * @param alteration the script that makes the column and all columns connected by foreign
 * keys case-sensitive, {@code null} if it could not be determined
 */
record TextColumn(QualifiedName place, String column, String key, int read, @Nullable String mixed, String remedy,
		@Nullable Alteration alteration) {

	static final String RUN_THIS = "Run: ";

	/**
	 * A text looks like an id if its character class changes once per this many
	 * characters.
	 */
	private static final int CHARACTERS_PER_CHANGE = 3;

	/** A text with fewer characters than this counts as an abbreviation. */
	private static final int SHORT = 4;

	/**
	 * A column is reported if at least one text in this many looks like an id. The other
	 * texts may be ids that look like words.
	 */
	private static final int SHARE = 10;

	private static final Pattern SEPARATOR = Pattern.compile("[^0-9A-Za-z]+");

	/**
	 * Matches a capital letter inside a word, or a word that directly follows a capital
	 * letter.
	 */
	private static final Pattern INNER_CAPITAL = Pattern.compile("[a-z0-9][A-Z]|[A-Z]{2}[a-z]");

	/**
	 * Matches a position where the character class changes. A single capital letter
	 * before lower-case letters is no change, because it may begin a word.
	 */
	private static final Pattern CHANGE = Pattern
		.compile("(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Za-z])" + "|(?<=[A-Z])(?=[0-9])|(?<=[A-Z]{2})(?=[a-z])");

	/**
	 * Return a text whose upper and lower case seems random, as in ids but not in words.
	 * @param texts some texts of a column
	 * @return such a text, or {@code null} if there are too few of them
	 */
	static @Nullable String mixed(List<String> texts) {
		List<String> mixed = texts.stream().filter(TextColumn::isMixed).toList();
		return (!mixed.isEmpty() && mixed.size() * SHARE >= texts.size()) ? mixed.get(0) : null;
	}

	private static boolean isMixed(String text) {
		long characters = 0;
		long changes = 0;
		boolean inner = false;
		for (String part : SEPARATOR.split(text)) {
			characters += part.length();
			changes += CHANGE.matcher(part).results().count();
			inner |= INNER_CAPITAL.matcher(part).find();
		}
		boolean both = !text.equals(text.toLowerCase(Locale.ROOT)) && !text.equals(text.toUpperCase(Locale.ROOT));
		return characters >= SHORT && inner && both && changes * CHARACTERS_PER_CHANGE >= characters;
	}

	/**
	 * Return the column with its table and schema.
	 * @return {@code schema.table.column}
	 */
	public String name() {
		return this.place + "." + this.column;
	}

}
