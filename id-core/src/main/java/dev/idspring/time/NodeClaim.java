package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.idspring.DurationText;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.SlotStore;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Claims a slot of the store as the node of a generator. The number of the slot is the
 * node number in the ids of the generator. The position of the slot is the first time
 * that is not reserved. In these comments, "we" is the generator.
 * <p>
 * No time of a node is used twice, even if clocks are wrong or leases expire:
 * <ol>
 * <li>We use only times before the end of our window of reserved times. We extend the
 * window only after {@link SlotStore#advance} has advanced the position. The store
 * advances the position only if we still own the slot and know its position.</li>
 * <li>The next owner of the slot begins at the slot's position. All times in our window
 * are before that position, however late we use them. At our next advance, we detect that
 * we have lost the slot ({@link #updateIfOwned}), and claim another node.</li>
 * <li>If the outcome of an advance is unknown, we do not extend the window. If the
 * advance succeeded after all, we later find the slot at a higher position with our
 * {@linkplain SlotOwner token}. All times before that position are then ours.</li>
 * <li>If the slot has our owner id and an unknown token, a clone of this process has
 * changed the slot. We then get a new owner id and claim another node. The clone knows
 * none of the times that we reserve after the cloning.</li>
 * <li>Before we release a slot, we seal the sequence of the node, so that it generates no
 * more ids. The release sets the position to the time after our last id.</li>
 * <li>If the position of a slot is lower than the one we know, or if the slot is missing,
 * the store has lost reservations. We then generate no more ids.</li>
 * <li>If a store may have lost reservations, the first instance that calls the store
 * advances all nodes to the {@link Horizon}, the latest time that any instance can have
 * reserved. The instance computes the horizon from its own clock, after comparing this
 * clock with the store's. While the instance does not trust its own clock, it uses the
 * store's.</li>
 * </ol>
 * Any thread may call the accessors. All other methods must be called by one thread at a
 * time.
 */
final class NodeClaim {

	private final TimeContext context;

	private final String keySpace;

	private final SlotStore store;

	private final NodeSettings settings;

	private volatile SlotOwner owner;

	private volatile @Nullable Node node;

	/** Our slot, in the state that the store last returned. */
	private volatile @Nullable StoredSlot storedSlot;

	private volatile WindowExtensions windowExtensions = new WindowExtensions(0, null, null);

	/**
	 * The lowest time for new ids, so that the ids of a new node are later than those of
	 * the previous node.
	 */
	private long minTime;

	NodeClaim(TimeContext context, SlotStore store, NodeSettings settings) {
		this.context = context;
		this.keySpace = context.keySpaceName();
		this.store = store;
		this.settings = settings;
		this.owner = SlotOwner.random(settings.lease());
	}

	@Nullable Node node() {
		return this.node;
	}

	@Nullable StoredSlot storedSlot() {
		return this.storedSlot;
	}

	String ownerId() {
		return this.owner.id();
	}

	/**
	 * How long we keep a node without renewing it. The {@linkplain #intendedWindowEnd
	 * window} extends beyond {@code maxAhead} by the same duration.
	 */
	Duration lease() {
		return this.owner.lease();
	}

	WindowExtensions windowExtensions() {
		return this.windowExtensions;
	}

	/**
	 * Extend the window of the node. If there is no node, or if it was lost, claim a
	 * node.
	 * @throws NodeUnavailableException if no node is available
	 */
	void claimOrRenew() {
		Deadline deadline = this.context.deadline();
		Node node = this.node;
		if (node != null) {
			renew(node, deadline);
		}
		StoredSlot slotInUse = (this.node == null) ? claim(deadline) : null;
		if (slotInUse != null) {
			throw nodeInUse(slotInUse);
		}
	}

	/**
	 * Claim a node and reserve its first window. Retry until both succeed or the deadline
	 * has passed.
	 * @return the slot of the configured node if another instance owns it; otherwise
	 * {@code null}
	 */
	@Nullable StoredSlot claim(Deadline deadline) {
		Reading firstReading = this.context.clock().read();
		this.context.clock().compare(this.store.time(deadline), firstReading);
		while (true) {
			Reading readingBefore = this.context.clock().read();
			StoredSlot claimedSlot = claimSlot(deadline);
			if (!this.owner.owns(claimedSlot)) {
				changeOwnerIfCloned(claimedSlot.slot(), claimedSlot);
				return claimedSlot;
			}
			this.context.listeners()
				.notifyListeners((listener, name) -> listener.claimed(name, claimedSlot.slot().number()));
			this.storedSlot = claimedSlot;
			try {
				this.context.clock().compare(claimedSlot.readAt(), readingBefore);
				if (now() >= this.context.layout().ticks()) {
					throw this.context.exhausted();
				}
			}
			catch (IdGenerationException ex) {
				release(claimedSlot.slot().position(), deadline);
				throw ex;
			}
			if (advanceWindow(claimedSlot.slot(), null, deadline)) {
				return null;
			}
			if (deadline.hasPassed()) {
				throw new IdStoreUnavailableException("No node of key space '" + this.keySpace
						+ "' could be claimed in time: other instances took over each claimed node.");
			}
		}
	}

	private StoredSlot claimSlot(Deadline deadline) {
		Long number = this.settings.number();
		Nodes allNodes = nodes(now());
		if (number != null) {
			return callStore(() -> this.store.claim(this.keySpace, number, allNodes, this.owner, deadline));
		}
		// prefer a node whose position is at most maxAhead in the future, because callers
		// then need not wait for ids
		Nodes nodesWithoutWait = new Nodes(allNodes.count(), now() + this.context.maxAhead(), allNodes.horizon());
		return callStore(() -> this.store.claim(this.keySpace, nodesWithoutWait, this.owner, deadline)
			.or(() -> this.store.claim(this.keySpace, allNodes, this.owner, deadline)))
			.orElseThrow(() -> allNodesInUse(deadline));
	}

	/**
	 * Return the nodes of the {@link TimeLayout}. The horizon is an upper bound for the
	 * windows of all instances whose clocks deviate by at most {@code maxSkew}.
	 */
	private Nodes nodes(long now) {
		Duration distance = maxReservationDistance();
		Horizon horizon = new Horizon(now + distance.toMillis() + 1, distance);
		return new Nodes(this.context.layout().nodes(), Long.MAX_VALUE, horizon);
	}

	/**
	 * Return how long to wait until all times that any instance has reserved are in the
	 * past.
	 */
	private Duration maxReservationDistance() {
		return this.owner.lease()
			.plusMillis(this.context.maxAhead())
			.plus(this.context.clock().maxSkew().multipliedBy(2));
	}

	private NodeUnavailableException allNodesInUse(Deadline deadline) {
		List<StoredSlot> unavailableSlots = callStore(() -> this.store.list(this.keySpace, deadline)).slots()
			.stream()
			.filter((storedSlot) -> storedSlot.slot().number() < this.context.layout().nodes()
					&& !timeLeft(storedSlot).isNegative())
			.toList();
		String next = unavailableSlots.stream()
			.map(NodeClaim::timeLeft)
			.min(Duration::compareTo)
			.map((left) -> " The next node is free in " + DurationText.rounded(left) + " unless its lease is renewed.")
			.orElse("");
		return new NodeUnavailableException("No node of key space '" + this.keySpace + "' is free: "
				+ unavailableSlots.stream().limit(10).map(NodeClaim::describe).collect(Collectors.joining("; "))
				+ ((unavailableSlots.size() > 10) ? "; and " + (unavailableSlots.size() - 10) + " more" : "") + "."
				+ next + " Stop instances, or use a layout with more nodes in a new key space.");
	}

	/**
	 * Return the time until a node can be claimed. A node cannot be claimed during its
	 * lease, or for some time after a fail-over. The result is negative if the node can
	 * be claimed.
	 */
	private static Duration timeLeft(StoredSlot storedSlot) {
		return Duration.between(storedSlot.readAt(), storedSlot.leaseUntil());
	}

	private static String describe(StoredSlot storedSlot) {
		return "node " + storedSlot.slot().number()
				+ ((storedSlot.owner() != null)
						? " is owned by " + storedSlot.owner() + ", which renewed it "
								+ DurationText.rounded(storedSlot.leaseAge()) + " ago"
						: " is unavailable after a fail-over");
	}

	NodeUnavailableException nodeInUse(StoredSlot slotInUse) {
		return new NodeUnavailableException(
				"Node " + slotInUse.slot().number() + " of key space '" + this.keySpace + "' is in use by "
						+ slotInUse.owner() + ", which renewed it " + DurationText.rounded(slotInUse.leaseAge())
						+ " ago and whose lease ends in " + DurationText.rounded(slotInUse.leaseLeft())
						+ ". Give each instance its own number (with node.id, or derived from its host name), or use"
						+ " node.source=lease.");
	}

	private Node begin(long position, long windowEnd) {
		long number = Objects.requireNonNull(this.storedSlot).slot().number();
		long first = Math.max(Math.max(position, this.minTime), now());
		return new Node(number, first, windowEnd, this.context.sequences().begin(number, first));
	}

	private void renew(Node node, Deadline deadline) {
		Slot slot = Objects.requireNonNull(this.storedSlot).slot();
		if (!this.context.clock().isTrusted(this.context.clock().read())) {
			// first renew the lease without advancing the position, so that the clocks
			// are compared before we reserve a wrong time
			Nodes nodes = nodes(this.context.time(this.store.time(deadline)));
			Reading readingBefore = this.context.clock().read();
			Slot knownSlot = slot;
			StoredSlot renewed = callStore(
					() -> this.store.renew(this.keySpace, nodes, knownSlot, this.owner, deadline));
			if (!updateIfOwned(knownSlot, renewed)) {
				return;
			}
			slot = renewed.slot();
			this.context.clock().compare(renewed.readAt(), readingBefore);
		}
		advanceWindow(slot, node, deadline);
	}

	/**
	 * Reserve times up to the intended end of the window, and extend the window.
	 * @param node the node to which the window belongs, or {@code null} to create the
	 * node
	 * @return whether we still own the slot
	 */
	private boolean advanceWindow(Slot slot, @Nullable Node node, Deadline deadline) {
		Reading readingBefore = this.context.clock().read();
		StoredSlot advancedSlot = reserve(slot, deadline);
		if (this.storedSlot == null) {
			// the node belongs to another instance, or to a clone of this one
			return false;
		}
		windowAdvanced(slot, node, advancedSlot, readingBefore);
		return true;
	}

	private void windowAdvanced(Slot slot, @Nullable Node node, StoredSlot storedSlot, Reading readingBefore) {
		// after a fail-over, the store may have advanced the node beyond the end of the
		// layout, because the store does not know that end
		long windowEnd = Math.min(storedSlot.slot().position(), this.context.layout().ticks());
		if (node != null) {
			node.windowEnd = windowEnd;
		}
		else {
			this.node = begin(slot.position(), windowEnd);
		}
		this.windowExtensions = new WindowExtensions(this.windowExtensions.count() + 1,
				this.context.timeSource().instant(),
				Duration.ofNanos(this.context.timeSource().nanoTime() - readingBefore.nanos()));
		this.context.listeners()
			.notifyListeners((listener, name) -> listener.windowExtended(name, storedSlot.slot().number(),
					this.context.layout().instant(storedSlot.slot().position())));
		this.context.clock().compare(storedSlot.readAt(), readingBefore);
	}

	private StoredSlot reserve(Slot slot, Deadline deadline) {
		Slot knownSlot = slot;
		while (true) {
			Slot from = knownSlot;
			long end = intendedWindowEnd();
			long position = Math.max(end, from.position());
			StoredSlot storedSlot = callStore(
					() -> this.store.advance(this.keySpace, nodes(now()), from, this.owner, position, deadline));
			if (!updateIfOwned(from, storedSlot) || storedSlot.slot().position() == position) {
				return storedSlot;
			}
			if (storedSlot.slot().position() == from.position()) {
				throw new IdStoreUnavailableException("The store did not advance node " + from.number()
						+ " of key space '" + this.keySpace + "', although this instance owns it.");
			}
			// the slot has the position of an earlier attempt whose outcome was unknown,
			// so try again from that position
			knownSlot = storedSlot.slot();
		}
	}

	private <T> T callStore(Supplier<T> call) {
		try {
			return call.get();
		}
		catch (KeySpaceRegressionException ex) {
			throw regression(String.valueOf(ex.getMessage()), ex);
		}
	}

	private KeySpaceRegressionException regression(String problem, @Nullable Throwable cause) {
		return new KeySpaceRegressionException(problem + " " + RecoveryInstructions.awaitTime(maxReservationDistance()),
				cause);
	}

	/**
	 * Return the intended end of the window: the clock, plus {@code maxAhead}, plus one
	 * lease. When the lease of a killed instance expires, the window of that instance
	 * therefore ends at most {@code maxAhead} ahead of the clock. Ids may be that far
	 * ahead of the clock, so the next owner of the node need not wait if the clocks
	 * agree.
	 */
	private long intendedWindowEnd() {
		return Math.min(this.context.layout().ticks(), now() + this.context.maxAhead() + lease().toMillis() + 1);
	}

	long now() {
		return this.context.now();
	}

	/**
	 * Remember the state of our slot if we still own it. Otherwise give up the node.
	 * @return whether we still own the slot
	 */
	private boolean updateIfOwned(Slot knownSlot, StoredSlot storedSlot) {
		if (storedSlot.slot().position() < knownSlot.position()) {
			throw regression("The store of key space '" + this.keySpace + "' went backwards: node " + knownSlot.number()
					+ " is reserved until " + this.context.layout().instant(storedSlot.slot().position())
					+ ", although it had already been reserved until "
					+ this.context.layout().instant(knownSlot.position()) + " for generator '"
					+ this.context.generator() + "'.", null);
		}
		if (this.owner.owns(storedSlot)) {
			this.storedSlot = storedSlot;
			return true;
		}
		sealAndForget();
		if (!changeOwnerIfCloned(knownSlot, storedSlot)) {
			this.context.listeners().notifyListeners((listener, name) -> listener.lost(name, knownSlot.number()));
		}
		return false;
	}

	private boolean changeOwnerIfCloned(Slot knownSlot, StoredSlot storedSlot) {
		boolean cloned = this.owner.isCloned(storedSlot);
		if (cloned) {
			this.owner = this.owner.successor();
			this.context.listeners().notifyListeners((listener, name) -> listener.cloned(name, knownSlot.number()));
		}
		return cloned;
	}

	private void sealAndForget() {
		Node node = this.node;
		if (node != null) {
			// ids of the next node must be later than the last id of this one
			this.minTime = Math.max(this.minTime, node.sequence.seal() + 1);
		}
		this.storedSlot = null;
		this.node = null;
	}

	/**
	 * Forget the node without releasing it, and change our owner id, because a clone of
	 * this process may have the same memory.
	 */
	void dropMemory() {
		sealAndForget();
		this.owner = this.owner.successor();
	}

	/**
	 * Stop generating ids, because the store has lost reservations.
	 */
	void stop() {
		Node node = this.node;
		if (node != null) {
			node.sequence.seal();
		}
		this.node = null;
	}

	/**
	 * Release the node, so that its next owner can begin at the time after the last id.
	 */
	void release(Deadline deadline) {
		Node node = this.node;
		StoredSlot storedSlot = this.storedSlot;
		long firstUnused = (node != null) ? node.sequence.seal() + 1 : Long.MAX_VALUE;
		this.node = null;
		if (storedSlot != null) {
			release(Math.min(storedSlot.slot().position(), firstUnused), deadline);
		}
	}

	/**
	 * Release the slot. If this fails, the slot becomes available when its lease expires.
	 */
	private void release(long position, Deadline deadline) {
		Slot slot = Objects.requireNonNull(this.storedSlot).slot();
		this.storedSlot = null;
		try {
			this.store.release(this.keySpace, slot, this.owner, position, deadline);
		}
		catch (RuntimeException ex) {
			this.context.listeners().notifyListeners((listener, name) -> listener.notGivenBack(name, ex));
		}
	}

	/**
	 * Notify listeners if so many nodes are claimed that a lease as short as ours causes
	 * too many renewals.
	 */
	void warnIfLeaseTooShort(Deadline deadline) {
		this.context.listeners().verifyLease(this.store.countOwned(this.keySpace, deadline), lease());
	}

	/** Check whether the store answers. */
	void read(Deadline deadline) {
		StoredSlot knownSlot = this.storedSlot;
		this.store.read(this.keySpace, (knownSlot != null) ? knownSlot.slot().number() : 0, deadline);
	}

	/**
	 * The number of window extensions, and when the last one ended and how long it took.
	 */
	record WindowExtensions(long count, @Nullable Instant last, @Nullable Duration lastDuration) {

	}

	/**
	 * The nodes of a layout as slots. Slots have no end, because a later configuration
	 * may extend the layout.
	 *
	 * @param count the number of nodes
	 * @param highestOffered the highest position at which an abandoned node is claimed
	 * @param horizon the latest time that any instance can have reserved
	 */
	private record Nodes(long count, long highestOffered, SlotSpace.Horizon horizon) implements SlotSpace {

		@Override
		public long start(long number) {
			return 0;
		}

		@Override
		public long end(long number) {
			return Long.MAX_VALUE;
		}

	}

}
