package dev.idspring.text;

import java.util.UUID;

/**
 * How numbers become UUIDs, and back. Only UUIDs that were made of a number are read: the
 * last bits are a tag that depends on the number and on an identity.
 *
 * @since 0.1.0
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562: UUIDs</a>
 */
public interface UuidForm {

	/**
	 * Turn a number into a UUID.
	 * @param number a number that has this form
	 * @return the UUID
	 * @throws IllegalArgumentException if a UUID cannot hold the number; the message says
	 * why
	 */
	UUID toUuid(long number);

	/**
	 * Turn a UUID into a number. Whether it is an id is for the caller to say.
	 * @param uuid a UUID
	 * @return the number
	 * @throws IllegalArgumentException if {@link #toUuid} does not make this UUID of any
	 * number; the message says why
	 */
	long fromUuid(UUID uuid);

	/**
	 * Numbers that are made of a time and a rest.
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
		 * Return what else there is in a number.
		 * @param number one of the numbers
		 * @return what tells it from others of the same time, and sorts like those of one
		 * node
		 */
		long rest(long number);

		/**
		 * Return how many bits the rest has.
		 * @return the number of bits, at most 62
		 */
		int restBits();

		/**
		 * Return the number of a time and a rest.
		 * @param unixMillis milliseconds since 1970
		 * @param rest a number of as many bits as the rest has
		 * @return one of the numbers, of another time and rest if there is none of these
		 */
		long number(long unixMillis, long rest);

	}

}
