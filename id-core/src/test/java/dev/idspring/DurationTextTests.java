package dev.idspring;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DurationText}.
 */
class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT0.808S, 808ms", "PT1.5S, 1500ms", "PT1M, 1m", "PT48H, 2d", "PT-0.5S, -500ms" })
	void durationIsWrittenExactly(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT0.8079001S, 808ms", "PT59.999S, 59999ms", "PT1M0.001S, 61s", "PT2M31S, 151s",
			"PT2H, 2h", "PT2H0.001S, 121m" })
	void measuredDurationIsRoundedUp(Duration duration, String text) {
		assertThat(DurationText.rounded(duration)).isEqualTo(text);
	}

}
