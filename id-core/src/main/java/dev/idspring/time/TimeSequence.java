package dev.idspring.time;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Issues ids of one node, without prefix, none of them twice.
 * <p>
 * Why no id is issued twice, whatever the clock does:
 * <ol>
 * <li>Ids are taken from one {@link TickBatch} at a time: successive positions of a
 * millisecond. A position is taken once, and its tail is a one-to-one function of it in
 * that millisecond.</li>
 * <li>A batch is followed by one of a later millisecond or, when it is used up, by one of
 * later positions of the same. One compare-and-set decides which, so batches have one
 * order. Time never goes back: a clock that does is ignored until it has caught up.</li>
 * <li>A batch is closed before the next one begins: nothing is taken from it after the
 * first id of the next one is visible. So ids rise as their tails do, across all
 * threads.</li>
 * <li>When a millisecond is full, the next one is borrowed. A millisecond at or beyond
 * the limit is never used: nothing changes, and the caller has to wait.</li>
 * <li>The last batch is closed when the sequence is sealed, and no batch follows it.</li>
 * </ol>
 * Lock-free; reads no clock.
 */
final class TimeSequence implements ClockTicker.Watched {

	/**
	 * No id is left below the limit. The last id of a layout that fills 64 bits is the
	 * same number, and so is never issued.
	 */
	static final long NONE = -1;

	/**
	 * How many positions a batch has, unless the millisecond or the tails end before or a
	 * caller wants more.
	 */
	static final int LENGTH = 4_096;

	/**
	 * After this many ids in a millisecond, the clock is no longer read for each id.
	 */
	static final int BURST = 64;

	private static final long SEALED = Long.MAX_VALUE;

	private static final AtomicReferenceFieldUpdater<TimeSequence, TickBatch> CURRENT = AtomicReferenceFieldUpdater
		.newUpdater(TimeSequence.class, TickBatch.class, "current");

	private final Layout layout;

	private final @Nullable ClockTicker ticker;

	/**
	 * Not an {@code AtomicReference}: the cast to its type would read the header, which
	 * is on the cache line that all threads write.
	 */
	private volatile TickBatch current;

	/**
	 * For how many ticks there was no mark to clear. Only a hint, because callers clear
	 * marks when the ticker has no thread.
	 */
	private int idle;

	/**
	 * Create a sequence.
	 * @param layout makes ids from positions
	 * @param first the first millisecond it may use
	 * @param made how many ids were made before
	 * @param ticker expires shared readings of the clock, or {@code null} to read it for
	 * every id
	 */
	TimeSequence(Layout layout, long first, long made, @Nullable ClockTicker ticker) {
		this.layout = layout;
		this.ticker = ticker;
		// the millisecond before is full
		this.current = new TickBatch(0, first - 1, 0, layout.tails, 0, made, 0, 0, 0);
	}

	/**
	 * Take the next id, if a shared reading of the clock is recent enough.
	 * @return an id, or {@link #NONE} if the clock has to be read
	 */
	long next() {
		TickBatch batch = this.current;
		if (batch.fresh) {
			long index = batch.getAndIncrement();
			if (index < batch.count) {
				return this.layout.id(batch, index);
			}
		}
		return NONE;
	}

	/**
	 * Take the next id.
	 * @param now the millisecond that the clock shows
	 * @param limit the first millisecond that must not be used
	 * @return an id, or {@link #NONE}
	 */
	long next(long now, long limit) {
		long[] id = new long[1];
		return (next(now, limit, id, 0) > 0) ? id[0] : NONE;
	}

	/**
	 * Take several ids of the same millisecond.
	 * @param now the millisecond that the clock shows
	 * @param limit the first millisecond that must not be used
	 * @param into receives the ids
	 * @param offset where the first one goes
	 * @return how many ids there were, 0 if none is left below the limit
	 */
	int next(long now, long limit, long[] into, int offset) {
		int wanted = into.length - offset;
		while (true) {
			TickBatch batch = this.current;
			if (isRecent(batch, now, limit)) {
				long index = batch.take(wanted);
				if (index < batch.count) {
					watch(batch, now);
					return this.layout.ids(batch, index, into, offset);
				}
			}
			TickBatch next = follow(batch, now, limit, wanted);
			if (next == null) {
				return 0;
			}
			if (CURRENT.compareAndSet(this, batch, next)) {
				watch(next, now);
				return this.layout.ids(next, 0, into, offset);
			}
		}
	}

	/**
	 * Return whether the batch is neither in the past nor too far in the future.
	 */
	private static boolean isRecent(TickBatch batch, long now, long limit) {
		return now <= batch.time && batch.time < limit;
	}

	/**
	 * Switch to a shared reading of the clock if many ids were made in a millisecond.
	 * <p>
	 * How times stay recent without a reading of the clock for each id: at first, each id
	 * reads it. A thread that finds many ids in one millisecond of the clock marks the
	 * batch as <em>fresh</em>. Other threads then take from it without reading the clock.
	 * The {@link ClockTicker} clears the mark a millisecond later. When the batch is used
	 * up, the clock is read for the next one. A time is older than that only while the
	 * ticker gets no processor or, if a thread was delayed between its reading and the
	 * mark, until the next tick. That affects at most {@value #LENGTH} ids, or as many as
	 * are left of a millisecond. It affects only their times, never uniqueness or order.
	 */
	private void watch(TickBatch batch, long now) {
		ClockTicker ticker = this.ticker;
		if (batch.countDrawnAt(now) >= BURST && ticker != null && !batch.fresh) {
			batch.fresh = true;
			// only after the mark is set, so that the ticker does not miss it
			ticker.watch(this);
		}
	}

	/**
	 * Make the batch after one that is used up or in the past, and take from it.
	 * @return a batch, or {@code null} if no millisecond is left below the limit
	 */
	private @Nullable TickBatch follow(TickBatch batch, long now, long limit, long wanted) {
		boolean later = now > batch.time || batch.end() == this.layout.tails;
		long time = later ? Math.max(now, batch.time + 1) : batch.time;
		if (batch.time == SEALED || time >= limit) {
			// no id is available until the clock is read
			batch.fresh = false;
			return null;
		}
		long taken = batch.close();
		TickBatch next = this.layout.batch(batch, taken, later, time, wanted);
		next.continueCountOf(batch);
		return next;
	}

	@Override
	public int expire() {
		TickBatch batch = this.current;
		if (batch.fresh) {
			batch.fresh = false;
			this.idle = 0;
		}
		else {
			this.idle++;
		}
		return this.idle;
	}

	@Override
	public boolean isFresh() {
		return this.current.fresh;
	}

	/**
	 * Return how many ids were made up to now, including those of earlier sequences.
	 */
	long made() {
		return this.current.made();
	}

	/**
	 * Return the millisecond of the last id, or the one before the first if there is none
	 * yet.
	 */
	long lastTime() {
		return lastTime(this.current);
	}

	/** The sealing batch has the time of the last batch in place of a shift. */
	private static long lastTime(TickBatch batch) {
		return (batch.time == SEALED) ? batch.shift : batch.time;
	}

	/**
	 * Return whether no more ids are made.
	 */
	boolean isSealed() {
		return this.current.time == SEALED;
	}

	/**
	 * Hand out no more ids.
	 * @return the millisecond of the last id, or the one before the first if there was
	 * none
	 */
	long seal() {
		while (true) {
			TickBatch batch = this.current;
			if (batch.time == SEALED) {
				return lastTime(batch);
			}
			long made = batch.before + batch.close();
			TickBatch last = new TickBatch(0, SEALED, batch.time, 0, 0, made, 0, 0, 0);
			if (CURRENT.compareAndSet(this, batch, last)) {
				return batch.time;
			}
		}
	}

	/**
	 * Makes ids from positions. The tail of a position is the position itself, shifted or
	 * permuted differently in every millisecond: {@code (shift + i * step)
	 * mod n}, where step and n have no common divisor.
	 */
	static final class Layout {

		private final TimeLayout layout;

		private final long node;

		private final Tail tail;

		private final long key;

		private final long step;

		/** The bit mask of tails, or -1 if a tail takes a division. */
		private final long mask;

		final long tails;

		private final long tailUnit;

		/**
		 * Create a layout.
		 * @param layout the layout of time, node and tail, with at most 2<sup>63</sup>
		 * pairs of time and tail
		 * @param node the number of the node
		 * @param tail how tails are chosen
		 * @param key makes random tails differ from those of others
		 */
		Layout(TimeLayout layout, long node, Tail tail, long key) {
			this.layout = layout;
			this.node = node;
			this.tail = tail;
			this.key = key;
			this.tails = layout.tails();
			this.step = ((tail == Tail.RANDOM) ? step(this.tails, mix(~key)) : 1) % this.tails;
			this.mask = (Long.bitCount(this.tails) == 1) ? this.tails - 1 : -1;
			this.tailUnit = layout.idOf(0, 0, 0, 1);
		}

		/**
		 * Choose a step below 2<sup>31</sup>. Its products with positions then overflow
		 * only if n is a power of two, where that does no harm.
		 */
		private static long step(long tails, long random) {
			long step = 1 + (random >>> 33) % Math.min(tails, 1L << 31);
			while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(tails)).equals(BigInteger.ONE)) {
				step++;
			}
			return step;
		}

		/**
		 * Make the batch after a closed one, with the first positions taken.
		 */
		TickBatch batch(TickBatch last, long taken, boolean later, long time, long wanted) {
			long after = last.from + taken;
			long from = later ? begin(after) : after;
			long shift = later ? shift(last, after, time) : last.shift;
			long tail = tail(shift + from * this.step);
			// counted ids rise evenly, because the batch ends where tails restart at 0
			boolean counted = this.tail != Tail.RANDOM;
			long first = counted ? tail : 0;
			long most = this.tails - Math.max(from, first);
			long count = Math.min(Math.min(most, Math.max(wanted, LENGTH)), TickBatch.MAX_COUNT);
			return new TickBatch(wanted, time, shift, from, count, last.before + taken,
					this.layout.idOf(0, time, this.node, first), counted ? this.tailUnit : 0, tail - first);
		}

		/**
		 * Return the first position of a millisecond.
		 * @param after the position after the last one of the previous batch
		 */
		private long begin(long after) {
			return (this.tail == Tail.ROLLING && after < half()) ? after : 0;
		}

		/**
		 * Return the bound of first positions: at least half of the range is left after
		 * each. All of them begin a millisecond equally often, and their number has a
		 * divisor in common with that of all tails.
		 */
		private long half() {
			return Math.max((this.tails + 1) / 2, Math.min(this.tails, 2));
		}

		private long shift(TickBatch last, long after, long time) {
			return switch (this.tail) {
				case SEQUENCE, ROLLING -> 0;
				case FREE_RUNNING -> tail(last.shift + after);
				case RANDOM -> tail(mix(time ^ this.key));
			};
		}

		private long tail(long sum) {
			if (this.mask >= 0) {
				return sum & this.mask;
			}
			return (Long.compareUnsigned(sum, this.tails) < 0) ? sum : Long.remainderUnsigned(sum, this.tails);
		}

		/**
		 * Return the id at an index.
		 */
		long id(TickBatch batch, long index) {
			return batch.base + ((batch.stride != 0) ? index * batch.stride
					: tail(batch.tail + index * this.step) * this.tailUnit);
		}

		/**
		 * Write the ids from an index on, to the end of the batch or of the array.
		 * @return how many
		 */
		int ids(TickBatch batch, long index, long[] into, int offset) {
			int count = (int) Math.min(into.length - offset, batch.count - index);
			long tail = tail(batch.tail + index * this.step);
			for (int i = offset; i < offset + count; i++) {
				into[i] = batch.base + tail * this.tailUnit;
				tail += this.step;
				tail -= (tail < this.tails) ? 0 : this.tails;
			}
			return count;
		}

		/**
		 * Spread a number over all 64 bits.
		 * @see <a href="https://doi.org/10.1145/2660193.2660195">Steele, Lea, Flood: Fast
		 * splittable pseudorandom number generators</a>
		 */
		private static long mix(long number) {
			long mixed = number + 0x9E3779B97F4A7C15L;
			mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
			mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
			return mixed ^ (mixed >>> 31);
		}

	}

}
