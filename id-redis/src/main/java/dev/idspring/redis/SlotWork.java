package dev.idspring.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.FenceLine;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.StoredSlot;
import org.jspecify.annotations.Nullable;

/**
 * Works out changes of the slots of one key space from what was read of it. Moves them
 * ahead when another server has taken over:
 * <ol>
 * <li>A series that is begun is passed over to its end, within a share of what is left.
 * Its owner loses it and begins another. The numbers of new series are a counter with a
 * line of its own.</li>
 * <li>The position of a node is time, and no node is reserved beyond the horizon: all
 * move there. An owner whose lease is running keeps its node, without its token, since
 * that of its last attempt may be lost. The others rest until the clock that is furthest
 * behind has passed the horizon, and none is begun until then.</li>
 * <li>The horizon is computed from the longest lease still running. An expired lease
 * counts only for its own slot. A second fail-over never shortens a waiting period or a
 * lease.</li>
 * </ol>
 */
final class SlotWork {

	/** What of the rate a new series uses. */
	private static final long UNITS_PER_SERIES = 1_000;

	/**
	 * What share of the keys that are left may be lost in series that are passed over.
	 */
	private static final long SHARE = 64;

	/** Which attempt has skipped last. */
	private static final String SKIPPED = "skipped";

	private static final Logger logger = System.getLogger(SlotWork.class.getName());

	private final RedisFence fence;

	private final String keySpace;

	private final Look look;

	private final long now;

	/**
	 * Work on what was read.
	 * @param now the time by which leases are judged, in milliseconds
	 */
	SlotWork(RedisFence fence, String keySpace, Look look, long now) {
		this.fence = fence;
		this.keySpace = keySpace;
		this.look = look;
		this.now = now;
	}

	long now() {
		return this.now;
	}

	void verifyExists() {
		if (!this.look.exists()) {
			throw new KeySpaceRegressionException("The key of key space '" + this.keySpace
					+ "' has vanished from the server. Restart the application with ids.redis.initialize=always, which"
					+ " creates the key space.");
		}
	}

	KeySpaceRegressionException vanished(long number) {
		return new KeySpaceRegressionException(
				"Slot " + number + " of key space '" + this.keySpace + "' has vanished from the server.");
	}

	@Nullable SlotEntry slot(long number) {
		return this.look.slots().get(number);
	}

	long next() {
		return this.look.number(RedisFence.SLOTS);
	}

	/**
	 * Return the slots that are not used up, in the order of their numbers.
	 */
	List<SlotEntry> slots() {
		return this.look.slots().values().stream().filter((entry) -> !entry.slot().isUsedUp()).toList();
	}

	boolean mustPass() {
		return this.fence.differs(this.look) || this.fence.isFirstContact(this.look);
	}

	/**
	 * Return what lets slots be used on this server. All of them must have been read.
	 */
	Change pass(SlotSpace space, SlotOwner owner) {
		FenceLine line = this.look.line(RedisFence.SLOTS);
		if (this.fence.isFirstContact(this.look)) {
			return this.fence.set(this.look, RedisFence.SLOTS, this.fence.unused(line.position(), this.look.clock()));
		}
		Horizon horizon = space.horizon();
		FenceLine moved = (horizon != null) ? line : movedNumbers(line, space);
		long restUntil = this.now + rest(space, owner).toMillis();
		Change change = this.fence.set(this.look, RedisFence.SLOTS, moved)
			.set("fenced_slot", line.position())
			.set("fenced_end", moved.position());
		if (horizon != null) {
			moveNodes(change, owner, horizon.position(), restUntil);
		}
		else {
			change.set("fenced_until", Math.max(restUntil, this.look.number("fenced_until")));
			moveSeries(change, space, moved.position(), restUntil);
		}
		return change;
	}

	private static Duration rest(SlotSpace space, SlotOwner owner) {
		Horizon horizon = space.horizon();
		return (horizon != null) ? horizon.distance() : owner.lease();
	}

	/**
	 * Log that slots were moved, once that is confirmed.
	 */
	void logPassed(SlotSpace space, SlotOwner owner) {
		if (this.fence.differs(this.look)) {
			logger.log(Level.WARNING,
					"Another server has taken over the keys of ids, or it was restarted: the slots of" + " key space '"
							+ this.keySpace + "' have moved ahead, and those without an owner rest for at least "
							+ rest(space, owner).toSeconds() + " s");
		}
	}

	/**
	 * Count series as units of the line, of which each uses many.
	 */
	private FenceLine movedNumbers(FenceLine line, SlotSpace space) {
		long left = Math.max(0, countOfAll(space) - line.position());
		FenceLine units = new FenceLine(0, line.time(), line.rate(), line.raised(), line.raiseAt(), line.holdUntil())
			.takeOver(this.look.clock(), this.fence.lag(),
					Math.min(left, Long.MAX_VALUE / unitsPerSeries()) * unitsPerSeries());
		long skipped = Math.min(left, (units.position() - 1) / unitsPerSeries() + 1);
		return new FenceLine(line.position() + skipped, units.time(), units.rate(), units.raised(), units.raiseAt(),
				units.holdUntil());
	}

	/**
	 * Return how many series there are for any instance: that which happens to find the
	 * fail-over may know of far fewer than the others.
	 */
	private long countOfAll(SlotSpace space) {
		return Math.max(space.count(), this.look.number("capacity") / (space.end(0) - space.start(0)));
	}

	private long unitsPerSeries() {
		long bucket = this.fence.unused(0, 0).affordable(0, this.fence.lag());
		return Math.max(1, Math.min(UNITS_PER_SERIES, bucket));
	}

	private static Slot moved(Slot slot, long distance) {
		return slot.at((slot.position() < slot.end() - distance) ? slot.position() + distance : slot.end());
	}

	private void moveSeries(Change change, SlotSpace space, long next, long restUntil) {
		List<SlotEntry> begun = slots();
		long count = countOfAll(space);
		long left = (next < count) ? space.end(count - 1) - space.start(next) : 0;
		long most = Math.max(this.fence.margin(), left / SHARE / Math.max(1, begun.size()));
		for (SlotEntry entry : begun) {
			replace(change, entry, new SlotEntry(moved(entry.slot(), most), SlotEntry.FAIL_OVER, entry.token(),
					entry.leasedAt(), restUntil));
		}
	}

	private void moveNodes(Change change, SlotOwner owner, long horizon, long restOfLease) {
		long lease = owner.lease().toMillis();
		long running = slots().stream()
			.filter((entry) -> entry.hasOwner() && entry.leaseUntil() >= this.now)
			.mapToLong((entry) -> entry.leaseUntil() - entry.leasedAt())
			.max()
			.orElse(0);
		long longest = Math.max(lease, running);
		long reached = horizon - lease + longest;
		long restUntil = restOfLease - lease + longest;
		change.set("fenced_until", Math.max(restUntil, this.look.number("fenced_until")));
		for (SlotEntry entry : slots()) {
			long position = Math.max(entry.slot().position(), reached);
			long until = Math.max(entry.leaseUntil(), restUntil);
			long own = entry.leaseUntil() - entry.leasedAt();
			boolean runs = entry.owner() != null && entry.leaseUntil() >= this.now;
			if (entry.hasOwner() && !runs && own > longest) {
				position = Math.max(position, own + horizon - lease);
				until = Math.max(until, own + restOfLease - lease);
			}
			replace(change, entry, new SlotEntry(entry.slot().at(position), runs ? entry.owner() : SlotEntry.FAIL_OVER,
					null, entry.leasedAt(), until));
		}
	}

	private static void replace(Change change, SlotEntry entry, SlotEntry replacement) {
		change.when(entry.slot().number(), entry).set(replacement);
	}

	/**
	 * Return for how many milliseconds nodes still rest: another instance may have begun,
	 * or taken over, any of them on the server that is gone.
	 */
	long rest(SlotSpace space) {
		return (space.horizon() != null) ? Math.max(0, this.look.number("fenced_until") + 1 - this.now) : 0;
	}

	/**
	 * Return the abandoned slots that an instance may take over, the best first.
	 */
	List<SlotEntry> abandoned(SlotSpace space) {
		return slots().stream()
			.filter((entry) -> entry.leaseUntil() < this.now && entry.slot().number() < space.count()
					&& entry.slot().position() <= space.highestOffered())
			.sorted(Comparator.comparingLong((entry) -> entry.slot().position()))
			.toList();
	}

	private Change change() {
		Change change = Change.on(this.fence.server(this.look));
		if (this.fence.isOn()) {
			change.when("incarnation", this.look.server());
		}
		return change;
	}

	/**
	 * Return what makes a slot the owner's.
	 */
	Owned own(SlotEntry entry, SlotOwner owner) {
		SlotEntry owned = SlotEntry.owned(entry.slot(), owner, this.now);
		return new Owned(change().when(entry.slot().number(), entry).set(owned), owned.stored(this.now));
	}

	/**
	 * Return what begins a slot, whose number was asked for or is the next one.
	 */
	Owned begin(long number, SlotSpace space, SlotOwner owner) {
		Slot slot = new Slot(number, space.start(number), space.end(number));
		SlotEntry begun = SlotEntry.owned(slot, owner, this.now);
		return new Owned(change().when(number, null).set(begun), begun.stored(this.now));
	}

	/**
	 * Take a number, and those before it that were asked for.
	 * @throws RedisFailure if so many series were begun that it is worth waiting
	 */
	void take(Change change, long number, SlotSpace space) throws RedisFailure {
		change.when(RedisFence.SLOTS, this.look.field(RedisFence.SLOTS)).set(RedisFence.SLOTS, number + 1);
		// nodes need no limit, since their positions are times
		if (this.fence.isOn() && space.horizon() == null) {
			FenceLine line = this.look.line(RedisFence.SLOTS);
			long units = unitsPerSeries() * (number + 1 - next());
			this.fence.verifyAffordable(this.look, line, units);
			change.when("line_time", this.look.field("line_time"))
				.set("line_time", line.reserve(units, this.look.clock()).time());
		}
	}

	/**
	 * Return what brings the line back to the clock, or raises the rate.
	 */
	Optional<Change> repair() {
		return this.fence.repair(this.keySpace, this.look);
	}

	/**
	 * Return a slot as it will be at least when the key space is first used on this
	 * server.
	 */
	Optional<StoredSlot> stored(long number) {
		SlotEntry entry = slot(number);
		if (entry == null) {
			return passedOver(new Slot(number, 0, Long.MAX_VALUE));
		}
		boolean moves = this.fence.differs(this.look) && entry.slot().end() != Long.MAX_VALUE;
		return Optional.of((moves ? entry.at(moved(entry.slot(), this.fence.margin())) : entry).stored(this.now));
	}

	/**
	 * Return a slot that is not stored because it was begun on a server from which
	 * another one has taken over. Of series these are the numbers that were passed over;
	 * of nodes, none of which is begun before they have rested, all.
	 */
	Optional<StoredSlot> passedOver(Slot slot) {
		return skips(slot.number()) ? Optional.of(SlotEntry.skipped(slot, this.now).stored(this.now))
				: Optional.empty();
	}

	private boolean skips(long number) {
		if (this.fence.differs(this.look)) {
			return number >= next();
		}
		long first = this.look.number("fenced_slot");
		long end = this.look.number("fenced_end");
		boolean resting = first == end && this.now <= this.look.number("fenced_until");
		return this.fence.isOn() && !this.look.field("fenced_slot").isEmpty() && number >= first
				&& (number < end || resting);
	}

	/**
	 * Return what moves everything ahead.
	 * @param token tells later that it was done
	 */
	Change skip(long positions, long numbers, String token) {
		Change change = Change.on("").add(RedisFence.SLOTS, numbers).set(SKIPPED, token);
		for (SlotEntry entry : slots()) {
			replace(change, entry, new SlotEntry(moved(entry.slot(), positions), null, null, entry.leasedAt(), 0));
		}
		return change;
	}

	boolean hasSkipped(String token) {
		return token.equals(this.look.field(SKIPPED));
	}

	/**
	 * A change that makes a slot an owner's.
	 *
	 * @param change the change
	 * @param slot the slot as it is then
	 */
	record Owned(Change change, StoredSlot slot) {

	}

}
