package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Determines which ordinals of a key space the store has not handed out yet.
 */
interface UnissuedOrdinals {

	/**
	 * Return the ordinals that have not been handed out.
	 * @param stored the key space as the store describes it
	 * @return the ranges of ordinals; the last range ends where the key space ends
	 */
	List<OrdinalRange> ranges(KeySpace keySpace, StoredKeySpace stored, Deadline deadline);

	/**
	 * Return the ordinals that have not been handed out: all ordinals if the store does
	 * not contain the key space.
	 */
	default List<OrdinalRange> rangesOrAll(KeySpace keySpace, @Nullable StoredKeySpace stored, Deadline deadline) {
		return (stored != null) ? ranges(keySpace, stored, deadline) : from(0, keySpace);
	}

	/**
	 * Read a key space from its store, and return the ordinals that have not been handed
	 * out.
	 */
	default List<OrdinalRange> read(String name, KeySpace keySpace, KeySpaceStore store, Deadline deadline) {
		return rangesOrAll(keySpace, store.read(name, deadline).orElse(null), deadline);
	}

	/**
	 * Return the range from an ordinal to the end of the key space. An ordinal outside
	 * the key space is replaced by the start or the end of the key space.
	 */
	static List<OrdinalRange> from(long ordinal, KeySpace keySpace) {
		return List.of(new OrdinalRange(Math.max(0, Math.min(ordinal, keySpace.capacity())), keySpace.capacity()));
	}

	/**
	 * Create the function that determines the unissued ordinals of the strategy
	 * {@code recycled}: the rest of each started series, and all series that were not
	 * started yet.
	 */
	static UnissuedOrdinals inSeries(SlotStore store, long seriesSize) {
		return (keySpace, stored, deadline) -> {
			SlotListing listing = store.list(stored.name(), deadline);
			List<OrdinalRange> ranges = new ArrayList<>();
			listing.slots()
				.stream()
				.map((series) -> series.slot())
				.filter((slot) -> slot.number() < listing.next() && slot.end() <= keySpace.capacity())
				.forEach((slot) -> ranges.add(new OrdinalRange(slot.position(), slot.end())));
			long count = keySpace.capacity() / seriesSize;
			ranges.addAll(from(Math.min(listing.next(), count) * seriesSize, keySpace));
			return ranges;
		};
	}

	/**
	 * Create the function that determines the unissued ordinals of a gapless sequence:
	 * all ordinals from the next number on.
	 */
	static UnissuedOrdinals inGapless(GaplessStore store) {
		return (keySpace, stored, deadline) -> {
			try {
				return from(store.next(stored.name(), deadline) - keySpace.key(0), keySpace);
			}
			catch (KeySpaceRegressionException ex) {
				// the row of the sequence is missing, so the next number will be the
				// first of the sequence
				return from(0, keySpace);
			}
		};
	}

}
