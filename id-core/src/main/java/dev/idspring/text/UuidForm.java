package dev.idspring.text;

import java.util.UUID;

/**
 * Converts numbers to UUIDs and back. The last bits of a UUID are a tag that depends on
 * the number and on the identity of its key space. {@link #fromUuid} verifies the tag, so
 * it accepts only UUIDs that {@link #toUuid} returns.
 *
 * @since 0.1.0
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562: UUIDs</a>
 */
public interface UuidForm {

	/**
	 * Convert a number to a UUID.
	 * @param number a number in the range of this form
	 * @return the UUID
	 * @throws IllegalArgumentException if a UUID cannot hold the number; the message says
	 * why
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
	 * Describes numbers that consist of a time and other bits. The other bits are called
	 * the rest.
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
		 * @return the bits that distinguish this number from others of the same time. For
		 * numbers of the same time, node and prefix, these bits sort in the same order as
		 * the numbers
		 */
		long rest(long number);

		/**
		 * Return the size of the rest.
		 * @return the number of bits, at most 62
		 */
		int restBits();

		/**
		 * Return the number that consists of a given time and rest.
		 * @param unixMillis the time in milliseconds since 1970
		 * @param rest the rest, a value of {@link #restBits()} bits
		 * @return the number. If no number has this time and rest, the result has another
		 * time or another rest
		 */
		long number(long unixMillis, long rest);

	}

}
