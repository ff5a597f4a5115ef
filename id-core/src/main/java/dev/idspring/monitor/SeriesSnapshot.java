package dev.idspring.monitor;

import java.time.Duration;
import java.util.List;

/**
 * What is known of the series of a key space. The three counts together are what remains
 * of the key space.
 *
 * @param series the series that are neither untouched nor used up, in the order of their
 * numbers
 * @param held how many keys are left to reserve in series whose owners are alive
 * @param abandoned how many keys are left to reserve in series without an owner, or whose
 * owner's lease has run out
 * @param untouched how many keys belong to series that were never begun
 * @since 0.1.0
 */
public record SeriesSnapshot(List<Series> series, long held, long abandoned, long untouched) {

	/**
	 * One series.
	 *
	 * @param number the number of the series, from 0
	 * @param next the key that is reserved next
	 * @param end the last key
	 * @param owned whether an owner holds it whose lease has not run out
	 * @param own whether that owner is this instance
	 * @param leaseAge how long ago the owner renewed its lease, or the series was left
	 */
	public record Series(long number, long next, long end, boolean owned, boolean own, Duration leaseAge) {

	}

}
