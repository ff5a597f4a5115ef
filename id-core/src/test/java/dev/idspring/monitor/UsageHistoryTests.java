package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.idspring.monitor.UsageHistory.ReservationRate;
import dev.idspring.monitor.UsageHistory.Sample;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UsageHistory}.
 */
class UsageHistoryTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration WEEK = Duration.ofDays(7);

	/** More than enough minutes for all samples to become a week apart. */
	private static final long MINUTES = 60 * 24 * 200;

	@Test
	void textFormIsReadBack() {
		UsageHistory history = UsageHistory.empty()
			.with(sample(Duration.ZERO, 0))
			.with(sample(Duration.ofDays(1), Long.MAX_VALUE));
		assertThat(history.text()).isEqualTo("1 1767225600:0 1767312000:9223372036854775807");
		assertThat(UsageHistory.parse(history.text())).isEqualTo(history);
		assertThat(UsageHistory.parse("1")).isEqualTo(UsageHistory.empty());
		assertThat(UsageHistory.empty().text()).isEqualTo("1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "2 1767225600:0", "1 x", "1 1:", "1 :1", "1 1767225600:0:0", "1  1:1",
			"1 99999999999999999999:0" })
	void unreadableTextIsParsedAsAnEmptyHistory(String text) {
		assertThat(UsageHistory.parse(text)).isEqualTo(UsageHistory.empty());
	}

	@Test
	void samplesAreEventuallyAWeekApartAndFitTheColumn() {
		UsageHistory history = UsageHistory.empty();
		Instant now = START;
		for (long minute = 0; minute < MINUTES; minute++) {
			now = START.plus(Duration.ofMinutes(minute));
			if (history.isDue(now)) {
				assertThat(history.untilDue(now)).isZero();
				history = history.with(new Sample(now, Long.MAX_VALUE - MINUTES + minute));
				assertThat(history.text().length()).isLessThanOrEqualTo(400);
				assertThat(history.isDue(now)).isFalse();
			}
		}
		List<Sample> samples = history.samples();
		assertThat(samples).hasSizeBetween(10, 12);
		for (int i = 1; i < samples.size(); i++) {
			assertThat(Duration.between(samples.get(i - 1).at(), samples.get(i).at())).isBetween(WEEK,
					WEEK.plusMinutes(1));
		}
		assertThat(Duration.between(samples.get(samples.size() - 1).at(), now)).isLessThan(WEEK);
	}

	@Test
	void samplesCoverAtLeastHalfOfTheTime() {
		UsageHistory history = UsageHistory.empty();
		for (long minute = 0; minute < 60 * 24 * 60; minute++) {
			Instant now = START.plus(Duration.ofMinutes(minute));
			if (history.isDue(now)) {
				history = history.with(new Sample(now, minute));
				assertThat(history.samples().get(0).at()).isBefore(START.plus(Duration.ofMinutes(minute / 2 + 1)));
			}
		}
	}

	@Test
	void untilDueReturnsTheRemainingTime() {
		UsageHistory history = UsageHistory.empty().with(sample(Duration.ZERO, 0));
		Duration left = history.untilDue(START.plusSeconds(60));
		assertThat(left).isEqualTo(WEEK.dividedBy(1_024).minusSeconds(60));
		assertThat(history.isDue(START.plusSeconds(60).plus(left))).isTrue();
		assertThat(history.isDue(START.plusSeconds(59).plus(left))).isFalse();
	}

	@Test
	void rateIsUnknownForTenMinutes() {
		assertThat(UsageHistory.empty().rate(sample(Duration.ofDays(9), 5))).isNull();
		UsageHistory history = UsageHistory.empty().with(sample(Duration.ZERO, 0));
		assertThat(history.rate(sample(Duration.ofMinutes(9), 540))).isNull();
		assertThat(history.rate(sample(Duration.ofMinutes(10), 600)).perSecond()).isEqualTo(1);
	}

	@Test
	void projectionIsLimitedToAQuarterOfTheObservedTimeInTheFirstFourWeeks() {
		UsageHistory history = UsageHistory.empty().with(sample(Duration.ZERO, 0));
		assertThat(history.rate(sample(Duration.ofHours(4), 10)).maxProjection()).isEqualTo(Duration.ofHours(1));
		assertThat(history.rate(sample(WEEK.multipliedBy(4).minusSeconds(2), 10)).maxProjection())
			.isEqualTo(WEEK.minusMillis(500));
		assertThat(history.rate(sample(WEEK.multipliedBy(4), 10)).maxProjection()).isNull();
	}

	@Test
	void projectionBeyondItsLimitIsAbsent() {
		ReservationRate rate = new ReservationRate(10, 10, Duration.ofHours(1));
		assertThat(rate.exhaustedAt(35_990, START)).isEqualTo(START.plusSeconds(3_599));
		assertThat(rate.exhaustedAt(36_000, START)).isNull();
		assertThat(new ReservationRate(10, 10, null).exhaustedAt(36_000, START)).isEqualTo(START.plusSeconds(3_600));
		assertThat(new ReservationRate(0, 0, null).exhaustedAt(0, START)).isNull();
		assertThat(new ReservationRate(0, 0, null).exhaustedAt(1, START)).isNull();
		assertThat(new ReservationRate(1e-9, 0, null).exhaustedAt(Long.MAX_VALUE, START)).as("beyond the year 9999")
			.isNull();
	}

	@ParameterizedTest
	@CsvSource({ "1, 0, 3", "1, 2, 3", "1, 5, 3", "24, 0, 10", "24, 4, 10" })
	void weekendsAreAveragedOnAnyDayOfTheWeek(int everyHours, int firstDay, double percent) {
		// 10 ids a second on five days of the week, and 1 id a second on two days
		UsageHistory history = UsageHistory.empty();
		long reserved = 0;
		for (int hour = 0; hour < 100 * 24; hour += everyHours) {
			Instant now = START.plus(Duration.ofHours(hour));
			history = history.isDue(now) ? history.with(new Sample(now, reserved)) : history;
			if (hour >= 9 * 24) {
				assertThat(history.rate(new Sample(now, reserved)).perSecond()).as("hour " + hour)
					.isCloseTo(52 / 7.0, Percentage.withPercentage(percent));
			}
			reserved += everyHours * 3_600 * (((hour / 24 + firstDay) % 7 < 5) ? 10 : 1);
		}
	}

	@Test
	void permanentRiseAffectsAlarmsWithinAWeekAndTheRateWithinThreeWeeks() {
		UsageHistory history = UsageHistory.empty();
		long reserved = 0;
		for (int day = 0; day < 90; day++) {
			Instant now = START.plus(Duration.ofDays(day));
			history = history.isDue(now) ? history.with(new Sample(now, reserved)) : history;
			ReservationRate rate = history.rate(new Sample(now, reserved));
			if (day == 64) {
				assertThat(rate.perSecond()).as("four full days after the rise")
					.isCloseTo(1, Percentage.withPercentage(1));
				assertThat(rate.lastWeekPerSecond()).isCloseTo((4 * 10 + 3) / 7.0, Percentage.withPercentage(1));
				assertThat(rate.earliestExhaustion(1_000_000, now)).isBefore(rate.exhaustedAt(1_000_000, now));
			}
			if (day >= 60 + 3 * 7) {
				assertThat(rate.perSecond()).as("day " + day).isCloseTo(10, Percentage.withPercentage(1));
			}
			reserved += (day < 60) ? 86_400 : 864_000;
		}
	}

	@Test
	void singleDayOfBulkLoadingDoesNotAffectTheRate() {
		UsageHistory history = UsageHistory.empty();
		long reserved = 0;
		for (int day = 0; day < 60; day++) {
			Instant now = START.plus(Duration.ofDays(day));
			history = history.isDue(now) ? history.with(new Sample(now, reserved)) : history;
			reserved += (day == 40) ? 86_400_000 : 86_400;
		}
		assertThat(history.rate(sample(Duration.ofDays(60), reserved)).perSecond()).isCloseTo(1,
				Percentage.withPercentage(1));
	}

	@Test
	void quietPeriodLowersTheRate() {
		UsageHistory history = UsageHistory.empty()
			.with(sample(Duration.ZERO, 0))
			.with(sample(Duration.ofHours(1), 3_600));
		assertThat(history.rate(sample(Duration.ofHours(2), 3_600)).perSecond()).isEqualTo(0.5);
		assertThat(history.rate(sample(WEEK.multipliedBy(9), 3_600)).perSecond()).isLessThan(0.01);
	}

	@Test
	void idsGivenBackDoNotCountAsUsed() {
		UsageHistory history = UsageHistory.empty()
			.with(sample(Duration.ZERO, 0))
			.with(sample(Duration.ofHours(1), 1_000))
			.with(sample(Duration.ofHours(2), 400));
		assertThat(history.samples()).extracting(Sample::reserved).containsExactly(0L, 400L, 400L);
		assertThat(history.rate(sample(Duration.ofHours(3), 300)).perSecond()).isEqualTo(300 / 10_800.0);
	}

	@Test
	void samplesOfAClockThatRanAheadAreDiscarded() {
		UsageHistory history = UsageHistory.empty()
			.with(sample(Duration.ZERO, 0))
			.with(sample(Duration.ofDays(365), 1_000));
		assertThat(history.isDue(START.plus(Duration.ofHours(1)))).isTrue();
		assertThat(history.rate(sample(Duration.ofHours(1), 3_600)).perSecond()).isEqualTo(1);
		assertThat(history.with(sample(Duration.ofHours(1), 3_600)).samples()).containsExactly(sample(Duration.ZERO, 0),
				sample(Duration.ofHours(1), 3_600));
	}

	private static Sample sample(Duration afterStart, long reserved) {
		return new Sample(START.plus(afterStart), reserved);
	}

}
