package dev.idspring.keyspace;

import java.util.Objects;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * A finite set of keys in a fixed order. A key space maps each ordinal, a number from 0
 * (inclusive) to {@link #capacity()} (exclusive), to one key. The mapping is a bijection,
 * so no key is issued twice if no ordinal is issued twice.
 * <p>
 * Key spaces are immutable and thread-safe. Keys are never negative.
 *
 * @since 0.1.0
 */
public interface KeySpace {

	/**
	 * Return the number of keys up to the upper bound, which is a setting of this key
	 * space.
	 * @return the number of keys and of ordinals, at least 1
	 */
	long capacity();

	/**
	 * Return the definition of the mapping in one line, without the upper bound. Two key
	 * spaces with the same definition map the same ordinals to the same keys.
	 * @return the canonical definition: ASCII, at most 500 characters
	 */
	String definition();

	/**
	 * Return the strategy and its main settings in a readable form.
	 * @return a few words
	 */
	String summary();

	/**
	 * Return the name of the setting that raises the upper bound, for messages.
	 * @return the name of the setting, or {@code null} if the bound is fixed
	 */
	default @Nullable String boundParameter() {
		return null;
	}

	/**
	 * Return the number that a published scheme gives to its first key: 1 for
	 * {@link KeySpaceSettings#parkMiller()}, and 0 for all other key spaces.
	 * @return the number to add to an ordinal to get the number in the published scheme
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
					+ " do not lie in this key space: its ordinals are from 0 to " + (capacity() - 1));
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
	 * one length. A reservation may cross the end of a range, but is then split into
	 * several blocks, each within one range.
	 * @param ordinal the ordinal, from 0 (inclusive) to the capacity (exclusive)
	 * @return the first ordinal after the range, at most the capacity
	 */
	long rangeEnd(long ordinal);

	/**
	 * If keys may be issued in any order, return the steps between the keys of the range
	 * that contains an ordinal. Each thread may then take several ordinals at a time.
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
	 * Return this key space with another text form.
	 * @param text the settings of the text form
	 * @param name the name of the key space; if a secret permutes the texts, the
	 * permutation depends on this name
	 * @return a key space of the same keys, whose definition includes the text form
	 * @throws IllegalArgumentException if these keys cannot have this text form; the
	 * message says why
	 */
	KeySpace withText(TextSettings text, String name);

	/**
	 * The steps between the keys of a range of ordinals. Each key is the previous key
	 * plus the step, less the modulus if the sum reaches the upper bound of the keys. So
	 * a key costs one addition.
	 *
	 * @param base the lower bound of the keys, inclusive
	 * @param step the distance from one key to the next, from 0 (inclusive) to the
	 * modulus (exclusive)
	 * @param modulus the upper bound of the keys, exclusive, less the base; at most
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
