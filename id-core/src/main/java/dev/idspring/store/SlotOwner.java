package dev.idspring.store;

import java.time.Duration;
import java.util.UUID;

import dev.idspring.InvalidSettingException;

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
	 * Create an owner.
	 * @throws InvalidSettingException if the id or the lease cannot be used
	 */
	public SlotOwner {
		InvalidSettingException.require(id.matches("[!-~]{1,36}"), SlotOwner.class, "id", id,
				"must be 1 to 36 printable ASCII characters");
		verifyLease(SlotOwner.class, lease);
	}

	/**
	 * Verify a lease. A shorter one than a second is lost by a pause for garbage
	 * collection, a longer one than a day keeps the slots of killed instances.
	 * @param settings the type that has the parameter {@code lease}
	 * @param lease how long after the owner was last heard of its slot may be taken over
	 * @throws InvalidSettingException if it is out of range
	 */
	public static void verifyLease(Class<?> settings, Duration lease) {
		InvalidSettingException.requireRange(settings, "lease", lease, Duration.ofSeconds(1), Duration.ofDays(1));
	}

	/**
	 * Create an owner nobody has been before.
	 * @param lease how long after it was last heard of its slot may be taken over
	 * @return an owner with a random id
	 */
	public static SlotOwner random(Duration lease) {
		return new SlotOwner(UUID.randomUUID().toString(), lease);
	}

}
