package dev.idspring.time;

import java.math.BigInteger;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Hands out pairs of time and tail, none of them twice, for the ids of one node.
 * <p>
 * Why no pair comes twice, whatever the clock does:
 * <ol>
 * <li>The last pair is one atomic state, and every caller moves it ahead by one
 * compare-and-set: within a millisecond to the next position, or to a later millisecond.
 * Time never goes back, because a clock that does is not listened to until it has caught
 * up.</li>
 * <li>A position is used once in a millisecond, and the tail of a position is a
 * one-to-one function of it in that millisecond.</li>
 * <li>When a millisecond is full the next one is borrowed, and a millisecond at or beyond
 * the limit is never touched: then nothing changes, and the caller has to wait.</li>
 * <li>Once it is sealed, the state is the last pair there can be, and stays there.</li>
 * </ol>
 * Lock-free; reads no clock.
 */
abstract class TimeSequence {

	/** There is nothing below the limit. */
	static final long NONE = -1;

	/** The last pair there can be, after which there is nothing. */
	private static final long END = Long.MAX_VALUE;

	/** How many tails there are. */
	final long tails;

	private TimeSequence(long tails) {
		this.tails = tails;
	}

	/**
	 * Create a sequence.
	 * @param first the first millisecond it may use
	 * @param tails how many tails there are; together with the milliseconds there are at
	 * most 2<sup>63</sup> pairs
	 * @param tail what the tails say
	 * @param key makes random tails differ from those of others
	 */
	static TimeSequence create(long first, long tails, Tail tail, long key) {
		return switch (tail) {
			case SEQUENCE -> new Counting(first, tails, 0);
			case ROLLING -> new Counting(first, tails, half(tails));
			case RANDOM -> new Scattering(first, tails, key);
			case FREE_RUNNING -> new FreeRunning(first, tails);
		};
	}

	/**
	 * Return below which position at least half of the range is left, so that all of them
	 * begin a millisecond equally often, and their number has a divisor in common with
	 * that of all tails.
	 */
	private static long half(long tails) {
		return Math.max((tails + 1) / 2, Math.min(tails, 2));
	}

	/**
	 * Take the next pair.
	 * @param now the millisecond that the clock shows
	 * @param limit the millisecond that must not be reached
	 * @return time times {@link #tails}, plus tail; or {@link #NONE}
	 */
	abstract long next(long now, long limit);

	/**
	 * Take several pairs of the same millisecond.
	 * @param now the millisecond that the clock shows
	 * @param limit the millisecond that must not be reached
	 * @param into receives the pairs
	 * @param offset where the first one goes
	 * @return how many pairs there were, 0 if there is nothing below the limit
	 */
	abstract int next(long now, long limit, long[] into, int offset);

	/**
	 * Return the millisecond of the last pair, or the one before the first if there was
	 * none yet. Not to be asked once it is sealed.
	 */
	abstract long lastTime();

	/**
	 * Hand out no more pairs.
	 * @return the millisecond of the last pair, or the one before the first if there was
	 * none; only for the first who seals
	 */
	abstract long seal();

	/**
	 * The position is the tail, and begins anew in every millisecond: at 0, or where the
	 * last one ended, if that is before a mark.
	 */
	private static class Counting extends TimeSequence {

		private final long mark;

		/** Time times tails, plus position, of the last pair. */
		private final AtomicLong last;

		Counting(long first, long tails, long mark) {
			super(tails);
			this.mark = mark;
			this.last = new AtomicLong(first * tails - 1);
		}

		@Override
		long next(long now, long limit) {
			long next = advance(now, limit, 1);
			return (next != NONE) ? pair(next) : NONE;
		}

		@Override
		int next(long now, long limit, long[] into, int offset) {
			int wanted = into.length - offset;
			long first = advance(now, limit, wanted);
			if (first == NONE) {
				return 0;
			}
			int count = (int) Math.min(wanted, this.tails - first % this.tails);
			for (int i = 0; i < count; i++) {
				into[offset + i] = pair(first + i);
			}
			return count;
		}

		/**
		 * Move ahead by as many positions as wanted, but not beyond the end of the
		 * millisecond.
		 * @return time times tails, plus position, of the first of them
		 */
		private long advance(long now, long limit, long wanted) {
			while (true) {
				long last = this.last.get();
				if (last == END) {
					return NONE;
				}
				long time = Math.floorDiv(last, this.tails);
				long position = last - time * this.tails + 1;
				if (now > time || position == this.tails) {
					time = Math.max(now, time + 1);
					position = (position < this.mark) ? position : 0;
				}
				if (time >= limit) {
					return NONE;
				}
				long first = time * this.tails + position;
				if (this.last.compareAndSet(last, first + Math.min(wanted, this.tails - position) - 1)) {
					return first;
				}
			}
		}

		private long pair(long positioned) {
			long time = positioned / this.tails;
			return time * this.tails + tail(time, positioned - time * this.tails);
		}

		long tail(long time, long position) {
			return position;
		}

		@Override
		long lastTime() {
			return Math.floorDiv(this.last.get(), this.tails);
		}

		@Override
		long seal() {
			return Math.floorDiv(this.last.getAndSet(END), this.tails);
		}

	}

	/**
	 * Positions are permuted, differently in every millisecond: {@code (r(t) + i * k) mod
	 * n}, where r is a keyed hash of the millisecond, and k and n have no common divisor.
	 */
	private static final class Scattering extends Counting {

		private final long key;

		private final long step;

		Scattering(long first, long tails, long key) {
			super(first, tails, 0);
			this.key = key;
			this.step = step(tails, mix(~key));
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

		@Override
		long tail(long time, long position) {
			long shift = Long.remainderUnsigned(mix(time ^ this.key), this.tails);
			return Long.remainderUnsigned(shift + position * this.step, this.tails);
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

	/**
	 * The tail is a counter that is never reset. A millisecond is full when the counter
	 * has come round to where it was when the millisecond began.
	 */
	private static final class FreeRunning extends TimeSequence {

		private final AtomicReference<State> last;

		FreeRunning(long first, long tails) {
			super(tails);
			this.last = new AtomicReference<>(new State(first - 1, tails - 1, tails, 0));
		}

		@Override
		long next(long now, long limit) {
			State taken = advance(now, limit, 1);
			return (taken != null) ? taken.time * this.tails + taken.tail : NONE;
		}

		@Override
		int next(long now, long limit, long[] into, int offset) {
			State taken = advance(now, limit, into.length - offset);
			if (taken == null) {
				return 0;
			}
			for (int i = 0; i < taken.taken; i++) {
				long tail = Math.floorMod(taken.tail - (taken.taken - 1 - i), this.tails);
				into[offset + i] = taken.time * this.tails + tail;
			}
			return (int) taken.taken;
		}

		private @Nullable State advance(long now, long limit, long wanted) {
			while (true) {
				State last = last();
				if (last.isSealed()) {
					return null;
				}
				boolean later = now > last.time || last.count == this.tails;
				long time = later ? Math.max(now, last.time + 1) : last.time;
				if (time >= limit) {
					return null;
				}
				long before = later ? 0 : last.count;
				long taken = Math.min(wanted, this.tails - before);
				State next = new State(time, Math.floorMod(last.tail + taken, this.tails), before + taken, taken);
				if (this.last.compareAndSet(last, next)) {
					return next;
				}
			}
		}

		private State last() {
			return Objects.requireNonNull(this.last.get());
		}

		@Override
		long lastTime() {
			return last().time;
		}

		@Override
		long seal() {
			return Objects.requireNonNull(this.last.getAndSet(State.SEALED)).time;
		}

		/**
		 * The last pair, how many there have been in its millisecond, and how many of
		 * them were taken last.
		 */
		private record State(long time, long tail, long count, long taken) {

			static final State SEALED = new State(END, 0, 0, 0);

			boolean isSealed() {
				return this.time == END;
			}

		}

	}

}
