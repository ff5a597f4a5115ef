package dev.idspring.tools.command;

import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.worker.Deadline;

/**
 * Advances a key space after its store returned to an earlier state, for example because
 * a backup was restored.
 */
interface SkipAhead {

	/**
	 * Describe the effect of the skip without changing anything.
	 * @param deadline the deadline for the store
	 * @return a few sentences
	 */
	String plan(Deadline deadline);

	/**
	 * Skip the ordinals (positions in the key space).
	 * @param deadline the deadline for the store
	 * @return a description of what was skipped
	 */
	String run(Deadline deadline);

	/**
	 * Advances a counter by reserving ordinals without using them. The skip must cover
	 * the ordinals that were reserved since the earlier state, so that none is issued
	 * again.
	 *
	 * @param store the store of the key space
	 * @param keySpace the stored state of the key space
	 * @param by the number of ordinals to skip, at least 1
	 */
	record OfCounter(KeySpaceStore store, StoredKeySpace keySpace, long by) implements SkipAhead {

		@Override
		public String plan(Deadline deadline) {
			// after a fail-over, the counter may be beyond the capacity
			long left = Math.max(0, this.keySpace.capacity() - this.keySpace.nextOrdinal());
			long skipped = Math.min(this.by, left);
			return "Key space '" + this.keySpace.name() + "' is at ordinal " + this.keySpace.nextOrdinal() + " of "
					+ this.keySpace.capacity() + ". Skipping ahead by " + this.by + " would move it to ordinal "
					+ (this.keySpace.nextOrdinal() + skipped) + ": the keys in between would never be issued, and "
					+ (left - skipped) + " would be left.";
		}

		@Override
		public String run(Deadline deadline) {
			OrdinalRange skipped = this.store.skip(this.keySpace.name(), this.by, this.keySpace.capacity(), deadline);
			return "Key space '" + this.keySpace.name() + "' was moved ahead from ordinal " + skipped.start()
					+ " to ordinal " + skipped.end() + ".";
		}

	}

	/**
	 * Advances a key space that consists of series (ranges of ordinals). Skips ordinals
	 * in every started series, and entire series before the next new one. The skip must
	 * cover the ordinals that were reserved and the series that were started since the
	 * earlier state, so that no ordinal is issued again.
	 *
	 * @param store the store of the series
	 * @param keySpace the stored state of the key space
	 * @param by the number of ordinals to skip in every started series
	 * @param series the number of series to skip before the next new one
	 * @param seriesSize the number of ordinals in a series
	 */
	record OfSeries(SlotStore store, StoredKeySpace keySpace, long by, long series,
			long seriesSize) implements SkipAhead {

		@Override
		public String plan(Deadline deadline) {
			SlotListing listing = this.store.list(this.keySpace.name(), deadline);
			long next = nextSeries(listing);
			long left = listing.slots()
				.stream()
				.mapToLong((stored) -> Math.max(0, stored.slot().end() - stored.slot().position() - this.by))
				.sum() + (seriesCount() - Math.min(next, seriesCount())) * this.seriesSize;
			return "Key space '" + this.keySpace.name() + "' has started " + listing.next() + " series of "
					+ this.seriesSize + " keys each. Series with keys left: " + listing.slots().size()
					+ ". The skip would move each of these series ahead by " + this.by
					+ " keys, at most to its end. It would also skip " + (next - listing.next())
					+ " series, so that the next new series would be number " + next + " of " + seriesCount()
					+ ". Keys left after the skip: " + left + ".";
		}

		@Override
		public String run(Deadline deadline) {
			SlotListing listing = this.store.list(this.keySpace.name(), deadline);
			long skipped = nextSeries(listing) - listing.next();
			this.store.skip(this.keySpace.name(), this.by, skipped, deadline);
			return "Key space '" + this.keySpace.name() + "' was moved ahead by " + this.by
					+ " in each series that was not used up, at most to the end of the series. Series skipped before"
					+ " the next new one: " + skipped + ".";
		}

		private long nextSeries(SlotListing listing) {
			return listing.next() + Math.min(this.series, Math.max(0, seriesCount() - listing.next()));
		}

		private long seriesCount() {
			return this.keySpace.capacity() / this.seriesSize;
		}

	}

}
