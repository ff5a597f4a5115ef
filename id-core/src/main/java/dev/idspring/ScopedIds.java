package dev.idspring;

import java.time.LocalDate;

/**
 * The numbers of one scope: consecutive, without a gap, and of this scope alone.
 * Lightweight and thread-safe: create one for each use, or reuse it.
 * <p>
 * If numbers restart each year, month or day, {@code next…} draws a number of the current
 * period. The statement that draws it reads the period from the clock of the database.
 * {@link #nextString()} writes that same period, even if the year ends in between.
 * {@link #at(LocalDate)} fixes the period: use it for documents with their own date, and
 * to write or read numbers of another period.
 *
 * @since 0.1.0
 * @see ScopedIdGenerator
 */
public interface ScopedIds extends IdGenerator {

	/**
	 * Return the numbers of this scope in the period of a date.
	 * @param date any day of the period, in the years 0 to 9999
	 * @return the numbers of that period, regardless of the clock
	 */
	ScopedIds at(LocalDate date);

	/**
	 * Set the first number of this scope, if it is not the generator's {@code start}, for
	 * example because another system has issued numbers before. Call it once, before any
	 * number is drawn, and not in a transaction that has drawn a number. A second call
	 * with the same number has no effect.
	 * @param first the first number to draw
	 * @throws IllegalStateException if the scope has already begun with another number
	 * @throws IllegalArgumentException if the number lies outside the key space
	 */
	void start(long first);

}
