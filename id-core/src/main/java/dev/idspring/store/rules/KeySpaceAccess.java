package dev.idspring.store.rules;

import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * What a store does with one key space in one attempt. Reads may return what has changed
 * since, as each write names what it rests on. The store itself checks that and writes in
 * one step.
 *
 * @param <X> how a read or a write fails
 * @since 0.1.0
 */
public interface KeySpaceAccess<X extends Exception> extends FenceAccess<X> {

	/**
	 * Read the key space.
	 * @return what was read, or empty if it does not exist
	 * @throws X if it cannot be read
	 */
	Optional<KeySpaceView> view() throws X;

	/**
	 * Reserve ordinals, on condition that the definition is the one given, that all of
	 * them lie below the bound and, with a fence, that the server has passed it and its
	 * line allows them.
	 * @param definition the definition
	 * @param server the server that has passed, as far as is known
	 * @param token what to remember the reservation by
	 * @param count how many
	 * @param bound the end of the ordinals
	 * @return what was reserved, or empty if a condition does not hold
	 * @throws X if it is not known
	 */
	Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws X;

	/**
	 * Reserve what the counter does not give, because it is not in use yet.
	 * @param view what was read
	 * @param token what to remember the reservation by
	 * @param count how many
	 * @param bound the end of the ordinals
	 * @param affordable how many the fence allows
	 * @return what was reserved, or empty if the counter is in use
	 * @throws X if it is not known
	 */
	default Optional<Reserved> reserveElsewhere(KeySpaceView view, String token, long count, long bound,
			long affordable) throws X {
		return Optional.empty();
	}

	/**
	 * Give a range back, on condition that nothing has changed since it was reserved, on
	 * the same server.
	 * @param definition the definition
	 * @param reserved the last reservation
	 * @param range the end of what was reserved
	 * @return whether it was given back
	 * @throws X if it is not known
	 */
	boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws X;

	/**
	 * Let the counter be used on this server.
	 * @param view what was read
	 * @param line what to store
	 * @return whether counter and writer were as they were read
	 * @throws X if it is not known
	 */
	default boolean takeOver(KeySpaceView view, FenceLine line) throws X {
		return false;
	}

	/**
	 * Replace the definition, on condition that it is the one that is known, that no more
	 * ordinals are reserved, and that the server has passed the fence.
	 * @param known the definition that is known
	 * @param replacement the new one
	 * @param most how many ordinals may be reserved
	 * @param server the server that has passed, {@code null} if it does not matter
	 * @throws X if it is not known
	 */
	void redefine(String known, String replacement, long most, @Nullable String server) throws X;

	/**
	 * Raise the capacity. Never lowers it.
	 * @param capacity the new capacity
	 * @throws X if it is not known
	 */
	void raiseCapacity(long capacity) throws X;

	/**
	 * Advance the counter, whatever the server.
	 * @param end where it is to be at least
	 * @throws X if it is not known
	 */
	void skip(long end) throws X;

	/**
	 * Count ids, whatever the server.
	 * @param count how many
	 * @return whether there is room for so many
	 * @throws X if it is not known
	 */
	boolean count(long count) throws X;

	/**
	 * A reservation.
	 *
	 * @param range the range, and what was reserved before it without a gap
	 * @param token what the store remembers it by
	 * @param server the server that it was reserved on, or {@code null}
	 * @since 0.1.0
	 */
	record Reserved(OrdinalRange range, String token, @Nullable String server) {

		/**
		 * Return the later of two reservations: another thread may have been faster.
		 */
		static Reserved later(@Nullable Reserved before, Reserved next) {
			return (before != null && before.range.end() > next.range.end()) ? before
					: new Reserved(next.range.after((before != null) ? before.range : null), next.token, next.server);
		}

	}

}
