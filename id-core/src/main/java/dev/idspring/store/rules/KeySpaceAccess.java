package dev.idspring.store.rules;

import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a store on one key space in one attempt. Reads may be outdated,
 * because each write names the values that it depends on. The store checks them and
 * writes in one atomic step.
 *
 * @param <X> the exception of a failed read or write
 * @since 0.1.0
 */
public interface KeySpaceAccess<X extends Exception> extends FenceAccess<X> {

	/**
	 * Read the key space.
	 * @return the state, or empty if it does not exist
	 * @throws X if it cannot be read
	 */
	Optional<KeySpaceView> view() throws X;

	/**
	 * Reserve ordinals, on condition that the definition is the one given, that all of
	 * them lie below the bound and, with a fence, that the server has passed it and its
	 * line allows them.
	 * @param definition the definition
	 * @param server the server that is known to have passed the fence
	 * @param token the token that identifies the reservation
	 * @param count how many
	 * @param bound the end of the ordinals
	 * @return the reservation, or empty if a condition does not hold
	 * @throws X if the outcome is unknown
	 */
	Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws X;

	/**
	 * Reserve from another source than the counter, if the counter is not in use yet.
	 * @param view the state that was read
	 * @param token the token that identifies the reservation
	 * @param count how many
	 * @param bound the end of the ordinals
	 * @param affordable how many the fence allows
	 * @return the reservation, or empty if the counter is in use
	 * @throws X if the outcome is unknown
	 */
	default Optional<Reserved> reserveFromBridge(KeySpaceView view, String token, long count, long bound,
			long affordable) throws X {
		return Optional.empty();
	}

	/**
	 * Give a range back, on condition that nothing has changed since it was reserved, on
	 * the same server.
	 * @param definition the definition
	 * @param reserved the last reservation
	 * @param range the end of the reservation
	 * @return whether it was given back
	 * @throws X if the outcome is unknown
	 */
	boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws X;

	/**
	 * Make the counter usable on this server.
	 * @param view the state that was read
	 * @param line the line to store
	 * @return whether counter and writer were unchanged
	 * @throws X if the outcome is unknown
	 */
	default boolean takeOver(KeySpaceView view, FenceLine line) throws X {
		return false;
	}

	/**
	 * Replace the definition, on condition that it is the known one, that no more
	 * ordinals are reserved, and that the server has passed the fence.
	 * @param known the known definition
	 * @param replacement the new one
	 * @param most how many ordinals may be reserved
	 * @param server the server that has passed the fence, {@code null} for any
	 * @throws X if the outcome is unknown
	 */
	void redefine(String known, String replacement, long most, @Nullable String server) throws X;

	/**
	 * Raise the capacity. Never lowers it.
	 * @param capacity the new capacity
	 * @throws X if the outcome is unknown
	 */
	void raiseCapacity(long capacity) throws X;

	/**
	 * Advance the counter on any server.
	 * @param end its least position afterwards
	 * @throws X if the outcome is unknown
	 */
	void skip(long end) throws X;

	/**
	 * Count ids on any server.
	 * @param count how many
	 * @return whether there is room for so many
	 * @throws X if the outcome is unknown
	 */
	boolean count(long count) throws X;

	/**
	 * A reservation.
	 *
	 * @param range the range, joined with contiguous reservations before it
	 * @param token the token that identifies it in the store
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
