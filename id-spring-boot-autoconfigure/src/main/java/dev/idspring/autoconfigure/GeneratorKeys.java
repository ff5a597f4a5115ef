package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotStore;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The range of a generator's ids, and a function that reads which ordinals have not been
 * issued yet.
 *
 * @param keySpaceName the name of the key space
 * @param keySpace the key space, or {@code null} for time-based ids
 * @param leastText the text form of the least id
 * @param greatestText the text form of the greatest id
 * @param caseSensitive whether the text forms of two ids may differ only in case
 * @param unissued reads which ordinals the store has not handed out yet, and which are
 * reserved but still in the memory of this instance; {@code null} for time-based ids
 */
record GeneratorKeys(GeneratorProperties properties, String keySpaceName, KeySpace keySpace, long least, long greatest,
		String leastText, String greatestText, boolean caseSensitive,
		@Nullable Function<Deadline, List<OrdinalRange>> unissued) {

	static GeneratorKeys of(GeneratorProperties properties, String keySpaceName, KeySpace keySpace,
			Function<Deadline, List<OrdinalRange>> unissued) {
		boolean scattered = properties.strategy() == Strategy.COPRIME;
		// the least coprime key is 1 with the preset, and 0 otherwise
		long leastCoprime = (properties.coprime().preset() != null) ? 1 : 0;
		long least = scattered ? leastCoprime : keySpace.key(0);
		long greatest = scattered ? keySpace.capacity() - 1 + leastCoprime : keySpace.key(keySpace.capacity() - 1);
		return new GeneratorKeys(properties, keySpaceName, keySpace, least, greatest, keySpace.format(least),
				keySpace.format(greatest), keySpace.text().isCaseSensitive(), unissued);
	}

	@SuppressWarnings("NullAway")
	static GeneratorKeys ofTime(GeneratorProperties properties, String keySpaceName, TimeScheme scheme) {
		TimeLayout layout = scheme.layout();
		long least = layout.id(0, 0, 0, 0);
		long greatest = layout.id(layout.prefixes() - 1, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1);
		return new GeneratorKeys(properties, keySpaceName, null, least, greatest, scheme.format(least),
				scheme.format(greatest), scheme.text().form().isCaseSensitive(), null);
	}

	/**
	 * Determines which ordinals of a key space the store has not handed out yet.
	 */
	interface Unissued {

		/**
		 * Return the ordinals that the store has not handed out yet.
		 * @param stored the stored state of the key space
		 * @return the ranges of ordinals; the last range ends at the end of the key space
		 */
		List<OrdinalRange> ranges(KeySpace keySpace, StoredKeySpace stored, Deadline deadline);

		/**
		 * Return the ordinals that the store has not handed out yet. If the store does
		 * not contain the key space, return all ordinals.
		 */
		default List<OrdinalRange> rangesOrAll(KeySpace keySpace, @Nullable StoredKeySpace stored, Deadline deadline) {
			return (stored != null) ? ranges(keySpace, stored, deadline) : from(0, keySpace);
		}

		/**
		 * Read a key space from its store, and return the ordinals that the store has not
		 * handed out yet.
		 */
		default List<OrdinalRange> read(String name, KeySpace keySpace, KeySpaceStore store, Deadline deadline) {
			return rangesOrAll(keySpace, store.read(name, deadline).orElse(null), deadline);
		}

		/**
		 * Return the range from an ordinal to the end of the key space. An ordinal
		 * outside the key space is replaced by the start or the end of the key space.
		 */
		static List<OrdinalRange> from(long ordinal, KeySpace keySpace) {
			return List.of(new OrdinalRange(Math.max(0, Math.min(ordinal, keySpace.capacity())), keySpace.capacity()));
		}

		/**
		 * Create the function for the strategy {@code recycled}. It returns the rest of
		 * each started series, and all series that have not been started yet.
		 */
		static Unissued inSeries(SlotStore store, long seriesSize) {
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
		 * Create the function for a gapless sequence. It returns all ordinals from that
		 * of the next number on.
		 */
		static Unissued inGapless(GaplessStore store) {
			return (keySpace, stored, deadline) -> {
				try {
					return from(store.next(stored.name(), deadline) - keySpace.key(0), keySpace);
				}
				catch (KeySpaceRegressionException ex) {
					// the row of the sequence is missing, so the sequence would start
					// again at its first number
					return from(0, keySpace);
				}
			};
		}

	}

}
