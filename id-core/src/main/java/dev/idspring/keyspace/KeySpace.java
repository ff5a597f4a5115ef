package dev.idspring.keyspace;

import java.util.Objects;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * A finite set of keys in a fixed order: a bijection between ordinals, which are dense
 * from 0 to {@link #capacity()}, and keys. A counter hands out ordinals; as long as no
 * ordinal comes twice, no key does.
 * <p>
 * Immutable and thread-safe. Keys are never negative.
 *
 * @since 0.1.0
 */
public interface KeySpace {

	/**
	 * Return how many keys there are within the upper bound of this key space.
	 * @return the number of ordinals, at least 1 and at most 2<sup>62</sup>
	 */
	long capacity();

	/**
	 * Return what fixes the bijection, in one line. Two key spaces of the same definition
	 * map the same ordinals to the same keys as far as both reach; the upper bound is not
	 * part of it.
	 * @return the canonical definition: ASCII, at most 500 characters
	 */
	String definition();

	/**
	 * Return a short description for people: strategy, alphabet, lengths.
	 * @return a few words
	 */
	String summary();

	/**
	 * Return the parameter that raises the upper bound, for messages.
	 * @return the name in the settings, or {@code null} if the bound is fixed
	 */
	default @Nullable String boundParameter() {
		return null;
	}

	/**
	 * Return the number under which the first key is known, where the published scheme
	 * does not count from 0.
	 * @return what to add to an ordinal to get the published one
	 */
	default long firstOrdinal() {
		return 0;
	}

	/**
	 * Return the key of an ordinal.
	 * @param ordinal from 0 to the capacity, exclusive
	 * @return the numeric form of the key
	 * @throws IllegalArgumentException if the ordinal is out of range
	 */
	long key(long ordinal);

	/**
	 * Return the key of the last ordinal.
	 * @return the numeric form of the key
	 */
	default long lastKey() {
		return key(capacity() - 1);
	}

	/**
	 * Compute the keys of consecutive ordinals. Much cheaper per key than
	 * {@link #key(long)}.
	 * @param ordinal the first ordinal
	 * @param into receives the keys
	 * @param offset where the first key goes
	 * @param count how many keys
	 * @throws IllegalArgumentException if an ordinal is out of range
	 */
	default void keys(long ordinal, long[] into, int offset, int count) {
		InvalidSettingException.requireGiven(KeySpace.class, "into", into);
		if (ordinal < 0 || count < 0 || count > capacity() - ordinal) {
			throw new IllegalArgumentException(count + " ordinals from " + ordinal
					+ " do not lie in this key space: there are " + capacity() + ", from 0");
		}
		Objects.checkFromIndexSize(offset, count, into.length);
		int done = 0;
		while (done < count) {
			long next = ordinal + done;
			int share = (int) Math.min(count - done, boundaryAfter(next) - next);
			fill(steps(next), key(next), into, offset + done, share);
			done += share;
		}
	}

	private static void fill(@Nullable ArithmeticRun steps, long first, long[] into, int offset, int count) {
		if (steps != null) {
			steps.fill(first, into, offset, count);
			return;
		}
		for (int i = 0; i < count; i++) {
			into[offset + i] = first + i;
		}
	}

	/**
	 * Return the ordinal of a key.
	 * @param key the numeric form of a key
	 * @return its ordinal
	 * @throws IllegalArgumentException if the number is not a key of this key space
	 */
	long ordinal(long key);

	/**
	 * Return the end of the stretch of ordinals around an ordinal whose keys are computed
	 * alike. Blocks do not reach across such a boundary.
	 * @param ordinal from 0 to the capacity, exclusive
	 * @return the first ordinal after the stretch, at most the capacity
	 */
	long boundaryAfter(long ordinal);

	/**
	 * Return how the keys around an ordinal follow one another, where it means nothing in
	 * which order keys are handed out: threads may then take a few ordinals at a time
	 * each.
	 * @param ordinal from 0 to the capacity, exclusive
	 * @return the steps, the same up to {@link #boundaryAfter}, or {@code null} if keys
	 * are consecutive, and to be handed out in order
	 */
	default @Nullable ArithmeticRun steps(long ordinal) {
		return null;
	}

	/**
	 * Turn a key into its text form.
	 * @param key the numeric form of a key
	 * @return the text form
	 * @throws IllegalArgumentException if the number is not a key of this key space
	 */
	String format(long key);

	/**
	 * Turn the text form of a key into its numeric form.
	 * @param text the text form
	 * @return the numeric form
	 * @throws IllegalArgumentException if the text is not the text form of a key of this
	 * key space; the message says why
	 */
	long parse(String text);

	/**
	 * Return how keys are written. It writes and reads other numbers, too.
	 * @return the form of {@link #format} and {@link #parse}
	 */
	TextForm text();

	/**
	 * Return this key space with other texts.
	 * @param text what a user says about the text form
	 * @param name the name of the key space
	 * @return a key space of the same keys, whose definition tells how they are written
	 * @throws IllegalArgumentException if these keys cannot be written so; the message
	 * says why
	 */
	KeySpace written(TextSettings text, String name);

	/**
	 * How the keys of a stretch of ordinals follow one another: each is the one before
	 * plus a step, less the modulus where that is reached. So a key costs an addition.
	 *
	 * @param base what all keys of the stretch are above
	 * @param step how far it is from one key to the next, from 0 to the modulus,
	 * exclusive
	 * @param modulus the end of the keys above the base, at most 2<sup>62</sup>, so that
	 * the sum of two of them fits a {@code long}
	 * @since 0.1.0
	 */
	record ArithmeticRun(long base, long step, long modulus) {

		/**
		 * Create steps.
		 * @throws IllegalArgumentException if a value is out of range
		 */
		public ArithmeticRun {
			if (base < 0 || modulus < 1 || modulus > CoprimeCycle.MAX_MODULUS || step < 0 || step >= modulus) {
				throw new IllegalArgumentException(
						"Not steps of keys: base " + base + ", step " + step + ", modulus " + modulus);
			}
		}

		/**
		 * Write keys, one addition each.
		 * @param first the first key
		 * @param into receives the keys
		 * @param offset where the first key goes
		 * @param count how many keys
		 */
		void fill(long first, long[] into, int offset, int count) {
			// either way is computed at once, where to reduce a sum would have to wait
			// for it
			long back = this.modulus - this.step;
			long gap = this.base + back;
			long key = first;
			for (int i = offset; i < offset + count; i++) {
				into[i] = key;
				key = (key >= gap) ? key - back : key + this.step;
			}
		}

	}

}
