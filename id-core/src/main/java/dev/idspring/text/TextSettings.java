package dev.idspring.text;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.Digits.Length;
import dev.idspring.text.UuidForm.TimedNumbers;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the text form of ids. A number is encrypted with a secret (cipher FF1,
 * which preserves the length) and written in the digits of an alphabet. Then a check
 * character is appended, and a prefix is prepended. Each of these steps is optional.
 * <p>
 * The settings cannot change after a key space has been created, with two exceptions. The
 * maximum length can be raised. If a {@code sequential} key space has a secret, secrets
 * can be added.
 *
 * @param alphabet the digits, or {@code null} for the default: base62 if a length, a
 * maximum length or a secret is given, otherwise the digits of the strategy
 * @param length the number of digits, or {@code null} for the default. For counters (such
 * as {@code sequential}), it is the number of digits of the first ids, 6 by default.
 * Strings get longer when all strings of that length are used. For time-based ids (such
 * as {@code snowflake}), it is the number of digits of all ids, by default as many as a
 * number of 64 bits needs
 * @param maxLength the maximum number of digits, or {@code null} for as many as the last
 * number needs
 * @param prefix 1 to 20 letters and digits followed by {@code _} or {@code -}, or empty
 * for no prefix
 * @param check whether a check character follows the digits
 * @param secrets the secrets that encrypt numbers, ordered by the first id to which each
 * applies: at most four for {@code sequential}, none for {@code coprime} or
 * {@linkplain ScopePattern scoped numbers}, and at most one for other strategies
 * @since 0.1.0
 */
public record TextSettings(@Nullable Alphabet alphabet, @Nullable Integer length, @Nullable Integer maxLength,
		String prefix, boolean check, List<Secret> secrets) {

	/** Begins the text form in the definition of a key space. */
	static final String MARK = " text";

	private static final String SECRETS = " secrets=";

	private static final int DEFAULT_COUNTER_LENGTH = 6;

	private static final int MAX_LENGTH = 64;

	private static final int MAX_SECRETS = 4;

	/**
	 * The minimum number of different strings of each length if there is a secret, as
	 * revision 1 of NIST SP 800-38G requires for FF1.
	 */
	private static final BigInteger MIN_TEXTS = BigInteger.valueOf(1_000_000);

	private static final BigInteger MAX_HALF_SIZE = BigInteger.ONE.shiftLeft(Ff1.HALF_BITS);

	private static final Pattern PREFIX = Pattern.compile("([A-Za-z0-9]{1,20}[_-])?");

	private static final TextSettings NONE = new TextSettings(null, null, null, "", false, List.of());

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names the
	 * value
	 */
	public TextSettings {
		secrets = InvalidSettingException.requireElements(TextSettings.class, "secrets", secrets);
		if (length != null) {
			InvalidSettingException.requireRange(TextSettings.class, "length", length, 1, MAX_LENGTH);
		}
		if (maxLength != null) {
			InvalidSettingException.requireRange(TextSettings.class, "maxLength", maxLength, 1, MAX_LENGTH);
		}
		require(prefix != null && PREFIX.matcher(prefix).matches(), "prefix", prefix,
				"must be 1 to 20 letters and digits with one _ or - at the end");
		require(secrets.size() <= MAX_SECRETS, "secrets", secrets, "must contain at most " + MAX_SECRETS + " secrets");
	}

	/**
	 * Return the settings of the default text form.
	 * @return the default settings
	 */
	public static TextSettings none() {
		return NONE;
	}

	/**
	 * Return these settings with an alphabet and a length.
	 * @param alphabet the digits
	 * @param length the number of digits; for counters, the number of digits of the first
	 * ids
	 * @return the settings
	 */
	public TextSettings withDigits(Alphabet alphabet, int length) {
		requireNonNull("alphabet", alphabet);
		return new TextSettings(alphabet, length, this.maxLength, this.prefix, this.check, this.secrets);
	}

	/**
	 * Return these settings with a prefix.
	 * @param prefix 1 to 20 letters and digits followed by {@code _} or {@code -}
	 * @return the settings
	 */
	public TextSettings withPrefix(String prefix) {
		return new TextSettings(this.alphabet, this.length, this.maxLength, prefix, this.check, this.secrets);
	}

	/**
	 * Return these settings with a check character.
	 * @return the settings
	 */
	public TextSettings withCheck() {
		return new TextSettings(this.alphabet, this.length, this.maxLength, this.prefix, true, this.secrets);
	}

	/**
	 * Return these settings with secrets.
	 * @param secrets the secrets, ordered by the first id to which they apply
	 * @return the settings
	 */
	public TextSettings withSecrets(Secret... secrets) {
		List<Secret> all = Arrays.asList(InvalidSettingException.requireGiven(TextSettings.class, "secrets", secrets));
		return new TextSettings(this.alphabet, this.length, this.maxLength, this.prefix, this.check, all);
	}

	/**
	 * Return the text form for the strategy {@code coprime}, which defines its own
	 * alphabet and lengths. Only a prefix and a check character can be added.
	 * @param own the text form that the strategy defines
	 * @param ownAlphabet the digits of {@code own}
	 * @return the text form and its definition
	 * @throws IllegalArgumentException if the settings contain an alphabet, a length or a
	 * secret
	 */
	public DefinedText formOfObfuscated(TextForm own, Alphabet ownAlphabet) {
		requireNonNull("own", own);
		requireNonNull("ownAlphabet", ownAlphabet);
		require(this.secrets.isEmpty(), "secrets", this.secrets,
				"cannot be used with the strategy coprime: for a text form that cannot be guessed, use the strategy"
						+ " sequential with a secret and the same length. The numbers themselves then increase");
		requireNoDigits("cannot be set: the strategy defines the alphabet and the length");
		return withPrefixAndCheck(own, ownAlphabet, "");
	}

	/**
	 * Require that the settings contain neither an alphabet nor a length.
	 */
	void requireNoDigits(String requirement) {
		require(this.alphabet == null, "alphabet", this.alphabet, requirement);
		require(this.length == null, "length", this.length, requirement);
		require(this.maxLength == null, "maxLength", this.maxLength, requirement);
	}

	/**
	 * Return the text form of the numbers of a counter.
	 * @param keySpace the name of the key space
	 * @param own the decimal form, which is used if the settings contain no alphabet,
	 * length or secret
	 * @param first the first number
	 * @param last the last number
	 * @return the text form and its definition
	 * @throws IllegalArgumentException if the settings do not fit; the message says why
	 */
	public DefinedText formOfCounter(String keySpace, TextForm own, long first, long last) {
		requireNonNull("keySpace", keySpace);
		requireNonNull("own", own);
		if (!hasDigits()) {
			return withPrefixAndCheck(own, Alphabet.DECIMAL, "");
		}
		Alphabet digits = digits();
		int firstLength = (this.length != null) ? this.length : DEFAULT_COUNTER_LENGTH;
		int requiredLength = requiredLength(digits, firstLength, last);
		int longestLength = (this.maxLength != null) ? this.maxLength : requiredLength;
		require(longestLength >= requiredLength, "maxLength", longestLength,
				"must be at least " + requiredLength + " for the last number, " + last);
		return formOfDigits(new Digits(digits, firstLength, longestLength, Long.SIZE - 1), keySpace, first, last,
				(secret) -> firstNumberOf(secret, first));
	}

	private static long firstNumberOf(Secret secret, long first) {
		long ordinal = secret.from();
		require(ordinal <= Long.MAX_VALUE - first, "secrets", ordinal,
				"must not begin after the highest possible number");
		return (ordinal > 0) ? first + ordinal : 0;
	}

	/**
	 * Return the text form of time-based ids.
	 * @param keySpace the name of the key space
	 * @param own the decimal form, which is used if the settings contain no alphabet,
	 * length or secret
	 * @param unsigned whether ids have 64 bits instead of 63
	 * @param last the last id
	 * @return the text form and its definition
	 * @throws IllegalArgumentException if the settings do not fit; the message says why
	 */
	public DefinedText formOfTime(String keySpace, TextForm own, boolean unsigned, long last) {
		requireNonNull("keySpace", keySpace);
		requireNonNull("own", own);
		requireOneSecret();
		if (!hasDigits()) {
			return withPrefixAndCheck(own, Alphabet.DECIMAL, "");
		}
		Alphabet digits = digits();
		// 64 bits even for signed ids, because they may become unsigned later
		int exactLength = (this.length != null) ? this.length
				: requiredLength(digits, BigInteger.ONE.shiftLeft(Long.SIZE));
		int requiredLength = requiredLength(digits, new BigInteger(Long.toUnsignedString(last)).add(BigInteger.ONE));
		require(exactLength >= requiredLength, "length", exactLength,
				"must be at least " + requiredLength + " for the last id, " + Long.toUnsignedString(last));
		require(this.maxLength == null || this.maxLength == exactLength, "maxLength", this.maxLength,
				"must equal %s, because the text form of all time-based ids has the same length", "length");
		int bits = unsigned ? Long.SIZE : Long.SIZE - 1;
		return formOfDigits(new Digits(digits, exactLength, exactLength, bits), keySpace, 0, last, Secret::from);
	}

	/**
	 * Return the UUID form of the numbers of a counter.
	 * @param identity a string that identifies the counter, so that UUIDs of other
	 * counters are rejected
	 * @param keySpace the name of the key space
	 * @param first the first number
	 * @return the form with UUIDs of version 8
	 */
	public UuidForm uuidsOfCounter(String identity, String keySpace, long first) {
		requireNonNull("identity", identity);
		requireNonNull("keySpace", keySpace);
		return new UuidVersion8(identity, keySpace, this.secrets,
				firstNumbers((secret) -> firstNumberOf(secret, first)));
	}

	/**
	 * Return the UUID form of time-based ids.
	 * @param identity a string that identifies the set of ids, so that other UUIDs are
	 * rejected
	 * @param keySpace the name of the key space
	 * @param layout the parts of the ids, which include the time
	 * @return the form with UUIDs of version 7, or of version 8 if a secret hides the
	 * time
	 */
	public UuidForm uuidsOfTime(String identity, String keySpace, TimedNumbers layout) {
		requireNonNull("identity", identity);
		requireNonNull("keySpace", keySpace);
		requireNonNull("layout", layout);
		return this.secrets.isEmpty() ? new UuidVersion7(identity, layout)
				: new UuidVersion8(identity, keySpace, this.secrets, firstNumbers(Secret::from));
	}

	/**
	 * Require at most one secret, because only {@code sequential} supports several.
	 * @throws IllegalArgumentException if there is more than one secret
	 */
	public void requireOneSecret() {
		require(this.secrets.size() < 2, "secrets", this.secrets, "must contain only one secret: only the strategy"
				+ " sequential takes a second secret. Continue with the first secret, or create another key space with"
				+ " the new secret and another prefix");
	}

	private DefinedText formOfDigits(Digits digits, String keySpace, long first, long last,
			ToLongFunction<Secret> firstNumber) {
		String definition = " alphabet=" + digits.alphabet().characters() + " length="
				+ digits.lengths().get(0).characters();
		if (this.secrets.isEmpty()) {
			return withPrefixAndCheck(digits, digits.alphabet(), definition);
		}
		List<Long> firstNumbers = firstNumbers(firstNumber);
		List<String> fingerprints = this.secrets.stream().map((secret) -> secret.fingerprint(keySpace)).toList();
		require(new HashSet<>(fingerprints).size() == this.secrets.size(), "secrets", this.secrets,
				"must all be different");
		for (Length length : digits.lengths()) {
			verify(digits.alphabet(), length, firstNumbers);
		}
		DefinedText text = withPrefixAndCheck(
				new SecretDigits(digits, this.secrets, firstNumbers, keySpace, first, last), digits.alphabet(),
				definition);
		String secretsDefinition = IntStream.range(0, this.secrets.size())
			.mapToObj((i) -> this.secrets.get(i).from() + "/" + fingerprints.get(i))
			.collect(Collectors.joining(",", SECRETS, ""));
		return new DefinedText(text.form(), text.definition() + secretsDefinition);
	}

	private List<Long> firstNumbers(ToLongFunction<Secret> firstNumber) {
		List<Long> firstNumbers = new ArrayList<>();
		for (Secret secret : this.secrets) {
			long number = firstNumber.applyAsLong(secret);
			boolean isAscending = firstNumbers.isEmpty() ? number == 0
					: Long.compareUnsigned(number, firstNumbers.get(firstNumbers.size() - 1)) > 0;
			require(isAscending, "secrets", secret.from(),
					firstNumbers.isEmpty() ? "must not be set as 'from' of the first secret"
							: "must be greater than 'from' of the previous secret");
			firstNumbers.add(number);
		}
		return firstNumbers;
	}

	private void verify(Alphabet alphabet, Length length, List<Long> firstNumbers) {
		BigInteger size = BigInteger.valueOf(alphabet.size()).pow(length.characters());
		require(size.compareTo(MIN_TEXTS) >= 0, "length", length.characters(),
				"allows only " + size + " different strings with an alphabet of " + alphabet.size()
						+ " characters: a secret requires at least a million");
		int right = length.characters() - length.characters() / 2;
		require(BigInteger.valueOf(alphabet.size()).pow(right).compareTo(MAX_HALF_SIZE) <= 0, "length",
				length.characters(), "is too long for a secret");
		for (int i = 0; i < firstNumbers.size(); i++) {
			long firstNumber = firstNumbers.get(i);
			long from = this.secrets.get(i).from();
			BigInteger numbersBefore = new BigInteger(Long.toUnsignedString(firstNumber))
				.subtract(new BigInteger(Long.toUnsignedString(length.start())));
			boolean isWithinLength = numbersBefore.signum() > 0 && numbersBefore.compareTo(size) < 0;
			require(!isWithinLength || numbersBefore.shiftLeft(1).compareTo(size) <= 0, "secrets", from,
					"is in the second half of the numbers with " + length.characters()
							+ " digits, for which the text form would take too long to compute: start the secret in the"
							+ " first half, or at " + size.subtract(numbersBefore).add(BigInteger.valueOf(from))
							+ ", with the first number that has more digits");
		}
	}

	private DefinedText withPrefixAndCheck(TextForm digits, Alphabet alphabet, String definition) {
		TextForm checked = this.check ? new CheckedText(digits, new CheckCharacter(alphabet), UnaryOperator.identity())
				: digits;
		TextForm form = this.prefix.isEmpty() ? checked : new PrefixedText(this.prefix, checked);
		String text = definition + (this.check ? " check" : "")
				+ (this.prefix.isEmpty() ? "" : " prefix=" + this.prefix);
		return new DefinedText(form, text.isEmpty() ? "" : MARK + text);
	}

	private boolean hasDigits() {
		return this.alphabet != null || this.length != null || this.maxLength != null || !this.secrets.isEmpty();
	}

	private Alphabet digits() {
		return (this.alphabet != null) ? this.alphabet : Alphabet.of("base62");
	}

	private static int requiredLength(Alphabet digits, BigInteger numberCount) {
		int length = 1;
		while (BigInteger.valueOf(digits.size()).pow(length).compareTo(numberCount) < 0) {
			length++;
		}
		return length;
	}

	private static int requiredLength(Alphabet digits, int firstLength, long last) {
		BigInteger end = BigInteger.ZERO;
		for (int length = firstLength;; length++) {
			end = end.add(BigInteger.valueOf(digits.size()).pow(length));
			if (end.compareTo(BigInteger.valueOf(last)) > 0) {
				return length;
			}
		}
	}

	/**
	 * Return the first ordinal (position of an id in its key space) to which an added
	 * secret applies.
	 * @param definition the definition to which these settings add a secret
	 * @return the first ordinal, which equals the number of ids to which the secrets of
	 * the definition apply
	 */
	public long firstOrdinalOfAddedSecret(String definition) {
		requireNonNull("definition", definition);
		long known = definition.substring(definition.indexOf(SECRETS)).chars().filter((c) -> c == '/').count();
		return this.secrets.get((int) known).from();
	}

	/**
	 * Return a definition without its text form.
	 * @param definition the definition of a key space
	 * @return the part that describes the keys
	 */
	public static String withoutText(String definition) {
		requireNonNull("definition", definition);
		int mark = definition.indexOf(MARK);
		return (mark < 0) ? definition : definition.substring(0, mark);
	}

	/**
	 * Return whether a definition equals another definition to which secrets were added.
	 * @param definition the definition of a key space
	 * @param other the definition with fewer secrets
	 * @return whether the added secrets are the only difference
	 */
	public static boolean addsSecrets(String definition, String other) {
		requireNonNull("definition", definition);
		requireNonNull("other", other);
		return other.contains(SECRETS) && definition.startsWith(other + ",");
	}

	private static void requireNonNull(String parameter, Object value) {
		InvalidSettingException.requireGiven(TextSettings.class, parameter, value);
	}

	private static void require(boolean valid, String parameter, @Nullable Object value, String requirement,
			String... related) {
		InvalidSettingException.require(valid, TextSettings.class, parameter, value, requirement, related);
	}

	/**
	 * A text form and its definition.
	 *
	 * @param form the text form of numbers
	 * @param definition the string to append to the definition of a key space, empty if
	 * all settings have their defaults
	 * @since 0.1.0
	 */
	public record DefinedText(TextForm form, String definition) {

		/**
		 * Create a text form with its definition.
		 * @throws IllegalArgumentException if a value is {@code null}
		 */
		public DefinedText {
			InvalidSettingException.requireGiven(DefinedText.class, "form", form);
			InvalidSettingException.requireGiven(DefinedText.class, "definition", definition);
		}

	}

}
