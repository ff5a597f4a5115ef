package dev.idspring.tools.doctor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * A column of identifying texts that ignores upper and lower case.
 *
 * @param place the table with its schema
 * @param column the name of the column
 * @param key the reason that it identifies: {@code primary key}, {@code unique} or
 * {@code foreign key}
 * @param read the number of texts that were read
 * @param mixed one of these texts whose upper and lower case resembles that of an id,
 * {@code null} if there is none
 * @param remedy the statement that makes the column case-sensitive, or a description
 * @param alteration the same for all columns bound by foreign keys, {@code null} if that
 * could not be read
 */
record TextColumn(QualifiedName place, String column, String key, int read, @Nullable String mixed, String remedy,
		@Nullable Alteration alteration) {

	static final String RUN_THIS = "Run: ";

	/** In ids, about every third character is of another class than the one before. */
	private static final int RUN = 3;

	/** Fewer characters than this are an abbreviation. */
	private static final int SHORT = 4;

	/** One text in this many is enough: ids may look like words. */
	private static final int SHARE = 10;

	private static final Pattern SEPARATOR = Pattern.compile("[^0-9A-Za-z]+");

	/** Capitals inside a word, and words that follow capitals. */
	private static final Pattern INNER_CAPITAL = Pattern.compile("[a-z0-9][A-Z]|[A-Z]{2}[a-z]");

	/** The class of the character changes; a capital belongs to the word it begins. */
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
		return characters >= SHORT && inner && both && changes * RUN >= characters;
	}

	/**
	 * Return the column with its table and schema.
	 * @return {@code schema.table.column}
	 */
	public String name() {
		return this.place + "." + this.column;
	}

}
