package dev.idspring;

import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Hands out ids that never repeat: not across threads, instances or restarts, nor after a
 * roll-back of the caller's transaction. The exception is the strategy {@code gapless},
 * whose numbers belong to the caller's transaction: a number is issued again after a
 * roll-back, as no committed row has it.
 * <p>
 * Every id has two forms. The <em>numeric</em> form is what a {@code BIGINT} column
 * takes; the <em>text</em> form is what a URL or a character column takes. Both name the
 * same id: {@link #format(long)} and {@link #parse(String)} lead from one to the other
 * and consume nothing. So do {@link #toUuid(long)} and {@link #fromUuid(UUID)} where a
 * UUID is wanted.
 * <ul>
 * <li><strong>One at a time</strong>: {@link #nextLong()}, {@link #nextString()}</li>
 * <li><strong>Bulk</strong>: {@link #nextLongs(int)}, {@link #nextLongs(long[])},
 * {@link #nextStrings(int)}. Much cheaper per id, same guarantees, all or nothing: a call
 * that fails has consumed no id</li>
 * <li><strong>Reading</strong>: {@link #format(long)}, {@link #parse(String)},
 * {@link #describe(long)}</li>
 * </ul>
 * Generators are thread-safe, from platform and virtual threads alike. But for
 * {@code gapless} they never use the connection or the transaction of the caller.
 * <p>
 * All methods that hand out ids throw {@link IdStoreUnavailableException} when no id is
 * left in memory and the store did not supply more in time, or when the waiting thread is
 * interrupted (its interrupt flag is then set); {@link KeySpaceExhaustedException} when
 * the key space is used up; {@link KeySpaceRegressionException} when the store went
 * backwards; and {@link IllegalStateException} once the generator is closed. Time
 * strategies throw {@link NodeUnavailableException} while they have no node, and
 * {@link ClockException} while the clock is wrong or when callers together want more ids
 * than the layout can make in time; a single call for more than that is an
 * {@link IllegalArgumentException}. {@code gapless} throws {@link IdGenerationException}
 * where there is no transaction, or a read-only one.
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
	 * @return as many new ids
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
	 * @param into the array to fill; left as it was if the call fails
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
	 * @return as many new ids, unmodifiable
	 * @throws IllegalArgumentException if the count is negative
	 */
	default List<String> nextStrings(int count) {
		return LongStream.of(nextLongs(count)).mapToObj(this::format).toList();
	}

	/**
	 * Turn the numeric form of an id into its text form.
	 * @param id any id of the key space, handed out already or not
	 * @return the text form, for which {@code parse(format(id)) == id}
	 * @throws IllegalArgumentException if the number lies outside the key space
	 */
	String format(long id);

	/**
	 * Turn the text form of an id into its numeric form.
	 * @param text the text form of any id of the key space, handed out already or not
	 * @return the numeric form
	 * @throws IllegalArgumentException if the text is not the text form of an id of the
	 * key space; the message says why
	 */
	long parse(String text);

	/**
	 * Turn the numeric form of an id into a UUID: of version 7, which sorts by time, for
	 * ids of time without a secret, else of version 8.
	 * @param id any id of the key space, handed out already or not
	 * @return the UUID, for which {@code fromUuid(toUuid(id)) == id}, and which differs
	 * from those of generators with another identity
	 * @throws IllegalArgumentException if the number lies outside the key space, or has a
	 * time before 1970
	 */
	UUID toUuid(long id);

	/**
	 * Turn the UUID of an id into its numeric form.
	 * @param uuid the UUID of any id of the key space, handed out already or not
	 * @return the numeric form
	 * @throws IllegalArgumentException if the UUID is not that of an id of the key space;
	 * the message says why
	 */
	long fromUuid(UUID uuid);

	/**
	 * Tell what an id says about itself. Never consumes an id, but may ask the store how
	 * far the key space has been reserved.
	 * @param id the numeric form of any id of the key space
	 * @return what the id tells
	 * @throws IllegalArgumentException if the number lies outside the key space
	 * @throws IdStoreUnavailableException if the store had to be asked and did not answer
	 * in time
	 */
	IdDescription describe(long id);

}
