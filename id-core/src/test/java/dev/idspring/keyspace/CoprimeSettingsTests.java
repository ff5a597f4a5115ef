package dev.idspring.keyspace;

import dev.idspring.text.Alphabet;
import dev.idspring.text.AlphabetTests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CoprimeSettings}.
 */
class CoprimeSettingsTests {

	private static final String BASE62 = Alphabet.of("base62").characters();

	@ParameterizedTest
	@CsvSource({ "base62,0,6,'length is 0 ','at least 1'", "base62,-1,6,'length is -1 ','at least 1'",
			"base62,6,5,'maxLength is 5','at least length, which is 6'",
			"base62,6,11,'maxLength is 11','use at most 10'", "base62,11,11,'length is 11','use a shorter length'",
			"01,62,63,'maxLength is 63','use at most 62'", "01,1,62,'maxLength is 62','use at most 61'",
			"01,63,63,'length is 63','use a shorter length'", "0123,30,31,'maxLength is 31','use at most 30'",
			"base62,6,2147483647,2147483647,'use at most 10'",
			"base62,2147483647,2147483647,2147483647,'use a shorter length'" })
	void lengthsOutOfRangeAreRejected(String alphabet, int length, int maxLength, String value, String remedy) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings(alphabet, length, maxLength, null, 0))
			.withMessageContaining(value)
			.withMessageContaining(remedy);
	}

	@ParameterizedTest
	@CsvSource({ "base62,6,10", "base62,10,10", "01,62,62", "01,1,61", "0123,31,31", "base32,12,12", "base58,10,10",
			"base36,11,11" })
	void lengthsInRangeAreAccepted(String alphabet, int length, int maxLength) {
		assertThat(settings(alphabet, length, maxLength, null, 0).resolve(null).capacity()).isBetween(1L, 1L << 62);
	}

	@ParameterizedTest
	@CsvSource({ "2,2,1", "6,2,5", "31,31,29", "62,62,61", "93,31,91", "1488,496,1487",
			"56800235584,56800235584,56800235583", "9223372036854775806,2,9223372036854775805" })
	void multiplierWithACommonDivisorIsRejected(long multiplier, long divisor, long proposal) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("base62", 6, 6, multiplier, 0))
			.withMessageContaining("multiplier is " + multiplier
					+ " but must be coprime with 56800235584, the number of ids with 6 characters")
			.withMessageContaining(
					"greatest common divisor is " + divisor + "): use " + proposal + ", or leave the multiplier unset");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	void multiplierThatIsNotPositiveIsRejected(long multiplier) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("base62", 6, 6, multiplier, 0))
			.withMessageContaining("multiplier is " + multiplier)
			.withMessageContaining("must be positive");
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, 3844, Long.MAX_VALUE, Long.MIN_VALUE })
	void offsetOutOfRangeIsRejected(long offset) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("base62", 2, 3, null, offset))
			.withMessageContaining("offset is " + offset)
			.withMessageContaining("from 0 to 3843");
	}

	@Test
	@SuppressWarnings("NullAway")
	void alphabetIsRequired() {
		assertThatIllegalArgumentException().isThrownBy(() -> new CoprimeSettings(null, 6, 6, null, 0));
	}

	@Test
	void multiplierIsReducedModuloTheNumberOfKeys() {
		KeySpace reduced = settings("base62", 6, 6, 202_652_143_553L, 0).resolve(null);
		assertThat(reduced.definition()).isEqualTo(settings("base62", 6, 6, null, 0).resolve(null).definition());
		assertThat(reduced.key(1)).isEqualTo(32_251_436_801L);
		assertThat(settings("base62", 6, 6, Long.MAX_VALUE, 0).resolve(null).definition())
			.contains("multiplier=" + Long.MAX_VALUE % 56_800_235_584L + " ");
	}

	@Test
	void unsetMultiplierIsTakenFromTheStoredDefinition() {
		String stored = "coprime length=6 multiplier=12345 offset=0 alphabet=" + BASE62;
		KeySpace keySpace = settings("base62", 6, 7, null, 0).resolve(stored);
		assertThat(keySpace.definition()).isEqualTo(stored);
		assertThat(keySpace.key(1)).isEqualTo(12345);
	}

	@Test
	void definitionIsReadBack() {
		for (String alphabet : new String[] { "base62", "base58", "base36", "base32", "01", "a=", "ofset=9",
				AlphabetTests.printableCharacters() }) {
			Alphabet digits = Alphabet.of(alphabet);
			long multiplier = digits.size() - 1;
			for (int length = 1; length <= 4; length++) {
				String stored = new CoprimeSettings(digits, length, length, multiplier, 1).resolve(null).definition();
				assertThat(new CoprimeSettings(digits, length, length + 1, null, 1).resolve(stored).definition())
					.isEqualTo(stored)
					.contains("multiplier=" + multiplier + " ");
			}
		}
	}

	@Test
	void explicitValuesAreNotOverriddenByTheStoredDefinition() {
		String stored = "coprime length=6 multiplier=12345 offset=7 alphabet=" + BASE62;
		assertThat(settings("base62", 6, 6, 17L, 7).resolve(stored).definition())
			.isEqualTo(stored.replace("multiplier=12345", "multiplier=17"));
		assertThat(settings("base62", 6, 6, null, 0).resolve(stored).definition())
			.isEqualTo(stored.replace("offset=7", "offset=0"));
		assertThat(settings("base62", 5, 6, null, 7).resolve(stored).definition())
			.isEqualTo(stored.replace("length=6", "length=5"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "park-miller modulus=2147483647 multiplier=16807", "sequential start=1",
			"coprime length=6 multiplier=12346 offset=0 alphabet=01",
			"coprime length=6 multiplier=0 offset=0 alphabet=01", "coprime length=6 multiplier=05 offset=0 alphabet=01",
			"coprime length=6 multiplier=-5 offset=0 alphabet=01",
			"coprime length=6 multiplier=56800235585 offset=0 alphabet=01",
			"coprime length=6 multiplier=9999999999999999999 offset=0 alphabet=01",
			"coprime length=6 multiplier=99999999999999999999999 offset=0 alphabet=01",
			"coprime length=6 multiplier=5 offset=0 alphabet=01\n", "coprime length=6 multiplier=5 offset=0",
			"coprime  length=6 multiplier=5 offset=0 alphabet=01" })
	void invalidOrForeignDefinitionIsIgnored(@Nullable String stored) {
		assertThat(settings("base62", 6, 6, null, 0).resolve(stored).definition())
			.isEqualTo("coprime length=6 multiplier=32251436801 offset=0 alphabet=" + BASE62);
	}

	private static CoprimeSettings settings(String alphabet, int length, int maxLength, @Nullable Long multiplier,
			long offset) {
		return new CoprimeSettings(Alphabet.of(alphabet), length, maxLength, multiplier, offset);
	}

}
