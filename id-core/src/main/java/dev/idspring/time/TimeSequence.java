package dev.idspring.time;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Issues the ids of one node. An id consists of a millisecond, the node and a tail, which
 * distinguishes ids of the same millisecond and node. The tail is computed from a
 * position: a number that is lower than the number of tails. The caller adds the prefix,
 * if the layout has one.
 * <p>
 * No id is issued twice, even if the clock jumps:
 * <ol>
 * <li>All callers take positions from the current {@link TickBatch}, which contains
 * consecutive positions of one millisecond. Each position is taken only once. Different
 * positions of a millisecond have different tails.</li>
 * <li>The next batch belongs to a later millisecond or, if the current batch is used up,
 * contains later positions of the same millisecond. A compare-and-set installs the next
 * batch, so all threads see the same order of batches. The times of batches never
 * decrease: a clock that is set back is ignored until it has caught up.</li>
 * <li>A batch is closed before the next batch is installed. A closed batch issues no more
 * ids. If tails increase within a millisecond, ids therefore increase across all
 * threads.</li>
 * <li>When all positions of a millisecond are used, the next millisecond is used ahead of
 * the clock. No millisecond at or after the caller's limit is used. Instead, the caller
 * gets no id.</li>
 * <li>{@link #seal()} closes the last batch, and no batch follows it.</li>
 * </ol>
 * This class is lock-free, and does not read the clock itself.
 */
final class TimeSequence implements ClockTicker.WatchedSequence {

	/**
	 * Returned if no id is available. This number is no id: only an unsigned layout with
	 * 2<sup>64</sup> ids could contain it, and no strategy has such a layout.
	 */
	static final long NONE = -1;

	/**
	 * The usual number of positions of a batch. A batch has fewer if fewer are left in
	 * the millisecond, and more if a caller requests more.
	 */
	static final int USUAL_COUNT = 4_096;

	/**
	 * If at least this many ids are taken in a millisecond, callers share a reading of
	 * the clock.
	 */
	static final int BURST_THRESHOLD = 64;

	private static final long SEALED = Long.MAX_VALUE;

	private static final AtomicReferenceFieldUpdater<TimeSequence, TickBatch> CURRENT = AtomicReferenceFieldUpdater
		.newUpdater(TimeSequence.class, TickBatch.class, "current");

	private final Layout layout;

	private final @Nullable ClockTicker ticker;

	/**
	 * The current batch, which {@link #CURRENT} replaces. An {@code AtomicReference}
	 * would be slower: the cast of its value would read the header of the batch, which is
	 * on the same cache line as the counter that all threads write.
	 */
	private volatile TickBatch current;

	/**
	 * The number of consecutive calls of {@link #expire()} that found no
	 * {@linkplain #watch fresh} batch. It may be inexact, because several threads may
	 * call {@code expire()} at once.
	 */
	private int idleTicks;

	/**
	 * Create a sequence.
	 * @param layout computes ids from positions
	 * @param first the first millisecond that may be used
	 * @param issued how many ids earlier sequences have issued
	 * @param ticker ends the sharing of a clock reading after a millisecond, or
	 * {@code null} to read the clock for every id
	 */
	TimeSequence(Layout layout, long first, long issued, @Nullable ClockTicker ticker) {
		this.layout = layout;
		this.ticker = ticker;
		// begin with an empty batch of the previous millisecond
		this.current = new TickBatch(0, first - 1, 0, layout.tails, 0, issued, 0, 0, 0);
	}

	/**
	 * Take the next id without reading the clock, if a shared reading is recent enough.
	 * @return an id, or {@link #NONE} if the caller has to read the clock
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
	 * Take the next id, given a new reading of the clock.
	 * @param now the current millisecond of the clock
	 * @param limit the first millisecond that must not be used
	 * @return an id, or {@link #NONE} if no id is left before the limit
	 */
	long next(long now, long limit) {
		long[] id = new long[1];
		return (next(now, limit, id, 0) > 0) ? id[0] : NONE;
	}

	/**
	 * Take several ids of the same millisecond.
	 * @param now the current millisecond of the clock
	 * @param limit the first millisecond that must not be used
	 * @param into the array that receives the ids
	 * @param offset the index of the first id in the array
	 * @return the number of ids taken, 0 if no id is left before the limit
	 */
	int next(long now, long limit, long[] into, int offset) {
		int wanted = into.length - offset;
		while (true) {
			TickBatch batch = this.current;
			if (now <= batch.time && batch.time < limit) {
				long index = batch.take(wanted);
				if (index < batch.count) {
					watch(batch, now);
					return this.layout.ids(batch, index, into, offset);
				}
			}
			TickBatch next = nextBatch(batch, now, limit, wanted);
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
	 * Let callers share a reading of the clock if many ids are taken in a millisecond.
	 * <p>
	 * At first, callers read the clock for each id. A thread that counts
	 * {@link #BURST_THRESHOLD} ids in the same millisecond marks the batch as
	 * <em>fresh</em>. All threads then take ids from the batch without reading the clock.
	 * The {@link ClockTicker} clears the mark a millisecond later.
	 * <p>
	 * The times of ids can be more than a millisecond old in two cases: the ticker's
	 * thread gets no processor time, or a thread was delayed between reading the clock
	 * and marking the batch. The second case ends at the next tick. In both cases, only
	 * the ids that are left in the batch are affected, because the clock is read for the
	 * next batch. The uniqueness and order of ids are never affected.
	 */
	private void watch(TickBatch batch, long now) {
		ClockTicker ticker = this.ticker;
		if (batch.countDrawnAt(now) >= BURST_THRESHOLD && ticker != null && !batch.fresh) {
			batch.fresh = true;
			// watch only after the mark is set, so that the ticker clears it
			ticker.watch(this);
		}
	}

	/**
	 * Create the batch that follows a batch that is used up or whose millisecond is over.
	 * The caller owns the first {@code wanted} positions of the new batch, or all of its
	 * positions if it has fewer.
	 * @return the next batch, or {@code null} if no millisecond is left before the limit
	 */
	private @Nullable TickBatch nextBatch(TickBatch batch, long now, long limit, long wanted) {
		boolean laterMillisecond = now > batch.time || batch.end() == this.layout.tails;
		long time = laterMillisecond ? Math.max(now, batch.time + 1) : batch.time;
		if (batch.time == SEALED || time >= limit) {
			// the next caller must read the clock
			batch.fresh = false;
			return null;
		}
		long taken = batch.close();
		TickBatch next = this.layout.batch(batch, taken, laterMillisecond, time, wanted);
		next.continueCountOf(batch);
		return next;
	}

	@Override
	public int expire() {
		TickBatch batch = this.current;
		if (batch.fresh) {
			batch.fresh = false;
			this.idleTicks = 0;
		}
		else {
			this.idleTicks++;
		}
		return this.idleTicks;
	}

	@Override
	public boolean isFresh() {
		return this.current.fresh;
	}

	/**
	 * Return how many ids have been issued, including those of earlier sequences.
	 */
	long issued() {
		return this.current.issued();
	}

	/**
	 * Return the millisecond of the last id. If no id was issued yet, return the
	 * millisecond before the first one that may be used.
	 */
	long lastTime() {
		return lastTime(this.current);
	}

	/**
	 * Return the time of a batch. For the batch that seals the sequence, return the time
	 * of the previous batch, which the sealing batch stores as its shift.
	 */
	private static long lastTime(TickBatch batch) {
		return (batch.time == SEALED) ? batch.shift : batch.time;
	}

	/**
	 * Return whether this sequence is sealed.
	 */
	boolean isSealed() {
		return this.current.time == SEALED;
	}

	/**
	 * Seal this sequence, so that it issues no more ids.
	 * @return the last millisecond that may have been used, as returned by
	 * {@link #lastTime()}
	 */
	long seal() {
		while (true) {
			TickBatch batch = this.current;
			if (batch.time == SEALED) {
				return lastTime(batch);
			}
			long issued = batch.issuedBefore + batch.close();
			TickBatch sealing = new TickBatch(0, SEALED, batch.time, 0, 0, issued, 0, 0, 0);
			if (CURRENT.compareAndSet(this, batch, sealing)) {
				return batch.time;
			}
		}
	}

	/**
	 * Computes ids from positions. The tail of position {@code i} is
	 * {@code (shift + i * step) mod n}, where {@code n} is the number of tails. The step
	 * and {@code n} are coprime, so different positions have different tails. The shift
	 * may be different in every millisecond.
	 */
	static final class Layout {

		private final TimeLayout layout;

		private final long node;

		private final Tail tail;

		private final long key;

		private final long step;

		/** The bit mask of tails if their number is a power of two, otherwise -1. */
		private final long mask;

		final long tails;

		private final long tailUnit;

		/**
		 * Create an instance for one node.
		 * @param layout the layout of ids, with at most 2<sup>63</sup> combinations of
		 * time and tail
		 * @param node the number of the node
		 * @param tail how the tails of ids are chosen
		 * @param key the key for random tails
		 */
		Layout(TimeLayout layout, long node, Tail tail, long key) {
			this.layout = layout;
			this.node = node;
			this.tail = tail;
			this.key = key;
			this.tails = layout.tails();
			this.step = ((tail == Tail.RANDOM) ? step(this.tails, mix(~key)) : 1) % this.tails;
			this.mask = (Long.bitCount(this.tails) == 1) ? this.tails - 1 : -1;
			this.tailUnit = layout.unverifiedId(0, 0, 0, 1);
		}

		/**
		 * Choose a step of at most about 2<sup>31</sup>. The product of a step and a
		 * position can then overflow only if the number of tails is a power of two. Such
		 * an overflow does not change the tail, because 2<sup>64</sup> is then a multiple
		 * of the number of tails.
		 */
		private static long step(long tails, long random) {
			long step = 1 + (random >>> 33) % Math.min(tails, 1L << 31);
			while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(tails)).equals(BigInteger.ONE)) {
				step++;
			}
			return step;
		}

		/**
		 * Create the batch that follows a closed batch. The first {@code wanted}
		 * positions of the new batch are already taken.
		 * @param taken how many positions of the closed batch were taken
		 * @param laterMillisecond whether the new batch belongs to a later millisecond
		 */
		TickBatch batch(TickBatch previous, long taken, boolean laterMillisecond, long time, long wanted) {
			long after = previous.from + taken;
			long from = laterMillisecond ? begin(after) : after;
			long shift = laterMillisecond ? shift(previous, after, time) : previous.shift;
			long tail = tail(shift + from * this.step);
			// consecutive ids differ by a constant, because the batch ends where the
			// tails restart at 0. Random tails are the exception
			boolean consecutive = this.tail != Tail.RANDOM;
			long first = consecutive ? tail : 0;
			long most = this.tails - Math.max(from, first);
			long count = Math.min(Math.min(most, Math.max(wanted, USUAL_COUNT)), TickBatch.MAX_COUNT);
			return new TickBatch(wanted, time, shift, from, count, previous.issuedBefore + taken,
					this.layout.unverifiedId(0, time, this.node, first), consecutive ? this.tailUnit : 0, tail - first);
		}

		/**
		 * Return the first position in a new millisecond.
		 * @param after the position after the last position taken from the previous batch
		 */
		private long begin(long after) {
			return (this.tail == Tail.ROLLING && after < startBound()) ? after : 0;
		}

		/**
		 * Return the exclusive bound of the first positions of milliseconds for
		 * {@link Tail#ROLLING}. The bound is about half the number of tails, so that
		 * about half of all positions are left in each millisecond. If the number of
		 * tails is even, the bound divides this number. With one id per millisecond, ids
		 * are then distributed evenly modulo each divisor of the bound.
		 */
		private long startBound() {
			return Math.max((this.tails + 1) / 2, Math.min(this.tails, 2));
		}

		private long shift(TickBatch previous, long after, long time) {
			return switch (this.tail) {
				case SEQUENCE, ROLLING -> 0;
				case FREE_RUNNING -> tail(previous.shift + after);
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
		 * Return the id at an index of a batch.
		 */
		long id(TickBatch batch, long index) {
			return batch.base + ((batch.stride != 0) ? index * batch.stride
					: tail(batch.tail + index * this.step) * this.tailUnit);
		}

		/**
		 * Write consecutive ids of a batch to an array, up to the end of the batch or of
		 * the array.
		 * @return the number of ids written
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
		 * Hash a number, so that each of its bits affects all 64 bits of the result.
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
