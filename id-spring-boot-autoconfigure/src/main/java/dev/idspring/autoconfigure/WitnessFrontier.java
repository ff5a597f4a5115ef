package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.OrdinalRange;
import dev.idspring.block.StoredKeySpace;
import dev.idspring.clock.Deadline;
import dev.idspring.gapless.GaplessStore;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.slot.Slot;
import dev.idspring.slot.SlotListing;
import dev.idspring.slot.SlotStore;
import org.jspecify.annotations.Nullable;

/**
 * Knows which ordinals of a key space are still to be handed out.
 */
interface WitnessFrontier {

	/**
	 * Ask the store.
	 * @param stored what the store remembers of the key space
	 * @return the ranges, the last of which reaches up to the end of the key space
	 */
	List<OrdinalRange> of(KeySpace keySpace, StoredKeySpace stored, Deadline deadline);

	/**
	 * Ask the store.
	 * @param stored what the store remembers of the key space, or {@code null} if it is
	 * new
	 */
	default List<OrdinalRange> ranges(KeySpace keySpace, @Nullable StoredKeySpace stored, Deadline deadline) {
		return (stored != null) ? of(keySpace, stored, deadline) : List.of(from(0, keySpace));
	}

	/**
	 * Those from the counter on that all instances share.
	 */
	static WitnessFrontier ofCounter() {
		return (keySpace, stored, deadline) -> List.of(from(stored.nextOrdinal(), keySpace));
	}

	/**
	 * What is left of the series that have been begun, and those that have not.
	 */
	static WitnessFrontier ofSeries(SlotStore store, long seriesSize) {
		return (keySpace, stored, deadline) -> {
			SlotListing listing = store.list(stored.name(), deadline);
			List<OrdinalRange> ranges = new ArrayList<>();
			listing.slots().forEach((series) -> {
				Slot slot = series.slot();
				if (slot.number() < listing.next() && slot.end() <= keySpace.capacity()) {
					ranges.add(new OrdinalRange(slot.position(), slot.end()));
				}
			});
			long count = keySpace.capacity() / seriesSize;
			ranges.add(from(Math.min(listing.next(), count) * seriesSize, keySpace));
			return ranges;
		};
	}

	/**
	 * Those from the number on that comes next.
	 */
	static WitnessFrontier ofGapless(GaplessStore store) {
		return (keySpace, stored, deadline) -> {
			try {
				return List.of(from(store.next(stored.name(), deadline) - keySpace.key(0), keySpace));
			}
			catch (KeySpaceRegressionException ex) {
				// it will begin anew
				return List.of(from(0, keySpace));
			}
		};
	}

	private static OrdinalRange from(long ordinal, KeySpace keySpace) {
		return new OrdinalRange(Math.max(0, Math.min(ordinal, keySpace.capacity())), keySpace.capacity());
	}

}
