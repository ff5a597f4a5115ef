package dev.idspring.text;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

import dev.idspring.InvalidSettingException;

/**
 * How often the numbers of a scope restart.
 *
 * @since 0.1.0
 */
public enum ScopePeriod {

	/**
	 * Numbers never restart.
	 */
	NONE(),

	/**
	 * Numbers restart each year.
	 */
	YEAR("yyyy"),

	/**
	 * Numbers restart each month.
	 */
	MONTH("yyyy", "MM"),

	/**
	 * Numbers restart each day.
	 */
	DAY("yyyy", "MM", "dd");

	private final List<String> parts;

	ScopePeriod(String... parts) {
		this.parts = List.of(parts);
	}

	/**
	 * Return the name of this constant in the definition of a key space.
	 * @return the name in lower case
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return the date parts that identify a period, such as {@code yyyy} and {@code MM}.
	 */
	List<String> parts() {
		return this.parts;
	}

	/**
	 * Return the first day of the period that contains the given day.
	 * @param day a day in the years 0 to 9999
	 * @return the first day of the period, or {@link LocalDate#EPOCH} if numbers never
	 * restart
	 */
	public LocalDate firstDay(LocalDate day) {
		verify(day);
		return switch (this) {
			case NONE -> LocalDate.EPOCH;
			case YEAR -> day.withDayOfYear(1);
			case MONTH -> day.withDayOfMonth(1);
			case DAY -> day;
		};
	}

	/**
	 * Return the first day of the period after the one that contains the given day.
	 * @param day a day in the years 0 to 9999
	 * @return the first day of the next period, or {@link LocalDate#MAX} if numbers never
	 * restart
	 */
	public LocalDate nextDay(LocalDate day) {
		verify(day);
		return switch (this) {
			case NONE -> LocalDate.MAX;
			case YEAR -> firstDay(day).plusYears(1);
			case MONTH -> firstDay(day).plusMonths(1);
			case DAY -> day.plusDays(1);
		};
	}

	private static void verify(LocalDate day) {
		InvalidSettingException.require(day != null && day.getYear() >= 0 && day.getYear() <= 9999, ScopePeriod.class,
				"day", day, "must be in the years 0 to 9999");
	}

	/**
	 * Return the name of the period that contains the given day.
	 * @param day a day in the years 0 to 9999
	 * @return the year, month or day, such as {@code 2026-11}, or a dash if numbers never
	 * restart
	 */
	public String nameOf(LocalDate day) {
		verify(day);
		return switch (this) {
			case NONE -> "-";
			case YEAR -> day.toString().substring(0, 4);
			case MONTH -> day.toString().substring(0, 7);
			case DAY -> day.toString();
		};
	}

}
