package dev.idspring.text;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.text.TextSettings.DefinedText;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TextSettings}, {@link SecretDigits} and {@link Secret}.
 */
@Tag("longer")
class TextSettingsTests {

	private static final int CASES = Integer.getInteger("test.ids.text-cases", 1_000);

	/**
	 * The number of runs for each domain of about a million strings, and also the maximum
	 * number of domains. Each run uses different random secrets.
	 */
	private static final int RUNS = Integer.getInteger("test.ids.text-runs", 1);

	private static final long LAST = Long.MAX_VALUE - 1;

	private static final Alphabet BASE62 = Alphabet.of("base62");

	private final TextSettings none = TextSettings.none();

	static Secret secret(int seed) {
		byte[] bytes = new byte[16 + 8 * (seed % 3)];
		new Random(seed).nextBytes(bytes);
		return Secret.of(Base64.getEncoder().encodeToString(bytes));
	}

	private static DefinedText formOfCounter(TextSettings settings, long first, long last) {
		return settings.formOfCounter("orders", TextForm.decimal(), first, last);
	}

	@Test
	void emptySettingsChangeNothing() {
		TextForm decimal = TextForm.decimal();
		DefinedText text = this.none.formOfCounter("orders", decimal, 1, LAST);
		assertThat(text.form()).isSameAs(decimal);
		assertThat(text.definition()).isEmpty();
	}

	@Test
	void formsAreAppliedInOrder() {
		DefinedText text = formOfCounter(this.none.withDigits(BASE62, 6).withCheck().withPrefix("ord_"), 1, LAST);
		assertThat(text.form().format(1)).isEqualTo("ord_000001" + new CheckCharacter(BASE62).compute("000001"));
		assertThat(text.definition())
			.isEqualTo(" text alphabet=" + BASE62.characters() + " length=6 check prefix=ord_");
	}

	@ParameterizedTest
	@CsvSource({ "ord_0000011, wrong check character", "order_000001Z, must begin with ord_",
			"ord_00*001Z, at position 3", "'', must begin with ord_", "ord_, must end with a check character" })
	void parseNamesTheStageThatFails(String text, String stage) {
		TextForm form = formOfCounter(this.none.withDigits(BASE62, 6).withCheck().withPrefix("ord_"), 1, LAST).form();
		assertThatIllegalArgumentException().isThrownBy(() -> form.parse(text)).withMessageContaining(stage);
	}

	@Test
	void wrongLengthIsReportedIfTheCheckCharacterIsCorrect() {
		TextForm form = formOfCounter(this.none.withDigits(BASE62, 6).withCheck(), 1, LAST).form();
		String text = "01" + new CheckCharacter(BASE62).compute("01");
		assertThatIllegalArgumentException().isThrownBy(() -> form.parse(text))
			.withMessageContaining("must have 6 to 11 characters");
	}

	static Stream<Arguments> forms() {
		TextSettings none = TextSettings.none();
		TextSettings prefixAndCheck = none.withPrefix("a-").withCheck();
		return Stream
			.of(none, none.withPrefix("ord_"), none.withCheck(), none.withDigits(BASE62, 4),
					none.withDigits(Alphabet.of("01"), 20), none.withDigits(Alphabet.of("base32"), 6).withCheck(),
					none.withSecrets(secret(1)), prefixAndCheck.withSecrets(secret(2)),
					prefixAndCheck.withSecrets(secret(1), secret(2).from(1_000), secret(3).from(1L << 40),
							secret(4).from(1L << 62)),
					none.withDigits(Alphabet.of("base58"), 12).withSecrets(secret(5)))
			.map((settings) -> Arguments.of(settings));
	}

	@ParameterizedTest
	@MethodSource("forms")
	void formattedNumbersAreReadBack(TextSettings settings) {
		TextForm form = formOfCounter(settings, 1, LAST).form();
		Random random = new Random(7);
		for (int i = 0; i < CASES; i++) {
			long number = 1 + (random.nextLong() >>> 1 >>> random.nextInt(63)) % LAST;
			assertReadBack(form, number);
		}
		assertReadBack(form, 1);
		assertReadBack(form, LAST);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void formattedTimeBasedIdsAreReadBack(boolean unsigned) {
		long last = unsigned ? -1 : Long.MAX_VALUE;
		for (TextSettings settings : List.of(this.none.withDigits(BASE62, 11), this.none.withCheck(),
				this.none.withSecrets(secret(1)), this.none.withSecrets(secret(1)).withPrefix("e_").withCheck())) {
			TextForm decimal = unsigned ? TextForm.decimal20() : TextForm.decimal();
			TextForm form = settings.formOfTime("events", decimal, unsigned, last).form();
			Random random = new Random(7);
			for (int i = 0; i < CASES; i++) {
				assertReadBack(form, random.nextLong() >>> (unsigned ? 0 : 1) >>> random.nextInt(63));
			}
			assertReadBack(form, last);
		}
	}

	private static void assertReadBack(TextForm form, long number) {
		String text = form.format(number);
		if (form.parse(text) != number) {
			assertThat(form.parse(text)).as(text).isEqualTo(number);
		}
	}

	static Stream<Arguments> domains() {
		Stream<Arguments> domains = Stream.of(Arguments.of("0123456789", 6), Arguments.of("base32", 4),
				Arguments.of("base36", 4));
		return domains.limit(RUNS);
	}

	/**
	 * Formats all numbers of one length and some of the next length. The secrets, and the
	 * numbers from which they apply, are random.
	 */
	@ParameterizedTest
	@MethodSource("domains")
	void stringsAreUniqueWhateverTheSecretsAndTheirFirstNumbers(String characters, int length) {
		Alphabet alphabet = Alphabet.of(characters);
		int size = BigInteger.valueOf(alphabet.size()).pow(length).intValue();
		Random random = new Random(RUNS);
		for (int run = 0; run < RUNS; run++) {
			List<Secret> secrets = new ArrayList<>(List.of(secret(run)));
			random.longs((run + 1) % 4, 1, size / 2)
				.sorted()
				.distinct()
				.forEach((firstNumber) -> secrets.add(secret(100 + secrets.size()).from(firstNumber)));
			TextForm form = formOfCounter(
					this.none.withDigits(alphabet, length).withSecrets(secrets.toArray(Secret[]::new)), 0, LAST)
				.form();
			BitSet seen = new BitSet();
			for (int number = 0; number < size + 10_000; number++) {
				String text = form.format(number);
				int place = (int) alphabet.decode(text) + ((text.length() > length) ? size : 0);
				if (seen.get(place)) {
					assertThat(text).as("text of %d, %s", number, secrets).isNull();
				}
				seen.set(place);
				if (number % 97 == 0) {
					assertReadBack(form, number);
				}
			}
		}
	}

	/**
	 * Tests the permutation in domains that {@link TextSettings} refuses because they are
	 * too small.
	 */
	@Test
	void tinyDomainsArePermuted() {
		Random random = new Random(13);
		for (int[] domain : new int[][] { { 2, 2 }, { 3, 2 }, { 2, 5 }, { 10, 2 }, { 7, 3 }, { 31, 2 }, { 10, 3 } }) {
			Alphabet alphabet = Alphabet.of("0123456789abcdefghijklmnopqrstuvwxyz".substring(0, domain[0]));
			int size = BigInteger.valueOf(domain[0]).pow(domain[1]).intValue();
			for (int run = 0; run < 20; run++) {
				List<Long> firstNumbers = new ArrayList<>(List.of(0L));
				random.longs(random.nextInt(4), 1, size).sorted().distinct().forEach(firstNumbers::add);
				List<Secret> secrets = IntStream.range(0, firstNumbers.size())
					.mapToObj((i) -> secret(random.nextInt() & 0xFFFF))
					.toList();
				TextForm form = new SecretDigits(new Digits(alphabet, domain[1], domain[1], 63), secrets, firstNumbers,
						"orders", 0, size - 1);
				boolean[] seen = new boolean[size];
				for (int number = 0; number < size; number++) {
					String text = form.format(number);
					int place = (int) alphabet.decode(text);
					assertThat(seen[place]).as("%s, %d of %d", firstNumbers, number, size).isFalse();
					seen[place] = true;
					assertReadBack(form, number);
				}
			}
		}
	}

	@Test
	void firstSecretRevealsOnlyNumbersBeforeTheSecondSecret() {
		TextSettings before = this.none.withDigits(BASE62, 4).withSecrets(secret(1));
		TextForm known = formOfCounter(before, 0, LAST).form();
		TextForm form = formOfCounter(before.withSecrets(secret(1), secret(2).from(1_000)), 0, LAST).form();
		long sameTexts = IntStream.range(0, 10_000).filter((i) -> known.format(i).equals(form.format(i))).count();
		assertThat(sameTexts).isBetween(1_000L, 1_005L);
	}

	@Test
	void stringsOfAnotherKeySpaceDiffer() {
		TextSettings settings = this.none.withSecrets(secret(1));
		TextForm orders = settings.formOfCounter("orders", TextForm.decimal(), 0, LAST).form();
		TextForm items = settings.formOfCounter("items", TextForm.decimal(), 0, LAST).form();
		assertThat(IntStream.range(0, 10_000).filter((i) -> orders.format(i).equals(items.format(i))).count())
			.isLessThan(3);
		assertThat(settings.formOfCounter("orders", TextForm.decimal(), 0, LAST).definition())
			.isNotEqualTo(settings.formOfCounter("items", TextForm.decimal(), 0, LAST).definition());
	}

	@Test
	void stringOfANumberThatIsNotAnIdIsRejectedWithoutRevealingTheNumber() {
		TextForm form = formOfCounter(this.none.withSecrets(secret(1)), 1, 1_000).form();
		TextForm wider = formOfCounter(this.none.withSecrets(secret(1)), 1, 1_000_000).form();
		String text = wider.format(123_456);
		assertThatIllegalArgumentException().isThrownBy(() -> form.parse(text))
			.withMessage("'" + text + "' is not a key: no id has this text")
			.withNoCause();
	}

	static Stream<Arguments> invalidSettings() {
		TextSettings none = TextSettings.none();
		Alphabet decimal = Alphabet.of("0123456789");
		return Stream.of(
				Arguments.of((Supplier<?>) () -> none.withPrefix("ord"), "prefix is 'ord' but must be 1 to 20 letters"),
				Arguments.of((Supplier<?>) () -> none.withPrefix("o_d_"), "prefix is 'o_d_'"),
				Arguments.of((Supplier<?>) () -> none.withDigits(decimal, 0), "length is 0"),
				Arguments.of(
						(Supplier<?>) () -> formOfCounter(none.withDigits(decimal, 5).withSecrets(secret(1)), 1, LAST),
						"length is 5 but allows only 100000 different strings"),
				Arguments.of((Supplier<?>) () -> formOfCounter(none.withSecrets(secret(1), secret(1).from(7)), 1, LAST),
						"must all be different"),
				Arguments.of(
						(Supplier<?>) () -> formOfCounter(
								none.withSecrets(secret(1), secret(2).from(9), secret(3).from(9)), 1, LAST),
						"must be greater than 'from' of the previous secret"),
				Arguments.of((Supplier<?>) () -> formOfCounter(none.withSecrets(secret(1).from(5)), 1, LAST),
						"must not be set as 'from' of the first"),
				Arguments.of(
						(Supplier<?>) () -> formOfCounter(
								none.withDigits(decimal, 6).withSecrets(secret(1), secret(2).from(500_001)), 1, LAST),
						"secrets is 500001 but is in the second half of the numbers with 6 digits, for which the text form"
								+ " would take too long to compute: start the secret in the first half, or at 999999,"),
				Arguments.of(
						(Supplier<?>) () -> none.withSecrets(secret(1), secret(2).from(9))
							.formOfTime("x", TextForm.decimal(), false, LAST),
						"only the strategy sequential takes a second secret"),
				Arguments.of(
						(Supplier<?>) () -> none.withSecrets(secret(1).from(9))
							.formOfTime("x", TextForm.decimal(), false, LAST),
						"must not be set as 'from' of the first"),
				Arguments.of(
						(Supplier<?>) () -> none.withDigits(BASE62, 10)
							.formOfTime("x", TextForm.decimal(), false, Long.MAX_VALUE),
						"length is 10 but must be at least 11"),
				Arguments.of((Supplier<?>) () -> new TextSettings(null, 7, null, "", false, List.of())
					.formOfObfuscated(TextForm.decimal(), BASE62), "length is 7 but cannot be set"),
				Arguments.of(
						(Supplier<?>) () -> none.withSecrets(secret(1)).formOfObfuscated(TextForm.decimal(), BASE62),
						"cannot be used with the strategy coprime"),
				Arguments.of((Supplier<?>) () -> new TextSettings(decimal, 6, 7, "", false, List.of())
					.formOfCounter("x", TextForm.decimal(), 0, 11_100_000), "maxLength is 7 but must be at least 8"));
	}

	@ParameterizedTest
	@MethodSource("invalidSettings")
	void messageNamesTheMistake(Supplier<?> mistake, String problem) {
		assertThatIllegalArgumentException().isThrownBy(mistake::get).withMessageContaining(problem);
	}

	@ParameterizedTest
	@CsvSource({ "no base64!, is not Base64", "AAAAAAAAAAAAAAAAAAAAAA==, has too few different bytes",
			"c2VjcmV0IHBhc3N3b3JkIQ==, is text in Base64", "c2VjcmV0, has 6 bytes",
			"correcthorsebatterystaplecorrect, has letters of one case only" })
	void invalidSecretIsRejectedWithoutRevealingIt(String secret, String problem) {
		assertThatIllegalArgumentException().isThrownBy(() -> Secret.of(secret))
			.withMessageContainingAll(problem, "openssl rand -base64 32")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(secret));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void emptySecretIsRejected(String secret) {
		assertThatIllegalArgumentException().isThrownBy(() -> Secret.of(secret)).withMessageContaining("is empty");
	}

	@Test
	void toStringAndDefinitionDoNotRevealTheSecret() {
		byte[] bytes = new byte[16];
		new Random(1).nextBytes(bytes);
		String base64 = Base64.getEncoder().encodeToString(bytes);
		Secret secret = Secret.of(base64);
		TextSettings settings = this.none.withSecrets(secret);
		String printed = settings + secret.toString() + formOfCounter(settings, 1, LAST);
		assertThat(printed).doesNotContain(base64).doesNotContain(Arrays.toString(bytes));
		assertThat(Secret.of(base64 + "\n")).isEqualTo(secret);
	}

	@Test
	void definitionRevealsWhetherSecretsWereAdded() {
		String one = formOfCounter(this.none.withSecrets(secret(1)), 1, LAST).definition();
		String two = formOfCounter(this.none.withSecrets(secret(1), secret(2).from(9)), 1, LAST).definition();
		String other = formOfCounter(this.none.withSecrets(secret(3), secret(2).from(9)), 1, LAST).definition();
		assertThat(TextSettings.addsSecrets(two, one)).isTrue();
		assertThat(TextSettings.addsSecrets(one, two)).isFalse();
		assertThat(TextSettings.addsSecrets(other, one)).isFalse();
		assertThat(TextSettings.addsSecrets(two, two)).isFalse();
		TextSettings settings = this.none.withSecrets(secret(1), secret(2).from(9), secret(3).from(20));
		assertThat(settings.firstOrdinalOfAddedSecret(one)).isEqualTo(9);
		assertThat(settings.firstOrdinalOfAddedSecret(two)).isEqualTo(20);
		assertThat(TextSettings.withoutText("sequential start=1" + two)).isEqualTo("sequential start=1");
	}

}
