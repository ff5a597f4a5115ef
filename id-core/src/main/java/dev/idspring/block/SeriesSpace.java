package dev.idspring.block;

import dev.idspring.store.SlotSpace;

/**
 * The series of a key space as slots: the series s begins at the ordinal
 * {@code s * seriesSize}.
 *
 * @param seriesSize how many ordinals a series has
 * @param capacity how many ordinals there are in all, a multiple of that
 */
record SeriesSpace(long seriesSize, long capacity) implements SlotSpace {

	@Override
	public long count() {
		return this.capacity / this.seriesSize;
	}

	@Override
	public long start(long number) {
		return number * this.seriesSize;
	}

	@Override
	public long end(long number) {
		return start(number) + this.seriesSize;
	}

	/**
	 * Return the number of the series of an ordinal.
	 */
	long number(long ordinal) {
		return ordinal / this.seriesSize;
	}

}
