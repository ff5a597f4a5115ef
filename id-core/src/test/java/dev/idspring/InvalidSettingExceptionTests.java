package dev.idspring;

import java.time.Duration;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link InvalidSettingException}.
 */
class InvalidSettingExceptionTests {

	@Test
	void messageNamesTheParameters() {
		InvalidSettingException ex = new InvalidSettingException(String.class, "maxSize", 5L,
				"must be at least %s, which is 7", "size");
		assertThat(ex).hasMessage("maxSize is 5 but must be at least size, which is 7");
		assertThat(ex.getSettings()).isEqualTo(String.class);
		assertThat(ex.getParameter()).isEqualTo("maxSize");
		assertThat(ex.getValue()).isEqualTo(5L);
		assertThat(ex.getRelated()).containsExactly("size");
	}

	@Test
	void descriptionUsesTheGivenNames() {
		InvalidSettingException ex = new InvalidSettingException(String.class, "maxSize", 5L,
				"must be at least %s, which is 7", "size");
		assertThat(ex.describe((parameter) -> "my." + parameter.toLowerCase(Locale.ROOT)))
			.isEqualTo("my.maxsize is 5 but must be at least my.size, which is 7");
	}

	@Test
	void percentSignIsLiteralIfThereAreNoRelatedParameters() {
		assertThat(new InvalidSettingException(String.class, "share", "7", "must be 5%"))
			.hasMessage("share is '7' but must be 5%");
	}

	@Test
	void longStringIsTruncatedAndMadePrintable() {
		assertThat(new InvalidSettingException(String.class, "name", "a\nb" + "x".repeat(50), "must not"))
			.hasMessage("name is 'a?b" + "x".repeat(37) + "...' but must not");
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT0.005S, 5ms", "PT5S, 5s", "PT-5S, -5s", "PT1.5S, 1500ms", "PT2H, 2h", "PT1H30M, 90m",
			"PT24H, 1d", "PT25H, 25h", "P-1D, -1d", "PT0.000000001S, 1ns", "PT-0.5S, -500ms", "PT0.808S, 808ms",
			"PT1M0.001S, 60001ms", "PT2562047788015215H30M7.999999999S, 9223372036854775807s" })
	void durationsAreWrittenAsInConfigurationFiles(Duration duration, String text) {
		assertThat(new InvalidSettingException(String.class, "wait", duration, "must not"))
			.hasMessage("wait is " + text + " but must not");
	}

	@Test
	void rangeIncludesItsEnds() {
		assertThatNoException().isThrownBy(() -> {
			InvalidSettingException.requireRange(String.class, "x", 1, 1, 3);
			InvalidSettingException.requireRange(String.class, "x", 3, 1, 3);
		});
		for (Integer value : new Integer[] { 0, 4, null }) {
			assertThatExceptionOfType(InvalidSettingException.class)
				.isThrownBy(() -> InvalidSettingException.requireRange(String.class, "x", value, 1, 3))
				.withMessage("x is " + value + " but must be from 1 to 3");
		}
	}

}
