package dev.idspring.tools.doctor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * A text column of a key. The collation of the column ignores case, so ids that differ
 * only in case count as equal.
 *
 * @param table the table with its schema
 * @param column the name of the column
 * @param kindOfKey the kind of key, as shown in the finding: {@code primary key},
 * {@code unique} or {@code foreign key}
 * @param sampleSize the number of strings that were read
 * @param example one of these strings that looks like an id, or {@code null} if
 * {@linkplain #findIdLike too few} of them look like ids
 * @param remedy how to make this column alone case-sensitive: either
 * {@link #STATEMENT_PREFIX} and a statement, or advice in prose
 * @param alteration the script that makes the column, and all columns that foreign keys
 * connect with it, case-sensitive; {@code null} if it could not be determined
 */
record TextColumn(QualifiedName table, String column, String kindOfKey, int sampleSize, @Nullable String example,
		String remedy, @Nullable Alteration alteration) {

	/** The prefix of a statement that {@code LetterCase.remedy} returns. */
	static final String STATEMENT_PREFIX = "Run: ";

	/**
	 * The maximum average number of characters per switch between lower case, upper case
	 * and digits in a string that looks like an id.
	 */
	private static final int CHARACTERS_PER_CHANGE = 3;

	/**
	 * The minimum number of letters and digits in a string that looks like an id. Shorter
	 * strings may be abbreviations.
	 */
	private static final int MIN_CHARACTERS = 4;

	/**
	 * A column probably contains ids if at least one in this many strings looks like an
	 * id. The others may be ids that happen to look like words.
	 */
	private static final int TEXTS_PER_ID = 10;

	private static final Pattern SEPARATOR = Pattern.compile("[^0-9A-Za-z]+");

	/**
	 * Matches a capital after a lower-case letter or digit ({@code aB}), or two capitals
	 * before a lower-case letter ({@code ABc}). Both are rare in ordinary words.
	 */
	private static final Pattern INNER_CAPITAL = Pattern.compile("[a-z0-9][A-Z]|[A-Z]{2}[a-z]");

	/**
	 * Matches a switch between lower case, upper case and digits. A switch from a single
	 * capital to lower case does not count, because the capital may begin a word.
	 */
	private static final Pattern CHANGE = Pattern
		.compile("(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Za-z])" + "|(?<=[A-Z])(?=[0-9])|(?<=[A-Z]{2})(?=[a-z])");

	/**
	 * Return a string that looks like an id: its letters seem to switch case at random.
	 * @param texts some strings of a column
	 * @return the string, or {@code null} if there are too few such strings
	 */
	static @Nullable String findIdLike(List<String> texts) {
		List<String> idLike = texts.stream().filter(TextColumn::isIdLike).toList();
		return (!idLike.isEmpty() && idLike.size() * TEXTS_PER_ID >= texts.size()) ? idLike.get(0) : null;
	}

	private static boolean isIdLike(String text) {
		long characters = 0;
		long changes = 0;
		boolean innerCapital = false;
		for (String part : SEPARATOR.split(text)) {
			characters += part.length();
			changes += CHANGE.matcher(part).results().count();
			innerCapital |= INNER_CAPITAL.matcher(part).find();
		}
		boolean mixed = !text.equals(text.toLowerCase(Locale.ROOT)) && !text.equals(text.toUpperCase(Locale.ROOT));
		return characters >= MIN_CHARACTERS && innerCapital && mixed && changes * CHARACTERS_PER_CHANGE >= characters;
	}

	/**
	 * Return the name of the column with its table and schema.
	 * @return {@code schema.table.column}
	 */
	String qualifiedName() {
		return this.table + "." + this.column;
	}

}
