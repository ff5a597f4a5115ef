package dev.idspring.text;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * The pattern of the text form of scoped numbers. These numbers are counted separately
 * for each scope (such as a tenant) and each {@linkplain ScopePeriod period}. A pattern
 * consists of literals and these placeholders:
 * <ul>
 * <li>{@code {scope}} for the first part of the scope, and {@code {scope:1}} to
 * {@code {scope:7}} for the other parts</li>
 * <li>{@code {yyyy}}, {@code {yy}}, {@code {MM}} and {@code {dd}} for the date</li>
 * <li>{@code {n}} for the number, or {@code {n:5}} for the number with at least five
 * digits</li>
 * </ul>
 * <p>
 * If the pattern contains all parts of the scope, no two numbers have the same text:
 * <ol>
 * <li>In a string, the end of each value before the last value of variable length can be
 * found. A date part has a fixed length. A number ends before the next literal, which
 * does not begin with a digit. A part of the scope ends at the first occurrence of the
 * next literal, because {@link #verify(List)} rejects all other scopes.</li>
 * <li>So a string can be split from the left up to the last value of variable length. The
 * values after that one have fixed lengths, so they can be split from the right.</li>
 * <li>The strings of two periods differ, because a pattern must contain each date part of
 * the period. If only {@code {yy}} shows the year, {@link #verify(LocalDate)} accepts
 * only one century.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class ScopePattern {

	private static final Pattern PART = Pattern.compile("\\{([^{}]*)}|[^{}]+|.", Pattern.DOTALL);

	private static final Pattern SCOPE = Pattern.compile("scope(?::([0-7]))?");

	private static final Pattern NUMBER = Pattern.compile("n(?::([1-9]|1[0-9]))?");

	/** Computes the check character of ISO/IEC 7064, MOD 37,36. */
	private static final CheckCharacter CHECK = new CheckCharacter(Alphabet.of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"));

	/** Matches the characters that do not affect the check character. */
	private static final Pattern UNCHECKED = Pattern.compile("[^0-9A-Za-z]");

	private static final String NUMBER_ONLY = "{n}";

	private static final int MAX_LENGTH = 100;

	/** The first of the 100 years that {@code {yy}} can represent. */
	private static final int FIRST_TWO_DIGIT_YEAR = 2000;

	private final String pattern;

	private final List<Part> parts;

	/** The required number of parts of a scope, or 0 if the pattern contains no scope. */
	private final int scopePartCount;

	private ScopePattern(String pattern, List<Part> parts) {
		this.pattern = pattern;
		this.parts = parts;
		this.scopePartCount = 1 + parts.stream().mapToInt(Part::scope).max().orElse(-1);
	}

	/**
	 * Parse a pattern.
	 * @param pattern the pattern: printable ASCII, at most 100 characters
	 * @param period how often numbers restart
	 * @return the pattern
	 * @throws InvalidSettingException if the pattern is invalid; the message says why
	 */
	public static ScopePattern of(String pattern, ScopePeriod period) {
		require(pattern != null && pattern.matches("[ -~]{1," + MAX_LENGTH + "}"), pattern,
				"must be 1 to " + MAX_LENGTH + " printable ASCII characters");
		InvalidSettingException.requireGiven(ScopePattern.class, "period", period);
		List<Part> parts = new ArrayList<>();
		Matcher matcher = PART.matcher(pattern);
		while (matcher.find()) {
			parts.add(part(pattern, matcher.group(), matcher.group(1)));
		}
		verifyDate(pattern, parts, period);
		require(parts.stream().filter(Part::isNumber).count() == 1, pattern,
				"must have one number: {n}, or {n:5} for at least five digits");
		for (int i = 0; i < parts.size(); i++) {
			boolean isLastVariable = parts.subList(i + 1, parts.size()).stream().noneMatch(Part::hasVariableLength);
			if (parts.get(i).hasVariableLength() && !isLastVariable) {
				verifyFollowing(pattern, parts.get(i), parts.get(i + 1));
			}
		}
		return new ScopePattern(pattern, List.copyOf(parts));
	}

	/**
	 * Return the pattern {@code {n}}, which writes only the number.
	 * @return a pattern without a scope or a date
	 */
	public static ScopePattern number() {
		return of(NUMBER_ONLY, ScopePeriod.NONE);
	}

	private static Part part(String pattern, String text, @Nullable String name) {
		if (name == null) {
			require(!text.equals("{") && !text.equals("}"), pattern, "has an unmatched brace");
			return Part.literal(text);
		}
		Matcher scope = SCOPE.matcher(name);
		if (scope.matches()) {
			return new Part(text, Kind.SCOPE, (scope.group(1) != null) ? Integer.parseInt(scope.group(1)) : 0, 0);
		}
		Matcher number = NUMBER.matcher(name);
		if (number.matches()) {
			return new Part(text, Kind.NUMBER, -1, (number.group(1) != null) ? Integer.parseInt(number.group(1)) : 1);
		}
		require(Set.of("yyyy", "yy", "MM", "dd").contains(name), pattern, "has the unknown placeholder " + text
				+ "; use {scope}, {scope:1} to {scope:7}, {yyyy}, {yy}, {MM}, {dd}, {n}, {n:1} to {n:19}");
		return new Part(text, Kind.DATE, -1, 0);
	}

	/**
	 * Verify that the pattern contains exactly the date parts of the period. If one of
	 * these parts were missing, strings would repeat in later periods. Any other date
	 * part would have no value, because only the period of a number is known.
	 */
	private static void verifyDate(String pattern, List<Part> parts, ScopePeriod period) {
		List<String> dateParts = parts.stream()
			.filter((part) -> part.kind == Kind.DATE)
			.map((part) -> part.text)
			.distinct()
			.sorted()
			.toList();
		String missing = period.parts()
			.stream()
			.filter((part) -> dateParts.stream().noneMatch((text) -> isOf(text, part)))
			.map((part) -> '{' + part + '}')
			.collect(Collectors.joining(", "));
		require(missing.isEmpty(), pattern,
				"lacks " + missing
						+ ": numbers restart in each period, so different numbers would have the same text. Add "
						+ missing + ", or choose a longer %s",
				"period");
		String surplus = dateParts.stream()
			.filter((text) -> period.parts().stream().noneMatch((part) -> isOf(text, part)))
			.collect(Collectors.joining(", "));
		require(surplus.isEmpty(), pattern,
				"has " + surplus + ", whose value is not known: remove " + surplus + ", or choose a shorter %s",
				"period");
	}

	private static boolean isOf(String text, String part) {
		return text.equals('{' + part + '}') || (text.equals("{yy}") && part.equals("yyyy"));
	}

	private static void verifyFollowing(String pattern, Part part, Part next) {
		require(next.kind == Kind.LITERAL, pattern, "has " + part.text + " and " + next.text
				+ " side by side, so different numbers would have the same text: put a literal between them");
		require(part.kind != Kind.NUMBER || !Character.isDigit(next.text.charAt(0)), pattern,
				"has a digit after " + part.text + ", so different numbers would have the same text");
	}

	private static void require(boolean valid, @Nullable String pattern, String requirement, String... related) {
		InvalidSettingException.require(valid, ScopePattern.class, "pattern", pattern, requirement, related);
	}

	/**
	 * Return whether numbers of different scopes always have different strings.
	 * @return {@code false} if the pattern omits the scope or a part of it
	 */
	public boolean isUnique() {
		return this.scopePartCount > 0 && IntStream.range(0, this.scopePartCount)
			.allMatch((scope) -> this.parts.stream().anyMatch((part) -> part.scope == scope));
	}

	/**
	 * Return whether the pattern, and therefore every string, contains a date.
	 * @return {@code false} if strings do not identify their period
	 */
	public boolean hasDate() {
		return this.parts.stream().anyMatch((part) -> part.kind == Kind.DATE);
	}

	/**
	 * Return whether a literal of the pattern, and therefore every string, contains a
	 * letter.
	 * @return {@code false} if no literal contains a letter
	 */
	public boolean hasLetters() {
		return this.parts.stream()
			.filter((part) -> part.kind == Kind.LITERAL)
			.anyMatch((part) -> part.text.chars().anyMatch(Character::isLetter));
	}

	/**
	 * Verify that this pattern can write a scope.
	 * @param scope the parts of the scope
	 * @throws IllegalArgumentException if the scope does not have as many parts as the
	 * pattern requires, or if the end of a part could not be found because the literal
	 * after that part also occurs earlier
	 */
	public void verify(List<String> scope) {
		InvalidSettingException.requireElements(ScopePattern.class, "scope", scope);
		if (this.scopePartCount > 0 && scope.size() != this.scopePartCount) {
			throw new IllegalArgumentException("The number of parts of the scope is " + scope.size()
					+ ", but the pattern '" + this.pattern + "' requires " + this.scopePartCount + ".");
		}
		for (int i = 0; i + 1 < this.parts.size(); i++) {
			Part part = this.parts.get(i);
			Part next = this.parts.get(i + 1);
			if (part.kind == Kind.SCOPE && next.kind == Kind.LITERAL) {
				String value = scope.get(part.scope);
				if ((value + next.text).indexOf(next.text) != value.length()) {
					throw new IllegalArgumentException("The scope " + QuotedInput.of(value) + " cannot precede '"
							+ next.text + "' in the pattern '" + this.pattern
							+ "': the end of the scope could not be found, so numbers of two scopes could have the same"
							+ " text.");
				}
			}
		}
	}

	/**
	 * Verify that strings of this pattern identify the period of a date.
	 * @param date any day of the period
	 * @throws IllegalArgumentException if the year is outside 0 to 9999, or outside 2000
	 * to 2099 if the pattern has only two digits of the year
	 */
	public void verify(LocalDate date) {
		boolean hasTwoDigitYear = has("{yy}") && !has("{yyyy}");
		int first = hasTwoDigitYear ? FIRST_TWO_DIGIT_YEAR : 0;
		int last = hasTwoDigitYear ? FIRST_TWO_DIGIT_YEAR + 99 : 9999;
		InvalidSettingException.require(date != null && date.getYear() >= first && date.getYear() <= last,
				ScopePattern.class, "date", date,
				"must be in the years " + first + " to " + last
						+ (hasTwoDigitYear ? ", because the pattern '" + this.pattern
								+ "' has only two digits of the year, which repeat in other centuries: use {yyyy}"
								: ""));
	}

	private boolean has(String part) {
		return this.parts.stream().anyMatch((candidate) -> candidate.text.equals(part));
	}

	/**
	 * Verify that this pattern contains exactly the date parts of a period. The default
	 * pattern {@code {n}} is valid for every period.
	 * @param period how often numbers restart
	 * @throws InvalidSettingException if the date parts are not exactly those of the
	 * period
	 */
	public void verify(ScopePeriod period) {
		InvalidSettingException.requireGiven(ScopePattern.class, "period", period);
		if (!this.pattern.equals(NUMBER_ONLY)) {
			verifyDate(this.pattern, this.parts, period);
		}
	}

	/**
	 * Return the text form of the numbers of one scope and period.
	 * @param scope the parts of the scope
	 * @param day any day of the period, in the years 0 to 9999, or 2000 to 2099 if the
	 * pattern has only two digits of the year
	 * @param text the settings of the text form; only the prefix and the check character
	 * are used
	 * @return the text form of these numbers
	 * @throws IllegalArgumentException if this pattern cannot write the scope or the day
	 */
	public TextForm form(List<String> scope, LocalDate day, TextSettings text) {
		verify(scope);
		InvalidSettingException.requireGiven(ScopePattern.class, "day", day);
		verify(day);
		InvalidSettingException.requireGiven(ScopePattern.class, "text", text);
		int at = 0;
		while (!this.parts.get(at).isNumber()) {
			at++;
		}
		Function<List<Part>, String> writer = (
				sequence) -> sequence.stream().map((part) -> part.write(scope, day)).collect(Collectors.joining());
		TextForm numberForm = new NumberedText(writer.apply(this.parts.subList(0, at)), this.parts.get(at).digits,
				writer.apply(this.parts.subList(at + 1, this.parts.size())));
		TextForm withCheck = text.check() ? new CheckedText(numberForm, CHECK, ScopePattern::checkedPart) : numberForm;
		return text.prefix().isEmpty() ? withCheck : new PrefixedText(text.prefix(), withCheck);
	}

	/**
	 * Return the characters from which the check character is computed: the ASCII letters
	 * and digits, in upper case.
	 */
	private static String checkedPart(String text) {
		return UNCHECKED.matcher(text).replaceAll("").toUpperCase(Locale.ROOT);
	}

	/**
	 * Parse a string into its number, scope and period.
	 * @param text any string
	 * @param settings the settings of the text form; only the prefix and the check
	 * character are used
	 * @return the number with its scope and period, or empty if this pattern does not
	 * produce the string
	 */
	public Optional<ScopedNumber> read(String text, TextSettings settings) {
		InvalidSettingException.requireGiven(ScopePattern.class, "text", text);
		InvalidSettingException.requireGiven(ScopePattern.class, "settings", settings);
		int start = settings.prefix().length();
		int end = text.length() - (settings.check() ? 1 : 0);
		List<String> values = (start <= end) ? split(text.substring(start, end)) : List.of();
		if (values.isEmpty()) {
			return Optional.empty();
		}
		try {
			String[] scope = new String[this.scopePartCount];
			Arrays.fill(scope, "");
			int[] date = { FIRST_TWO_DIGIT_YEAR, 1, 1 };
			for (int i = 0; i < values.size(); i++) {
				Part part = this.parts.get(i);
				String value = values.get(i);
				switch (part.text) {
					case "{yyyy}" -> date[0] = Integer.parseInt(value);
					case "{yy}" -> date[0] = FIRST_TWO_DIGIT_YEAR + Integer.parseInt(value);
					case "{MM}" -> date[1] = Integer.parseInt(value);
					case "{dd}" -> date[2] = Integer.parseInt(value);
					default -> {
						if (part.kind == Kind.SCOPE) {
							scope[part.scope] = value;
						}
					}
				}
			}
			LocalDate day = LocalDate.of(date[0], date[1], date[2]);
			// this form accepts only strings with the parsed scope and date, so it also
			// verifies the rest of the text
			long number = form(List.of(scope), day, settings).parse(text);
			return Optional.of(new ScopedNumber(isUnique() ? List.of(scope) : List.of(), day, number));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Split a string into one value per part of the pattern. Return an empty list if the
	 * string does not match the pattern.
	 */
	private List<String> split(String text) {
		List<String> values = new ArrayList<>();
		int at = 0;
		for (int i = 0; i < this.parts.size(); i++) {
			int end = end(text, at, i);
			if (end < at || end > text.length()) {
				return List.of();
			}
			values.add(text.substring(at, end));
			at = end;
		}
		return values;
	}

	private int end(String text, int start, int index) {
		Part part = this.parts.get(index);
		List<Part> following = this.parts.subList(index + 1, this.parts.size());
		if (!part.hasVariableLength()) {
			return start + part.length();
		}
		return following.stream().anyMatch(Part::hasVariableLength) ? text.indexOf(following.get(0).text, start)
				: text.length() - following.stream().mapToInt(Part::length).sum();
	}

	/**
	 * Return the text form as a part of the definition of a key space. A definition
	 * contains the settings that must not change.
	 * @param text the settings of the text form, which may have a prefix and a check
	 * character
	 * @return the string to append to the definition of the key space
	 * @throws InvalidSettingException if the settings contain an alphabet, a length or a
	 * secret
	 */
	public String definition(TextSettings text) {
		InvalidSettingException.requireGiven(ScopePattern.class, "text", text);
		text.requireNoDigits("cannot be set: scoped numbers have decimal digits. For at least five digits, write {n:5}"
				+ " in the pattern");
		InvalidSettingException.require(text.secrets().isEmpty(), TextSettings.class, "secrets", text.secrets(),
				"cannot be set: scoped numbers cannot be permuted");
		// in a definition, spaces separate the settings
		String escaped = this.pattern.replace("%", "%25").replace(" ", "%20");
		return TextSettings.MARK + " pattern=" + escaped + (text.check() ? " check" : "")
				+ (text.prefix().isEmpty() ? "" : " prefix=" + text.prefix());
	}

	@Override
	public String toString() {
		return this.pattern;
	}

	/**
	 * A number that was parsed from its text.
	 *
	 * @param scope the parts of the scope, or an empty list if the pattern omits any of
	 * them
	 * @param day a day of the period, or an arbitrary day if the pattern contains no
	 * date; a year of two digits is read as a year from 2000 to 2099
	 * @param number the number
	 */
	public record ScopedNumber(List<String> scope, LocalDate day, long number) {

		/**
		 * Create a number.
		 * @throws IllegalArgumentException if a value is {@code null}
		 */
		public ScopedNumber {
			scope = InvalidSettingException.requireElements(ScopedNumber.class, "scope", scope);
			InvalidSettingException.requireGiven(ScopedNumber.class, "day", day);
		}

	}

	/**
	 * The kind of a part of a pattern.
	 */
	private enum Kind {

		LITERAL, SCOPE, DATE, NUMBER

	}

	/**
	 * A part of a pattern.
	 *
	 * @param text the part as it is written in the pattern, such as {@code {yyyy}}
	 * @param scope the index of the part of the scope, or -1 if the kind is not
	 * {@code SCOPE}
	 * @param digits the minimum number of digits of the number, or 0 if the kind is not
	 * {@code NUMBER}
	 */
	private record Part(String text, Kind kind, int scope, int digits) {

		static Part literal(String text) {
			return new Part(text, Kind.LITERAL, -1, 0);
		}

		boolean isNumber() {
			return this.kind == Kind.NUMBER;
		}

		/**
		 * Return the length of the values of this part, which must be a literal or a
		 * date.
		 */
		int length() {
			return (this.kind == Kind.DATE) ? this.text.length() - "{}".length() : this.text.length();
		}

		boolean hasVariableLength() {
			return this.kind == Kind.NUMBER || this.kind == Kind.SCOPE;
		}

		String write(List<String> scope, LocalDate day) {
			return switch (this.text) {
				case "{yyyy}" -> day.toString().substring(0, 4);
				case "{yy}" -> day.toString().substring(2, 4);
				case "{MM}" -> day.toString().substring(5, 7);
				case "{dd}" -> day.toString().substring(8, 10);
				default -> (this.kind == Kind.SCOPE) ? scope.get(this.scope) : this.text;
			};
		}

	}

	/**
	 * Writes a number between two fixed strings.
	 *
	 * @param before the string before the number
	 * @param digits the minimum number of digits
	 * @param after the string after the number
	 */
	private record NumberedText(String before, int digits, String after) implements TextForm {

		@Override
		public String format(long number) {
			InvalidSettingException.require(number >= 0, TextForm.class, "number", number, "must not be negative");
			String digits = Long.toString(number);
			return this.before + "0".repeat(Math.max(0, this.digits - digits.length())) + digits + this.after;
		}

		@Override
		public long parse(String text) {
			String requirement = "it must be " + QuotedInput.of(this.before) + ", then a number of at least "
					+ this.digits + " digits" + (this.after.isEmpty() ? "" : ", then " + QuotedInput.of(this.after));
			if (text == null || text.length() < this.before.length() + this.digits + this.after.length()
					|| !text.startsWith(this.before) || !text.endsWith(this.after)) {
				throw TextForm.invalid(text, requirement);
			}
			String number = text.substring(this.before.length(), text.length() - this.after.length());
			if (!number.matches("[0-9]{1,19}")) {
				throw TextForm.invalid(text, requirement);
			}
			if (number.length() > this.digits && number.charAt(0) == '0') {
				throw TextForm.invalid(text,
						"a number longer than the minimum length of " + this.digits + " must have no leading zeros");
			}
			try {
				return Long.parseLong(number);
			}
			catch (NumberFormatException ex) {
				throw TextForm.invalid(text, Alphabet.TOO_HIGH);
			}
		}

		@Override
		public String pattern() {
			return escape(this.before) + "[0-9]{" + this.digits + ",19}" + escape(this.after);
		}

		private static String escape(String text) {
			return text.replaceAll("[\\^$\\\\.*+?()\\[\\]{}|]", "\\\\$0");
		}

		@Override
		public boolean isSorted() {
			return false;
		}

	}

}
