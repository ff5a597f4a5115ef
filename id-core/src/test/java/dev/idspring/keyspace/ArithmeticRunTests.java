package dev.idspring.keyspace;

import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.text.Alphabet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ArithmeticRun}, and for the key spaces whose keys form such runs.
 */
class ArithmeticRunTests {

	@ParameterizedTest
	@CsvSource({ "01,1,12,0", "10,2,10,3", "abc,1,8,2", "0123456,1,5,6", "base62,1,3,61", "base62,2,3,3843" })
	void eachKeyIsOneStepAfterThePreviousKey(String alphabet, int length, int maxLength, long offset) {
		assertSteps(new CoprimeSettings(Alphabet.of(alphabet), length, maxLength, null, offset).resolve(null), 0);
	}

	@ParameterizedTest
	@CsvSource({ "base62,10,10", "base62,6,8", "01,62,62", "base32,12,12" })
	void keysOfLargeKeySpacesAreOneStepApartAtBothEnds(String alphabet, int length, int maxLength) {
		KeySpace keySpace = new CoprimeSettings(Alphabet.of(alphabet), length, maxLength, null, 1).resolve(null);
		assertSteps(keySpace, 0);
		assertSteps(keySpace, keySpace.capacity() - 1_000);
		assertSteps(keySpace, keySpace.rangeEnd(0) - 1_000);
	}

	@Test
	void keysOfParkMillerAreOneStepApart() {
		KeySpace keySpace = KeySpaceSettings.parkMiller().resolve(null);
		assertSteps(keySpace, 0);
		assertSteps(keySpace, keySpace.capacity() - 300_000);
		assertThatIllegalArgumentException().isThrownBy(() -> keySpace.arithmeticRun(keySpace.capacity()));
	}

	private static void assertSteps(KeySpace keySpace, long first) {
		long key = keySpace.key(first);
		for (long ordinal = first; ordinal < Math.min(first + 300_000, keySpace.capacity() - 1); ordinal++) {
			ArithmeticRun run = keySpace.arithmeticRun(ordinal);
			if (ordinal + 1 < keySpace.rangeEnd(ordinal)) {
				key = run.base() + (key - run.base() + run.step()) % run.modulus();
			}
			else {
				key = keySpace.key(ordinal + 1);
			}
			if (key != keySpace.key(ordinal + 1)) {
				assertThat(key).as("after ordinal %d, by %s", ordinal, run).isEqualTo(keySpace.key(ordinal + 1));
			}
		}
	}

	@Test
	void orderedKeySpacesHaveNoArithmeticRuns() {
		assertThat(new SequentialSettings(1, 1_000).resolve(null).arithmeticRun(0)).isNull();
		assertThat(new RecycledSettings(1_000, 1_000_000).resolve(null).arithmeticRun(0)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "-1,1,2", "0,-1,2", "0,2,2", "0,0,0", "0,1,4611686018427387905" })
	void invalidRunsAreRejected(long base, long step, long modulus) {
		assertThatIllegalArgumentException().isThrownBy(() -> new ArithmeticRun(base, step, modulus))
			.withMessageContaining("" + modulus);
	}

}
