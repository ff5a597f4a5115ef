package dev.idspring.time;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a time-based generator, and the number of ids that the generator has
 * issued. A sequence issues the ids of one node number. The generator has at most one
 * node number at a time, and begins a new sequence when it gets another node number.
 * <p>
 * Each sequence counts the ids that it issues, and begins with the count of the sealed
 * (closed) sequence before it. So the count of the latest sequence includes the ids of
 * all earlier ones.
 * <p>
 * A bulk is a request for several ids. Its ids are added to {@link #pendingBulk} before
 * they are taken, and subtracted when all of them are returned to the caller. A bulk that
 * fails halfway is therefore not counted. The reported number never exceeds the number of
 * ids taken and never decreases. It is exact while no thread takes ids.
 */
final class TimeSequences {

	private final TimeLayout layout;

	private final Tail tail;

	private final long key;

	private final @Nullable ClockTicker ticker;

	private volatile @Nullable TimeSequence latest;

	/**
	 * The number of ids that bulks in progress have requested, plus the ids that failed
	 * bulks have taken.
	 */
	private final AtomicLong pendingBulk = new AtomicLong();

	/** The highest number of issued ids that was reported. */
	private final AtomicLong reported = new AtomicLong();

	/**
	 * Create the sequences of a generator.
	 * @param layout the layout of ids
	 * @param tail how the tails of ids are chosen
	 * @param key the key for random tails
	 * @param ticker expires shared readings of the clock, or {@code null} to read the
	 * clock for every id
	 */
	TimeSequences(TimeLayout layout, Tail tail, long key, @Nullable ClockTicker ticker) {
		this.layout = layout;
		this.tail = tail;
		this.key = key;
		this.ticker = ticker;
	}

	/**
	 * Begin the sequence of another node. The previous sequence, if any, must be sealed.
	 * @param node the number of the node
	 * @param first the first millisecond that may be used
	 */
	TimeSequence begin(long node, long first) {
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(this.layout, node, this.tail, this.key), first,
				issuedBySequences(), this.ticker);
		this.latest = sequence;
		return sequence;
	}

	/**
	 * Take the next id without reading the clock, if a shared reading is recent enough.
	 * The sequence is sealed before its node number is released, so an id is taken only
	 * while the node number is valid.
	 * @return an id without prefix, or {@link TimeSequence#NONE}
	 */
	long next() {
		TimeSequence latest = this.latest;
		return (latest != null) ? latest.next() : TimeSequence.NONE;
	}

	private long issuedBySequences() {
		TimeSequence latest = this.latest;
		return (latest != null) ? latest.issued() : 0;
	}

	/**
	 * Add the ids of a bulk before they are taken.
	 * @param ids the number of ids; a negative number subtracts ids that are returned to
	 * the caller, or that were not taken
	 */
	void addPending(int ids) {
		this.pendingBulk.addAndGet(ids);
	}

	/**
	 * Return how many ids the generator has issued.
	 */
	long issued() {
		// read the issued ids first: the ids of a bulk are pending before they are issued
		long issued = issuedBySequences();
		return this.reported.accumulateAndGet(issued - this.pendingBulk.get(), Math::max);
	}

}
