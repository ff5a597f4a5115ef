package dev.idspring.store.rules;

import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one key space that a store performs in one attempt. A key space has a
 * definition (the settings that determine the order of its ids) and a counter (the number
 * of reserved ordinals). A write that depends on a read specifies the values that it
 * expects. The store compares them with the stored values and writes in one atomic step,
 * so an outdated read is harmless.
 * <p>
 * In a store that can fail over to another server, a fence prevents the new server from
 * repeating reservations. The fence consists of the server that last wrote the key space,
 * and a {@link FenceLine}. A new server must take over the key space before it reserves
 * ordinals.
 *
 * @param <X> the exception of a failed read or write
 * @since 0.1.0
 */
public interface KeySpaceAccess<X extends Exception> extends FenceAccess<X> {

	/**
	 * Read the key space.
	 * @return the state, or empty if the key space does not exist
	 * @throws X if the key space cannot be read
	 */
	Optional<KeySpaceView> view() throws X;

	/**
	 * Reserve ordinals if these conditions hold:
	 * <ul>
	 * <li>The definition is the given one.</li>
	 * <li>All ordinals are below the bound.</li>
	 * <li>With a fence, the current server is the given one, and was the last to write
	 * the key space.</li>
	 * <li>With a fence, the line allows the reservation.</li>
	 * </ul>
	 * @param definition the definition that this instance knows
	 * @param server the server on which the key space is known to need no take-over
	 * @param token the new token of the reservation
	 * @param count how many ordinals
	 * @param bound the end of the ordinals that may be reserved, exclusive
	 * @return the reservation, or empty if a condition does not hold
	 * @throws X if the outcome is unknown
	 */
	Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws X;

	/**
	 * Reserve ordinals from a bridge: a sequence or counter in the database, from which
	 * old instances, which do not use this library, still draw keys. The default
	 * implementation is for stores without bridges.
	 * @param view the state that was read
	 * @param token the new token of the reservation
	 * @param count how many ordinals
	 * @param bound the end of the ordinals that may be reserved, exclusive
	 * @param affordable how many ordinals the line of the fence allows
	 * @return the reservation, or empty if the key space has no bridge or has changed
	 * since it was read
	 * @throws X if the outcome is unknown
	 */
	default Optional<Reserved> reserveFromBridge(KeySpaceView view, String token, long count, long bound,
			long affordable) throws X {
		return Optional.empty();
	}

	/**
	 * Give back a range if the counter has not changed since the reservation, and if the
	 * current server is the one that made the reservation.
	 * @param definition the definition that this instance knows
	 * @param reserved the last reservation of this instance
	 * @param range the ordinals at the end of the reservation
	 * @return whether the range was given back
	 * @throws X if the outcome is unknown
	 */
	boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws X;

	/**
	 * Take over the key space: store the line, and the current server as the one that
	 * last wrote the key space. The default implementation is for stores without a fence.
	 * @param view the state that was read
	 * @param line the line to store
	 * @return {@code true} if the line was stored, {@code false} if the counter or the
	 * last writer has changed since the read
	 * @throws X if the outcome is unknown
	 */
	default boolean takeOver(KeySpaceView view, FenceLine line) throws X {
		return false;
	}

	/**
	 * Replace the definition if the stored definition is the known one, at most
	 * {@code most} ordinals are reserved, and the given server, if any, is the current
	 * one. If there is a limit, do not replace the definition after a fail-over until the
	 * key space has been taken over. Before that, its counter may lack reservations.
	 * @param known the known definition
	 * @param replacement the new definition
	 * @param most the maximum number of ordinals that may be reserved already, or
	 * {@link Long#MAX_VALUE} for no limit
	 * @param server the server on which the key space is known to need no take-over, or
	 * {@code null} if there is no fence or no such server is known
	 * @throws X if the outcome is unknown
	 */
	void redefine(String known, String replacement, long most, @Nullable String server) throws X;

	/**
	 * Raise the capacity. A capacity lower than the stored one has no effect.
	 * @param capacity the new capacity
	 * @throws X if the outcome is unknown
	 */
	void raiseCapacity(long capacity) throws X;

	/**
	 * Advance the counter to at least a given position, regardless of the fence.
	 * @param end the position
	 * @throws X if the outcome is unknown
	 */
	void skip(long end) throws X;

	/**
	 * Add to a counter that only counts ids and issues no ordinals, regardless of the
	 * fence.
	 * @param count how many ids
	 * @return {@code false} if the sum would overflow
	 * @throws X if the outcome is unknown
	 */
	boolean count(long count) throws X;

	/**
	 * A reservation of ordinals.
	 *
	 * @param range the reserved ordinals, possibly joined with directly preceding
	 * reservations of this instance
	 * @param token the token that identifies the reservation in the store
	 * @param server the server that made the reservation, or {@code null} if it is
	 * unknown
	 * @since 0.1.0
	 */
	record Reserved(OrdinalRange range, String token, @Nullable String server) {

		/**
		 * Return the later of two reservations. Concurrent threads may report their
		 * reservations out of order, so {@code before} may be the later one. If
		 * {@code next} begins where {@code before} ends, the result contains both ranges.
		 */
		static Reserved later(@Nullable Reserved before, Reserved next) {
			return (before != null && before.range.end() > next.range.end()) ? before
					: new Reserved(next.range.after((before != null) ? before.range : null), next.token, next.server);
		}

	}

}
