package dev.idspring.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.idspring.DurationText;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.redis.SlotWork.Owned;
import dev.idspring.store.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.SystemRandom;
import dev.idspring.worker.Deadline;

/**
 * Keeps the slots of a key space in a hash {@code {prefix}:slots:NAME}, and those that
 * are used up in {@code {prefix}:used:NAME}. Times are the server's.
 * <p>
 * Why no position is used twice:
 * <ol>
 * <li>A slot is moved by one script, in which the server compares owner, position, token
 * and {@linkplain RedisFence fence}, and writes a new token. The caller learns of it
 * after the disks have confirmed it ({@link RedisDatabase}).</li>
 * <li>If nothing was moved the slot is read, and what is read is confirmed likewise. When
 * it has the token of an earlier attempt of ours, that attempt succeeded after all. No
 * clone of this process writes that token ({@link SlotOwner}).</li>
 * <li>A slot is taken over by one change on condition that it is exactly what was read,
 * so of several who want it one gets it, and it gets it where it stands.</li>
 * <li>A new number is taken by one change on condition that it is still the next one,
 * which also begins the slot.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class RedisSlotStore implements SlotStore {

	private final RedisDatabase database;

	private final Duration clockOffset;

	/**
	 * Create a store.
	 * @param database where the slots are
	 */
	public RedisSlotStore(RedisDatabase database) {
		this(database, Duration.ZERO);
	}

	/**
	 * Create a store for which the server's clock shows something else.
	 */
	RedisSlotStore(RedisDatabase database, Duration clockOffset) {
		this.database = InvalidSettingException.requireGiven(RedisSlotStore.class, "database", database);
		this.clockOffset = clockOffset;
	}

	@Override
	public boolean belongsTo(KeySpaceStore keySpaces) {
		InvalidSettingException.requireGiven(RedisSlotStore.class, "keySpaces", keySpaces);
		return (keySpaces instanceof RedisKeySpaceStore other) ? other.database() == this.database
				: !(keySpaces instanceof InMemoryKeySpaceStore);
	}

	@Override
	public Instant time(Deadline deadline) {
		StoreArguments.time(deadline);
		return Instant.ofEpochMilli(
				this.database.repeat("read the time", (left) -> work("", "none", false, left), deadline).now());
	}

	private SlotWork work(String keySpace, String slots, boolean confirmed, Deadline deadline) throws RedisFailure {
		return work(keySpace, this.database.look(keySpace, slots, confirmed, deadline));
	}

	private SlotWork work(String keySpace, Look look) {
		return new SlotWork(this.database.fence(), keySpace, look, look.millis() + this.clockOffset.toMillis());
	}

	/**
	 * Let the slots be used on this server.
	 * @return to be thrown: what was read is not so any more
	 */
	private RedisFailure pass(SlotWork work, String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline)
			throws RedisFailure {
		if (this.database.takeOver(keySpace, work.pass(space, owner), deadline)) {
			work.logPassed(space, owner);
		}
		return RedisFailure.notYet("another server has taken over", Duration.ZERO);
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, space, owner, deadline);
		return this.database
			.repeat("claim a slot of key space '" + keySpace + "'", (left) -> claimOnce(keySpace, space, owner, left),
					deadline)
			.map(owner::learn);
	}

	private Optional<StoredSlot> claimOnce(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline)
			throws RedisFailure {
		SlotWork work = ready(keySpace, "all", space, owner, deadline);
		for (SlotEntry entry : work.slots()) {
			if (owner.id().equals(entry.owner()) && owner.owns(entry.stored(work.now()))) {
				return Optional.of(commit(keySpace, work.own(entry, owner), deadline));
			}
		}
		List<SlotEntry> abandoned = work.abandoned(space);
		if (!abandoned.isEmpty()) {
			return Optional.of(commit(keySpace, work.own(abandoned.get(0), owner), deadline));
		}
		refuse(keySpace, work.rest(space));
		Optional<Change> repair = work.repair();
		if (repair.isPresent() && this.database.change(keySpace, repair.get(), deadline)) {
			throw RedisFailure.lostToOthers();
		}
		for (long number = work.next(); number < space.count(); number++) {
			// unless another instance has asked for it by its number
			if (work(keySpace, Long.toString(number), false, deadline).slot(number) == null) {
				Owned begun = work.begin(number, space, owner);
				work.take(begun.change(), number, space);
				return Optional.of(commit(keySpace, begun, deadline));
			}
		}
		return Optional.empty();
	}

	/**
	 * Read slots when they can be used on this server.
	 */
	private SlotWork ready(String keySpace, String slots, SlotSpace space, SlotOwner owner, Deadline deadline)
			throws RedisFailure {
		SlotWork work = work(keySpace, this.database.lookForUse(keySpace, slots, deadline));
		work.verifyExists();
		if (work.mustPass()) {
			SlotWork all = work(keySpace, "all", false, deadline);
			// another instance may have let them be used in between
			throw all.mustPass() ? pass(all, keySpace, space, owner, deadline) : RedisFailure.lostToOthers();
		}
		return work;
	}

	private StoredSlot commit(String keySpace, Owned owned, Deadline deadline) throws RedisFailure {
		if (!this.database.change(keySpace, owned.change(), deadline)) {
			throw RedisFailure.lostToOthers();
		}
		return owned.slot();
	}

	private static void refuse(String keySpace, long rest) {
		if (rest > 0) {
			throw new IdStoreUnavailableException(
					"After a fail-over of the server no instance gets a node of key space '" + keySpace
							+ "' for another " + DurationText.rounded(Duration.ofMillis(rest))
							+ ": whatever was made with them before must lie in the past.");
		}
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		StoreArguments.claim(keySpace, number, space, owner, deadline);
		return owner.learn(this.database.repeat("claim slot " + number + " of key space '" + keySpace + "'",
				(left) -> claimOnce(keySpace, number, space, owner, left), deadline));
	}

	private StoredSlot claimOnce(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline)
			throws RedisFailure {
		SlotWork work = ready(keySpace, Long.toString(number), space, owner, deadline);
		SlotEntry entry = work.slot(number);
		if (entry == null) {
			refuse(keySpace, work.rest(space));
			return commit(keySpace, work.begin(number, space, owner), deadline);
		}
		if (entry.isFree(owner, work.now())) {
			return commit(keySpace, work.own(entry, owner), deadline);
		}
		if (space.horizon() != null && entry.isResting()) {
			// one may rest longer than the others
			long left = entry.leaseUntil() + 1 - work.now();
			refuse(keySpace, (left > 0) ? Math.max(work.rest(space), left) : 0);
		}
		return entry.stored(work.now());
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		StoreArguments.advance(keySpace, space, slot, owner, position, deadline);
		boolean renewal = position == slot.position();
		return owner.learn(this.database.repeat(
				(renewal ? "renew the lease of slot " : "reserve from slot ") + slot.number() + " of key space '"
						+ keySpace + "'",
				(left) -> advanceOnce(keySpace, space, slot, owner, position, left), deadline));
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		StoreArguments.renew(keySpace, space, slot, owner, deadline);
		return advance(keySpace, space, slot, owner, slot.position(), deadline);
	}

	private StoredSlot advanceOnce(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) throws RedisFailure {
		List<Object> answer = move(keySpace, slot, owner, position, owner.id(), deadline);
		long number = slot.number();
		if (RedisDatabase.isOk(answer)) {
			return SlotEntry.parse(number, Look.text(answer.get(1))).stored(Long.parseLong(Look.text(answer.get(2))));
		}
		// not moved
		SlotWork work = ready(keySpace, Long.toString(number), space, owner, deadline);
		SlotEntry entry = work.slot(number);
		return ((entry != null) ? Optional.of(entry.stored(work.now())) : work.passedOver(slot))
			.orElseThrow(() -> work.vanished(number));
	}

	private List<Object> move(String keySpace, Slot slot, SlotOwner owner, long position, String newOwner,
			Deadline deadline) throws RedisFailure {
		String known = owner.known(slot.number());
		return this.database.run(RedisScript.MOVE, true, keySpace, deadline, Long.toString(slot.number()), owner.id(),
				(known != null) ? known : "", Long.toString(slot.position()), Long.toString(position),
				Long.toString(owner.lease().toMillis()), newOwner, owner.attempt(slot.number()),
				this.database.fence().isOn() ? "1" : "0", Long.toString(this.clockOffset.toMillis()));
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		StoreArguments.release(keySpace, slot, owner, position, deadline);
		return this.database.repeat("leave slot " + slot.number() + " of key space '" + keySpace + "'",
				(left) -> RedisDatabase.isOk(move(keySpace, slot, owner, position, "", left)), deadline);
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return this.database.repeat("read slot " + number + " of key space '" + keySpace + "'",
				(left) -> work(keySpace, Long.toString(number), false, left).stored(number), deadline);
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		StoreArguments.slots(keySpace, deadline);
		return this.database.repeat("read the slots of key space '" + keySpace + "'", (left) -> {
			SlotWork work = work(keySpace, "all", false, left);
			work.verifyExists();
			return new SlotListing(work.next(),
					work.slots().stream().map((entry) -> entry.stored(work.now())).toList());
		}, deadline);
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		StoreArguments.skip(keySpace, positions, slots, deadline);
		String token = SystemRandom.text();
		this.database.repeat("skip ahead in key space '" + keySpace + "'", (left) -> {
			SlotWork work = work(keySpace, "all", true, left);
			work.verifyExists();
			StoreArguments.skipped(work.next(), slots);
			// an earlier attempt may have succeeded after all
			if (!work.hasSkipped(token) && !this.database.change(keySpace, work.skip(positions, slots, token), left)) {
				throw RedisFailure.lostToOthers();
			}
			return true;
		}, deadline);
	}

}
