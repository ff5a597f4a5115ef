package dev.idspring.store.rules;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.rules.SlotTakeOver.Replacement;
import dev.idspring.store.rules.SlotView.Fenced;

/**
 * The rules that determine which slot an owner may claim, and how slots advance when
 * another server takes over. The new server may lack commits of the old one. A slot is
 * either a series, which is a range of ordinals (positions of ids in their key space), or
 * a node, which is a range of times.
 * <ol>
 * <li>Series: a take-over advances every started series that is not used up, at most to
 * its end. In each of these series, it skips the larger of two numbers of ordinals. The
 * first is the configured margin. The second is 1/64 of the ordinals in series that are
 * not started yet, divided by the number of series that are advanced. Later take-overs do
 * not change a series that has reached its end. The owners lose their series and start
 * other ones. The numbers of new series come from a counter with its own
 * {@link FenceLine}.</li>
 * <li>Nodes: no instance can have reserved a time beyond the horizon. The horizon is the
 * time of the fastest clock, plus the time by which ids may be ahead of the clock, plus a
 * lease. A take-over advances all nodes to the horizon, except those that are used up. An
 * owner with a running lease keeps its node, because no other instance could have claimed
 * that node. The take-over removes the node's token, so that its owner is recognized by
 * its id alone (see {@link SlotOwner}): the fail-over may have lost the token that the
 * owner wrote last. Until the slowest clock has passed the horizon, no other node can be
 * claimed, and no node is created. After that, all times that were reserved on the old
 * server are in the past.</li>
 * <li>Leases may have different lengths. A slot stores the length of its owner's lease,
 * {@code leaseUntil - leasedAt}. A take-over prolongs leases, so the stored length may be
 * longer than the lease, but is never shorter. The horizon is computed from the longest
 * lease that is still running. An expired lease affects only the horizon of its own slot.
 * A second fail-over never shortens a waiting period or a lease.</li>
 * </ol>
 */
final class SlotRules {

	private final FenceRules rules;

	SlotRules(FenceRules rules) {
		this.rules = rules;
	}

	/**
	 * Return the changes that a take-over by this server writes.
	 * @param view the state, with all slots that are not used up
	 * @param space the slots of the key space
	 * @param lease the lease of the owner that detected the fail-over
	 */
	SlotTakeOver takeOver(SlotView view, SlotSpace space, Duration lease) {
		FenceState state = view.fence();
		if (state.isFirstContact()) {
			return new SlotTakeOver(this.rules.unused(view.next(), state.clock()), view.fenced(), List.of());
		}
		Horizon horizon = space.horizon();
		if (horizon != null) {
			return takeOverNodes(view, horizon, lease.toMillis());
		}
		FenceLine line = lineAfterTakeOver(view, space);
		long until = view.now() + lease.toMillis();
		return new SlotTakeOver(line, new Fenced(view.next(), line.position(), Math.max(until, view.fenced().until())),
				takeOverSeries(view, space, line.position(), until));
	}

	/**
	 * Return the minimum waiting period of slots without an owner after a fail-over.
	 */
	static Duration waitAfterFailover(SlotSpace space, Duration lease) {
		Horizon horizon = space.horizon();
		return (horizon != null) ? horizon.distance() : lease;
	}

	/**
	 * Return the {@link FenceLine} that limits the creation of series, as it is after a
	 * take-over. {@link FenceRules#unitsPerSeries()} returns the cost of a series.
	 */
	private FenceLine lineAfterTakeOver(SlotView view, SlotSpace space) {
		FenceLine line = view.fence().line();
		FenceLine advanced = new FenceLine(0, line.time(), line.rate(), line.raised(), line.raiseAt(), line.holdUntil())
			.takeOver(view.fence().clock(), this.rules.lag(), unitsLeft(view, space));
		long skipped = Math.min(seriesLeft(view, space), (advanced.position() - 1) / this.rules.unitsPerSeries() + 1);
		return new FenceLine(view.next() + skipped, advanced.time(), advanced.rate(), advanced.raised(),
				advanced.raiseAt(), advanced.holdUntil());
	}

	/**
	 * Return the cost of all series that are not started yet
	 * ({@link FenceRules#unitsPerSeries()}).
	 */
	long unitsLeft(SlotView view, SlotSpace space) {
		long units = this.rules.unitsPerSeries();
		return Math.min(seriesLeft(view, space), Long.MAX_VALUE / units) * units;
	}

	private static long seriesLeft(SlotView view, SlotSpace space) {
		return Math.max(0, maxSeriesCount(view, space) - view.next());
	}

	/**
	 * Return the maximum number of series in the configuration of any instance. This
	 * instance may be configured with far fewer.
	 */
	private static long maxSeriesCount(SlotView view, SlotSpace space) {
		return Math.max(space.count(), view.capacity() / (space.end(0) - space.start(0)));
	}

	private List<Replacement> takeOverSeries(SlotView view, SlotSpace space, long next, long until) {
		long count = maxSeriesCount(view, space);
		long left = (next < count) ? space.end(count - 1) - space.start(next) : 0;
		long maxSkipped = Math.max(this.rules.margin(),
				left / FenceLine.SKIP_DIVISOR / Math.max(1, view.slots().size()));
		return view.slots()
			.stream()
			.map((state) -> new Replacement(state,
					state.waiting(advance(state.slot(), maxSkipped), state.token(), until)))
			.toList();
	}

	private static Slot advance(Slot slot, long distance) {
		return slot.at((slot.position() < slot.end() - distance) ? slot.position() + distance : slot.end());
	}

	private SlotTakeOver takeOverNodes(SlotView view, Horizon horizon, long lease) {
		long now = view.now();
		long longestRunning = view.slots()
			.stream()
			.filter((state) -> state.hasOwner() && state.leaseUntil() >= now)
			.mapToLong((state) -> state.leaseUntil() - state.leasedAt())
			.max()
			.orElse(0);
		long longestLease = Math.max(lease, longestRunning);
		long until = now + horizon.distance().toMillis();
		List<Replacement> replacements = view.slots()
			.stream()
			.map((state) -> new Replacement(state,
					takeOverNode(state, horizon.position() - lease, until - lease, longestLease, now)))
			.toList();
		return new SlotTakeOver(view.fence().line().hold(view.fence().clock()),
				new Fenced(view.next(), view.next(), Math.max(until - lease + longestLease, view.fenced().until())),
				replacements);
	}

	/**
	 * Return a node after a take-over.
	 * @param position the position of the horizon, before a lease is added
	 * @param until the end of the waiting period, before a lease is added
	 * @param longestLease the length of the longest running lease, or of the lease of the
	 * owner that detected the fail-over if that is longer
	 */
	private static SlotState takeOverNode(SlotState node, long position, long until, long longestLease, long now) {
		// a node that waits after an earlier fail-over has the owner FAIL_OVER
		boolean isOwnedOrWaiting = node.owner() != null && node.leaseUntil() >= now;
		long ownLease = (node.hasOwner() && !isOwnedOrWaiting) ? node.leaseUntil() - node.leasedAt() : 0;
		long lease = Math.max(longestLease, ownLease);
		Slot slot = node.slot().at(Math.max(node.slot().position(), position + lease));
		long leaseUntil = Math.max(node.leaseUntil(), until + lease);
		return isOwnedOrWaiting ? new SlotState(slot, node.owner(), null, node.leasedAt(), leaseUntil)
				: node.waiting(slot, null, leaseUntil);
	}

	/**
	 * Return the changes that skip positions in all slots.
	 * @param view the state, with all slots that are not used up
	 */
	static List<Replacement> skip(SlotView view, long positions) {
		return Replacement.changed(view.slots()
			.stream()
			.map((state) -> new Replacement(state,
					new SlotState(advance(state.slot(), positions), null, null, state.leasedAt(), 0)))
			.toList());
	}

	/**
	 * Return the slots that an owner may claim, in order of preference: first its own
	 * slots, and then the others, by ascending position.
	 */
	static List<SlotState> claimableSlots(SlotView view, SlotSpace space, SlotOwner owner) {
		long now = view.now();
		return view.slots()
			.stream()
			.filter((state) -> isFree(state, owner, now) && (owner.owns(state.stored(now))
					|| (state.slot().number() < space.count() && state.slot().position() <= space.highestOffered())))
			.sorted(Comparator.comparing((SlotState state) -> !owner.owns(state.stored(now)))
				.thenComparing((state) -> state.slot().position()))
			.toList();
	}

	/**
	 * Return whether an owner may claim a slot. The slot must not be used up, and must
	 * belong to the owner or be past its {@code leaseUntil}.
	 */
	static boolean isFree(SlotState state, SlotOwner owner, long now) {
		return !state.slot().isUsedUp() && (owner.owns(state.stored(now)) || state.leaseUntil() < now);
	}

	/**
	 * Return for how many milliseconds the creation of a node must still wait, because
	 * another instance may have created a node with the same number on the old server.
	 */
	static long waitForNew(SlotView view, SlotSpace space) {
		return (space.horizon() != null) ? Math.max(0, view.fenced().until() + 1 - view.now()) : 0;
	}

	/**
	 * Return for how many milliseconds a fail-over still prevents claims of an existing
	 * node.
	 */
	static long waitFor(SlotState state, SlotView view, SlotSpace space) {
		long left = state.leaseUntil() + 1 - view.now();
		return (space.horizon() != null && state.isWaiting() && left > 0) ? Math.max(left, waitForNew(view, space)) : 0;
	}

	/**
	 * Return a slot as it will be after the take-over by this server, if one is needed.
	 * The take-over may set a later position than the returned one.
	 * @param view the state, with the slot if it exists
	 */
	Optional<StoredSlot> predictedSlot(SlotView view, long number) {
		if (view.slots().isEmpty()) {
			return skippedSlot(view, new Slot(number, 0, Long.MAX_VALUE));
		}
		SlotState state = view.slots().get(0);
		// only a series advances here: a node ends at Long.MAX_VALUE
		boolean willAdvance = view.fence().hasFailedOver() && state.slot().end() != Long.MAX_VALUE;
		return Optional
			.of((willAdvance ? state.at(advance(state.slot(), this.rules.margin())) : state).stored(view.now()));
	}

	/**
	 * Return a slot as used up if it may exist only on the old server, otherwise empty.
	 * After a fail-over and before the take-over, this applies to every new slot. After
	 * the take-over, it applies to series whose numbers the take-over skipped, and to
	 * every new node until the waiting period ends.
	 */
	static Optional<StoredSlot> skippedSlot(SlotView view, Slot slot) {
		return isSkipped(view, slot.number()) ? Optional.of(SlotState.skipped(slot, view.now()).stored(view.now()))
				: Optional.empty();
	}

	private static boolean isSkipped(SlotView view, long number) {
		if (view.fence().hasFailedOver()) {
			return number >= view.next();
		}
		Fenced fenced = view.fenced();
		boolean nodesWait = fenced.first() == fenced.end() && view.now() <= fenced.until();
		return view.fence().server() != null && number >= fenced.first() && (number < fenced.end() || nodesWait);
	}

}
