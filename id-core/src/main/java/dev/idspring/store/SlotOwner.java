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
 * An owner of slots of a {@link SlotStore}. The owner recognizes its slots by the tokens
 * that it wrote to them.
 * <p>
 * A process can be cloned: by a snapshot of its virtual machine, or by a checkpoint that
 * is restored twice. Both copies then have the same owner id. The tokens distinguish
 * them:
 * <ol>
 * <li>Every attempt to change a slot writes a new {@linkplain #newToken token}. An
 * attempt to advance, renew or release a slot succeeds only if the slot still has the
 * {@linkplain #confirmedToken token that was last confirmed}.</li>
 * <li>Each token is random text from the operating system, and is used for one attempt
 * only. A clone with the same memory therefore gets a different token.</li>
 * <li>A slot with the owner's id belongs to the owner if the slot's token is the last
 * confirmed one, or that of an attempt whose outcome is unknown. If the slot has any
 * other token, it belongs to a clone.</li>
 * <li>If the slot has no token, the store itself advanced it after a database fail-over.
 * Of the clones with the owner's id, the first that writes a token owns the slot.</li>
 * </ol>
 * One case is not covered: if a process is cloned after a token was drawn and before the
 * attempt has ended, both clones know the token. Two clones of a time-based generator may
 * then issue the same ids for the reserved time. A generator of the strategy
 * {@code recycled} avoids this, because it uses only the reservation of the
 * {@linkplain #isLatest latest attempt}.
 * <p>
 * Only one thread at a time may use an owner.
 *
 * @since 0.1.0
 */
public final class SlotOwner {

	/**
	 * The maximum number of remembered slots, and of remembered attempts per slot.
	 */
	private static final int MAX_REMEMBERED = 1_000;

	private final String id;

	private final Duration lease;

	/**
	 * By slot number: the token that was last confirmed, then the tokens of later
	 * attempts.
	 */
	private final Map<Long, List<@Nullable String>> tokens = new LinkedHashMap<>();

	/** By slot number: the position of the slot when this owner first claimed it. */
	private final Map<Long, Long> claimedPositions = new HashMap<>();

	private @Nullable String latestToken;

	/**
	 * Create an owner.
	 * @param id the id of the owner: 1 to 36 printable ASCII characters. No other owner
	 * may ever use the same id, so do not use a network address or a process id
	 * @param lease how long after the owner's last renewal no other owner may take over
	 * the slot
	 * @throws InvalidSettingException if the id or the lease is invalid
	 */
	public SlotOwner(String id, Duration lease) {
		InvalidSettingException.require(id != null && id.matches("[ -~]{1,36}"), SlotOwner.class, "id", id,
				"must be 1 to 36 printable ASCII characters");
		verifyLease(SlotOwner.class, lease);
		this.id = id;
		this.lease = lease;
	}

	/**
	 * Verify the length of a lease. A lease shorter than a second could expire during a
	 * garbage collection pause. A long lease blocks the slots of a killed instance until
	 * it expires.
	 * @param settings the type that declares the parameter {@code lease}, for the message
	 * @param lease how long after the owner's last renewal no other owner may take over
	 * the slot
	 * @throws InvalidSettingException if the lease is shorter than one second or longer
	 * than one day
	 */
	public static void verifyLease(Class<?> settings, Duration lease) {
		InvalidSettingException.requireGiven(SlotOwner.class, "settings", settings);
		InvalidSettingException.requireRange(settings, "lease", lease, Duration.ofSeconds(1), Duration.ofDays(1));
	}

	/**
	 * Create an owner with a random id from the operating system.
	 * @param lease how long after the owner's last renewal no other owner may take over
	 * the slot
	 * @return an owner whose id no other owner has
	 */
	public static SlotOwner random(Duration lease) {
		return new SlotOwner(SystemRandom.text(), lease);
	}

	/**
	 * Return the id of this owner.
	 * @return the id
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Create an owner to replace this one.
	 * @return an owner with a new random id and the same lease
	 */
	public SlotOwner successor() {
		return random(this.lease);
	}

	/**
	 * Return the length of this owner's leases.
	 * @return the lease
	 */
	public Duration lease() {
		return this.lease;
	}

	/**
	 * Draw a token for one attempt to change a slot. A store calls this method before
	 * each attempt, including each retry.
	 * @param slot the number of the slot
	 * @return the token to write, 36 characters
	 */
	public String newToken(long slot) {
		String token = SystemRandom.text();
		List<@Nullable String> slotTokens = this.tokens.computeIfAbsent(slot, (number) -> new ArrayList<>());
		if (slotTokens.isEmpty()) {
			slotTokens.add(null);
		}
		if (slotTokens.size() > MAX_REMEMBERED) {
			slotTokens.remove(1);
		}
		slotTokens.add(token);
		this.latestToken = token;
		return token;
	}

	/**
	 * Return the token that was last confirmed. An attempt to advance, renew or release
	 * the slot succeeds only if the slot still has this token.
	 * @param slot the number of the slot
	 * @return the token, or {@code null} if none was confirmed, or if the store has
	 * removed it
	 */
	public @Nullable String confirmedToken(long slot) {
		List<@Nullable String> slotTokens = this.tokens.get(slot);
		return (slotTokens != null) ? slotTokens.get(0) : null;
	}

	/**
	 * Remember the token of a slot if the slot belongs to this owner. A store calls this
	 * method after each attempt, with the resulting slot.
	 * @param stored the slot
	 * @return the same slot
	 */
	public StoredSlot rememberToken(StoredSlot stored) {
		if (owns(stored)) {
			this.claimedPositions.putIfAbsent(stored.slot().number(), stored.slot().position());
		}
		if (owns(stored) && !Objects.equals(stored.token(), confirmedToken(stored.slot().number()))) {
			List<@Nullable String> slotTokens = new ArrayList<>();
			slotTokens.add(stored.token());
			// move the most recently used slot to the end of the map
			this.tokens.remove(stored.slot().number());
			this.tokens.put(stored.slot().number(), slotTokens);
			if (this.tokens.size() > MAX_REMEMBERED) {
				Long oldestSlot = this.tokens.keySet().iterator().next();
				this.tokens.remove(oldestSlot);
				this.claimedPositions.remove(oldestSlot);
			}
		}
		return stored;
	}

	/**
	 * Return the position that a slot had when this owner first claimed it, or 0 if that
	 * is not remembered. Earlier positions may have been reserved by other owners.
	 */
	long claimedPosition(long slot) {
		return this.claimedPositions.getOrDefault(slot, 0L);
	}

	/**
	 * Return whether a slot belongs to this owner.
	 * @param stored the slot
	 * @return {@code true} if the slot has this owner's id, and has either no token or
	 * one of this owner's tokens
	 */
	public boolean owns(StoredSlot stored) {
		InvalidSettingException.requireGiven(SlotOwner.class, "stored", stored);
		return this.id.equals(stored.owner()) && (stored.token() == null
				|| this.tokens.getOrDefault(stored.slot().number(), List.of()).contains(stored.token()));
	}

	/**
	 * Return whether a slot belongs to a clone of this owner.
	 * @param stored the slot
	 * @return {@code true} if the slot has this owner's id, but a token that this owner
	 * did not write
	 */
	public boolean isCloned(StoredSlot stored) {
		return !owns(stored) && this.id.equals(stored.owner());
	}

	/**
	 * Return whether the last change of a slot was made by the latest attempt, and not by
	 * an earlier attempt with unknown outcome.
	 * @param stored the slot
	 * @return {@code true} if the slot has the token that was drawn last
	 */
	public boolean isLatest(StoredSlot stored) {
		InvalidSettingException.requireGiven(SlotOwner.class, "stored", stored);
		return stored.token() != null && stored.token().equals(this.latestToken);
	}

	/**
	 * Return a copy of this owner, for tests of cloned processes.
	 * @return a copy that knows the same tokens
	 */
	public SlotOwner copy() {
		SlotOwner copy = new SlotOwner(this.id, this.lease);
		this.tokens.forEach((slot, slotTokens) -> copy.tokens.put(slot, new ArrayList<>(slotTokens)));
		copy.claimedPositions.putAll(this.claimedPositions);
		copy.latestToken = this.latestToken;
		return copy;
	}

	@Override
	public String toString() {
		return this.id;
	}

}
