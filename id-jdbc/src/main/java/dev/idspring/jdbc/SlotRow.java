package dev.idspring.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of slots.
 */
record SlotRow(Slot slot, @Nullable String owner, @Nullable String token, long leasedAt, long leaseUntil) {

	static final String COLUMNS = "slot, next_position, end_position, owner, token, leased_at, lease_until";

	/** When the lease of a slot ends that is used up. */
	static final long NEVER = Long.MAX_VALUE;

	static SlotRow of(ResultSet row) throws SQLException {
		return new SlotRow(new Slot(row.getLong(1), row.getLong(2), row.getLong(3)), row.getString(4), row.getString(5),
				row.getLong(6), row.getLong(7));
	}

	/**
	 * Return a row as the next attempt of an owner writes it.
	 */
	static SlotRow owned(Slot slot, SlotOwner owner, long now) {
		long leaseUntil = slot.isUsedUp() ? NEVER : now + owner.lease().toMillis();
		return new SlotRow(slot, owner.id(), owner.attempt(slot.number()), now, leaseUntil);
	}

	/**
	 * Return a slot that was passed over to its end.
	 */
	static SlotRow skipped(Slot slot, long now) {
		return new SlotRow(slot.at(slot.end()), null, null, now, NEVER);
	}

	SlotRow at(Slot slot) {
		return new SlotRow(slot, this.owner, this.token, this.leasedAt, this.leaseUntil);
	}

	boolean isFree(SlotOwner owner, long now) {
		return !this.slot.isUsedUp() && (owner.owns(stored(now)) || this.leaseUntil < now);
	}

	boolean isResting() {
		return SlotFence.FAIL_OVER.equals(this.owner);
	}

	StoredSlot stored(long now) {
		// no owner has used what the fence moved to its end
		boolean skipped = this.slot.isUsedUp() && isResting();
		return new StoredSlot(this.slot, skipped ? null : this.owner, this.token, Instant.ofEpochMilli(this.leasedAt),
				Instant.ofEpochMilli(this.leaseUntil), Instant.ofEpochMilli(now));
	}

}
