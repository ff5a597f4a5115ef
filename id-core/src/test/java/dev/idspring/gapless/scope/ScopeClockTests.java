package dev.idspring.gapless.scope;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.text.ScopePeriod;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScopeClock}.
 */
class ScopeClockTests {

	@ParameterizedTest
	@CsvSource({ "Europe/Berlin,2026-12-31T22:30:00Z,2026-12-31", "Europe/Berlin,2026-12-31T23:00:00Z,2027-01-01",
			"America/New_York,2027-01-01T04:59:59Z,2026-12-31", "Pacific/Kiritimati,2026-12-31T10:00:00Z,2027-01-01",
			"Asia/Kathmandu,2026-12-31T18:14:59Z,2026-12-31", "Asia/Kathmandu,2026-12-31T18:15:00Z,2027-01-01",
			"Australia/Lord_Howe,2026-04-05T13:29:59Z,2026-04-05",
			"Australia/Lord_Howe,2026-04-05T13:30:00Z,2026-04-06" })
	void dayIsInTheConfiguredZone(ZoneId zone, Instant now, LocalDate day) {
		ScopeClock clock = new ScopeClock(ScopePeriod.DAY, zone, new TestTimeSource());
		assertThat(clock.synchronize(now)).isEqualTo(day);
	}

	/**
	 * In St. John's, clocks were set back to 23:01 one minute after midnight. In Havana,
	 * midnight occurs twice. Samoa had no 30 December 2011.
	 */
	@ParameterizedTest
	@CsvSource({ "America/St_Johns,2010-11-06T00:00:00Z", "America/Havana,2026-10-31T00:00:00Z",
			"Australia/Lord_Howe,2026-04-04T00:00:00Z", "Australia/Lord_Howe,2026-10-03T00:00:00Z",
			"Pacific/Apia,2011-12-28T00:00:00Z", "America/New_York,2026-10-31T00:00:00Z",
			"Pacific/Kiritimati,2026-12-30T00:00:00Z", "Asia/Kathmandu,2026-12-30T00:00:00Z" })
	void everyInstantIsInItsPeriodAndPeriodsNeverGoBack(ZoneId zone, Instant begin) {
		for (ScopePeriod period : new ScopePeriod[] { ScopePeriod.DAY, ScopePeriod.MONTH, ScopePeriod.YEAR }) {
			ScopeClock clock = new ScopeClock(period, zone, new TestTimeSource());
			LocalDate before = LocalDate.MIN;
			for (Instant now = begin; now.isBefore(begin.plus(Duration.ofDays(4))); now = now.plusSeconds(30)) {
				LocalDate day = clock.synchronize(now);
				Interval interval = clock.interval(day);
				assertThat(now).isAfterOrEqualTo(interval.start()).isBefore(interval.end());
				assertThat(day).isAfterOrEqualTo(before);
				before = day;
			}
		}
	}

}
