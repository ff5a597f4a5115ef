package dev.idspring.block;

import dev.idspring.store.SlotListing;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredKeySpace;
import dev.idspring.worker.Deadline;

/**
 * Moves a key space of series ahead, so that ordinals which may have been handed out
 * before its store went backwards are not handed out again: every series that has been
 * begun, and the number of the next new one.
 *
 * @param keySpace the key space as the store remembers it
 * @param by how many ordinals to skip in every series that has been begun
 * @param series how many series to skip before the next one is begun: as many as may have
 * been begun since the state that the store went back to
 * @param seriesSize how many ordinals a series has
 * @since 0.1.0
 */
public record SeriesSkipAhead(StoredKeySpace keySpace, long by, long series, long seriesSize) {

	/**
	 * Tell what the skip would do. Changes nothing.
	 * @param store the store of the series
	 * @param deadline how long this may take
	 * @return a sentence or two
	 */
	public String plan(SlotStore store, Deadline deadline) {
		SlotListing listing = store.list(this.keySpace.name(), deadline);
		long next = next(listing);
		long left = listing.slots()
			.stream()
			.mapToLong((stored) -> Math.max(0, stored.slot().end() - stored.slot().position() - this.by))
			.sum() + (count() - Math.min(next, count())) * this.seriesSize;
		return "Key space '" + this.keySpace.name() + "' has begun " + listing.next() + " series of " + this.seriesSize
				+ ", of which " + listing.slots().size() + " are not used up. Skipping ahead by " + this.by
				+ " would move each of these ahead by as many keys, at most to its end, and skip "
				+ (next - listing.next()) + " series, so that the next new one would be number " + next + " of "
				+ count() + "; " + left + " keys would be left.";
	}

	/**
	 * Skip ahead.
	 * @param store the store of the series
	 * @param deadline how long this may take
	 */
	public void run(SlotStore store, Deadline deadline) {
		SlotListing listing = store.list(this.keySpace.name(), deadline);
		store.skip(this.keySpace.name(), this.by, next(listing) - listing.next(), deadline);
	}

	private long next(SlotListing listing) {
		return listing.next() + Math.min(this.series, Math.max(0, count() - listing.next()));
	}

	private long count() {
		return this.keySpace.capacity() / this.seriesSize;
	}

}
