package dev.idspring.store;

import java.util.List;

/**
 * What a store remembers of all slots of a key space.
 *
 * @param next the first number that was never used
 * @param slots the slots that are not used up, in the order of their numbers
 * @since 0.1.0
 */
public record SlotListing(long next, List<StoredSlot> slots) {

}
