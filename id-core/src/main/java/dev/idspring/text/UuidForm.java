package dev.idspring.text;

import java.util.UUID;

/**
 * The conversion of numbers to UUIDs and back. Reading accepts only UUIDs of a number:
 * the last bits are a tag that depends on the number and on an identity.
 *
 * @since 0.1.0
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562: UUIDs</a>
 */
public interface UuidForm {

	/**
	 * Convert a number to a UUID.
	 * @param number a number that has this form
	 * @return the UUID
	 * @throws IllegalArgumentException if a UUID cannot hold the number; the message says
	 * why
	 */
	UUID toUuid(long number);

	/**
	 * Convert a UUID to a number. The caller decides whether it is an id.
	 * @param uuid a UUID
	 * @return the number
	 * @throws IllegalArgumentException if {@link #toUuid} returns this UUID for no
	 * number; the message says why
	 */
	long fromUuid(UUID uuid);

	/**
	 * Numbers that consist of a time and a rest.
	 *
	 * @since 0.1.0
	 */
	interface TimedNumbers {

		/**
		 * Return the time of a number.
		 * @param number one of the numbers
		 * @return milliseconds since 1970
		 */
		long unixMillis(long number);

		/**
		 * Return the rest of a number.
		 * @param number one of the numbers
		 * @return the part that distinguishes it from others of the same time, and that
		 * sorts like the numbers of one node
		 */
		long rest(long number);

		/**
		 * Return the number of bits of the rest.
		 * @return the number of bits, at most 62
		 */
		int restBits();

		/**
		 * Return the number of a time and a rest.
		 * @param unixMillis milliseconds since 1970
		 * @param rest a number of as many bits as the rest has
		 * @return one of the numbers; its time and rest differ if no number has these
		 */
		long number(long unixMillis, long rest);

	}

}
