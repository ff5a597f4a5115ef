package dev.idspring.time;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ids of one node, without prefix, none of them twice.
 * <p>
 * Why no id comes twice, whatever the clock does:
 * <ol>
 * <li>All is taken from one {@link TickBatch} at a time: some successive positions of a
 * millisecond. A position is taken once, and the tail of a position is a one-to-one
 * function of it in that millisecond.</li>
 * <li>A span is followed by one of a later millisecond, or by one of later positions of
 * the same; the latter only when it is used up. One compare-and-set decides which, so
 * spans have one order. Time never goes back, because a clock that does is not listened
 * to until it has caught up.</li>
 * <li>A span is closed before it is followed: nothing is taken from it any more when the
 * first id of the next one is seen. So ids rise as their tails do, for all threads
 * together.</li>
 * <li>When a millisecond is full the next one is borrowed, and a millisecond at or beyond
 * the limit is never touched: then nothing changes, and the caller has to wait.</li>
 * <li>The last span is closed when the sequence is sealed, and nothing follows it.</li>
 * </ol>
 * How times are kept recent without reading the clock for each id: at first it is read
 * for each. A thread that finds that many ids were made in a millisecond of the clock
 * marks the span as <em>fresh</em>: then others take from it without a look at the clock,
 * until the {@link ClockTicker} has wiped the mark away, a millisecond later, or the span
 * is used up and the clock is read for the next one. So a time is out of date by more
 * than that only while the ticker gets no processor, or until its next tick when a thread
 * was held up between its reading and the mark; and for at most {@value #LENGTH} ids in
 * either case, or as many as are left of a millisecond. What lies in the past or future
 * by that is the time in the id; uniqueness and order are not touched.
 * <p>
 * Lock-free; reads no clock.
 */
final class TimeSequence implements ClockTicker.Watched {

	/**
	 * There is nothing below the limit. The last id of a layout that fills 64 bits is
	 * this number too, and so is never handed out.
	 */
	static final long NONE = -1;

	/**
	 * How many positions a span has, unless the millisecond, the end of the tails or a
	 * caller says otherwise.
	 */
	static final int LENGTH = 4_096;

	/**
	 * After so many ids in a millisecond the clock is not read for each of them any more.
	 */
	static final int BURST = 64;

	private static final long SEALED = Long.MAX_VALUE;

	private static final AtomicReferenceFieldUpdater<TimeSequence, TickBatch> CURRENT = AtomicReferenceFieldUpdater
		.newUpdater(TimeSequence.class, TickBatch.class, "current");

	private final Layout layout;

	private final @Nullable ClockTicker ticker;

	/**
	 * No {@code AtomicReference}: a cast to its type would read the header, which is on
	 * the cache line that everybody writes.
	 */
	private volatile TickBatch current;

	/**
	 * For how many ticks there was nothing to wipe away; a hint, as a ticker without a
	 * thread has callers wipe.
	 */
	private int idle;

	/**
	 * Create a sequence.
	 * @param layout how ids are made of positions
	 * @param first the first millisecond it may use
	 * @param made how many ids were made before
	 * @param ticker looks after readings of the clock, or {@code null} if it is to be
	 * read for every id
	 */
	TimeSequence(Layout layout, long first, long made, @Nullable ClockTicker ticker) {
		this.layout = layout;
		this.ticker = ticker;
		// the millisecond before is full
		this.current = new TickBatch(0, first - 1, 0, layout.tails, 0, made, 0, 0, 0);
	}

	/**
	 * Take the next id, if there is a reading of the clock at hand that is good enough.
	 * @return an id, or {@link #NONE} if the clock has to be read
	 */
	long next() {
		TickBatch span = this.current;
		if (span.fresh) {
			long index = span.getAndIncrement();
			if (index < span.count) {
				return this.layout.id(span, index);
			}
		}
		return NONE;
	}

	/**
	 * Take the next id.
	 * @param now the millisecond that the clock shows
	 * @param limit the millisecond that must not be reached
	 * @return an id, or {@link #NONE}
	 */
	long next(long now, long limit) {
		long[] id = new long[1];
		return (next(now, limit, id, 0) > 0) ? id[0] : NONE;
	}

	/**
	 * Take several ids of the same millisecond.
	 * @param now the millisecond that the clock shows
	 * @param limit the millisecond that must not be reached
	 * @param into receives the ids
	 * @param offset where the first one goes
	 * @return how many ids there were, 0 if there is nothing below the limit
	 */
	int next(long now, long limit, long[] into, int offset) {
		int wanted = into.length - offset;
		while (true) {
			TickBatch span = this.current;
			if (isRecent(span, now, limit)) {
				long index = span.take(wanted);
				if (index < span.count) {
					watch(span, now);
					return this.layout.ids(span, index, into, offset);
				}
			}
			TickBatch next = follow(span, now, limit, wanted);
			if (next == null) {
				return 0;
			}
			if (CURRENT.compareAndSet(this, span, next)) {
				watch(next, now);
				return this.layout.ids(next, 0, into, offset);
			}
		}
	}

	/**
	 * Return whether ids of the span are neither in the past nor too far in the future.
	 */
	private static boolean isRecent(TickBatch span, long now, long limit) {
		return now <= span.time && span.time < limit;
	}

	/**
	 * Go over to a reading that is at hand when many ids were made in a millisecond.
	 */
	private void watch(TickBatch span, long now) {
		ClockTicker ticker = this.ticker;
		if (span.drawnAt(now) >= BURST && ticker != null && !span.fresh) {
			span.fresh = true;
			// only now, so that no mark is overlooked
			ticker.watch(this);
		}
	}

	/**
	 * Make the span after one that is used up or in the past, and take from it.
	 * @return a span, or {@code null} if there is nothing below the limit
	 */
	private @Nullable TickBatch follow(TickBatch span, long now, long limit, long wanted) {
		boolean later = now > span.time || span.end() == this.layout.tails;
		long time = later ? Math.max(now, span.time + 1) : span.time;
		if (span.time == SEALED || time >= limit) {
			// there is nothing to find here until the clock has been read
			span.fresh = false;
			return null;
		}
		long taken = span.close();
		TickBatch next = this.layout.span(span, taken, later, time, wanted);
		next.follow(span);
		return next;
	}

	@Override
	public int expire() {
		TickBatch span = this.current;
		if (span.fresh) {
			span.fresh = false;
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
	 * Return how many ids were made up to now, together with those before the first.
	 */
	long made() {
		return this.current.made();
	}

	/**
	 * Return the millisecond of the last id, or the one before the first if there was
	 * none yet.
	 */
	long lastTime() {
		return lastTime(this.current);
	}

	/** The batch that seals has the time of the last one in place of a shift. */
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
			TickBatch span = this.current;
			if (span.time == SEALED) {
				return lastTime(span);
			}
			long made = span.before + span.close();
			TickBatch last = new TickBatch(0, SEALED, span.time, 0, 0, made, 0, 0, 0);
			if (CURRENT.compareAndSet(this, span, last)) {
				return span.time;
			}
		}
	}

	/**
	 * How ids are made of positions. The tail of a position is the position itself,
	 * shifted or permuted, differently in every millisecond: {@code (shift + i * step)
	 * mod n}, where step and n have no common divisor.
	 */
	static final class Layout {

		private final TimeLayout layout;

		private final long node;

		private final Tail tail;

		private final long key;

		private final long step;

		/** What tells a tail from the rest, or -1 if that takes a division. */
		private final long mask;

		final long tails;

		private final long tailUnit;

		/**
		 * Create a layout.
		 * @param layout where time, node and tail stand; together there are at most
		 * 2<sup>63</sup> pairs of time and tail
		 * @param node the number of the node
		 * @param tail what the tails say
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
		 * Choose k below 2<sup>31</sup>, so that its products with positions overflow
		 * only where that does no harm, which is when n is a power of two.
		 */
		private static long step(long tails, long random) {
			long step = 1 + (random >>> 33) % Math.min(tails, 1L << 31);
			while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(tails)).equals(BigInteger.ONE)) {
				step++;
			}
			return step;
		}

		/**
		 * Make the span after one that is closed, with the first positions taken.
		 */
		TickBatch span(TickBatch last, long taken, boolean later, long time, long wanted) {
			long after = last.from + taken;
			long from = later ? begin(after) : after;
			long shift = later ? shift(last, after, time) : last.shift;
			long tail = tail(shift + from * this.step);
			// counted ids rise evenly, as the span ends where tails begin again at 0
			boolean counted = this.tail != Tail.RANDOM;
			long first = counted ? tail : 0;
			long most = this.tails - Math.max(from, first);
			long count = Math.min(Math.min(most, Math.max(wanted, LENGTH)), TickBatch.LONGEST);
			return new TickBatch(wanted, time, shift, from, count, last.before + taken,
					this.layout.idOf(0, time, this.node, first), counted ? this.tailUnit : 0, tail - first);
		}

		/**
		 * Return the first position of a millisecond.
		 * @param after the position after the last one before
		 */
		private long begin(long after) {
			return (this.tail == Tail.ROLLING && after < half()) ? after : 0;
		}

		/**
		 * Return below which position at least half of the range is left, so that all of
		 * them begin a millisecond equally often, and their number has a divisor in
		 * common with that of all tails.
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
		long id(TickBatch span, long index) {
			return span.base
					+ ((span.stride != 0) ? index * span.stride : tail(span.tail + index * this.step) * this.tailUnit);
		}

		/**
		 * Write the ids from an index on, as many as there are and have room.
		 * @return how many
		 */
		int ids(TickBatch span, long index, long[] into, int offset) {
			int count = (int) Math.min(into.length - offset, span.count - index);
			long tail = tail(span.tail + index * this.step);
			for (int i = offset; i < offset + count; i++) {
				into[i] = span.base + tail * this.tailUnit;
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
