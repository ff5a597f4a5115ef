package dev.idspring.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Spelling}.
 */
class SpellingTests {

	private static final List<String> KNOWN = List.of("store", "lease", "coprime.length", "block.size",
			"block.wait-timeout", "sequential.start", "gapless.start");

	@ParameterizedTest
	@CsvSource({ "'', '', 0", "abc, abc, 0", "abc, '', 3", "'', abc, 3", "abc, abd, 1", "abc, ab, 1", "abc, xabc, 1",
			"kitten, sitting, 3", "flaw, lawn, 2", "length, lenght, 2", "intention, execution, 5" })
	void distanceCountsInsertionsDeletionsAndReplacements(String one, String other, int distance) {
		assertThat(Spelling.distance(one, other)).isEqualTo(distance);
		assertThat(Spelling.distance(other, one)).isEqualTo(distance);
	}

	@ParameterizedTest
	@CsvSource({ "cooprime.length, coprime.length", "coprime.lenght, coprime.length", "stor, store", "leese, lease",
			"length, coprime.length", "lenght, coprime.length", "printer.lenght, coprime.length",
			"wait-timeout, block.wait-timeout", "blocks.size, block.size" })
	void nearestIsFound(String word, String meant) {
		assertThat(Spelling.nearest(word, KNOWN)).containsExactly(meant);
	}

	@ParameterizedTest
	@CsvSource({ "printer.port", "x" })
	void nothingIsGuessedThatIsFar(String word) {
		assertThat(Spelling.nearest(word, KNOWN)).isEmpty();
	}

	@Test
	void upToThreeWithTheSameLastElementAreFound() {
		assertThat(Spelling.nearest("starts", KNOWN)).containsExactly("sequential.start", "gapless.start");
		assertThat(Spelling.nearest("size", List.of("a.size", "b.size", "c.size"))).hasSize(3);
		assertThat(Spelling.nearest("size", List.of("a.size", "b.size", "c.size", "d.size"))).isEmpty();
	}

	@Test
	void nearestOfSeveralIsTaken() {
		assertThat(Spelling.nearest("block.sizes", List.of("blocks.size", "block.size"))).containsExactly("block.size");
	}

}
