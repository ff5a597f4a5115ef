package dev.idspring.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Owns slots, and recognises them by the tokens that its own attempts wrote.
 * <p>
 * A process that is cloned, by a snapshot of its virtual machine or a checkpoint that is
 * restored twice, has the id of its owner in both copies. So the id alone does not tell
 * whose a slot is:
 * <ol>
 * <li>A store writes a new {@linkplain #attempt token} with every attempt to change a
 * slot, on the condition that the row still has the token that the owner last
 * {@linkplain #known knew}.</li>
 * <li>A token comes from the operating system, for that attempt only. What has the same
 * memory draws another one.</li>
 * <li>A slot is the owner's if it has the token that was last confirmed, or that of an
 * attempt whose outcome is unknown. With another token and the owner's id it belongs to a
 * clone.</li>
 * <li>A slot without a token was moved by the store itself, after a fail-over that it
 * recorded. The owner that writes the next token has it.</li>
 * </ol>
 * In large fleets the owner's lease is longer, so that about as many renewals come to the
 * store as from {@value #FLEET} owners. Others must know of a lease before times are
 * reserved by it, since after a fail-over they go by the leases that they see:
 * <ol>
 * <li>A longer lease is written to the slot first. It is {@linkplain #settledLease
 * settled} when it is written again after longer than a fail-over may lose. So whatever
 * is lost then, the store still knows of it.</li>
 * <li>A shorter one is settled at once: what was reserved by the longer one is a position
 * that the store knows.</li>
 * </ol>
 * One case is left: a process that is cloned between drawing a token and the end of that
 * attempt. Who must not repeat anything even then uses only what the
 * {@linkplain #isLatest latest attempt} has reserved.
 * <p>
 * Used by one thread at a time.
 *
 * @since 0.1.0
 */
public final class SlotOwner {

	/** The slots and the attempts with unknown outcome that are remembered. */
	private static final int REMEMBERED = 1_000;

	/** How many owners renew as often as their settings say. */
	static final int FLEET = 1_000;

	/** The longest lease that is due to the size of a fleet. */
	static final Duration LONGEST_IN_FLEETS = Duration.ofMinutes(5);

	/** One of so many renewals counts the owners. */
	private static final int RENEWALS_BETWEEN_COUNTS = 16;

	private final String id;

	private final Duration shortestLease;

	private volatile Duration lease;

	private volatile Duration settledLease;

	/** When the lease was first written that is not settled yet. */
	private @Nullable Instant leaseWritten;

	/** Where it was written. */
	private long slotOfLease = -1;

	private int renewals;

	private Duration mostLost = Duration.ZERO;

	/** By number: what was last confirmed, and then the attempts since. */
	private final Map<Long, List<@Nullable String>> tokens = new LinkedHashMap<>();

	/** By number: where the slot stood when it was first this owner's. */
	private final Map<Long, Long> claimed = new HashMap<>();

	private @Nullable String latest;

	/**
	 * Create an owner.
	 * @param id tells owners apart: at most 36 printable ASCII characters that no other
	 * owner uses. Never an address or a process number, which come again
	 * @param lease how long after the owner's last sign of life its slot may be taken
	 * over, unless the fleet is large
	 * @throws InvalidSettingException if the id or the lease cannot be used
	 */
	public SlotOwner(String id, Duration lease) {
		InvalidSettingException.require(id != null && id.matches("[ -~]{1,36}"), SlotOwner.class, "id", id,
				"must be 1 to 36 printable ASCII characters");
		verifyLease(SlotOwner.class, lease);
		this.id = id;
		this.shortestLease = lease;
		this.lease = lease;
		this.settledLease = lease;
	}

	/**
	 * Verify a lease: pauses for garbage collection lose a shorter one than a second, and
	 * the slots of killed instances wait for the end of it.
	 * @param settings the type that has the parameter {@code lease}
	 * @param lease how long after the owner's last sign of life its slot may be taken
	 * over
	 * @throws InvalidSettingException if it is shorter than a second or longer than a day
	 */
	public static void verifyLease(Class<?> settings, Duration lease) {
		InvalidSettingException.requireGiven(SlotOwner.class, "settings", settings);
		InvalidSettingException.requireRange(settings, "lease", lease, Duration.ofSeconds(1), Duration.ofDays(1));
	}

	/**
	 * Create an owner with an id from the operating system.
	 * @param lease how long after its last sign of life its slot may be taken over
	 * @return an owner that has never existed before
	 */
	public static SlotOwner random(Duration lease) {
		return new SlotOwner(SystemRandom.text(), lease);
	}

	/**
	 * Return what tells owners apart.
	 * @return the id
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return an owner that takes this one's place.
	 * @return an owner that has never existed before, with the lease of the settings
	 */
	public SlotOwner successor() {
		return random(this.shortestLease);
	}

	/**
	 * Return how long a slot stays the owner's without renewal.
	 * @return the lease that the next attempt writes
	 */
	public Duration lease() {
		return this.lease;
	}

	/**
	 * Return how long a lease all others know of, whatever a fail-over may lose.
	 * @return the lease by which times are reserved and renewals are planned, at most
	 * {@link #lease()}
	 */
	public Duration settledLease() {
		return this.settledLease;
	}

	/**
	 * Learn now and then how many owners there are. To be called after each renewal.
	 * @param store remembers the slots
	 * @param keySpace the name of the key space
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public void followFleet(SlotStore store, String keySpace, Deadline deadline) {
		InvalidSettingException.requireGiven(SlotOwner.class, "store", store);
		StoreArguments.slots(keySpace, deadline);
		if (this.renewals++ % RENEWALS_BETWEEN_COUNTS == 0) {
			this.mostLost = store.mostLost();
			followFleet(store.countOwned(keySpace, deadline));
		}
	}

	/**
	 * Begin with the lease of the settings again, as the slot was lost.
	 */
	public void unsettle() {
		this.slotOfLease = -1;
	}

	void followFleet(long owners) {
		Duration wanted = this.shortestLease;
		for (long enough = FLEET; enough < owners && wanted.compareTo(LONGEST_IN_FLEETS) < 0; enough *= 2) {
			wanted = shorter(wanted.multipliedBy(2), LONGEST_IN_FLEETS);
		}
		if (!wanted.equals(this.lease)) {
			this.leaseWritten = null;
			this.lease = wanted;
		}
		this.settledLease = shorter(this.settledLease, wanted);
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? other : one;
	}

	private void settle(StoredSlot stored) {
		if (stored.slot().number() != this.slotOfLease) {
			this.slotOfLease = stored.slot().number();
			this.leaseWritten = null;
			this.settledLease = shorter(this.settledLease, this.shortestLease);
		}
		if (this.settledLease.equals(this.lease)
				|| Duration.between(stored.leasedAt(), stored.leaseUntil()).compareTo(this.lease) < 0) {
			return;
		}
		Instant written = this.leaseWritten;
		if (written == null) {
			this.leaseWritten = stored.leasedAt();
		}
		else if (stored.leasedAt().isAfter(written.plus(longer(this.shortestLease, this.mostLost)))) {
			this.settledLease = this.lease;
		}
	}

	/**
	 * Draw a token for one attempt to change a slot. A store calls this before each
	 * attempt, also when it repeats one.
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
	 * Return the token that a slot must have to be changed: the one that was last
	 * confirmed.
	 * @param slot the number of the slot
	 * @return the token, or {@code null} if the store had removed it
	 */
	public @Nullable String known(long slot) {
		List<@Nullable String> known = this.tokens.get(slot);
		return (known != null) ? known.get(0) : null;
	}

	/**
	 * Remember the token of a slot if it is the owner's. A store calls this when an
	 * attempt has ended, with the slot as it is then.
	 * @param stored the slot
	 * @return the same
	 */
	public StoredSlot learn(StoredSlot stored) {
		if (isLatest(stored)) {
			settle(stored);
		}
		if (owns(stored)) {
			this.claimed.putIfAbsent(stored.slot().number(), stored.slot().position());
		}
		if (owns(stored) && !Objects.equals(stored.token(), known(stored.slot().number()))) {
			List<@Nullable String> known = new ArrayList<>();
			known.add(stored.token());
			// the slot that was used last comes last
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
	 * Return where a slot stood when it was first this owner's: what is before was
	 * reserved by others.
	 */
	long claimedAt(long slot) {
		return this.claimed.getOrDefault(slot, 0L);
	}

	/**
	 * Return whether a slot is this owner's.
	 * @param stored the slot
	 * @return {@code true} if it has its id, and a token of its own or none
	 */
	public boolean owns(StoredSlot stored) {
		InvalidSettingException.requireGiven(SlotOwner.class, "stored", stored);
		return this.id.equals(stored.owner()) && (stored.token() == null
				|| this.tokens.getOrDefault(stored.slot().number(), List.of()).contains(stored.token()));
	}

	/**
	 * Return whether a slot belongs to a clone of this owner.
	 * @param stored the slot
	 * @return {@code true} if it has its id and a token of another's
	 */
	public boolean isCloned(StoredSlot stored) {
		return !owns(stored) && this.id.equals(stored.owner());
	}

	/**
	 * Return whether the latest attempt has made a slot what it is, rather than an
	 * earlier one with unknown outcome.
	 * @param stored the slot
	 * @return {@code true} if it has the token that was drawn last
	 */
	public boolean isLatest(StoredSlot stored) {
		InvalidSettingException.requireGiven(SlotOwner.class, "stored", stored);
		return stored.token() != null && stored.token().equals(this.latest);
	}

	/**
	 * Return what a clone of this process has in memory, for tests.
	 * @return a copy that knows the same tokens
	 */
	public SlotOwner copy() {
		SlotOwner copy = new SlotOwner(this.id, this.shortestLease);
		copy.lease = this.lease;
		copy.settledLease = this.settledLease;
		copy.leaseWritten = this.leaseWritten;
		copy.slotOfLease = this.slotOfLease;
		copy.mostLost = this.mostLost;
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
