package dev.idspring.gapless.scope;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.text.IdScope;
import dev.idspring.text.ScopePeriod;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the time of the store's clock, which determines the current period.
 */
final class ScopeClock {

	private final ScopePeriod period;

	private final ZoneId zone;

	private final TimeSource timeSource;

	/** How far the clock of the store is ahead of the local clock, negative if behind. */
	private volatile Duration ahead = Duration.ZERO;

	ScopeClock(ScopePeriod period, ZoneId zone, TimeSource timeSource) {
		this.period = period;
		this.zone = zone;
		this.timeSource = timeSource;
	}

	LocalDate today() {
		return dayOf(this.timeSource.instant().plus(this.ahead));
	}

	/**
	 * Record the current time of the store's clock.
	 * @return the current day according to that clock
	 */
	LocalDate synchronize(Instant now) {
		this.ahead = Duration.between(this.timeSource.instant(), now);
		return dayOf(now);
	}

	/**
	 * Return the latest day that has begun. In some time zones, clocks are set back just
	 * after midnight (in St. John's until 2011, for example). They then show the previous
	 * day again, although the next day has begun.
	 */
	private LocalDate dayOf(Instant now) {
		LocalDate shownDay = LocalDate.ofInstant(now, this.zone);
		LocalDate nextDay = shownDay.plusDays(1);
		return nextDay.atStartOfDay(this.zone).toInstant().isAfter(now) ? shownDay : nextDay;
	}

	/**
	 * Return the name of the current period.
	 */
	String period() {
		return this.period.nameOf(today());
	}

	/**
	 * Return a scope in the period that contains a day.
	 */
	IdScope scope(List<String> scope, LocalDate day) {
		return new IdScope(scope, this.period.nameOf(day));
	}

	/**
	 * Return the start and the end of the period that contains a day, or {@code null} if
	 * the period never ends.
	 */
	@Nullable Interval interval(LocalDate day) {
		return (this.period == ScopePeriod.NONE) ? null
				: new Interval(this.period.firstDay(day).atStartOfDay(this.zone).toInstant(),
						this.period.nextDay(day).atStartOfDay(this.zone).toInstant());
	}

}
