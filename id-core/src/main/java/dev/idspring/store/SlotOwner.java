package dev.idspring.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * An owner of slots. It recognises its slots by the tokens that its own attempts wrote.
 * <p>
 * When a process is cloned, by a snapshot of its virtual machine or a checkpoint that is
 * restored twice, both copies have the same owner id. So the id alone does not identify
 * the owner of a slot:
 * <ol>
 * <li>A store writes a new {@linkplain #attempt token} with every attempt to change a
 * slot, on the condition that the row still has the token that the owner last
 * {@linkplain #known knew}.</li>
 * <li>A token comes from the operating system, for that attempt only. A clone with the
 * same memory draws another one.</li>
 * <li>A slot is the owner's if it has the token that was last confirmed, or that of an
 * attempt whose outcome is unknown. If it has the owner's id and another token, it
 * belongs to a clone.</li>
 * <li>If a slot has no token, the store itself advanced it, after a fail-over that it
 * recorded. The owner that writes the next token owns it.</li>
 * </ol>
 * One case remains: a process is cloned between drawing a token and the end of that
 * attempt. To be safe even then, discard everything except the reservation of the
 * {@linkplain #isLatest latest attempt}.
 * <p>
 * Used by one thread at a time.
 *
 * @since 0.1.0
 */
public final class SlotOwner {

	/** How many slots, and how many attempts with unknown outcome, are remembered. */
	private static final int REMEMBERED = 1_000;

	private final String id;

	private final Duration lease;

	/** By number: the token that was last confirmed, then those of the attempts since. */
	private final Map<Long, List<@Nullable String>> tokens = new LinkedHashMap<>();

	/** By number: the position of the slot when this owner first claimed it. */
	private final Map<Long, Long> claimed = new HashMap<>();

	private @Nullable String latest;

	/**
	 * Create an owner.
	 * @param id identifies the owner: at most 36 printable ASCII characters that no other
	 * owner uses. Do not use an address or a process number, which are reused
	 * @param lease how long after the owner's last renewal its slot may be taken over
	 * @throws InvalidSettingException if the id or the lease cannot be used
	 */
	public SlotOwner(String id, Duration lease) {
		InvalidSettingException.require(id != null && id.matches("[ -~]{1,36}"), SlotOwner.class, "id", id,
				"must be 1 to 36 printable ASCII characters");
		verifyLease(SlotOwner.class, lease);
		this.id = id;
		this.lease = lease;
	}

	/**
	 * Verify a lease. A garbage collection pause could lose one shorter than a second,
	 * and the slots of a killed instance stay blocked until it ends.
	 * @param settings the type that has the parameter {@code lease}
	 * @param lease how long after the owner's last renewal its slot may be taken over
	 * @throws InvalidSettingException if it is shorter than a second or longer than a day
	 */
	public static void verifyLease(Class<?> settings, Duration lease) {
		InvalidSettingException.requireGiven(SlotOwner.class, "settings", settings);
		InvalidSettingException.requireRange(settings, "lease", lease, Duration.ofSeconds(1), Duration.ofDays(1));
	}

	/**
	 * Create an owner with an id from the operating system.
	 * @param lease how long after its last renewal its slot may be taken over
	 * @return an owner that has never existed before
	 */
	public static SlotOwner random(Duration lease) {
		return new SlotOwner(SystemRandom.text(), lease);
	}

	/**
	 * Return the id that distinguishes this owner from others.
	 * @return the id
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return an owner that takes this one's place.
	 * @return an owner that has never existed before, with the same lease
	 */
	public SlotOwner successor() {
		return random(this.lease);
	}

	/**
	 * Return how long a slot stays the owner's without renewal.
	 * @return the lease
	 */
	public Duration lease() {
		return this.lease;
	}

	/**
	 * Draw a token for one attempt to change a slot. A store calls this before each
	 * attempt, including each retry.
	 * @param slot the number of the slot
	 * @return the token to be written, 36 characters
	 */
	public String attempt(long slot) {
		String token = SystemRandom.text();
		List<@Nullable String> known = this.tokens.computeIfAbsent(slot, (number) -> new ArrayList<>());
		if (known.isEmpty()) {
			known.add(null);
		}
		if (known.size() > REMEMBERED) {
			known.remove(1);
		}
		known.add(token);
		this.latest = token;
		return token;
	}

	/**
	 * Return the token that was last confirmed. A slot may be changed only if it has this
	 * token.
	 * @param slot the number of the slot
	 * @return the token, or {@code null} if the store had removed it
	 */
	public @Nullable String known(long slot) {
		List<@Nullable String> known = this.tokens.get(slot);
		return (known != null) ? known.get(0) : null;
	}

	/**
	 * Remember the token of a slot if it is the owner's. A store calls this when an
	 * attempt has ended, with the resulting slot.
	 * @param stored the slot
	 * @return the same
	 */
	public StoredSlot learn(StoredSlot stored) {
		if (owns(stored)) {
			this.claimed.putIfAbsent(stored.slot().number(), stored.slot().position());
		}
		if (owns(stored) && !Objects.equals(stored.token(), known(stored.slot().number()))) {
			List<@Nullable String> known = new ArrayList<>();
			known.add(stored.token());
			// the most recently used slot goes to the end
			this.tokens.remove(stored.slot().number());
			this.tokens.put(stored.slot().number(), known);
			if (this.tokens.size() > REMEMBERED) {
				Long forgotten = this.tokens.keySet().iterator().next();
				this.tokens.remove(forgotten);
				this.claimed.remove(forgotten);
			}
		}
		return stored;
	}

	/**
	 * Return the position of a slot when this owner first claimed it. Others reserved the
	 * positions before it.
	 */
	long claimedAt(long slot) {
		return this.claimed.getOrDefault(slot, 0L);
	}

	/**
	 * Return whether a slot is this owner's.
	 * @param stored the slot
	 * @return {@code true} if it has this owner's id, and one of this owner's tokens or
	 * none
	 */
	public boolean owns(StoredSlot stored) {
		InvalidSettingException.requireGiven(SlotOwner.class, "stored", stored);
		return this.id.equals(stored.owner()) && (stored.token() == null
				|| this.tokens.getOrDefault(stored.slot().number(), List.of()).contains(stored.token()));
	}

	/**
	 * Return whether a slot belongs to a clone of this owner.
	 * @param stored the slot
	 * @return {@code true} if it has this owner's id, but a token that this owner did not
	 * write
	 */
	public boolean isCloned(StoredSlot stored) {
		return !owns(stored) && this.id.equals(stored.owner());
	}

	/**
	 * Return whether the latest attempt made the current change to a slot, rather than an
	 * earlier one with unknown outcome.
	 * @param stored the slot
	 * @return {@code true} if it has the token that was drawn last
	 */
	public boolean isLatest(StoredSlot stored) {
		InvalidSettingException.requireGiven(SlotOwner.class, "stored", stored);
		return stored.token() != null && stored.token().equals(this.latest);
	}

	/**
	 * Return a copy like that in a clone of this process, for tests.
	 * @return a copy that knows the same tokens
	 */
	public SlotOwner copy() {
		SlotOwner copy = new SlotOwner(this.id, this.lease);
		this.tokens.forEach((slot, known) -> copy.tokens.put(slot, new ArrayList<>(known)));
		copy.claimed.putAll(this.claimed);
		copy.latest = this.latest;
		return copy;
	}

	@Override
	public String toString() {
		return this.id;
	}

}
