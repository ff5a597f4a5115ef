package dev.idspring.store;

/**
 * A numbered place with a position that only its owner moves.
 *
 * @param number the number of the slot, from 0
 * @param position up to where it is reserved, exclusive
 * @param end where it ends, exclusive: at this position it is used up
 * @since 0.1.0
 */
public record Slot(long number, long position, long end) {

	/**
	 * Return whether there is nothing left to reserve.
	 * @return {@code true} if the position is the end
	 */
	public boolean isUsedUp() {
		return this.position >= this.end;
	}

	/**
	 * Return this slot at another position.
	 * @param position the position
	 * @return the slot
	 */
	public Slot at(long position) {
		return new Slot(this.number, position, this.end);
	}

}
