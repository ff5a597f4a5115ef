package dev.idspring.redis;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.FenceLine;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.SlotAccess;
import dev.idspring.store.rules.SlotState;
import dev.idspring.store.rules.SlotTakeOver;
import dev.idspring.store.rules.SlotTakeOver.Replacement;
import dev.idspring.store.rules.SlotView;
import dev.idspring.store.rules.SlotView.Fenced;
import dev.idspring.worker.Deadline;

/**
 * Reads and changes the slots of one key space during one attempt.
 */
final class RedisSlotAccess extends RedisAccess implements SlotAccess<RedisFailure> {

	private final long clockOffset;

	private final boolean forUpdate;

	/**
	 * Create the access for one attempt.
	 * @param clockOffset the number of milliseconds to add to the server's clock
	 * @param forUpdate whether the attempt also makes changes. If so, the values that it
	 * reads must be confirmed
	 */
	RedisSlotAccess(RedisDatabase database, long clockOffset, String keySpace, boolean forUpdate, Deadline deadline) {
		super(database, keySpace, deadline);
		this.clockOffset = clockOffset;
		this.forUpdate = forUpdate;
	}

	@Override
	public SlotView view(OptionalLong number) throws RedisFailure {
		String slots = number.isPresent() ? Long.toString(number.getAsLong()) : "all";
		KeySpaceSnapshot latest = this.forUpdate ? this.database.readDurably(this.keySpace, slots, this.deadline)
				: this.database.read(this.keySpace, slots, false, this.deadline);
		if (!latest.exists()) {
			throw new KeySpaceRegressionException(
					"The key of key space '" + this.keySpace + "' has vanished from the server. "
							+ RecoveryInstructions.createAgain("ids.redis.initialize=always"));
		}
		remember(latest);
		return new SlotView(latest.asLong(RedisFence.NEXT_SLOT), latest.asLong("capacity"),
				new Fenced(latest.asLong("fenced_slot"), latest.asLong("fenced_end"), latest.asLong("fenced_until")),
				fence().state(latest, RedisFence.NEXT_SLOT), List.copyOf(latest.slots().values()),
				latest.clockMillis() + this.clockOffset);
	}

	private FenceRules rules() {
		return fence().rules();
	}

	/**
	 * Create an empty change. If the fence is on, the change is applied only by the
	 * server from which the key space was read, and only if this server wrote the key
	 * space last. If another server did, a take-over must be recorded first.
	 */
	private Change fencedChange() {
		Change change = Change.on(fence().server(latest()));
		return rules().isOn() ? change.when("incarnation", latest().server()) : change;
	}

	@Override
	public boolean replace(SlotState before, SlotState after) throws RedisFailure {
		return write(addReplacement(fencedChange(), before, after));
	}

	private static Change addReplacement(Change change, SlotState before, SlotState after) {
		return change.when(before.slot().number(), before).set(after);
	}

	@Override
	public boolean insert(SlotState state) throws RedisFailure {
		return write(fencedChange().when(state.slot().number(), null).set(state));
	}

	@Override
	public Optional<SlotState> create(SlotView view, SlotSpace space, SlotOwner owner) throws RedisFailure {
		for (long number = view.next(); number < space.count(); number++) {
			// skip numbers that instances have requested explicitly
			if (this.database.read(this.keySpace, Long.toString(number), false, this.deadline).slots().isEmpty()) {
				SlotState created = SlotState.created(number, space, owner, view.now());
				Change change = fencedChange().when(number, null).set(created);
				boolean written = advanceCounter(change, view, number, space) && write(change);
				return written ? Optional.of(created) : Optional.empty();
			}
		}
		// all remaining numbers are already in use, so advance the counter to the end
		Change change = fencedChange();
		if (view.next() < space.count() && advanceCounter(change, view, space.count() - 1, space)) {
			write(change);
		}
		return Optional.empty();
	}

	/**
	 * Extend a change so that it advances the counter past a number.
	 * @return whether the fence line allows the change now
	 */
	private boolean advanceCounter(Change change, SlotView view, long number, SlotSpace space) {
		change.when(RedisFence.NEXT_SLOT, latest().field(RedisFence.NEXT_SLOT)).set(RedisFence.NEXT_SLOT, number + 1);
		// only nodes have a horizon. The fence line does not limit the creation of nodes,
		// because their positions are times
		if (!rules().isOn() || space.horizon() != null) {
			return true;
		}
		FenceLine line = view.fence().line();
		long units = rules().unitsPerSeries() * (number + 1 - view.next());
		change.when("line_time", latest().field("line_time"))
			.set("line_time", line.reserve(units, view.fence().clock()).time());
		return line.wait(units, view.fence().clock(), rules().lag()) == 0;
	}

	/**
	 * Advance, renew or release a slot. The slot is not read first, because the script
	 * itself compares the stored slot with the one that the owner knows.
	 */
	@Override
	public Optional<Moved> move(Slot slot, SlotOwner owner, long position, boolean release) throws RedisFailure {
		String token = owner.confirmedToken(slot.number());
		List<Object> answer = this.database.run(RedisScript.MOVE, true, this.keySpace, this.deadline,
				Long.toString(slot.number()), owner.id(), (token != null) ? token : "", Long.toString(slot.position()),
				Long.toString(position), Long.toString(owner.lease().toMillis()), release ? "" : owner.id(),
				owner.newToken(slot.number()), rules().isOn() ? "1" : "0", Long.toString(this.clockOffset));
		return RedisDatabase.isOk(answer)
				? Optional.of(new Moved(KeySpaceSnapshot.slot(slot.number(), KeySpaceSnapshot.text(answer.get(1))),
						Long.parseLong(KeySpaceSnapshot.text(answer.get(2)))))
				: Optional.empty();
	}

	@Override
	public boolean takeOver(SlotView view, SlotTakeOver takeOver) throws RedisFailure {
		Change change = fence().takeOver(latest(), RedisFence.NEXT_SLOT, takeOver.line());
		if (view.fence().hasFailedOver()) {
			change.set("fenced_slot", takeOver.fenced().first())
				.set("fenced_end", takeOver.fenced().end())
				.set("fenced_until", takeOver.fenced().until());
		}
		takeOver.replacements().forEach((slot) -> addReplacement(change, slot.before(), slot.after()));
		return this.database.takeOver(this.keySpace, change, this.deadline);
	}

	@Override
	public boolean skip(long numbers, List<Replacement> replacements) throws RedisFailure {
		Change change = Change.on("").add(RedisFence.NEXT_SLOT, numbers);
		replacements.forEach((slot) -> addReplacement(change, slot.before(), slot.after()));
		return write(change);
	}

}
