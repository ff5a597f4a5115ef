package dev.idspring.block;

import dev.idspring.store.Slot;
import dev.idspring.store.StoredSlot;

/**
 * Is told when slots change hands. Called on the thread that talks to the store; must not
 * throw.
 *
 * @since 0.1.0
 */
public interface SlotListener {

	/**
	 * A slot was claimed.
	 * @param generator the name of the generator
	 * @param slot the slot
	 */
	default void claimed(String generator, Slot slot) {
	}

	/**
	 * A slot has been taken over by another instance, because this one was not heard of
	 * for longer than its lease, or moved by an operator.
	 * @param generator the name of the generator
	 * @param slot the slot as this instance knew it
	 * @param now the slot as it is
	 */
	default void lost(String generator, Slot slot, StoredSlot now) {
	}

	/**
	 * A slot was moved by a clone of this process: by the same owner, but none of its
	 * attempts. This instance continues as another owner, with another slot.
	 * @param generator the name of the generator
	 * @param slot the slot as this instance knew it
	 * @param now the slot as it is
	 */
	default void cloned(String generator, Slot slot, StoredSlot now) {
	}

}
