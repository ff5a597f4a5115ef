package dev.idspring;

import java.time.LocalDate;

/**
 * Hands out the consecutive numbers of one scope, without a gap. Objects of this type are
 * lightweight and thread-safe. They can be reused, or created for each use.
 * <p>
 * If numbers restart each year, month or day, the methods that draw a number use the
 * current period, according to the clock of the database. {@link #nextString()} formats
 * the number with the period in which the number was drawn, even if that period ends
 * before the number is formatted.
 * <p>
 * {@link #at(LocalDate)} selects the period of a date. Use it for documents that have
 * their own date, and to format or parse numbers of another period.
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
	 * Set the first number of this scope, instead of the {@code start} of the generator.
	 * This is useful if another system has already issued numbers. Call this once, before
	 * any number is drawn, and not in a transaction that has drawn a number. Until the
	 * first draw, a further call with the same number has no effect.
	 * @param first the first number to draw
	 * @throws IllegalStateException if the scope has already begun, and its next number
	 * is not {@code first}
	 * @throws IdGenerationException if a transaction of the calling thread has drawn a
	 * number from this scope, because the call would wait for the end of that transaction
	 * @throws IllegalArgumentException if the number lies outside the key space
	 */
	void start(long first);

}
