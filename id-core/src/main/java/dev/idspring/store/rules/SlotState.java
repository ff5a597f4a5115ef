package dev.idspring.store.rules;

import java.time.Instant;
import java.util.Objects;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * A slot as it is stored. Times are the store's, in milliseconds since 1970.
 *
 * @param slot the slot
 * @param owner its owner, {@code null} if it has none
 * @param token the token of the attempt that changed it last, {@code null} after a
 * fail-over
 * @param leasedAt when the owner last renewed, or the slot was released
 * @param leaseUntil when the slot may be taken over: 0 after it was released,
 * {@link #NEVER} once it is used up
 * @since 0.1.0
 */
public record SlotState(Slot slot, @Nullable String owner, @Nullable String token, long leasedAt, long leaseUntil) {

	/** The end of the lease of a used-up slot. */
	public static final long NEVER = Long.MAX_VALUE;

	/** The owner of slots that are waiting after a fail-over. */
	private static final String FAIL_OVER = "fail-over";

	/**
	 * Return a slot as the next attempt of an owner writes it.
	 * @param slot the slot
	 * @param owner the owner
	 * @param now the time
	 * @return the slot, with a new token
	 */
	public static SlotState owned(Slot slot, SlotOwner owner, long now) {
		long leaseUntil = slot.isUsedUp() ? NEVER : now + owner.lease().toMillis();
		return new SlotState(slot, owner.id(), owner.attempt(slot.number()), now, leaseUntil);
	}

	/**
	 * Return a slot that an owner begins.
	 * @param number the number of the slot
	 * @param space the slots of the key space
	 * @param owner the owner
	 * @param now the time
	 * @return the slot, with a new token
	 */
	public static SlotState begun(long number, SlotSpace space, SlotOwner owner, long now) {
		return owned(new Slot(number, space.start(number), space.end(number)), owner, now);
	}

	/**
	 * Return a slot that its owner releases.
	 * @param slot the slot
	 * @param owner the owner
	 * @param now the time
	 * @return the slot, with a new token
	 */
	public static SlotState released(Slot slot, SlotOwner owner, long now) {
		return new SlotState(slot, null, owner.attempt(slot.number()), now, 0);
	}

	/**
	 * Return a slot that was skipped to its end.
	 */
	static SlotState skipped(Slot slot, long now) {
		return new SlotState(slot.at(slot.end()), null, null, now, NEVER);
	}

	SlotState at(Slot moved) {
		return new SlotState(moved, this.owner, this.token, this.leasedAt, this.leaseUntil);
	}

	/**
	 * Return this slot in its waiting time after a fail-over.
	 */
	SlotState waiting(Slot moved, @Nullable String newToken, long until) {
		return new SlotState(moved, FAIL_OVER, newToken, this.leasedAt, until);
	}

	/**
	 * Return whether an owner may change it: the known owner, position and token match.
	 */
	boolean isAsKnown(Slot known, SlotOwner by) {
		return by.id().equals(this.owner) && this.slot.position() == known.position()
				&& Objects.equals(this.token, by.known(known.number()));
	}

	boolean isWaiting() {
		return FAIL_OVER.equals(this.owner);
	}

	/**
	 * Return whether an instance owns it, or was the last to own it.
	 */
	boolean hasOwner() {
		return this.owner != null && !isWaiting();
	}

	/**
	 * Return this slot for callers.
	 * @param now when it was read
	 * @return the slot
	 */
	public StoredSlot stored(long now) {
		// a fail-over has skipped this slot, so no owner has used it up
		boolean skipped = this.slot.isUsedUp() && isWaiting();
		return new StoredSlot(this.slot, skipped ? null : this.owner, this.token, Instant.ofEpochMilli(this.leasedAt),
				Instant.ofEpochMilli(this.leaseUntil), Instant.ofEpochMilli(now));
	}

}
