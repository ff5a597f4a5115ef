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
 * Claims a slot of the store as a node. The slot's position is the first time not
 * reserved.
 * <p>
 * Why no time of a node is used twice, whatever clocks and leases do:
 * <ol>
 * <li>We use only times below the end of the window. The window moves only after
 * {@link SlotStore#advance} has moved the position, on condition that we still own the
 * slot and its position is the one we know.</li>
 * <li>An owner that takes the slot over begins at its position or later. Our times are
 * below it, however late we use them. Our next advance finds that the slot is not ours
 * ({@link #updateIfOwned}). The node is then lost, and we claim another.</li>
 * <li>If the result of an advance is unknown, the window does not move. If it had
 * succeeded, we find the slot at a higher position with the token of that attempt. All
 * times up to there are then ours.</li>
 * <li>A slot with our id and another token was moved by a clone of this process
 * ({@link SlotOwner}). We then become a new owner and claim another node. A clone shares
 * our memory up to the time of cloning, and nothing later.</li>
 * <li>A slot is released at the time after the last id. That time is final, because the
 * sequence is sealed before we read it.</li>
 * <li>A slot below the position we know, or a missing slot, means that the store went
 * backwards. We then make no more ids.</li>
 * <li>A store that may have lost reservations moves all nodes to the {@link Horizon} of
 * its first caller. We compute the horizon from our clock, so we compare the clock with
 * the store's before we claim anything. A clock that jumps later is not trusted.
 * Meanwhile we compute the horizon from the store's clock.</li>
 * </ol>
 * Used by one thread at a time, except for {@link #node()} and the other accessors.
 */
final class NodeClaim {

	private final TimeContext context;

	private final String keySpace;

	private final SlotStore store;

	private final NodeSettings settings;

	private volatile SlotOwner owner;

	private volatile @Nullable Node node;

	/** Our slot, as the store last returned it. */
	private volatile @Nullable StoredSlot stored;

	private volatile Moves moves = new Moves(0, null, null);

	/** The lowest time that new ids may have, so that ids rise. */
	private long floor;

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

	@Nullable StoredSlot stored() {
		return this.stored;
	}

	String ownerId() {
		return this.owner.id();
	}

	/** How long a node is ours without renewal, and how far ahead times are reserved. */
	Duration lease() {
		return this.owner.lease();
	}

	Moves moves() {
		return this.moves;
	}

	/**
	 * Move the window ahead if there is a node. Claim one if there is none or it was
	 * lost.
	 * @throws NodeUnavailableException if no node is available
	 */
	void claimOrRenew() {
		Deadline deadline = this.context.deadline();
		Node node = this.node;
		if (node != null) {
			renew(node, deadline);
		}
		StoredSlot other = (this.node == null) ? claim(deadline) : null;
		if (other != null) {
			throw nodeInUse(other);
		}
	}

	/**
	 * Claim a node and move its window, until both succeed.
	 * @return the node of the configured number if it has another owner; else
	 * {@code null}
	 */
	@Nullable StoredSlot claim(Deadline deadline) {
		Reading unverified = this.context.clock().read();
		this.context.clock().compare(this.store.time(deadline), unverified);
		while (true) {
			Reading before = this.context.clock().read();
			StoredSlot claimed = claimSlot(deadline);
			if (!this.owner.owns(claimed)) {
				changeOwnerIfCloned(claimed.slot(), claimed);
				return claimed;
			}
			this.context.listeners().inform((listener, name) -> listener.claimed(name, claimed.slot().number()));
			this.stored = claimed;
			try {
				this.context.clock().compare(claimed.readAt(), before);
				if (now() >= this.context.layout().ticks()) {
					throw this.context.exhausted();
				}
			}
			catch (IdGenerationException ex) {
				release(claimed.slot().position(), deadline);
				throw ex;
			}
			if (advanceWindow(claimed.slot(), null, deadline)) {
				return null;
			}
			if (deadline.hasPassed()) {
				throw new IdStoreUnavailableException("No node of key space '" + this.keySpace
						+ "' could be claimed in time: other instances claimed the node repeatedly.");
			}
		}
	}

	private StoredSlot claimSlot(Deadline deadline) {
		Long number = this.settings.number();
		Nodes all = nodes(now());
		if (number != null) {
			return callStore(() -> this.store.claim(this.keySpace, number, all, this.owner, deadline));
		}
		Nodes usable = new Nodes(all.count(), now() + this.context.maxAhead(), all.horizon());
		return callStore(() -> this.store.claim(this.keySpace, usable, this.owner, deadline)
			.or(() -> this.store.claim(this.keySpace, all, this.owner, deadline)))
			.orElseThrow(() -> allInUse(deadline));
	}

	/**
	 * Return all nodes, and the highest window end of any instance whose clock is right.
	 */
	private Nodes nodes(long now) {
		Duration distance = maxReservationDistance();
		Horizon horizon = new Horizon(now + distance.toMillis() + 1, distance);
		return new Nodes(this.context.layout().nodes(), Long.MAX_VALUE, horizon);
	}

	/** How long until all times that any instance has reserved are in the past. */
	private Duration maxReservationDistance() {
		return this.owner.lease()
			.plusMillis(this.context.maxAhead())
			.plus(this.context.clock().maxSkew().multipliedBy(2));
	}

	private NodeUnavailableException allInUse(Deadline deadline) {
		List<StoredSlot> holders = callStore(() -> this.store.list(this.keySpace, deadline)).slots()
			.stream()
			.filter((stored) -> stored.slot().number() < this.context.layout().nodes() && stored.live())
			.toList();
		String next = holders.stream()
			.map(StoredSlot::leaseLeft)
			.min(Duration::compareTo)
			.map((left) -> " Unless it is renewed, the next lease ends in " + DurationText.rounded(left) + ".")
			.orElse("");
		return new NodeUnavailableException(
				"All " + this.context.layout().nodes() + " nodes of key space '" + this.keySpace + "' are in use: "
						+ holders.stream()
							.limit(10)
							.map((stored) -> "node " + stored.slot().number() + " by " + stored.owner() + ", renewed "
									+ DurationText.rounded(stored.leaseAge()) + " ago")
							.collect(Collectors.joining("; "))
						+ ((holders.size() > 10) ? "; and " + (holders.size() - 10) + " more" : "") + "." + next
						+ " Stop instances, or use a layout with more nodes in a new key space.");
	}

	NodeUnavailableException nodeInUse(StoredSlot other) {
		return new NodeUnavailableException("Node " + other.slot().number() + " of key space '" + this.keySpace
				+ "' is in use by " + other.owner() + ", which renewed it " + DurationText.rounded(other.leaseAge())
				+ " ago and whose lease ends in " + DurationText.rounded(other.leaseLeft())
				+ ". Give every instance a number of its own (node.id, the name of its host), or use node.source=lease.");
	}

	private Node begin(long position, long window) {
		long number = Objects.requireNonNull(this.stored).slot().number();
		long first = Math.max(Math.max(position, this.floor), now());
		return new Node(number, first, window, this.context.sequences().begin(number, first));
	}

	private void renew(Node node, Deadline deadline) {
		Slot slot = Objects.requireNonNull(this.stored).slot();
		if (!this.context.clock().isTrusted(this.context.clock().read())) {
			// compare the clocks before a wrong time is reserved or sent to the store
			Nodes nodes = nodes(this.context.time(this.store.time(deadline)));
			Reading before = this.context.clock().read();
			Slot known = slot;
			StoredSlot renewed = callStore(() -> this.store.renew(this.keySpace, nodes, known, this.owner, deadline));
			if (!updateIfOwned(known, renewed)) {
				return;
			}
			slot = renewed.slot();
			this.context.clock().compare(renewed.readAt(), before);
		}
		advanceWindow(slot, node, deadline);
	}

	/**
	 * Move the window ahead if the clock is nearer to its end.
	 * @param node the node of the window, or {@code null} to create it
	 * @return whether the slot is still ours
	 */
	private boolean advanceWindow(Slot slot, @Nullable Node node, Deadline deadline) {
		Reading before = this.context.clock().read();
		StoredSlot stored = reserve(slot, deadline);
		if (this.stored == null) {
			return false;
		}
		windowAdvanced(slot, node, stored, before);
		return true;
	}

	private void windowAdvanced(Slot slot, @Nullable Node node, StoredSlot stored, Reading before) {
		// the store itself may move nodes ahead, and does not know the end of the layout
		long window = Math.min(stored.slot().position(), this.context.layout().ticks());
		if (node != null) {
			node.window = window;
		}
		else {
			this.node = begin(slot.position(), window);
		}
		this.moves = new Moves(this.moves.count() + 1, this.context.timeSource().instant(),
				Duration.ofNanos(this.context.timeSource().nanoTime() - before.nanos()));
		this.context.listeners()
			.inform((listener, name) -> listener.windowMoved(name, stored.slot().number(),
					this.context.layout().instant(stored.slot().position())));
		this.context.clock().compare(stored.readAt(), before);
	}

	/**
	 * Reserve times up to the intended end of the window.
	 * @return the slot after that
	 */
	private StoredSlot reserve(Slot slot, Deadline deadline) {
		Slot known = slot;
		while (true) {
			Slot from = known;
			long end = windowEnd();
			long position = Math.max(end, from.position());
			StoredSlot stored = callStore(
					() -> this.store.advance(this.keySpace, nodes(now()), from, this.owner, position, deadline));
			if (!updateIfOwned(from, stored) || stored.slot().position() == position) {
				return stored;
			}
			if (stored.slot().position() == from.position()) {
				throw new IdStoreUnavailableException("The store did not advance node " + from.number()
						+ " of key space '" + this.keySpace + "', although this instance owns it.");
			}
			// an earlier attempt had succeeded after all
			known = stored.slot();
		}
	}

	private <T> T callStore(Supplier<T> question) {
		try {
			return question.get();
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
	 * The window ends one lease after the clock plus {@code maxAhead}. When the lease of
	 * a killed instance expires, other clocks have reached the end of its window, so no
	 * instance waits.
	 */
	private long windowEnd() {
		return Math.min(this.context.layout().ticks(), now() + this.context.maxAhead() + lease().toMillis() + 1);
	}

	long now() {
		return this.context.now();
	}

	/**
	 * Remember our slot as the store returned it.
	 * @return whether it is still ours
	 */
	private boolean updateIfOwned(Slot known, StoredSlot stored) {
		if (stored.slot().position() < known.position()) {
			throw regression("The store of key space '" + this.keySpace + "' went backwards: node " + known.number()
					+ " is reserved until " + this.context.layout().instant(stored.slot().position()) + ", but "
					+ this.context.layout().instant(known.position()) + " was confirmed to generator '"
					+ this.context.generator() + "' before.", null);
		}
		if (this.owner.owns(stored)) {
			this.stored = stored;
			return true;
		}
		sealAndForget();
		if (!changeOwnerIfCloned(known, stored)) {
			this.context.listeners().inform((listener, name) -> listener.lost(name, known.number()));
		}
		return false;
	}

	private boolean changeOwnerIfCloned(Slot known, StoredSlot stored) {
		boolean cloned = this.owner.isCloned(stored);
		if (cloned) {
			this.owner = this.owner.successor();
			this.context.listeners().inform((listener, name) -> listener.cloned(name, known.number()));
		}
		return cloned;
	}

	/** Make no more ids with the node, and forget it. */
	private void sealAndForget() {
		Node node = this.node;
		if (node != null) {
			// the next node begins after the last id of this one
			this.floor = Math.max(this.floor, node.sequence.seal() + 1);
		}
		this.stored = null;
		this.node = null;
	}

	/**
	 * Forget the node and its owner without releasing it: another process may have the
	 * same memory.
	 */
	void dropMemory() {
		sealAndForget();
		this.owner = this.owner.successor();
	}

	/**
	 * Make no more ids, because the store went backwards.
	 */
	void stop() {
		Node node = this.node;
		if (node != null) {
			node.sequence.seal();
		}
		this.node = null;
	}

	/**
	 * Release the node at the time after its last id.
	 */
	void release(Deadline deadline) {
		Node node = this.node;
		StoredSlot stored = this.stored;
		long unused = (node != null) ? node.sequence.seal() + 1 : Long.MAX_VALUE;
		this.node = null;
		if (stored != null) {
			release(Math.min(stored.slot().position(), unused), deadline);
		}
	}

	/**
	 * Release the slot. If that fails, its lease expires.
	 */
	private void release(long position, Deadline deadline) {
		Slot slot = Objects.requireNonNull(this.stored).slot();
		this.stored = null;
		try {
			this.store.release(this.keySpace, slot, this.owner, position, deadline);
		}
		catch (RuntimeException ex) {
			this.context.listeners().inform((listener, name) -> listener.windowFailed(name, ex, Duration.ZERO));
		}
	}

	/** Notify listeners if so many nodes are held that renewals are too frequent. */
	void warnIfLeaseTooShort(Deadline deadline) {
		this.context.listeners().verifyLease(this.store.countOwned(this.keySpace, deadline), lease());
	}

	/** Check whether the store answers. */
	void read(Deadline deadline) {
		StoredSlot known = this.stored;
		this.store.read(this.keySpace, (known != null) ? known.slot().number() : 0, deadline);
	}

	/**
	 * How often the window was moved.
	 */
	record Moves(long count, @Nullable Instant last, @Nullable Duration lastTook) {

	}

	/**
	 * Nodes as slots. A node has no end of its own: the layout has one, which may change.
	 *
	 * @param count how many there are
	 * @param highestOffered the highest position at which a node is worth claiming
	 * @param horizon the highest time that any instance can have reserved
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
