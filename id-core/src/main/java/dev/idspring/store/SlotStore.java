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
 * Stores the slots of key spaces. A slot is a range of positions, which are ordinals or
 * times. Only one owner at a time reserves positions from a slot. The position of a slot
 * is its first position that is not reserved. An owner has a lease on its slot, and
 * renews the lease.
 * <p>
 * No position is used twice, because an implementation guarantees the following:
 * <ol>
 * <li>A slot has at most one owner. Only the owner can {@link #advance advance} the
 * position, and only if the owner knows the current position and {@linkplain SlotOwner
 * token} of the slot. {@code advance} returns only after the change is durable.</li>
 * <li>Every attempt to claim, advance, renew or release a slot writes a new token. If a
 * process is cloned, only one of the clones can therefore advance the slot, and the
 * others detect that they were cloned.</li>
 * <li>The position never decreases, with one exception: {@link #release release} may set
 * it back to the first position that the owner has not used.</li>
 * <li>{@link #claim claim} assigns a slot to a new owner only if the slot has no owner,
 * or if the owner's lease has expired by the store's own clock. The new owner begins at
 * the current position of the slot. A previous owner that resumes later can use only
 * earlier positions, even if the store's clock is wrong.</li>
 * <li>The numbers of new slots come from a counter that never decreases. The counter
 * skips the numbers of slots that were claimed by number.</li>
 * </ol>
 * Many threads may call the operations concurrently. An operation may block until its
 * deadline, but not longer. No operation runs in a transaction of the calling thread. A
 * store may retry an operation whose outcome is unknown, except {@link #skip skip}: the
 * retry could skip a second time. Every operation first validates its arguments, see
 * {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface SlotStore {

	/**
	 * Return whether this store may be used with the given key-space store.
	 * @param keySpaces a store of key spaces
	 * @return {@code false} if this store is known to belong to a different key-space
	 * store, otherwise {@code true}
	 */
	default boolean belongsTo(KeySpaceStore keySpaces) {
		return true;
	}

	/**
	 * Verify that two stores belong together. If they did not, two generators of the same
	 * key space could get the same slot.
	 * @param keySpaces the store of the key spaces
	 * @param slots the store of their slots
	 * @return the slots
	 * @throws IllegalArgumentException if the stores do not belong together
	 */
	static SlotStore requireMatching(KeySpaceStore keySpaces, SlotStore slots) {
		InvalidSettingException.requireGiven(SlotStore.class, "keySpaces", keySpaces);
		InvalidSettingException.requireGiven(SlotStore.class, "slots", slots);
		if (!slots.belongsTo(keySpaces)) {
			throw new IllegalArgumentException("The slot store (" + slots.getClass().getSimpleName()
					+ ") does not belong to the key-space store (" + keySpaces.getClass().getSimpleName()
					+ "), so slots would be handed out twice. Use one key-space store and one slot store for all"
					+ " generators, both in the same database or both in memory.");
		}
		return slots;
	}

	/**
	 * Read the store's own clock without changing anything. A time-based generator
	 * compares its own clock with the store's clock before it writes times to the store.
	 * @param deadline the time by which the operation must end
	 * @return the time by the clock that decides whether leases have expired
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Instant time(Deadline deadline);

	/**
	 * Claim any slot that is not used up. The store chooses the first of these that
	 * exists:
	 * <ol>
	 * <li>a slot that {@linkplain SlotOwner#owns already belongs to the owner}</li>
	 * <li>of the abandoned slots (released, or with an expired lease), the one with the
	 * lowest position; slots with a number from {@link SlotSpace#count()} on, or a
	 * position above {@link SlotSpace#highestOffered()}, are ignored</li>
	 * <li>a new slot</li>
	 * </ol>
	 * @param keySpace the name of the key space, which must exist
	 * @param space the slots of the key space
	 * @param owner the owner that claims the slot
	 * @param deadline the time by which the operation must end
	 * @return the claimed slot, or empty if no slot is available
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the key space no longer exists
	 */
	Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline);

	/**
	 * Claim the slot with a given number, and create the slot if it does not exist. A
	 * slot is not claimed if it is used up, or if the lease of another owner is running.
	 * @param keySpace the name of the key space, which must exist
	 * @param number the number of the slot
	 * @param space the slots of the key space
	 * @param owner the owner that claims the slot
	 * @param deadline the time by which the operation must end
	 * @return the slot after the operation; it was claimed if it
	 * {@linkplain SlotOwner#owns belongs to the owner} and is not used up
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the key space no longer exists
	 */
	StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline);

	/**
	 * Advance the position of a slot, and renew the owner's lease.
	 * @param keySpace the name of the key space
	 * @param space the slots of the key space
	 * @param slot the slot as the owner knows it
	 * @param owner the caller, which must still own the slot for the operation to succeed
	 * @param position the new position, from {@code slot.position()} to
	 * {@code slot.end()}
	 * @param deadline the time by which the operation must end
	 * @return the slot after the operation. It was advanced if it
	 * {@linkplain SlotOwner#owns belongs to the owner} and has the new position. In that
	 * case, {@link SlotOwner#isLatest} returns {@code true} if the latest attempt
	 * advanced it, and {@code false} if an earlier attempt with an unknown outcome did
	 * @throws IdStoreUnavailableException if the store did not answer in time, or if the
	 * outcome is unknown
	 * @throws KeySpaceRegressionException if the slot no longer exists
	 */
	StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position, Deadline deadline);

	/**
	 * Renew the owner's lease on a slot.
	 * @param keySpace the name of the key space
	 * @param space the slots of the key space
	 * @param slot the slot as the owner knows it
	 * @param owner the caller, which must still own the slot for the operation to succeed
	 * @param deadline the time by which the operation must end
	 * @return the slot after the operation
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 * @throws KeySpaceRegressionException if the slot no longer exists
	 */
	StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline);

	/**
	 * Release a slot, so that another owner can claim it at once.
	 * @param keySpace the name of the key space
	 * @param slot the slot as the owner knows it
	 * @param owner the caller, which must still own the slot for the operation to succeed
	 * @param position the first position that the owner has not used: at least the
	 * position at which it claimed the slot, and at most {@code slot.position()}
	 * @param deadline the time by which the operation must end
	 * @return whether the slot belonged to the owner and was released
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline);

	/**
	 * Read one slot.
	 * @param keySpace the name of the key space
	 * @param number the number of the slot
	 * @param deadline the time by which the operation must end
	 * @return the slot, or empty if it does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Optional<StoredSlot> read(String keySpace, long number, Deadline deadline);

	/**
	 * Read one slot again, because {@link #read} returned a state that seems to be
	 * outdated. A store whose reads may be outdated, for example because a replica
	 * answers them, must override this method.
	 * @param keySpace the name of the key space
	 * @param number the number of the slot
	 * @param deadline the time by which the operation must end
	 * @return the current state of the slot, or empty if it does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default Optional<StoredSlot> readCurrent(String keySpace, long number, Deadline deadline) {
		return read(keySpace, number, deadline);
	}

	/**
	 * Read all slots of a key space that are not used up.
	 * @param keySpace the name of the key space
	 * @param deadline the time by which the operation must end
	 * @return the slots
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	SlotListing list(String keySpace, Deadline deadline);

	/**
	 * Count the slots of a key space that have a running lease.
	 * @param keySpace the name of the key space
	 * @param deadline the time by which the operation must end
	 * @return the number of slots; it may be outdated, because the store does not wait
	 * for concurrent changes
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default long countOwned(String keySpace, Deadline deadline) {
		return list(keySpace, deadline).slots().stream().filter(StoredSlot::isLeased).count();
	}

	/**
	 * Skip ahead in a key space. The position of every slot advances by
	 * {@code positions}, at most to the end of the slot. The number of the next new slot
	 * advances by {@code slots}. All owners lose their slots, so that no owner mistakes
	 * skipped positions for its own reservation.
	 * @param keySpace the name of the key space
	 * @param positions how many positions to skip in each slot, zero or more
	 * @param slots how many numbers of new slots to skip, zero or more
	 * @param deadline the time by which the operation must end
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	void skip(String keySpace, long positions, long slots, Deadline deadline);

	/**
	 * A range of positions from which only one owner at a time may reserve.
	 *
	 * @param number the number of the slot, from 0
	 * @param position the first position that is not reserved yet
	 * @param end the end of the slot, exclusive; a slot at this position is used up
	 * @since 0.1.0
	 */
	record Slot(long number, long position, long end) {

		/**
		 * Return whether the slot has no position left to reserve.
		 * @return {@code true} if the position is at the end
		 */
		public boolean isUsedUp() {
			return this.position >= this.end;
		}

		/**
		 * Return a copy of this slot with another position.
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
	 * @param owner the id of the owner, or {@code null} if the slot has no owner
	 * @param token the token that the last change by an owner wrote, or {@code null} if a
	 * {@link SlotStore#skip skip}, or another server after a fail-over, has removed it
	 * @param leasedAt when the owner last renewed its lease, or when the slot was
	 * released
	 * @param leaseUntil when the owner's lease expires
	 * @param readAt when this state was read
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
		 * Return whether the slot has an owner whose lease has not expired. After a
		 * database fail-over, a slot without an owner may also be unavailable for a
		 * while.
		 * @return {@code true} if the lease is running
		 */
		public boolean isLeased() {
			return this.owner != null && !this.leaseUntil.isBefore(this.readAt);
		}

		/**
		 * Return the time since the owner renewed its lease, or since the slot was
		 * released.
		 * @return zero or more
		 */
		public Duration leaseAge() {
			return notNegative(Duration.between(this.leasedAt, this.readAt));
		}

		/**
		 * Return how much time is left until the lease expires.
		 * @return the remaining time; zero if the lease has expired or the slot has no
		 * owner
		 */
		public Duration leaseLeft() {
			return (this.owner != null) ? notNegative(Duration.between(this.readAt, this.leaseUntil)) : Duration.ZERO;
		}

		private static Duration notNegative(Duration duration) {
			return duration.isNegative() ? Duration.ZERO : duration;
		}

	}

	/**
	 * The stored state of the slots of a key space that are not used up.
	 *
	 * @param next the number of the next new slot
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
	 * The slots of a key space, according to the configuration of one instance.
	 *
	 * @since 0.1.0
	 */
	interface SlotSpace {

		/**
		 * Return the maximum number of slots.
		 * @return the end of the slot numbers, exclusive
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
		 * Return the highest position at which an abandoned slot (released, or with an
		 * expired lease) may be claimed.
		 * @return the highest position
		 */
		default long highestOffered() {
			return Long.MAX_VALUE;
		}

		/**
		 * If positions are times, return the latest time that any instance can have
		 * reserved by now. A store that may have lost reservations, for example in a
		 * fail-over, advances all slots to this horizon. Owners with a running lease keep
		 * their slots. No other slot can be claimed until all clocks have reached the
		 * horizon.
		 * @return the horizon, or {@code null} if positions are not times
		 */
		default @Nullable Horizon horizon() {
			return null;
		}

		/**
		 * The highest position that any instance can have reserved by now, if no lease is
		 * longer than the caller's. A store that knows of a longer lease adds the
		 * difference to both values.
		 *
		 * @param position the highest position that can have been reserved
		 * @param distance the time until all clocks have reached that position
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
