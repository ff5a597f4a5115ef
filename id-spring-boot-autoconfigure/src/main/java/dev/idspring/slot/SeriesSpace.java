package dev.idspring.slot;

/**
 * The series of a key space as slots: the series s begins at the ordinal
 * {@code s * seriesSize}.
 *
 * @param seriesSize how many ordinals a series has
 * @param capacity how many ordinals there are in all
 */
record SeriesSpace(long seriesSize, long capacity) implements SlotSpace {

	@Override
	public long count() {
		return (this.capacity - 1) / this.seriesSize + 1;
	}

	@Override
	public long start(long number) {
		return number * this.seriesSize;
	}

	@Override
	public long end(long number) {
		long start = start(number);
		return (this.capacity - start < this.seriesSize) ? this.capacity : start + this.seriesSize;
	}

	/**
	 * Return the number of the series of an ordinal.
	 */
	long number(long ordinal) {
		return ordinal / this.seriesSize;
	}

}
