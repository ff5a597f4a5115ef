/**
 * Slots: numbered places with a durable position, each owned by one writer for a while.
 * {@link dev.idspring.slot.SlotStore} is the seam to whatever remembers them; the series
 * of the strategy {@code recycled} are slots.
 */
@NullMarked
package dev.idspring.slot;

import org.jspecify.annotations.NullMarked;
