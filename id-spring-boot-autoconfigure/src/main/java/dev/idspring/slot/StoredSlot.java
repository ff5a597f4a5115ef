package dev.idspring.slot;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a store remembers of a slot.
 *
 * @param slot the slot
 * @param owner the id of its owner, or {@code null} if it has none
 * @param live whether the owner's lease has not run out, by the clock of the store
 * @param leaseAge how long ago the owner was heard of, or the slot was left, by the clock
 * of the store
 * @since 0.1.0
 */
public record StoredSlot(Slot slot, @Nullable String owner, boolean live, Duration leaseAge) {

}
