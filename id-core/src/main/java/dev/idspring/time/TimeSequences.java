package dev.idspring.time;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a generator, one for each node that it holds, one after the other, and
 * the number of ids that the generator has issued.
 * <p>
 * Single ids are not counted one by one: each sequence knows how many ids it has made,
 * and begins with the count of the sealed sequence before it. A bulk is added to
 * {@link #pendingBulk} before it is taken and subtracted when it is handed out, so a bulk
 * that fails halfway does not count. The count never exceeds the number of ids taken,
 * never falls, and is exact while no thread takes ids.
 */
final class TimeSequences {

	private final TimeLayout layout;

	private final Tail tail;

	private final long key;

	private final @Nullable ClockTicker ticker;

	private volatile @Nullable TimeSequence latest;

	/** Ids of bulks that were not handed out yet, or never will be. */
	private final AtomicLong pendingBulk = new AtomicLong();

	/** The highest number reported. */
	private final AtomicLong reported = new AtomicLong();

	/**
	 * Create sequences.
	 * @param layout the layout of time, node and tail in an id
	 * @param tail how tails are chosen
	 * @param key makes random tails differ from those of others
	 * @param ticker expires shared readings of the clock, or {@code null} to read it for
	 * every id
	 */
	TimeSequences(TimeLayout layout, Tail tail, long key, @Nullable ClockTicker ticker) {
		this.layout = layout;
		this.tail = tail;
		this.key = key;
		this.ticker = ticker;
	}

	/**
	 * Begin the sequence of a node. The previous sequence must be sealed.
	 * @param node the number of the node
	 * @param first the first millisecond that may be used
	 */
	TimeSequence begin(long node, long first) {
		TimeSequence sequence = new TimeSequence(new TimeSequence.Layout(this.layout, node, this.tail, this.key), first,
				made(), this.ticker);
		this.latest = sequence;
		return sequence;
	}

	/**
	 * Take the next id, if a shared reading of the clock is recent enough. There is no
	 * need to check the node: its sequence is sealed before the node is released.
	 * @return an id without prefix; or {@link TimeSequence#NONE}
	 */
	long next() {
		TimeSequence latest = this.latest;
		return (latest != null) ? latest.next() : TimeSequence.NONE;
	}

	private long made() {
		TimeSequence latest = this.latest;
		return (latest != null) ? latest.made() : 0;
	}

	/**
	 * Add a bulk that is about to be taken. A negative number subtracts ids that are
	 * handed out or were not taken after all.
	 */
	void addPending(int ids) {
		this.pendingBulk.addAndGet(ids);
	}

	/**
	 * Return how many ids were issued.
	 */
	long issued() {
		// in this order: a bulk taken in between was added before
		long made = made();
		return this.reported.accumulateAndGet(made - this.pendingBulk.get(), Math::max);
	}

}
