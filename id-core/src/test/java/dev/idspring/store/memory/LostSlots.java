package dev.idspring.store.memory;

/**
 * Removes slots from an in-memory store.
 */
public final class LostSlots {

	private LostSlots() {
	}

	/**
	 * Remove a slot as if it had never existed.
	 */
	public static void forget(InMemorySlotStore store, String keySpaceName, long number) {
		store.forget(keySpaceName, number);
	}

}
