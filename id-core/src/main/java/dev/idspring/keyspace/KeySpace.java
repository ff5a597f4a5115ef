package dev.idspring.keyspace;

import java.util.Objects;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * A finite set of keys in a fixed order. A key space maps each ordinal, a number from 0
 * (inclusive) to {@link #capacity()} (exclusive), to one key. The mapping is a bijection,
 * so different ordinals have different keys.
 * <p>
 * Key spaces are immutable and thread-safe. Keys are never negative.
 *
 * @since 0.1.0
 */
public interface KeySpace {

	/**
	 * Return the number of keys. The setting {@link #boundParameter()}, if there is one,
	 * limits this number.
	 * @return the number of keys and of ordinals, at least 1
	 */
	long capacity();

	/**
	 * Return the definition of the mapping and, unless it is the default, of the text
	 * form. Key spaces with the same definition may differ in capacity, but map every
	 * ordinal that they have in common to the same key.
	 * @return the canonical definition: one line of at most 500 ASCII characters
	 */
	String definition();

	/**
	 * Return the strategy and its main settings in a readable form.
	 * @return a few words
	 */
	String summary();

	/**
	 * Return the name of the setting that raises the capacity, for messages.
	 * @return the name of the setting, or {@code null} if the capacity is fixed
	 */
	default @Nullable String boundParameter() {
		return null;
	}

	/**
	 * Return the ordinal that users see for the first key: 1 for
	 * {@link KeySpaceSettings#parkMiller()}, where it is the seed, and 0 for all other
	 * key spaces.
	 * @return the number to add to an ordinal before it is shown to users
	 */
	default long firstOrdinal() {
		return 0;
	}

	/**
	 * Return the key of an ordinal.
	 * @param ordinal the ordinal, from 0 (inclusive) to the capacity (exclusive)
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
	 * Compute the keys of consecutive ordinals. This is much cheaper per key than calling
	 * {@link #key(long)}.
	 * @param ordinal the first ordinal
	 * @param into the array that receives the keys
	 * @param offset the index of the first key in the array
	 * @param count the number of keys
	 * @throws IllegalArgumentException if an ordinal is out of range
	 */
	default void keys(long ordinal, long[] into, int offset, int count) {
		InvalidSettingException.requireGiven(KeySpace.class, "into", into);
		if (ordinal < 0 || count < 0 || count > capacity() - ordinal) {
			throw new IllegalArgumentException(count + " ordinals from " + ordinal
					+ " are not all in this key space: its ordinals are from 0 to " + (capacity() - 1));
		}
		Objects.checkFromIndexSize(offset, count, into.length);
		int filled = 0;
		while (filled < count) {
			long next = ordinal + filled;
			int share = (int) Math.min(count - filled, rangeEnd(next) - next);
			fill(arithmeticRun(next), key(next), into, offset + filled, share);
			filled += share;
		}
	}

	private static void fill(@Nullable ArithmeticRun run, long first, long[] into, int offset, int count) {
		if (run != null) {
			run.fill(first, into, offset, count);
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
	 * Return the end of the range that contains an ordinal. A range consists of
	 * consecutive ordinals whose keys are computed in the same way, such as the keys of
	 * one length. A reservation that crosses the end of a range is split into several
	 * blocks, each within one range.
	 * @param ordinal the ordinal, from 0 (inclusive) to the capacity (exclusive)
	 * @return the first ordinal after the range, at most the capacity
	 */
	long rangeEnd(long ordinal);

	/**
	 * Return the steps between the keys of the range that contains an ordinal, if keys
	 * may be issued in any order. Threads may then take several ordinals in advance.
	 * @param ordinal the ordinal, from 0 (inclusive) to the capacity (exclusive)
	 * @return the steps, valid up to {@link #rangeEnd}, or {@code null} if keys are
	 * consecutive and must be issued in order
	 */
	default @Nullable ArithmeticRun arithmeticRun(long ordinal) {
		return null;
	}

	/**
	 * Convert a key to its text form.
	 * @param key the numeric form of a key
	 * @return the text form
	 * @throws IllegalArgumentException if the number is not a key of this key space
	 */
	String format(long key);

	/**
	 * Convert the text form of a key to its numeric form.
	 * @param text the text form
	 * @return the numeric form
	 * @throws IllegalArgumentException if the text is not the text form of a key of this
	 * key space; the message says why
	 */
	long parse(String text);

	/**
	 * Return the text form of the keys. The form also converts numbers that are not keys.
	 * @return the form that {@link #format} and {@link #parse} use
	 */
	TextForm text();

	/**
	 * Return a copy of this key space with another text form.
	 * @param text the settings of the text form
	 * @param name the name of the key space, on which encryption with a secret depends
	 * @return a key space with the same keys and the given text form
	 * @throws IllegalArgumentException if these keys cannot have this text form; the
	 * message says why
	 */
	KeySpace withText(TextSettings text, String name);

	/**
	 * The steps between the keys of a range of ordinals. Each key is the previous key
	 * plus the step, minus the modulus if the sum reaches the upper bound of the keys.
	 * The next key therefore costs only one addition or subtraction.
	 *
	 * @param base the lower bound of the keys, inclusive
	 * @param step the distance from one key to the next, from 0 (inclusive) to the
	 * modulus (exclusive)
	 * @param modulus the exclusive upper bound of the keys, minus the base; at most
	 * 2<sup>62</sup>, so that the sum of two smaller numbers fits in a {@code long}
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
						"Invalid steps between keys: base " + base + ", step " + step + ", modulus " + modulus);
			}
		}

		/**
		 * Write consecutive keys to an array.
		 * @param first the first key
		 * @param into the array that receives the keys
		 * @param offset the index of the first key in the array
		 * @param count the number of keys
		 */
		void fill(long first, long[] into, int offset, int count) {
			// the CPU can compute the difference and the sum in parallel. A subtraction
			// of the modulus from the sum would have to wait for the sum
			long back = this.modulus - this.step;
			long threshold = this.base + back;
			long key = first;
			for (int i = offset; i < offset + count; i++) {
				into[i] = key;
				key = (key >= threshold) ? key - back : key + this.step;
			}
		}

	}

}
