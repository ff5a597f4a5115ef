package dev.idspring.tools.doctor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * A column of texts that identify something, and that does not tell upper and lower case
 * apart.
 *
 * @param place the table with its schema
 * @param column the name of the column
 * @param key what makes it one: {@code primary key}, {@code unique} or
 * {@code foreign key}
 * @param read how many texts were read
 * @param mixed a text among them whose upper and lower case looks like that of an id,
 * {@code null} if there is none
 * @param remedy the statement that makes the column tell them apart, or what it must do
 * @param alteration the same with all that foreign keys bind to the column, {@code null}
 * if that could not be read
 */
record TextColumn(QualifiedName place, String column, String key, int read, @Nullable String mixed, String remedy,
		@Nullable Alteration alteration) {

	static final String RUN_THIS = "Run: ";

	/** Of ids, every third character or so differs in its sort from the one before. */
	private static final int RUN = 3;

	/** Fewer characters than this are an abbreviation. */
	private static final int SHORT = 4;

	/** One text in this many is enough: ids may look like words. */
	private static final int SHARE = 10;

	private static final Pattern SEPARATOR = Pattern.compile("[^0-9A-Za-z]+");

	/** Capitals inside a word, and words that follow capitals. */
	private static final Pattern INNER_CAPITAL = Pattern.compile("[a-z0-9][A-Z]|[A-Z]{2}[a-z]");

	/** The sort of the character changes; a capital belongs to the word it begins. */
	private static final Pattern CHANGE = Pattern
		.compile("(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Za-z])" + "|(?<=[A-Z])(?=[0-9])|(?<=[A-Z]{2})(?=[a-z])");

	/**
	 * Return a text whose upper and lower case looks random, as that of ids does and that
	 * of words does not.
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
