package dev.idspring.redis;

import java.time.Instant;

import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * A slot as the server has it: one text, with the owner at the end.
 *
 * @param slot the slot
 * @param owner who owns it, or {@code null}
 * @param token what the attempt wrote that changed it last, {@code null} if a fail-over
 * did
 * @param leasedAt when the owner last renewed it, or it was left
 * @param leaseUntil when it may be taken over: 0 when it was left, {@link #NEVER} when it
 * is used up
 */
record SlotEntry(Slot slot, @Nullable String owner, @Nullable String token, long leasedAt, long leaseUntil) {

	/** The owner of slots that are waiting after a fail-over. */
	static final String FAIL_OVER = "fail-over";

	static final long NEVER = Long.MAX_VALUE;

	static SlotEntry parse(long number, String text) {
		String[] fields = text.split("\n", 6);
		return new SlotEntry(new Slot(number, Long.parseLong(fields[0]), Long.parseLong(fields[1])),
				fields[5].isEmpty() ? null : fields[5], fields[2].isEmpty() ? null : fields[2],
				Long.parseLong(fields[3]), Long.parseLong(fields[4]));
	}

	String text() {
		return String.join("\n", Long.toString(this.slot.position()), Long.toString(this.slot.end()),
				(this.token != null) ? this.token : "", Long.toString(this.leasedAt), Long.toString(this.leaseUntil),
				(this.owner != null) ? this.owner : "");
	}

	/**
	 * Return a slot as the next attempt of an owner writes it.
	 */
	static SlotEntry owned(Slot slot, SlotOwner owner, long now) {
		long leaseUntil = slot.isUsedUp() ? NEVER : now + owner.lease().toMillis();
		return new SlotEntry(slot, owner.id(), owner.attempt(slot.number()), now, leaseUntil);
	}

	/**
	 * Return a slot that was passed over to its end.
	 */
	static SlotEntry skipped(Slot slot, long now) {
		return new SlotEntry(slot.at(slot.end()), null, null, now, NEVER);
	}

	SlotEntry at(Slot moved) {
		return new SlotEntry(moved, this.owner, this.token, this.leasedAt, this.leaseUntil);
	}

	boolean isFree(SlotOwner owner, long now) {
		return !this.slot.isUsedUp() && (owner.owns(stored(now)) || this.leaseUntil < now);
	}

	boolean isResting() {
		return FAIL_OVER.equals(this.owner);
	}

	/**
	 * Return whether an instance owns it, or owned it last.
	 */
	boolean hasOwner() {
		return this.owner != null && !isResting();
	}

	StoredSlot stored(long now) {
		// no owner has used what the fence moved to its end
		boolean skipped = this.slot.isUsedUp() && isResting();
		return new StoredSlot(this.slot, skipped ? null : this.owner, this.token, Instant.ofEpochMilli(this.leasedAt),
				Instant.ofEpochMilli(this.leaseUntil), Instant.ofEpochMilli(now));
	}

}
