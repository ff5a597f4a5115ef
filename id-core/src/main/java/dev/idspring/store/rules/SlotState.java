package dev.idspring.store.rules;

import java.time.Instant;
import java.util.Objects;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a slot. All times are milliseconds since 1970 by the store's clock.
 *
 * @param slot the number, position and end of the slot
 * @param owner the id of the owner; {@code null} or {@link #FAIL_OVER} if there is none
 * @param token the random string that the last change by an owner wrote, or {@code null}
 * if a skip or a take-over has removed it
 * @param leasedAt when the owner last renewed its lease, or when the slot was released
 * @param leaseUntil the time after which another owner may claim the slot: 0 if the slot
 * was released, or advanced by a skip; {@link #NEVER} if its owner has used it up
 * @since 0.1.0
 */
public record SlotState(Slot slot, @Nullable String owner, @Nullable String token, long leasedAt, long leaseUntil) {

	/**
	 * The {@code leaseUntil} of a slot that cannot be claimed any more: its owner has
	 * used it up, or it may exist only on the server that a fail-over replaced.
	 */
	public static final long NEVER = Long.MAX_VALUE;

	/**
	 * The owner id that is stored in a slot without an owner after a fail-over. The slot
	 * cannot be claimed before {@code leaseUntil} has passed.
	 */
	public static final String FAIL_OVER = "fail-over";

	/**
	 * Return the state that an owner writes to claim, advance or renew its slot.
	 * @param slot the slot
	 * @param owner the owner
	 * @param now the time by the store's clock
	 * @return the state, with a new token
	 */
	public static SlotState owned(Slot slot, SlotOwner owner, long now) {
		long leaseUntil = slot.isUsedUp() ? NEVER : now + owner.lease().toMillis();
		return new SlotState(slot, owner.id(), owner.newToken(slot.number()), now, leaseUntil);
	}

	/**
	 * Return the state of a new slot of an owner.
	 * @param number the number of the slot
	 * @param space the slots of the key space
	 * @param owner the owner
	 * @param now the time by the store's clock
	 * @return the state, with a new token
	 */
	public static SlotState created(long number, SlotSpace space, SlotOwner owner, long now) {
		return owned(new Slot(number, space.start(number), space.end(number)), owner, now);
	}

	/**
	 * Return the state that an owner writes to release its slot.
	 * @param slot the slot
	 * @param owner the owner
	 * @param now the time by the store's clock
	 * @return the state, with a new token
	 */
	public static SlotState released(Slot slot, SlotOwner owner, long now) {
		return new SlotState(slot, null, owner.newToken(slot.number()), now, 0);
	}

	/**
	 * Return the state of a slot that may exist only on the server that a fail-over
	 * replaced. The slot counts as used up.
	 */
	static SlotState skipped(Slot slot, long now) {
		return new SlotState(slot.at(slot.end()), null, null, now, NEVER);
	}

	SlotState at(Slot moved) {
		return new SlotState(moved, this.owner, this.token, this.leasedAt, this.leaseUntil);
	}

	/**
	 * Return the state of this slot after a fail-over. The slot has no owner, and cannot
	 * be claimed before {@code until} has passed.
	 */
	SlotState waiting(Slot moved, @Nullable String newToken, long until) {
		return new SlotState(moved, FAIL_OVER, newToken, this.leasedAt, until);
	}

	/**
	 * Return whether the slot belongs to the caller, and has the position and the token
	 * that the caller knows. Only then may the caller change the slot.
	 */
	boolean matches(Slot knownSlot, SlotOwner caller) {
		return caller.id().equals(this.owner) && this.slot.position() == knownSlot.position()
				&& Objects.equals(this.token, caller.confirmedToken(knownSlot.number()));
	}

	boolean isWaiting() {
		return FAIL_OVER.equals(this.owner);
	}

	/**
	 * Return whether the slot has an owner, even if the owner's lease has expired.
	 */
	boolean hasOwner() {
		return this.owner != null && !isWaiting();
	}

	/**
	 * Convert this state for the callers of a store.
	 * @param now when this state was read
	 * @return the slot
	 */
	public StoredSlot stored(long now) {
		return new StoredSlot(this.slot, isWaiting() ? null : this.owner, this.token,
				Instant.ofEpochMilli(this.leasedAt), Instant.ofEpochMilli(this.leaseUntil), Instant.ofEpochMilli(now));
	}

}
