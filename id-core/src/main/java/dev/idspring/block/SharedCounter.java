package dev.idspring.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.Reservations;
import dev.idspring.worker.Deadline;

/**
 * Reserves the next ordinals from a counter in the store that all instances share.
 * <ol>
 * <li>If the store's counter, or the start of a new range, is below the end of a range
 * that the store confirmed earlier, the store has returned to an earlier state. Another
 * instance may then hold the same ordinals, so this class throws a
 * {@link KeySpaceRegressionException}.</li>
 * <li>Unused ordinals are given back only if they reach the end of the highest confirmed
 * range without a gap, and if the last reservation did not fail. The store accepts them
 * only if no other reservation or give-back followed. All other unused ordinals are
 * abandoned.</li>
 * </ol>
 */
final class SharedCounter implements Reservations, BlockSource {

	private final String generator;

	private final String keySpaceName;

	private final long capacity;

	private final KeySpaceStore store;

	/** The last known value of the store's counter. */
	private volatile long nextOrdinal;

	/** The end of the highest range that the store has confirmed to this instance. */
	private volatile long highestEnd;

	private boolean lastOutcomeUnknown;

	SharedCounter(String generator, StoredKeySpace stored, KeySpace keySpace, KeySpaceStore store) {
		this.generator = generator;
		this.keySpaceName = stored.name();
		this.capacity = keySpace.capacity();
		this.store = store;
		this.nextOrdinal = stored.nextOrdinal();
	}

	@Override
	public List<BlockSource> sources() {
		return List.of(this);
	}

	@Override
	public OrdinalRange reserve(long count, Deadline deadline) {
		this.lastOutcomeUnknown = true;
		OrdinalRange range = this.store.reserve(this.keySpaceName, count, this.capacity, deadline);
		this.lastOutcomeUnknown = false;
		verifyNoRegression(range.start());
		this.nextOrdinal = range.end();
		if (!range.isEmpty()) {
			this.highestEnd = range.end();
		}
		return range;
	}

	@Override
	public void refresh(Deadline deadline) {
		// a deleted key space counts as zero, because a new one would begin at zero
		long stored = this.store.read(this.keySpaceName, deadline).map(StoredKeySpace::nextOrdinal).orElse(0L);
		verifyNoRegression(stored);
		this.nextOrdinal = stored;
	}

	private void verifyNoRegression(long stored) {
		if (stored < this.highestEnd) {
			throw new KeySpaceRegressionException("The store of key space '" + this.keySpaceName
					+ "' went backwards: it is at ordinal " + stored + ", although it had already reached "
					+ this.highestEnd + " for generator '" + this.generator + "'. "
					+ RecoveryInstructions.skipAhead(this.keySpaceName, RecoveryInstructions.UNKNOWN));
		}
	}

	@Override
	public long giveBack(List<OrdinalRange> unused, Deadline deadline) {
		OrdinalRange tail = unusedTail(unused);
		boolean givenBack = !this.lastOutcomeUnknown && !tail.isEmpty()
				&& this.store.giveBack(this.keySpaceName, tail, deadline);
		return givenBack ? tail.size() : 0;
	}

	/**
	 * Return the unused ordinals that reach the end of this instance's highest range
	 * without a gap.
	 */
	private OrdinalRange unusedTail(List<OrdinalRange> unused) {
		List<OrdinalRange> descending = new ArrayList<>(unused);
		descending.sort(Comparator.comparingLong(OrdinalRange::end).reversed());
		long start = this.highestEnd;
		for (OrdinalRange range : descending) {
			start = (range.end() == start) ? range.start() : start;
		}
		return new OrdinalRange(start, this.highestEnd);
	}

	@Override
	public long reserved() {
		return Math.min(this.nextOrdinal, this.capacity);
	}

	@Override
	public long remaining() {
		return this.capacity - reserved();
	}

	@Override
	public boolean isReserved(long ordinal) {
		return ordinal < this.nextOrdinal;
	}

	@Override
	public boolean isCertainlyReserved(long ordinal) {
		// no other instance can give back ordinals below the end of this instance's
		// highest range
		return ordinal < this.highestEnd;
	}

}
