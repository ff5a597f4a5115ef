package dev.idspring.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which known property {@link ConfigurationCheck} suggests in place of a misspelled
 * one.
 */
class NearestPropertyTests {

	private static final List<String> KNOWN_PROPERTIES = List.of("store", "lease", "coprime.length", "block.size",
			"block.wait-timeout", "sequential.start", "gapless.start");

	@ParameterizedTest
	@CsvSource({ "cooprime.length, coprime.length", "coprime.lenght, coprime.length", "stor, store", "leese, lease",
			"block.waittimout, block.wait-timeout", "blocks.size, block.size" })
	void suggestsTheMostSimilarProperty(String misspelling, String suggestion) {
		assertThat(ConfigurationCheck.nearest(misspelling, KNOWN_PROPERTIES)).contains(suggestion);
	}

	@ParameterizedTest
	@CsvSource({ "printer.port", "length", "x" })
	void doesNotSuggestAPropertyForADissimilarName(String name) {
		assertThat(ConfigurationCheck.nearest(name, KNOWN_PROPERTIES)).isEmpty();
	}

	@Test
	void prefersTheMostSimilarOfSeveralProperties() {
		assertThat(ConfigurationCheck.nearest("block.sizes", List.of("blocks.size", "block.size")))
			.contains("block.size");
	}

}
