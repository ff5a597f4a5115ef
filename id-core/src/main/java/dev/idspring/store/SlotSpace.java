package dev.idspring.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Which slots a key space has, as far as one instance is concerned.
 *
 * @since 0.1.0
 */
public interface SlotSpace {

	/**
	 * Return how many slots there are.
	 * @return the number that is not to be reached
	 */
	long count();

	/**
	 * Return the position at which a new slot begins.
	 * @param number the number of the slot
	 * @return the first position
	 */
	long start(long number);

	/**
	 * Return where a slot ends.
	 * @param number the number of the slot
	 * @return the end, exclusive
	 */
	long end(long number);

	/**
	 * Return beyond which position an abandoned slot is of no use.
	 * @return the highest position that is worth taking over
	 */
	default long highestOffered() {
		return Long.MAX_VALUE;
	}

	/**
	 * Return up to where any instance can have reserved by now, where positions are
	 * times. A store that may have lost what was reserved moves all slots there, and
	 * gives no instance one until the clocks of all have come there.
	 * @return the horizon, or {@code null} if positions are counted
	 */
	default @Nullable Horizon horizon() {
		return null;
	}

	/**
	 * Up to where any instance can have reserved by now whose lease is that of the owner
	 * who asks. A store that knows of longer leases adds what they are longer, to both.
	 *
	 * @param position the highest position that may be in use
	 * @param distance how long it takes until the clocks of all have come there
	 * @since 0.1.0
	 */
	record Horizon(long position, Duration distance) {

	}

}
