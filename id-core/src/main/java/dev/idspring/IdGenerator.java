package dev.idspring;

import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Hands out ids that never repeat across threads, instances and restarts, or after a
 * roll-back of the caller's transaction. The exception is the strategy {@code gapless},
 * whose numbers belong to the caller's transaction: a number is issued again after a
 * roll-back, because no committed row has it.
 * <p>
 * Every id has two forms. The <em>numeric</em> form is for a {@code BIGINT} column; the
 * <em>text</em> form is for a URL or a character column. Both name the same id.
 * {@link #format(long)} and {@link #parse(String)} convert between them and consume no
 * id. {@link #toUuid(long)} and {@link #fromUuid(UUID)} do the same for UUIDs.
 * <ul>
 * <li><strong>One at a time</strong>: {@link #nextLong()}, {@link #nextString()}</li>
 * <li><strong>Bulk</strong>: {@link #nextLongs(int)}, {@link #nextLongs(long[])},
 * {@link #nextStrings(int)}. Much cheaper per id, same guarantees, all or nothing: a call
 * that fails consumes no id</li>
 * <li><strong>Reading</strong>: {@link #format(long)}, {@link #parse(String)},
 * {@link #describe(long)}</li>
 * </ul>
 * Generators are thread-safe, for platform and virtual threads alike. Except for
 * {@code gapless}, they never use the connection or the transaction of the caller.
 * <p>
 * All methods that hand out ids throw {@link IdStoreUnavailableException} when no id is
 * left in memory and the store did not supply more in time, or when the waiting thread is
 * interrupted (its interrupt flag is then set); {@link KeySpaceExhaustedException} when
 * the key space is used up; {@link KeySpaceRegressionException} when the store returned
 * to an earlier state; and {@link IllegalStateException} once the generator is closed.
 * Time strategies throw {@link NodeUnavailableException} while they have no node, and
 * {@link ClockException} while the clock is wrong or when callers together request more
 * ids than the layout can make in time. A single call for more than that throws
 * {@link IllegalArgumentException}. {@code gapless} throws {@link IdGenerationException}
 * if there is no transaction, or a read-only one.
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
	 * Hand out several ids in their numeric form, all or none.
	 * @param count how many, zero or more
	 * @return that many new ids
	 * @throws IllegalArgumentException if the count is negative
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
	 * Fill an array with new ids in their numeric form, all or none.
	 * @param into the array to fill; unchanged if the call fails
	 * @throws IllegalArgumentException if it is {@code null}
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
	 * Hand out several ids in their text form, all or none.
	 * @param count how many, zero or more
	 * @return that many new ids, unmodifiable
	 * @throws IllegalArgumentException if the count is negative
	 */
	default List<String> nextStrings(int count) {
		return LongStream.of(nextLongs(count)).mapToObj(this::format).toList();
	}

	/**
	 * Convert the numeric form of an id to its text form.
	 * @param id any id of the key space, handed out already or not
	 * @return the text form, for which {@code parse(format(id)) == id}
	 * @throws IllegalArgumentException if the number lies outside the key space
	 */
	String format(long id);

	/**
	 * Convert the text form of an id to its numeric form.
	 * @param text the text form of any id of the key space, handed out already or not
	 * @return the numeric form
	 * @throws IllegalArgumentException if the text is not the text form of an id of the
	 * key space; the message says why
	 */
	long parse(String text);

	/**
	 * Convert the numeric form of an id to a UUID. Ids of time strategies without a
	 * secret get version 7, which sorts by time. All others get version 8.
	 * @param id any id of the key space, handed out already or not
	 * @return the UUID, for which {@code fromUuid(toUuid(id)) == id}, and which differs
	 * from those of generators with another identity
	 * @throws IllegalArgumentException if the number lies outside the key space, or has a
	 * time before 1970
	 */
	UUID toUuid(long id);

	/**
	 * Convert the UUID of an id to its numeric form.
	 * @param uuid the UUID of any id of the key space, handed out already or not
	 * @return the numeric form
	 * @throws IllegalArgumentException if the UUID is not that of an id of the key space;
	 * the message says why
	 */
	long fromUuid(UUID uuid);

	/**
	 * Describe an id. Never consumes an id, but may query the store for the highest
	 * reservation of the key space.
	 * @param id the numeric form of any id of the key space
	 * @return the description
	 * @throws IllegalArgumentException if the number lies outside the key space
	 * @throws IdStoreUnavailableException if the store was queried and did not answer in
	 * time
	 */
	IdDescription describe(long id);

}
