package dev.idspring;

import java.time.LocalDate;

/**
 * The numbers of one scope: consecutive, without a gap, and of this scope alone. Light
 * and thread-safe; make one for each use, or keep it.
 * <p>
 * Where numbers begin again each year, month or day, {@code next…} draws a number of the
 * period that the clock of the database shows in the statement that draws it.
 * {@link #nextString()} writes that same period, also when the year ends meanwhile.
 * {@link #at(LocalDate)} fixes the period: use it where documents have a date of their
 * own, and to write or read numbers of another period than the present one.
 *
 * @since 0.1.0
 * @see ScopedIdGenerator
 */
public interface ScopedIds extends IdGenerator {

	/**
	 * Return the numbers of this scope in the period of a date.
	 * @param date any day of the period, in the years 0 to 9999
	 * @return the numbers of that period, whatever the clock shows
	 */
	ScopedIds at(LocalDate date);

	/**
	 * Let this scope begin with another number than the generator's {@code start}, as
	 * where another system has issued numbers before. Once, and before any number was
	 * drawn; again with the same number has no effect. Not in a transaction that has
	 * drawn a number.
	 * @param first the number that is drawn first
	 * @throws IllegalStateException if the scope has begun already, with another number
	 * @throws IllegalArgumentException if the number lies outside the key space
	 */
	void start(long first);

}
