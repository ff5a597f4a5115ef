package dev.idspring.text;

import java.util.UUID;

/**
 * Converts numbers to UUIDs and back. The last bits of each UUID are a tag. The tag is
 * computed from the number and from an identity, which by default is the name of the key
 * space. {@link #fromUuid} verifies the tag, so it accepts only UUIDs that
 * {@link #toUuid} returns.
 *
 * @since 0.1.0
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562: UUIDs</a>
 */
public interface UuidForm {

	/**
	 * Convert a number to a UUID.
	 * @param number a number in the range of this form
	 * @return the UUID
	 * @throws IllegalArgumentException if no UUID of this form represents the number; the
	 * message says why
	 */
	UUID toUuid(long number);

	/**
	 * Convert a UUID to its number. The caller must check whether the number is an id.
	 * @param uuid a UUID
	 * @return the number
	 * @throws IllegalArgumentException if there is no number for which {@link #toUuid}
	 * returns this UUID; the message says why
	 */
	long fromUuid(UUID uuid);

	/**
	 * Splits numbers into a time and the remaining bits, which are called the rest.
	 *
	 * @since 0.1.0
	 */
	interface TimedNumbers {

		/**
		 * Return the time of a number.
		 * @param number one of the numbers
		 * @return the time in milliseconds since 1970
		 */
		long unixMillis(long number);

		/**
		 * Return the rest of a number.
		 * @param number one of the numbers
		 * @return the bits that distinguish this number from others of the same time. If
		 * two numbers have the same time, node and prefix, their rests sort in the same
		 * order as the numbers
		 */
		long rest(long number);

		/**
		 * Return the size of the rest.
		 * @return the number of bits, at most 62
		 */
		int restBits();

		/**
		 * Compose a number from its time and its rest.
		 * @param unixMillis the time in milliseconds since 1970
		 * @param rest the rest, a value of {@link #restBits()} bits
		 * @return the number with this time and rest. If there is no such number, a
		 * number with another time or rest is returned
		 */
		long number(long unixMillis, long rest);

	}

}
