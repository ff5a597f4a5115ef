package dev.idspring.benchmarks.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ratio}.
 */
class RatioTests {

	@Test
	void smallRatiosHaveMoreDecimalPlaces() {
		assertThat(Ratio.of(0.5, 1.0)).isEqualTo("0.50 x");
		assertThat(Ratio.of(300.0, 10.0)).isEqualTo("30.0 x");
		assertThat(Ratio.of(300.0, 1.0)).isEqualTo("300 x");
	}

	@Test
	void ratioIsADashIfANumberIsMissing() {
		assertThat(Ratio.of(null, 1.0)).isEqualTo("–");
		assertThat(Ratio.of(1.0, null)).isEqualTo("–");
	}

}
