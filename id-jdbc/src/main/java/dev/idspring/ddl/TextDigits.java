package dev.idspring.ddl;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.TextForm;

/**
 * The text form of ids: digits of an alphabet, padded with its zero.
 *
 * @param alphabet the digits
 * @param length the number of characters
 * @param maxLength the number of characters up to which texts grow when all shorter ones
 * are used; the numbers of longer texts follow those of the shorter ones
 * @param last the highest number, to be read as an unsigned one
 * @since 0.1.0
 */
public record TextDigits(Alphabet alphabet, int length, int maxLength, long last) {

	/**
	 * Create a form of texts of one length.
	 * @param alphabet the digits
	 * @param length the number of characters, enough for the highest number
	 * @param last the highest number, to be read as an unsigned one
	 * @return the form
	 */
	public static TextDigits of(Alphabet alphabet, int length, long last) {
		return new TextDigits(alphabet, length, length, last);
	}

	/**
	 * Create the form of all texts between two lengths.
	 * @param alphabet the digits
	 * @param length the number of characters of the first texts
	 * @param maxLength the number of characters of the last texts; together there are at
	 * most 2<sup>62</sup>
	 * @return the form
	 */
	public static TextDigits growing(Alphabet alphabet, int length, int maxLength) {
		BigInteger count = BigInteger.ZERO;
		for (int i = length; i <= maxLength; i++) {
			count = count.add(BigInteger.valueOf(alphabet.size()).pow(i));
		}
		return new TextDigits(alphabet, length, maxLength, count.subtract(BigInteger.ONE).longValueExact());
	}

	/**
	 * Return what templates have places for.
	 * @param platform whose literals are wanted
	 * @param longer a template: what to do with a number whose text is longer than the
	 * first ones
	 * @param lookAlike a template: what to do with a character that is never written
	 */
	Map<String, Object> values(DdlPlatform platform, String longer, String lookAlike) {
		String characters = this.alphabet.characters();
		int size = this.alphabet.size();
		String lookAlikes = lookAlikes();
		List<Level> levels = levels();
		Map<String, Object> values = new HashMap<>();
		values.put("digits", SqlText.literal(platform, characters));
		values.put("readable", SqlText.literal(platform, characters + lookAlikes));
		values.put("size", size);
		values.put("length", this.length);
		values.put("maxLength", this.maxLength);
		values.put("last", Long.toUnsignedString(this.last));
		values.put("lengths",
				levels.stream().map((level) -> String.valueOf(level.length())).collect(Collectors.joining(", ")));
		values.put("starts",
				levels.stream()
					.map((level) -> "when " + level.length() + " then " + level.start())
					.collect(Collectors.joining(" ")));
		values.put("levels",
				levels.stream()
					.skip(1)
					.map((level) -> SqlText.fill(longer, Map.of("start", level.start(), "length", level.length())))
					.collect(Collectors.joining()));
		values.put("lookAlikes", lookAlikes.isEmpty() ? "" : SqlText.fill(lookAlike,
				Map.of("size", size, "zero", size - 1, "meant", SqlText.literal(platform, meant(lookAlikes)))));
		return values;
	}

	/**
	 * Return the lengths there are, and the number of the first text of each.
	 */
	List<Level> levels() {
		List<Level> levels = new ArrayList<>();
		BigInteger start = BigInteger.ZERO;
		for (int i = this.length; i <= this.maxLength; i++) {
			levels.add(new Level(i, start.toString()));
			start = start.add(BigInteger.valueOf(this.alphabet.size()).pow(i));
		}
		return levels;
	}

	/**
	 * Return the characters that are read as digits though they are never written.
	 */
	private String lookAlikes() {
		StringBuilder found = new StringBuilder();
		for (char character = '!'; character <= '~'; character++) {
			if (this.alphabet.characters().indexOf(character) < 0 && digit(character) >= 0) {
				found.append(character);
			}
		}
		return found.toString();
	}

	/**
	 * Return which digits they are read as.
	 */
	private String meant(String lookAlikes) {
		StringBuilder meant = new StringBuilder();
		for (char character : lookAlikes.toCharArray()) {
			meant.append(this.alphabet.characters().charAt(digit(character)));
		}
		return meant.toString();
	}

	private int digit(char character) {
		try {
			return (int) TextForm.digits(this.alphabet, 1).parse(String.valueOf(character));
		}
		catch (IllegalArgumentException ex) {
			return -1;
		}
	}

	/**
	 * The texts of one length.
	 */
	record Level(int length, String start) {

	}

}
