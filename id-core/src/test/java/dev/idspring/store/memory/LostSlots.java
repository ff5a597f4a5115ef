package dev.idspring.store.memory;

/**
 * Makes a store in memory lose rows.
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
