package dev.idspring.tools.command;

import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.worker.Deadline;

/**
 * Advances a key space after its store returned to an earlier state, for example because
 * a backup was restored. The skip must cover the ordinals (positions in the key space)
 * that were reserved since that state, so that none is issued again.
 *
 * @param keySpaceName the name of the key space
 * @param by the number of ordinals to skip, at least 1
 */
record SkipAhead(String keySpaceName, long by) {

	/**
	 * Create a skip of ordinals.
	 * @throws IllegalArgumentException if the name is missing or the number is not
	 * positive
	 */
	SkipAhead {
		InvalidSettingException.requireGiven(SkipAhead.class, "keySpaceName", keySpaceName);
		InvalidSettingException.require(by >= 1, SkipAhead.class, "by", by, "must be at least 1");
	}

	/**
	 * Describe the effect of the skip without changing anything.
	 * @param store the store of the key space
	 * @param deadline the deadline for the store
	 * @return one or two sentences
	 * @throws IllegalArgumentException if the key space does not exist or is not a
	 * counter
	 */
	String plan(KeySpaceStore store, Deadline deadline) {
		StoredKeySpace stored = stored(store, deadline);
		// after a fail-over, the counter may be beyond the capacity
		long left = Math.max(0, stored.capacity() - stored.nextOrdinal());
		long skipped = Math.min(this.by, left);
		return "Key space '" + this.keySpaceName + "' is at ordinal " + stored.nextOrdinal() + " of "
				+ stored.capacity() + ". Skipping ahead by " + this.by + " would move it to ordinal "
				+ (stored.nextOrdinal() + skipped) + ": the keys in between would never be issued, and "
				+ (left - skipped) + " would be left.";
	}

	/**
	 * Skip the ordinals by reserving them without using them.
	 * @param store the store of the key space
	 * @param deadline the deadline for the store
	 * @return a sentence that describes what was skipped
	 * @throws IllegalArgumentException if the key space does not exist or is not a
	 * counter
	 */
	String run(KeySpaceStore store, Deadline deadline) {
		OrdinalRange skipped = store.skip(this.keySpaceName, this.by, stored(store, deadline).capacity(), deadline);
		return "Key space '" + this.keySpaceName + "' was moved ahead from ordinal " + skipped.start() + " to ordinal "
				+ skipped.end() + ".";
	}

	/**
	 * Read the key space.
	 * @param store the store of the key space
	 * @param deadline the deadline for the store
	 * @return the stored state of the key space
	 * @throws IllegalArgumentException if the key space does not exist or is not a
	 * counter
	 */
	StoredKeySpace stored(KeySpaceStore store, Deadline deadline) {
		InvalidSettingException.requireGiven(SkipAhead.class, "store", store);
		StoredKeySpace stored = store.read(this.keySpaceName, deadline)
			.orElseThrow(() -> new IllegalArgumentException("Cannot skip ahead: there is no key space '"
					+ this.keySpaceName + "' in the store. A key space has the name of its generator, unless"
					+ " ids.key-space is set."));
		Strategy strategy = Strategy.ofDefinition(stored.definition()).orElse(null);
		if (strategy != Strategy.COPRIME && strategy != Strategy.SEQUENTIAL) {
			throw new IllegalArgumentException("Cannot skip ahead: key space '" + this.keySpaceName + "' ("
					+ stored.definition() + ") is not a counter.");
		}
		return stored;
	}

	/**
	 * Advances a key space that consists of series (ranges of ordinals), after its store
	 * returned to an earlier state. Skips ordinals in every started series, and entire
	 * series before the next new one. The skip must cover the ordinals that were reserved
	 * and the series that were started since that state, so that no ordinal is issued
	 * again.
	 *
	 * @param keySpace the stored state of the key space
	 * @param by the number of ordinals to skip in every started series, zero or more
	 * @param series the number of series to skip before the next new one, zero or more
	 * @param seriesSize the number of ordinals in a series, at least 1
	 */
	record OfSeries(StoredKeySpace keySpace, long by, long series, long seriesSize) {

		/**
		 * Create a skip of ordinals and series.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * the value
		 */
		OfSeries {
			InvalidSettingException.requireGiven(OfSeries.class, "keySpace", keySpace);
			InvalidSettingException.requireRange(OfSeries.class, "by", by, 0L, Long.MAX_VALUE);
			InvalidSettingException.requireRange(OfSeries.class, "series", series, 0L, Long.MAX_VALUE);
			InvalidSettingException.requireRange(OfSeries.class, "seriesSize", seriesSize, 1L, Long.MAX_VALUE);
		}

		/**
		 * Describe the effect of the skip without changing anything.
		 * @param store the store of the series
		 * @param deadline the deadline for the store
		 * @return a few sentences
		 */
		String plan(SlotStore store, Deadline deadline) {
			SlotListing listing = list(store, deadline);
			long next = nextSeries(listing);
			long left = listing.slots()
				.stream()
				.mapToLong((stored) -> Math.max(0, stored.slot().end() - stored.slot().position() - this.by))
				.sum() + (seriesCount() - Math.min(next, seriesCount())) * this.seriesSize;
			return "Key space '" + this.keySpace.name() + "' has begun " + listing.next() + " series of "
					+ this.seriesSize + " keys each; not used up: " + listing.slots().size()
					+ ". The skip would move each" + " series that is not used up ahead by " + this.by
					+ " keys, at most to its end, and skip " + (next - listing.next())
					+ " series, so that the next new series would be number " + next + " of " + seriesCount()
					+ ". Keys left: " + left + ".";
		}

		/**
		 * Skip the ordinals and series.
		 * @param store the store of the series
		 * @param deadline the deadline for the store
		 * @return two sentences that describe what was skipped
		 */
		String run(SlotStore store, Deadline deadline) {
			SlotListing listing = list(store, deadline);
			long skipped = nextSeries(listing) - listing.next();
			store.skip(this.keySpace.name(), this.by, skipped, deadline);
			return "Key space '" + this.keySpace.name() + "' was moved ahead by " + this.by
					+ " in each series that was not used up, at most to the end of the series. Series skipped before"
					+ " the next new one: " + skipped + ".";
		}

		private SlotListing list(SlotStore store, Deadline deadline) {
			InvalidSettingException.requireGiven(OfSeries.class, "store", store);
			return store.list(this.keySpace.name(), deadline);
		}

		private long nextSeries(SlotListing listing) {
			return listing.next() + Math.min(this.series, Math.max(0, seriesCount() - listing.next()));
		}

		private long seriesCount() {
			return this.keySpace.capacity() / this.seriesSize;
		}

	}

}
