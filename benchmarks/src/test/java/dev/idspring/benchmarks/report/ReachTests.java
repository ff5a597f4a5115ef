package dev.idspring.benchmarks.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reach}.
 */
class ReachTests {

	@Test
	void ratioThatIsHighEnoughIsMet() {
		assertThat(Reach.atLeast(4.5, 450.0, 100.0)).isEqualTo("4.5 x, wanted 4.5: met");
		assertThat(Reach.atLeast(0.98, 0.99, 1.0)).isEqualTo("0.99 x, wanted 0.98: met");
	}

	@Test
	void ratioThatIsTooLowIsMissedByAShareOfWhatWasWanted() {
		assertThat(Reach.atLeast(40, 300.0, 10.0)).isEqualTo("30.0 x, wanted 40.0: **missed by 25 %**");
	}

	@Test
	void numberThatIsLowEnoughIsMet() {
		assertThat(Reach.atMost(5, 5.0, " %")).isEqualTo("5.0 %, wanted at most 5.0 %: met");
	}

	@Test
	void numberThatIsTooHighIsMissedByTheDifference() {
		assertThat(Reach.atMost(5, 7.5, " %")).isEqualTo("7.5 %, wanted at most 5.0 %: **missed by 2.5 %**");
	}

	@Test
	void nothingIsSaidOfWhatWasNotMeasured() {
		assertThat(Reach.atLeast(2, null, 1.0)).isEqualTo("–");
		assertThat(Reach.atLeast(2, 1.0, null)).isEqualTo("–");
		assertThat(Reach.atMost(2, null, "")).isEqualTo("–");
	}

}
