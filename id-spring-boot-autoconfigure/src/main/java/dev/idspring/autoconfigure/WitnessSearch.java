package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

import dev.idspring.block.OrdinalRange;
import dev.idspring.clock.Deadline;
import dev.idspring.jdbc.WitnessColumn;
import dev.idspring.keyspace.KeySpace;

/**
 * Looks in a column for keys of ordinals that are still to be handed out.
 * <ul>
 * <li>Where keys rise with their ordinals and the column holds numbers, the greatest key
 * says all.</li>
 * <li>Elsewhere the keys that come next are looked for, and some of those that come
 * later, at growing distances: whole blocks may be missing in between. One key further on
 * may be there by coincidence, two neighbours are not.</li>
 * </ul>
 */
final class WitnessSearch {

	private static final int NEAR = 1_000;

	private static final int FAR = 64;

	private static final long FARTHEST = 1L << 40;

	private final WitnessColumn column;

	private final KeySpace keySpace;

	private final boolean rising;

	private final Deadline deadline;

	/**
	 * Create a search.
	 * @param rising whether keys rise with their ordinals
	 */
	WitnessSearch(WitnessColumn column, KeySpace keySpace, boolean rising, Deadline deadline) {
		this.column = column;
		this.keySpace = keySpace;
		this.rising = rising;
		this.deadline = deadline;
	}

	/**
	 * Search a range of ordinals.
	 * @return the hit that lies farthest, if there is one
	 */
	Optional<Hit> in(OrdinalRange range) {
		if (range.isEmpty()) {
			return Optional.empty();
		}
		if (this.rising && !this.column.holdsTexts()) {
			OptionalLong greatest = this.column.greatest(this.keySpace.key(range.start()),
					this.keySpace.key(range.end() - 1), this.deadline);
			return greatest.stream()
				.mapToObj((key) -> new Hit(this.keySpace.ordinal(key), this.keySpace.ordinal(key) + 1))
				.findFirst();
		}
		List<Hit> hits = new ArrayList<>();
		found(range, 0, NEAR).forEach((ordinal) -> hits.add(new Hit(ordinal, ordinal + 1)));
		for (long distance = 1_024; distance < range.size() && distance <= FARTHEST; distance *= 2) {
			List<Long> found = found(range, distance, FAR);
			if (found.size() > 1) {
				// there may be more up to where the next ones were looked for
				long end = range.start() + Math.min(range.size(), 2 * distance);
				found.forEach((ordinal) -> hits.add(new Hit(ordinal, Math.max(end, ordinal + 1))));
			}
		}
		return hits.stream().max(Comparator.comparingLong(Hit::ordinal));
	}

	private List<Long> found(OrdinalRange range, long distance, int count) {
		long start = range.start() + distance;
		long end = start + Math.min(count, range.end() - start);
		List<Long> keys = LongStream.range(start, end).mapToObj(this.keySpace::key).toList();
		Set<Long> found = this.column.find(keys, this.keySpace::format, this.deadline);
		return found.stream().map(this.keySpace::ordinal).toList();
	}

	/**
	 * A key that is in the column.
	 *
	 * @param ordinal its ordinal
	 * @param end up to where, exclusive, there are likely to be more
	 */
	record Hit(long ordinal, long end) {

	}

}
