package dev.idspring.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Stores the owner of each slot of a key space, and the slot's first unreserved position.
 * No position is used twice because an implementation guarantees the following:
 * <ol>
 * <li>A slot has one owner. Only that owner advances its position, by {@link #advance
 * advance}. That changes nothing unless owner, position and {@linkplain SlotOwner token}
 * are still what the caller knows, and it returns only after the change is durable.</li>
 * <li>Every attempt to claim, advance, renew or release a slot writes a token of its own.
 * So of two clones of a process, one advances a slot and the other detects that.</li>
 * <li>The position only rises, except that {@link #release release} may set it back to
 * the first position that the owner has not used.</li>
 * <li>{@link #claim claim} gives a slot to a new owner only if it has no owner, or if the
 * owner's lease has expired by the store's own clock. The new owner begins at the slot's
 * current position. So a previous owner that wakes up later owns nothing beyond it.</li>
 * <li>Numbers of new slots come from a counter that only rises, never from the existing
 * slots. It skips those that were requested by number.</li>
 * </ol>
 * The lease decides when a slot changes hands. Positions never repeat, whatever the
 * clock. Operations may block until their deadline, not longer; they are called by many
 * threads, and take part in no transaction of the calling thread. All of them may be
 * retried if it is not known whether they succeeded. Invalid arguments are rejected
 * before anything else, see {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface SlotStore {

	/**
	 * Return whether this store holds the slots of a store's key spaces.
	 * @param keySpaces a store of key spaces
	 * @return {@code false} if it is known that it does not
	 */
	default boolean belongsTo(KeySpaceStore keySpaces) {
		return true;
	}

	/**
	 * Require that two stores belong together. Generators that share only one of them
	 * would get the same slots.
	 * @param keySpaces the store of the key spaces
	 * @param slots the store of their slots
	 * @return the slots
	 * @throws IllegalArgumentException if the stores do not belong together
	 */
	static SlotStore beside(KeySpaceStore keySpaces, SlotStore slots) {
		InvalidSettingException.requireGiven(SlotStore.class, "keySpaces", keySpaces);
		InvalidSettingException.requireGiven(SlotStore.class, "slots", slots);
		if (!slots.belongsTo(keySpaces)) {
			throw new IllegalArgumentException("The slot store (" + slots.getClass().getSimpleName()
					+ ") does not belong to the key-space store (" + keySpaces.getClass().getSimpleName()
					+ "), so slots would be handed out twice. Use one of each, over the same database or in the same memory,"
					+ " for all generators.");
		}
		return slots;
	}

	/**
	 * Read the store's own clock. Changes nothing. Generators whose positions are times
	 * compare clocks before the store acts on the times that they report.
	 * @param deadline how long this may take
	 * @return the time against which leases are checked
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Instant time(Deadline deadline);

	/**
	 * Claim a slot. First choice is one that {@linkplain SlotOwner#owns the owner
	 * recognises} and that is not used up. Second is the abandoned one with the lowest
	 * position that is neither used up nor too far ahead. Otherwise it is a new one.
	 * @param keySpace the name of the key space, which must exist
	 * @param space the slots of the key space
	 * @param owner the owner that claims
	 * @param deadline how long this may take
	 * @return the slot as it is afterwards, or empty if none is available
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the key space does not exist any more
	 */
	Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline);

	/**
	 * Claim one particular slot, unless another owner's lease on it is still running. A
	 * slot that does not exist is created.
	 * @param keySpace the name of the key space, which must exist
	 * @param number the number of the slot
	 * @param space the slots of the key space
	 * @param owner the owner that claims
	 * @param deadline how long this may take
	 * @return the slot as it is afterwards; if {@linkplain SlotOwner#owns the owner
	 * recognises it}, it was claimed
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the key space does not exist any more
	 */
	StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline);

	/**
	 * Advance the position of a slot, and renew the lease.
	 * @param keySpace the name of the key space
	 * @param space the slots of the key space
	 * @param slot the slot as the owner knows it
	 * @param owner the presumed owner
	 * @param position the new position, from that of the slot to its end
	 * @param deadline how long this may take
	 * @return the slot as it is afterwards: if {@linkplain SlotOwner#owns the owner
	 * recognises it} and it has this position, it was advanced,
	 * {@linkplain SlotOwner#isLatest now} or by an earlier attempt
	 * @throws IdStoreUnavailableException if the store did not answer in time, or the
	 * outcome is unknown
	 * @throws KeySpaceRegressionException if the slot does not exist any more
	 */
	StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position, Deadline deadline);

	/**
	 * Renew the lease.
	 * @param keySpace the name of the key space
	 * @param space the slots of the key space
	 * @param slot the slot as the owner knows it
	 * @param owner the presumed owner
	 * @param deadline how long this may take
	 * @return the slot as it is afterwards
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the slot does not exist any more
	 */
	StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline);

	/**
	 * Release a slot.
	 * @param keySpace the name of the key space
	 * @param slot the slot as the owner knows it
	 * @param owner the presumed owner
	 * @param position the first unused position: from the one at which the owner claimed
	 * the slot to the position of the slot
	 * @param deadline how long this may take
	 * @return whether the slot was the owner's
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline);

	/**
	 * Read one slot.
	 * @param keySpace the name of the key space
	 * @param number the number of the slot
	 * @param deadline how long this may take
	 * @return the slot, or empty if it does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Optional<StoredSlot> read(String keySpace, long number, Deadline deadline);

	/**
	 * Read all slots of a key space that are not used up.
	 * @param keySpace the name of the key space
	 * @param deadline how long this may take
	 * @return the slots
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	SlotListing list(String keySpace, Deadline deadline);

	/**
	 * Count the slots of a key space with a running lease.
	 * @param keySpace the name of the key space
	 * @param deadline how long this may take
	 * @return how many, as far as the store can tell without waiting for writers
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default long countOwned(String keySpace, Deadline deadline) {
		return list(keySpace, deadline).slots().stream().filter(StoredSlot::live).count();
	}

	/**
	 * Skip ahead in a key space: every slot by a number of positions, at most to its end,
	 * and the first number that was never used by a number of slots. All owners lose
	 * their slots, so that no owner mistakes skipped positions for its own reservation.
	 * @param keySpace the name of the key space
	 * @param positions how many positions, zero or more
	 * @param slots how many slots, zero or more
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	void skip(String keySpace, long positions, long slots, Deadline deadline);

	/**
	 * A numbered slot with a position that only its owner advances.
	 *
	 * @param number the number of the slot, from 0
	 * @param position the end of its reserved positions, exclusive
	 * @param end the end of the slot, exclusive: at this position it is used up
	 * @since 0.1.0
	 */
	record Slot(long number, long position, long end) {

		/**
		 * Return whether there is nothing left to reserve.
		 * @return {@code true} if the position is the end
		 */
		public boolean isUsedUp() {
			return this.position >= this.end;
		}

		/**
		 * Return this slot at another position.
		 * @param position the position
		 * @return the slot
		 */
		public Slot at(long position) {
			return new Slot(this.number, position, this.end);
		}

	}

	/**
	 * The stored state of a slot. All times are those of the store's own clock.
	 *
	 * @param slot the slot
	 * @param owner the id of its owner, or {@code null} if it has none
	 * @param token the token written by the last attempt that changed it, or {@code null}
	 * if the store itself advanced it
	 * @param leasedAt when the owner last renewed, or the slot was released
	 * @param leaseUntil when the owner's lease expires
	 * @param readAt when this was read
	 * @since 0.1.0
	 */
	record StoredSlot(Slot slot, @Nullable String owner, @Nullable String token, Instant leasedAt, Instant leaseUntil,
			Instant readAt) {

		/**
		 * Create a stored state.
		 * @throws IllegalArgumentException if a value is missing
		 */
		public StoredSlot {
			InvalidSettingException.requireGiven(StoredSlot.class, "slot", slot);
			InvalidSettingException.requireGiven(StoredSlot.class, "leasedAt", leasedAt);
			InvalidSettingException.requireGiven(StoredSlot.class, "leaseUntil", leaseUntil);
			InvalidSettingException.requireGiven(StoredSlot.class, "readAt", readAt);
		}

		/**
		 * Return whether there is an owner whose lease has not expired.
		 * @return {@code true} if the slot must not be taken over
		 */
		public boolean live() {
			return this.owner != null && !this.leaseUntil.isBefore(this.readAt);
		}

		/**
		 * Return how long ago the owner renewed, or the slot was released.
		 * @return zero or more
		 */
		public Duration leaseAge() {
			return notNegative(Duration.between(this.leasedAt, this.readAt));
		}

		/**
		 * Return how long the lease still runs.
		 * @return zero if it has expired or there is no owner
		 */
		public Duration leaseLeft() {
			return (this.owner != null) ? notNegative(Duration.between(this.readAt, this.leaseUntil)) : Duration.ZERO;
		}

		private static Duration notNegative(Duration duration) {
			return duration.isNegative() ? Duration.ZERO : duration;
		}

	}

	/**
	 * The stored state of all slots of a key space.
	 *
	 * @param next the first number that was never used
	 * @param slots the slots that are not used up, in the order of their numbers
	 * @since 0.1.0
	 */
	record SlotListing(long next, List<StoredSlot> slots) {

		/**
		 * Create a listing.
		 * @throws IllegalArgumentException if a slot is missing
		 */
		public SlotListing {
			slots = InvalidSettingException.requireElements(SlotListing.class, "slots", slots);
		}

	}

	/**
	 * The slots of a key space, as one instance is configured.
	 *
	 * @since 0.1.0
	 */
	interface SlotSpace {

		/**
		 * Return how many slots there are.
		 * @return the limit of the numbers, exclusive
		 */
		long count();

		/**
		 * Return the position at which a new slot begins.
		 * @param number the number of the slot
		 * @return the first position
		 */
		long start(long number);

		/**
		 * Return the end of a slot.
		 * @param number the number of the slot
		 * @return the end, exclusive
		 */
		long end(long number);

		/**
		 * Return the position beyond which an abandoned slot is useless.
		 * @return the highest position of a useful slot
		 */
		default long highestOffered() {
			return Long.MAX_VALUE;
		}

		/**
		 * Return the highest position that any instance can have reserved by now, if
		 * positions are times. A store that may have lost reservations advances all slots
		 * to that position, and gives no slot to any instance until all clocks have
		 * reached it.
		 * @return the horizon, or {@code null} if positions are counted
		 */
		default @Nullable Horizon horizon() {
			return null;
		}

		/**
		 * The highest position that any instance with the caller's lease can have
		 * reserved by now. A store that knows of longer leases adds the difference to
		 * both values.
		 *
		 * @param position the highest position that may be in use
		 * @param distance how long it takes until all clocks have reached it
		 * @since 0.1.0
		 */
		record Horizon(long position, Duration distance) {

			/**
			 * Create a horizon.
			 * @throws IllegalArgumentException if the distance is missing
			 */
			public Horizon {
				InvalidSettingException.requireGiven(Horizon.class, "distance", distance);
			}

		}

	}

}
