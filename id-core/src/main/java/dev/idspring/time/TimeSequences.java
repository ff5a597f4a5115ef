package dev.idspring.time;

import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a generator, one for each node it has, one after the other; and how
 * many ids it has handed out.
 * <p>
 * Single ids are not counted one by one: sequences know how far they are, and each goes
 * on counting where the one before it was sealed. Bulks are noted down before they are
 * taken and struck off when they are handed out, so that what is lost with a bulk that
 * fails halfway does not count. The count never exceeds what was taken, never falls, and
 * is exact when no thread draws.
 */
final class TimeSequences {

	private final TimeLayout layout;

	private final Tail tail;

	private final long key;

	private final @Nullable ClockTicker ticker;

	private volatile @Nullable TimeSequence latest;

	/** Ids of bulks that were not handed out yet, or never will be. */
	private final AtomicLong held = new AtomicLong();

	/** The highest number reported. */
	private final AtomicLong reported = new AtomicLong();

	/**
	 * Create sequences.
	 * @param layout where time, node and tail stand in an id
	 * @param tail what the tails say
	 * @param key makes random tails differ from those of others
	 * @param ticker looks after readings of the clock, or {@code null} if it is to be
	 * read for every id
	 */
	TimeSequences(TimeLayout layout, Tail tail, long key, @Nullable ClockTicker ticker) {
		this.layout = layout;
		this.tail = tail;
		this.key = key;
		this.ticker = ticker;
	}

	/**
	 * Begin with a node. The one before must have been sealed.
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
	 * Take the next id, if there is a reading of the clock at hand that is good enough.
	 * The node need not be looked at: its sequence is sealed before it is released.
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
	 * Note a bulk down that is about to be taken, or strike off, by a negative number,
	 * ids that are handed out or were not taken after all.
	 */
	void hold(int ids) {
		this.held.addAndGet(ids);
	}

	/**
	 * Return how many ids were handed out.
	 */
	long issued() {
		// in this order: what is taken in between was noted down before
		long made = made();
		return this.reported.accumulateAndGet(made - this.held.get(), Math::max);
	}

}
