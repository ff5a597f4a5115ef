package dev.idspring.store;

import java.time.Duration;
import java.util.UUID;

/**
 * Somebody who owns at most one slot at a time.
 *
 * @param id tells owners apart: at most 36 printable ASCII characters that nobody else
 * uses. Never an address or a process number, which come again
 * @param lease how long after the owner was last heard of its slot may be taken over
 * @since 0.1.0
 */
public record SlotOwner(String id, Duration lease) {

	/**
	 * Create an owner nobody has been before.
	 * @param lease how long after it was last heard of its slot may be taken over
	 * @return an owner with a random id
	 */
	public static SlotOwner random(Duration lease) {
		return new SlotOwner(UUID.randomUUID().toString(), lease);
	}

}
