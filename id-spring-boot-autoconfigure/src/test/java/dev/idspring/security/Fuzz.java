package dev.idspring.security;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates invalid and unusual strings of any length and with any characters, and
 * strings that are similar to ids.
 */
final class Fuzz {

	/** Strings that often cause errors in programs. */
	private static final List<String> PROBLEMATIC = List.of("", " ", "0", "-0", "+1", "-1", "00", "1e9", "0x10",
			"1_000", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
			"18446744073709551616", "99999999999999999999999999", "NaN", "null", "\0", "000000\0", "\0000000",
			"'; drop table ids_key_space; --", "\" or 1=1", "../../etc/passwd", "..", ".", "%2e%2e%2f", "${jndi:x}",
			"#{1+1}", "<script>alert(1)</script>", "\r\nSet-Cookie: a=b", "\u0661\u0662\u0663", "\uFF11\uFF12",
			"\u212A00000", "\u017F00000", "\u0130", "\uD800", "\uDC00\uD800", "\uD83D\uDE00", "\u202E000000", "\uFEFF0",
			"a\u0301", "00000000000000000000", "04220260203040506007008", "04220260230040506007008",
			"04200000000000000000000", "04220260203246060999999");

	private static final int MAX_LENGTH = 100_000;

	private final Random random;

	Fuzz(long seed) {
		this.random = new Random(seed);
	}

	/**
	 * Return a random string.
	 * @param id a valid id, which may be returned unchanged or modified
	 */
	String text(String id) {
		return switch (this.random.nextInt(10)) {
			case 0 -> PROBLEMATIC.get(this.random.nextInt(PROBLEMATIC.size()));
			case 1 -> characters(Character.MIN_CODE_POINT, Character.MAX_CODE_POINT);
			case 2 -> characters(Character.MIN_VALUE, 0x2FF);
			case 3 -> characters(0x21, 0x7E);
			case 4, 5 -> characters('0', '9');
			// may return the id itself, so that each generator accepts some strings,
			// whatever the seed is
			default -> mutated(id);
		};
	}

	long number() {
		// numbers of every magnitude
		return this.random.nextLong() >>> this.random.nextInt(64) - this.random.nextInt(2);
	}

	private String characters(int from, int to) {
		return IntStream.range(0, length())
			.map((i) -> from + this.random.nextInt(to - from + 1))
			.mapToObj(Character::toString)
			.collect(Collectors.joining());
	}

	private int length() {
		int choice = this.random.nextInt(10_000);
		if (choice == 0) {
			return MAX_LENGTH;
		}
		return (choice < 100) ? this.random.nextInt(1_000) : this.random.nextInt(26);
	}

	private String mutated(String id) {
		StringBuilder text = new StringBuilder(id);
		for (int i = this.random.nextInt(4); i > 0; i--) {
			int at = this.random.nextInt(text.length() + 1);
			switch (this.random.nextInt(6)) {
				case 0 -> text.insert(at, Character.toString(this.random.nextInt(Character.MAX_CODE_POINT + 1)));
				case 1 -> text.insert(at, (char) ('0' + this.random.nextInt(10)));
				case 2 -> text.delete(at, Math.min(text.length(), at + 1));
				case 3 -> replace(text, at, (char) (0x21 + this.random.nextInt(0x5E)));
				case 4 -> replace(text, at, withFlippedCase((at < text.length()) ? text.charAt(at) : '0'));
				default -> text.reverse();
			}
		}
		return text.toString();
	}

	private static void replace(StringBuilder text, int at, char character) {
		if (at < text.length()) {
			text.setCharAt(at, character);
		}
	}

	private static char withFlippedCase(char character) {
		return Character.isUpperCase(character) ? Character.toLowerCase(character) : Character.toUpperCase(character);
	}

}
