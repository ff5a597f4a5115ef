package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.idspring.ClockException;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.block.RecoveryInstructions;
import dev.idspring.monitor.BlockSnapshot;
import dev.idspring.monitor.Listeners;
import dev.idspring.monitor.NodeSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ReservationOutcome;
import dev.idspring.store.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotSpace;
import dev.idspring.store.SlotSpace.Horizon;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredSlot;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Await;
import dev.idspring.worker.BackOff;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.Planned;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A node that is a slot of a store: its position is the first time that is not reserved.
 * <p>
 * Why no time of a node is used twice, whatever clocks and leases do:
 * <ol>
 * <li>Times are used below the end of the window only, and that is moved only after
 * {@link SlotStore#advance} has moved the position, under the condition that we still
 * owned the slot and it stood where we believed.</li>
 * <li>Whoever takes the slot over begins at its position, or later. What we may still use
 * lies below, however late we use it; the next advance finds that the slot is not ours.
 * We leave that node alone then, and claim another.</li>
 * <li>If it is not known whether an advance succeeded, the window is not moved. If it
 * did, the slot is found further on than we know, with us as its owner: then all up to
 * there is ours.</li>
 * <li>A slot is left at the time after the last id, which is known for good, because the
 * sequence is sealed before it is asked.</li>
 * <li>A slot that stands below where we left it, or has vanished, means that the store
 * went backwards: nothing is handed out any more.</li>
 * <li>A store that may have lost what was reserved is told how far anybody can have
 * reserved by our clock. When we are the first to come there, all nodes move by it: so
 * the clock is compared with the store's before anything is claimed. One that jumps later
 * is not believed, and meanwhile the store is told what its own clock says.</li>
 * </ol>
 * The window reaches one lease beyond the clock and what may be borrowed. By the time the
 * lease of a killed instance is over the clocks of others have come to the end of its
 * window, so nobody waits.
 * <p>
 * The store is talked to on the supply thread only, and at the start by whoever opens.
 * Callers wait for the end of the attempt that is under way; they hold no lock. Why
 * nothing hangs: see {@link StoreWorker}.
 */
final class NodeLease implements NodeAssignment {

	private static final Duration LAST_BACK_OFF = Duration.ofSeconds(1);

	private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

	private final Context context;

	private final SlotStore store;

	private final NodeSettings settings;

	private final SlotOwner owner;

	private final StoreWorker worker;

	private final Planned renewing;

	/** Ends with the next attempt. */
	private final AtomicReference<Await> attempt = new AtomicReference<>(new Await());

	private volatile @Nullable Node node;

	private volatile @Nullable RuntimeException failure;

	private volatile @Nullable RuntimeException terminal;

	private volatile @Nullable String storeFailure;

	private volatile Counts counts = new Counts(0, 0, null, null);

	private volatile boolean closed;

	/** What the store last said of our slot; only used by who talks to the store. */
	private volatile @Nullable StoredSlot stored;

	private volatile Consumer<Deadline> counted = (deadline) -> {
	};

	/** The first time that ids of this instance may carry, so that they rise. */
	private long floor;

	/** Only used by the worker. Simulated clusters repeat themselves: no jitter. */
	private final BackOff backOff = new BackOff(LAST_BACK_OFF, (bound) -> 0);

	/** Only used by whoever plans the next renewal. */
	private final SplittableRandom random;

	NodeLease(Context context, SlotStore store, NodeSettings settings, StoreExecutor supply) {
		this.context = context;
		this.store = store;
		this.settings = settings;
		this.owner = SlotOwner.random(settings.lease());
		this.worker = new StoreWorker(supply, new Renewing(), this::look);
		this.renewing = this.worker.planned(this::renewRegularly);
		this.random = new SplittableRandom(context.key);
	}

	/**
	 * Claim a node for the first time. One that was asked for by its number may still
	 * belong to a predecessor that was killed: then wait until its lease is over.
	 */
	void open(Deadline deadline) {
		long start = this.context.timeSource.nanoTime();
		Instant heardOf = null;
		while (true) {
			Deadline attempt = (heardOf == null) ? deadline
					: Deadline.after(this.context.timeSource, this.context.waitTimeout);
			StoredSlot other = claimObserved(attempt);
			if (other == null) {
				return;
			}
			boolean alive = heardOf != null && other.leasedAt().isAfter(heardOf);
			Duration waited = Duration.ofNanos(this.context.timeSource.nanoTime() - start);
			if (alive || waited.compareTo(this.settings.lease().plus(LOOK_AGAIN)) > 0) {
				throw taken(other);
			}
			heardOf = other.leasedAt();
			Duration left = other.leaseLeft().plusMillis(1);
			sleep((left.compareTo(LOOK_AGAIN) < 0) ? left : LOOK_AGAIN);
		}
	}

	private @Nullable StoredSlot claimObserved(Deadline deadline) {
		IdGeneratorListener.Attempt attempt = this.context.listeners.reserving();
		try {
			StoredSlot other = claim(deadline);
			end(attempt, (other != null) ? taken(other) : null);
			return other;
		}
		catch (Throwable ex) {
			end(attempt, ex);
			throw ex;
		}
	}

	private static void end(IdGeneratorListener.Attempt attempt, @Nullable Throwable failure) {
		attempt.end((failure != null) ? ReservationOutcome.of(failure) : ReservationOutcome.SUCCESS, failure);
	}

	private void sleep(Duration time) {
		try {
			this.context.pause.sleep(time);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IdStoreUnavailableException("Interrupted while waiting for node " + this.settings.number()
					+ " of key space '" + this.context.keySpaceName + "'.", ex);
		}
	}

	/**
	 * Begin to renew in the background.
	 * @param counted is run now and then, and at the end, to count ids in the store
	 */
	void start(Consumer<Deadline> counted) {
		this.counted = counted;
		planRenewal();
	}

	private void renewRegularly() {
		try {
			if (!this.closed && this.terminal == null) {
				this.worker.request();
				this.worker.execute(this::count);
			}
		}
		finally {
			planRenewal();
		}
	}

	/**
	 * Plan the next renewal, unless that is done. If it is impossible, whoever asks the
	 * store next plans it.
	 */
	private void planRenewal() {
		if (!this.closed && this.terminal == null) {
			this.renewing.plan(this::renewalInterval);
		}
	}

	/**
	 * Let ids be counted. What goes wrong there must not keep the node from being
	 * renewed.
	 */
	private void count() {
		try {
			this.counted.accept(Deadline.after(this.context.timeSource, this.context.waitTimeout));
		}
		catch (Throwable ex) {
			// ignored, an Error as well
		}
	}

	/**
	 * A third of the lease, or somewhat less, so that instances which started together do
	 * not go on together.
	 */
	private Duration renewalInterval() {
		long third = this.settings.lease().toMillis() / 3;
		return Duration.ofMillis(third - this.random.nextLong(third / 5 + 1));
	}

	/**
	 * What the worker does for this node.
	 */
	private final class Renewing implements StoreWorker.Job {

		@Override
		public void attempt() {
			NodeLease.this.attemptOnce();
		}

		/**
		 * Nothing is known to have failed but the attempt: the next caller tries again.
		 */
		@Override
		public void abandoned(Throwable reason) {
			endAttempt();
			if (reason instanceof Error error) {
				throw error;
			}
		}

	}

	private void attemptOnce() {
		RuntimeException failed = (!this.closed && this.terminal == null) ? tryObserved() : null;
		this.failure = failed;
		planRenewal();
		if (failed == null || this.closed || this.terminal != null) {
			this.backOff.reset();
			this.worker.ended();
		}
		else {
			this.worker.again(this.backOff.next());
		}
		endAttempt();
	}

	private void endAttempt() {
		this.attempt.getAndSet(new Await()).end();
	}

	private @Nullable RuntimeException tryObserved() {
		IdGeneratorListener.Attempt attempt = this.context.listeners.reserving();
		RuntimeException failed;
		try {
			failed = tryOnce();
		}
		catch (Throwable ex) {
			// there was no memory left even to say so
			failed = askingFailed(ex);
		}
		end(attempt, failed);
		return failed;
	}

	private @Nullable RuntimeException tryOnce() {
		try {
			Deadline deadline = Deadline.after(this.context.timeSource, this.context.waitTimeout);
			Node node = this.node;
			if (node != null) {
				renew(node, deadline);
			}
			if (this.node == null) {
				StoredSlot other = claim(deadline);
				if (other != null) {
					throw taken(other);
				}
			}
			return null;
		}
		catch (KeySpaceRegressionException ex) {
			stop(ex);
			return ex;
		}
		catch (IdGenerationException ex) {
			failed(ex);
			return ex;
		}
		catch (Throwable ex) {
			IdStoreUnavailableException failure = askingFailed(ex);
			failed(failure);
			return failure;
		}
	}

	private static IdStoreUnavailableException askingFailed(Throwable reason) {
		return new IdStoreUnavailableException("Asking the store failed: " + reason, reason);
	}

	private void stop(KeySpaceRegressionException reason) {
		this.terminal = reason;
		Node node = this.node;
		this.node = null;
		if (node != null) {
			node.seal();
		}
		this.context.listeners.tell((listener, name) -> listener.stopped(name, reason));
	}

	private void failed(RuntimeException ex) {
		this.counts = this.counts.failed();
		if (ex instanceof IdStoreUnavailableException) {
			this.storeFailure = ex.getMessage();
		}
		Node node = this.node;
		// by a clock that is wrong none are made
		long left = (node != null && !(ex instanceof ClockException)) ? Math.max(0, node.window() - now()) : 0;
		this.context.listeners.tell((listener, name) -> listener.windowFailed(name, ex, Duration.ofMillis(left)));
	}

	/**
	 * Claim a node and move its window, until both succeed.
	 * @return what the store says of the node that was asked for, if it is somebody
	 * else's; else {@code null}
	 */
	private @Nullable StoredSlot claim(Deadline deadline) {
		Reading unverified = this.context.clock.read();
		this.context.clock.compare(this.store.time(deadline), unverified);
		while (true) {
			Reading before = this.context.clock.read();
			StoredSlot claimed = claimSlot(deadline);
			if (!isOurs(claimed)) {
				return claimed;
			}
			this.context.listeners.tell((listener, name) -> listener.claimed(name, claimed.slot().number()));
			this.stored = claimed;
			try {
				this.context.clock.compare(claimed.readAt(), before);
				verifyNotOver();
			}
			catch (IdGenerationException ex) {
				leave(claimed.slot().position(), deadline);
				throw ex;
			}
			if (move(claimed.slot(), deadline, this::begin)) {
				return null;
			}
			if (deadline.hasPassed()) {
				throw new IdStoreUnavailableException("No node of key space '" + this.context.keySpaceName
						+ "' could be claimed in time: others were faster, again and again.");
			}
		}
	}

	private void verifyNotOver() {
		if (now() >= this.context.layout.ticks()) {
			throw new KeySpaceExhaustedException("Id generator '" + this.context.generator
					+ "' can make no more ids: the last instant they can carry was " + this.context.layout.lastInstant()
					+ ". Give it a new key space with a later epoch.");
		}
	}

	private StoredSlot claimSlot(Deadline deadline) {
		Long number = this.settings.number();
		Nodes all = nodes();
		if (number != null) {
			return asked(() -> this.store.claim(this.context.keySpaceName, number, all, this.owner, deadline));
		}
		Nodes usable = new Nodes(all.count(), now() + this.context.maxAhead, all.horizon());
		return asked(() -> this.store.claim(this.context.keySpaceName, usable, this.owner, deadline)
			.or(() -> this.store.claim(this.context.keySpaceName, all, this.owner, deadline)))
			.orElseThrow(() -> allInUse(deadline));
	}

	/**
	 * Return all nodes, and the highest end of a window that instances may have whose
	 * clocks are within the bound.
	 */
	private Nodes nodes() {
		return nodes(now());
	}

	private Nodes nodes(long now) {
		Duration distance = untilAllIsOver();
		return new Nodes(this.context.layout.nodes(), Long.MAX_VALUE,
				new Horizon(now + distance.toMillis() + 1, distance));
	}

	/**
	 * Return how long it takes until all times are over that anybody has reserved.
	 */
	private Duration untilAllIsOver() {
		return this.settings.lease()
			.plusMillis(this.context.maxAhead)
			.plus(this.context.clock.maxSkew().multipliedBy(2));
	}

	private NodeUnavailableException allInUse(Deadline deadline) {
		List<StoredSlot> holders = asked(() -> this.store.list(this.context.keySpaceName, deadline)).slots()
			.stream()
			.filter((stored) -> stored.slot().number() < this.context.layout.nodes() && stored.live())
			.toList();
		String next = holders.stream()
			.map(StoredSlot::leaseLeft)
			.min(Duration::compareTo)
			.map((left) -> " Unless it is renewed, the next lease ends in " + left + ".")
			.orElse("");
		return new NodeUnavailableException("All " + this.context.layout.nodes() + " nodes of key space '"
				+ this.context.keySpaceName + "' are in use: "
				+ holders.stream()
					.limit(10)
					.map((stored) -> "node " + stored.slot().number() + " by " + stored.owner() + ", heard of "
							+ stored.leaseAge() + " ago")
					.collect(Collectors.joining("; "))
				+ ((holders.size() > 10) ? "; and " + (holders.size() - 10) + " more" : "") + "." + next
				+ " Stop instances, or use a layout with more nodes in a new key space.");
	}

	private NodeUnavailableException taken(StoredSlot other) {
		return new NodeUnavailableException("Node " + other.slot().number() + " of key space '"
				+ this.context.keySpaceName + "' is in use by " + other.owner() + ", which was heard of "
				+ other.leaseAge() + " ago and whose lease ends in " + other.leaseLeft()
				+ ". Give every instance a number of its own (node.id, the name of its host), or use node.source=lease.");
	}

	private boolean isOurs(StoredSlot stored) {
		return this.owner.id().equals(stored.owner());
	}

	private Node begin(long position, long window) {
		long number = Objects.requireNonNull(this.stored).slot().number();
		long first = Math.max(Math.max(position, this.floor), now());
		return new Node(number, first, window, this.context.sequences.begin(number, first));
	}

	private void renew(Node node, Deadline deadline) {
		Slot slot = Objects.requireNonNull(this.stored).slot();
		if (!this.context.clock.isTrusted(this.context.clock.read())) {
			// ask who is right before a wrong time is reserved, or told to the store
			Nodes nodes = nodes(this.context.time(this.store.time(deadline)));
			Reading before = this.context.clock.read();
			Slot known = slot;
			StoredSlot renewed = asked(
					() -> this.store.renew(this.context.keySpaceName, nodes, known, this.owner, deadline));
			if (!keep(known, renewed)) {
				return;
			}
			slot = renewed.slot();
			this.context.clock.compare(renewed.readAt(), before);
		}
		move(slot, deadline, (position, window) -> {
			node.window(window);
			return node;
		});
	}

	/**
	 * Move the window ahead, if the clock has come nearer to its end.
	 * @param moved makes the node with its new window
	 * @return whether the slot is still ours
	 */
	private boolean move(Slot slot, Deadline deadline, Moved moved) {
		long started = this.context.timeSource.nanoTime();
		Reading before = this.context.clock.read();
		long position = slot.position();
		StoredSlot stored = reserve(slot, deadline);
		if (!isOurs(stored)) {
			return false;
		}
		// a store may move nodes ahead by itself, and does not know where the layout ends
		this.node = moved.node(position, Math.min(stored.slot().position(), this.context.layout.ticks()));
		this.storeFailure = null;
		this.counts = this.counts.moved(this.context.timeSource.instant(),
				Duration.ofNanos(this.context.timeSource.nanoTime() - started));
		this.context.listeners.tell((listener, name) -> listener.windowMoved(name, stored.slot().number(),
				this.context.layout.instant(stored.slot().position())));
		this.context.clock.compare(stored.readAt(), before);
		return true;
	}

	/**
	 * Reserve time up to the end that the window should have.
	 * @return what the store says of the slot then
	 */
	private StoredSlot reserve(Slot slot, Deadline deadline) {
		Slot known = slot;
		while (true) {
			Slot from = known;
			long end = windowEnd();
			StoredSlot stored = asked(() -> (end > from.position())
					? this.store.advance(this.context.keySpaceName, nodes(), from, this.owner, end, deadline)
					: this.store.renew(this.context.keySpaceName, nodes(), from, this.owner, deadline));
			if (!keep(from, stored) || stored.slot().position() == Math.max(end, from.position())) {
				return stored;
			}
			if (stored.slot().position() == from.position()) {
				throw new IdStoreUnavailableException("The store did not move node " + from.number() + " of key space '"
						+ this.context.keySpaceName + "', although this instance owns it.");
			}
			// an earlier attempt had succeeded after all
			known = stored.slot();
		}
	}

	private <T> T asked(Supplier<T> question) {
		try {
			return question.get();
		}
		catch (KeySpaceRegressionException ex) {
			throw regression(String.valueOf(ex.getMessage()), ex);
		}
	}

	private KeySpaceRegressionException regression(String problem, @Nullable Throwable cause) {
		return new KeySpaceRegressionException(problem + " " + RecoveryInstructions.awaitTime(untilAllIsOver()), cause);
	}

	private long windowEnd() {
		return Math.min(this.context.layout.ticks(),
				now() + this.context.maxAhead + this.settings.lease().toMillis() + 1);
	}

	private long now() {
		return this.context.time(this.context.clock.read());
	}

	/**
	 * Take note of what the store says of our slot.
	 * @return whether it is still ours
	 */
	private boolean keep(Slot known, StoredSlot stored) {
		if (stored.slot().position() < known.position()) {
			throw regression("The store of key space '" + this.context.keySpaceName + "' went backwards: node "
					+ known.number() + " is reserved until " + this.context.layout.instant(stored.slot().position())
					+ ", but " + this.context.layout.instant(known.position()) + " was confirmed to generator '"
					+ this.context.generator + "' before.", null);
		}
		if (isOurs(stored)) {
			this.stored = stored;
			return true;
		}
		this.stored = null;
		Node lost = this.node;
		this.node = null;
		if (lost != null) {
			// what was made last is known for good, so that the next node begins after it
			this.floor = Math.max(this.floor, lost.seal() + 1);
		}
		this.context.listeners.tell((listener, name) -> listener.lost(name, known.number()));
		return false;
	}

	@Override
	public @Nullable Node node() {
		return this.node;
	}

	@Override
	public @Nullable RuntimeException failure() {
		return this.failure;
	}

	@Override
	public @Nullable RuntimeException terminal() {
		return this.terminal;
	}

	@Override
	public void await(Deadline deadline) throws InterruptedException {
		Await ended = Objects.requireNonNull(this.attempt.get());
		this.worker.request();
		this.context.pause.await(ended, deadline.remaining());
	}

	@Override
	public CompletableFuture<?> look(Duration timeout) {
		return this.worker.read(Deadline.after(this.context.timeSource, timeout)).handle((answered, failure) -> {
			if (failure instanceof TimeoutException) {
				this.storeFailure = "The store did not answer within " + timeout + ".";
			}
			return true;
		});
	}

	private void look(Deadline deadline) {
		try {
			StoredSlot known = this.stored;
			this.store.read(this.context.keySpaceName, (known != null) ? known.slot().number() : 0, deadline);
			this.storeFailure = null;
		}
		catch (IdGenerationException ex) {
			this.storeFailure = ex.getMessage();
		}
	}

	@Override
	public @Nullable String storeFailure() {
		return this.storeFailure;
	}

	@Override
	public NodeSnapshot nodeSnapshot() {
		Node node = this.node;
		StoredSlot stored = this.stored;
		if (node == null || stored == null) {
			return new NodeSnapshot(null, this.settings.source(), this.owner.id(), null, null, null);
		}
		return new NodeSnapshot(node.number(), this.settings.source(), this.owner.id(),
				this.context.layout.instant(node.first()), this.context.layout.instant(node.window()),
				stored.leaseUntil());
	}

	@Override
	public BlockSnapshot windowSnapshot(long now, long waits, Duration waited) {
		Node node = this.node;
		long tails = this.context.layout.tails();
		long left = (node != null) ? Math.max(0, node.window() - Math.max(now, node.lastTime() + 1)) : 0;
		RuntimeException failure = this.failure;
		Counts counts = this.counts;
		long held = (node != null) ? saturated(this.settings.lease().toMillis() + this.context.maxAhead + 1, tails) : 0;
		return new BlockSnapshot(saturated(this.settings.lease().toMillis(), tails), saturated(left, tails), 0, 0, held,
				counts.moves, waits, waited, counts.failures, counts.lastMoved, counts.lastTook,
				(failure != null) ? failure.getMessage() : null);
	}

	private static long saturated(long milliseconds, long tails) {
		return (milliseconds > Long.MAX_VALUE / tails) ? Long.MAX_VALUE : milliseconds * tails;
	}

	@Override
	public void close() {
		Await left = new Await();
		beginClose().whenComplete((done, failure) -> left.end());
		try {
			// if it takes longer, the lease runs out by itself
			this.context.pause.await(left, this.context.waitTimeout);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public CompletableFuture<?> beginClose() {
		if (this.closed) {
			return CompletableFuture.completedFuture(false);
		}
		this.closed = true;
		return this.worker.close(this::releasePermanently);
	}

	private void releasePermanently() {
		try {
			leaveSlot();
		}
		finally {
			count();
			endAttempt();
		}
	}

	private void leaveSlot() {
		Node node = this.node;
		this.node = null;
		StoredSlot stored = this.stored;
		if (stored == null) {
			return;
		}
		long position = (node != null) ? Math.min(stored.slot().position(), node.seal() + 1) : stored.slot().position();
		leave(position, Deadline.after(this.context.timeSource, this.context.waitTimeout));
	}

	/**
	 * Leave the slot. If that fails, the lease runs out by itself.
	 */
	private void leave(long position, Deadline deadline) {
		StoredSlot stored = this.stored;
		this.stored = null;
		if (stored == null) {
			return;
		}
		try {
			this.store.release(this.context.keySpaceName, stored.slot(), this.owner, position, deadline);
		}
		catch (RuntimeException ex) {
			this.context.listeners.tell((listener, name) -> listener.windowFailed(name, ex, Duration.ZERO));
		}
	}

	/**
	 * What a tenancy has to know of its generator.
	 *
	 * @param generator the name of the generator
	 * @param keySpaceName the name of the key space
	 * @param layout where times end
	 * @param sequences the sequences of its nodes
	 * @param clock the clock
	 * @param maxAhead how many milliseconds ids may be ahead of the clock
	 * @param waitTimeout how long the store may take
	 * @param timeSource tells the time
	 * @param pause lets threads wait
	 * @param listeners are told what happens
	 * @param key makes the times of renewals differ from those of others
	 */
	record Context(String generator, String keySpaceName, TimeLayout layout, TimeSequences sequences, NodeClock clock,
			long maxAhead, Duration waitTimeout, TimeSource timeSource, Sleeper pause, Listeners listeners, long key) {

		/**
		 * Return the time of a reading of the clock, in milliseconds since the epoch of
		 * the layout.
		 */
		long time(Reading reading) {
			return reading.millis() - this.layout.epoch().toEpochMilli();
		}

		/**
		 * Return what the store's clock shows, in milliseconds since the epoch of the
		 * layout.
		 */
		long time(Instant store) {
			return store.toEpochMilli() - this.layout.epoch().toEpochMilli();
		}

	}

	/**
	 * Makes a node when its window has been moved.
	 */
	private interface Moved {

		Node node(long position, long window);

	}

	/**
	 * Nodes as slots. A node has no end of its own: the layout has one, and it may be
	 * moved.
	 *
	 * @param count how many there are
	 * @param highestOffered how far a node may have been used to be of use
	 * @param horizon up to where nodes may be reserved
	 */
	private record Nodes(long count, long highestOffered, Horizon horizon) implements SlotSpace {

		@Override
		public long start(long number) {
			return 0;
		}

		@Override
		public long end(long number) {
			return Long.MAX_VALUE;
		}

	}

	/**
	 * How often the window was moved.
	 */
	private record Counts(long moves, long failures, @Nullable Instant lastMoved, @Nullable Duration lastTook) {

		Counts moved(Instant now, Duration took) {
			return new Counts(this.moves + 1, this.failures, now, took);
		}

		Counts failed() {
			return new Counts(this.moves, this.failures + 1, this.lastMoved, this.lastTook);
		}

	}

}
