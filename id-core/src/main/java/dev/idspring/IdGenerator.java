package dev.idspring;

import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Hands out ids that never repeat across threads, instances and restarts, even if the
 * caller's transaction is rolled back.
 * <p>
 * The strategy {@code gapless} is the only exception: its numbers belong to the caller's
 * transaction. After a rollback, {@code gapless} issues the same number again. The
 * repetition is safe, because no committed row contains the number. The other strategies
 * never use the connection or the transaction of the caller.
 * <p>
 * Every id has a <em>numeric</em> form for a {@code BIGINT} column, and a <em>text</em>
 * form for a URL or a character column. {@link #format(long)} and {@link #parse(String)}
 * convert between these forms. {@link #toUuid(long)} and {@link #fromUuid(UUID)} convert
 * between the numeric form and UUIDs. A conversion consumes no id.
 * <p>
 * Handing out several ids in one call costs much less per id than handing out single ids.
 * If such a call fails, it hands out none.
 * <p>
 * Every method that hands out ids may throw the exceptions of {@link #nextLong()}.
 * Platform threads and virtual threads may share a generator.
 *
 * @since 0.1.0
 * @see IdGenerators
 */
public interface IdGenerator {

	/**
	 * Return the name of this generator.
	 * @return {@code default}, or the name under {@code ids.generators}
	 */
	String name();

	/**
	 * Hand out the next id in its numeric form.
	 * @return an id that was never handed out before
	 * @throws IdStoreUnavailableException if no id is left in memory and the store does
	 * not supply more in time, or if the thread is interrupted while it waits; its
	 * interrupt flag is then set again
	 * @throws KeySpaceExhaustedException if too few ids are left in the key space
	 * @throws KeySpaceRegressionException if the store returned to an earlier state
	 * @throws NodeUnavailableException if a time-based strategy has no node
	 * @throws ClockException if a time-based strategy cannot use the clock of this
	 * machine, or if all callers together request ids faster than the layout allows
	 * @throws IdGenerationException if {@code gapless} is called without a transaction,
	 * or in a read-only transaction
	 * @throws KeySpaceMismatchException if the script that the command {@code leave}
	 * prints has closed the key space, or its stored settings were changed, while the
	 * application was running
	 * @throws IllegalStateException if the generator is closed, or if a
	 * {@link CompositePrefix} returned a prefix that is out of range
	 * @throws RuntimeException if {@code gapless} draws in a transaction that conflicts
	 * with another one; a store in a database throws Spring's
	 * {@code ConcurrencyFailureException}
	 */
	long nextLong();

	/**
	 * Hand out the next id in its text form.
	 * @return an id that was never handed out before
	 */
	default String nextString() {
		return format(nextLong());
	}

	/**
	 * Hand out several ids in their numeric form.
	 * @param count how many ids to hand out, zero or more
	 * @return the new ids
	 * @throws IllegalArgumentException if the count is negative, or greater than a
	 * time-based strategy can hand out in one call
	 */
	default long[] nextLongs(int count) {
		if (count < 0) {
			throw new IllegalArgumentException("'count' must not be negative but is " + count);
		}
		long[] ids = new long[count];
		nextLongs(ids);
		return ids;
	}

	/**
	 * Fill an array with new ids in their numeric form.
	 * @param into the array to fill, which is unchanged if the call fails
	 * @throws IllegalArgumentException if the array is {@code null}, or longer than a
	 * time-based strategy can fill in one call
	 */
	void nextLongs(long[] into);

	/**
	 * Hand out the next id as a UUID.
	 * @return a UUID that was never handed out before
	 */
	default UUID nextUuid() {
		return toUuid(nextLong());
	}

	/**
	 * Hand out several ids in their text form.
	 * @param count how many ids to hand out, zero or more
	 * @return the new ids, as an unmodifiable list
	 * @throws IllegalArgumentException if the count is negative, or greater than a
	 * time-based strategy can hand out in one call
	 */
	default List<String> nextStrings(int count) {
		return LongStream.of(nextLongs(count)).mapToObj(this::format).toList();
	}

	/**
	 * Convert the numeric form of an id to its text form.
	 * @param id any id of the key space, whether or not it was handed out
	 * @return the text form, for which {@code parse(format(id)) == id}
	 * @throws IllegalArgumentException if the number lies outside the key space
	 */
	String format(long id);

	/**
	 * Convert the text form of an id to its numeric form.
	 * @param text the text form of any id of the key space, whether or not it was handed
	 * out
	 * @return the numeric form
	 * @throws IllegalArgumentException if the text is not the text form of an id of the
	 * key space; the message says why
	 */
	long parse(String text);

	/**
	 * Convert the numeric form of an id to a UUID. Ids of time-based strategies without a
	 * secret become UUIDs of version 7, which sort by time. All other ids become UUIDs of
	 * version 8.
	 * @param id any id of the key space, whether or not it was handed out
	 * @return the UUID, for which {@code fromUuid(toUuid(id)) == id}; the UUID depends on
	 * {@code ids.uuid.identity}
	 * @throws IllegalArgumentException if the number lies outside the key space, or if
	 * the id has a time before the year 1970 or after the year 10889
	 */
	UUID toUuid(long id);

	/**
	 * Convert the UUID of an id to its numeric form.
	 * @param uuid the UUID of any id of the key space, whether or not it was handed out
	 * @return the numeric form
	 * @throws IllegalArgumentException if the UUID does not belong to an id of the key
	 * space; the message says why
	 */
	long fromUuid(UUID uuid);

	/**
	 * Describe an id. This method may query the store to find out whether the id is
	 * reserved.
	 * @param id the numeric form of any id of the key space
	 * @return the description
	 * @throws IllegalArgumentException if the number lies outside the key space
	 * @throws IdStoreUnavailableException if the store was queried and did not answer in
	 * time
	 */
	IdDescription describe(long id);

}
