package dev.idspring.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import dev.idspring.ClockException;
import dev.idspring.IdDescription;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.OpenedKeySpace;
import dev.idspring.block.ReservationForecast;
import dev.idspring.monitor.ClockSnapshot;
import dev.idspring.monitor.AbstractIdGenerator;
import dev.idspring.monitor.IdGeneratorBuilder;
import dev.idspring.monitor.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorStatus;
import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.monitor.KeySpaceSnapshot.TimeLeft;
import dev.idspring.monitor.ReservationRate;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredKeySpace;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A generator whose ids carry the time at which they were made, the number of the node
 * that made them, and what tells those of the same millisecond apart.
 * <p>
 * No round trip is needed for ids, only one now and then to move the node's window of
 * time ahead. That ids are unique rests on that window, not on the clock.
 * <p>
 * Without Spring: <pre class="code">
 * TimeScheme scheme = SnowflakeSettings.Preset.STANDARD.settings().scheme();
 * try (TimeIdGenerator ids = TimeIdGenerator.builder("events", scheme).store(keySpaces, slots).open()) {
 *     long id = ids.nextLong();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TimeIdGenerator extends AbstractIdGenerator {

	private static final Duration A_MILLISECOND = Duration.ofMillis(1);

	private final String keySpaceName;

	private final TimeScheme scheme;

	private final TimeLayout layout;

	private final NodeAssignment tenancy;

	private final NodeClock clock;

	/** Gives prefixes, if there are any to give. */
	private final @Nullable LongSupplier prefix;

	private final TimeSequences sequences;

	private final Duration waitTimeout;

	private final Sleeper pause;

	private final long epochMillis;

	private final long maxAhead;

	/** How many ids a caller can have at once. */
	private final long servable;

	private final LongAdder waits = new LongAdder();

	/** How long callers have waited, in nanoseconds. */
	private final LongAdder waited = new LongAdder();

	/** How fast this instance makes ids. */
	private final ReservationForecast own;

	/** How fast all instances together do. */
	private final ReservationForecast all;

	/** How many ids the store has been told of; only used by who talks to the store. */
	private long counted;

	private volatile boolean closed;

	private TimeIdGenerator(Builder builder, NodeAssignment tenancy, TimeSequences sequences, NodeClock clock,
			Sleeper pause) {
		super(builder);
		this.keySpaceName = builder.keySpaceName();
		this.scheme = builder.scheme;
		this.layout = builder.scheme.layout();
		this.tenancy = tenancy;
		this.clock = clock;
		this.prefix = builder.prefix;
		this.sequences = sequences;
		this.waitTimeout = builder.waitTimeout;
		this.pause = pause;
		this.epochMillis = this.layout.epoch().toEpochMilli();
		this.maxAhead = builder.clockSettings.maxAhead().toMillis();
		this.servable = this.layout.ids(servableMillis()).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
		this.own = new ReservationForecast(this.keySpaceName, null, timeSource());
		this.all = (builder.keySpaces != null)
				? new ReservationForecast(this.keySpaceName, builder.keySpaces, timeSource()) : this.own;
		observeRate();
	}

	/**
	 * Begin to build a generator.
	 * @param name the name of the generator, also that of its key space unless another is
	 * given
	 * @param scheme all that makes its ids
	 * @return a builder
	 */
	public static Builder builder(String name, TimeScheme scheme) {
		return new Builder(name, scheme);
	}

	private void opened() {
		NodeSnapshot node = this.tenancy.nodeSnapshot();
		String summary = strategy() + ", " + this.scheme.summary() + String.format(Locale.ROOT, "; node %d of %,d (%s)",
				node.number(), this.layout.nodes(), node.source());
		listeners().tell((listener, generator) -> listener.opened(generator, summary, snapshot()));
	}

	@Override
	public long nextLong() {
		long prefix = prefix();
		Node node = this.tenancy.node();
		long id = (node != null) ? node.next() : TimeSequence.NONE;
		return prefix + ((id != TimeSequence.NONE) ? id : nextByTheClock());
	}

	private long nextByTheClock() {
		Deadline deadline = null;
		while (true) {
			Node node = this.tenancy.node();
			Reading reading = this.clock.read();
			if (node != null && this.clock.isTrusted(reading)) {
				long id = node.next(time(reading), this.maxAhead);
				if (id != TimeSequence.NONE) {
					return id;
				}
			}
			deadline = await(deadline);
		}
	}

	@Override
	public long[] nextLongs(int count) {
		return (count > 0) ? draw(count) : super.nextLongs(count);
	}

	@Override
	public void nextLongs(long[] into) {
		if (into.length > 0) {
			System.arraycopy(draw(into.length), 0, into, 0, into.length);
		}
	}

	private long[] draw(int wanted) {
		long prefix = prefix();
		verifyServable(wanted);
		long[] ids = new long[wanted];
		int count = 0;
		this.sequences.hold(wanted);
		try {
			Deadline deadline = null;
			while (count < wanted) {
				Node node = this.tenancy.node();
				Reading reading = this.clock.read();
				int taken = (node != null && this.clock.isTrusted(reading))
						? node.next(time(reading), this.maxAhead, ids, count) : 0;
				count += taken;
				if (taken == 0) {
					deadline = await(deadline);
				}
			}
		}
		finally {
			this.sequences.release((count < wanted) ? wanted - count : wanted);
		}
		if (prefix != 0) {
			Arrays.setAll(ids, (i) -> prefix + ids[i]);
		}
		return ids;
	}

	/**
	 * Return what the prefix adds to ids.
	 */
	private long prefix() {
		LongSupplier prefixes = this.prefix;
		if (prefixes == null) {
			return 0;
		}
		long prefix = prefixes.getAsLong();
		if (prefix < 0 || prefix >= this.layout.prefixes()) {
			throw new IllegalStateException("The CompositePrefix of id generator '" + name() + "' gave " + prefix
					+ " but must give a prefix from 0 to " + (this.layout.prefixes() - 1) + ".");
		}
		return this.layout.prefixed(prefix);
	}

	private void verifyServable(int count) {
		if (count > this.servable) {
			throw new ClockException("Id generator '" + name() + "' was asked for " + count
					+ " ids at once, but makes at most " + this.servable + " within maxAhead and "
					+ "waitTimeout together, " + servableMillis() + " ms. Ask for fewer at a time.");
		}
	}

	private long servableMillis() {
		return this.maxAhead + this.waitTimeout.toMillis();
	}

	private long time(Reading reading) {
		return reading.millis() - this.epochMillis;
	}

	/**
	 * Wait for whatever keeps ids from being made, or say what it is.
	 * @param known until when the caller waits, or {@code null} if it has not waited yet
	 * @return until when the caller waits
	 */
	private Deadline await(@Nullable Deadline known) {
		if (this.closed) {
			throw new IllegalStateException("Id generator '" + name() + "' is closed.");
		}
		Deadline deadline = (known != null) ? known : Deadline.after(timeSource(), this.waitTimeout);
		if (known == null) {
			this.waits.increment();
		}
		verifyNotStopped();
		// first: whoever was suspended for longer than that looks again before failing
		boolean late = deadline.hasPassed();
		Node node = this.tenancy.node();
		Reading reading = this.clock.read();
		long now = time(reading);
		long started = timeSource().nanoTime();
		try {
			if (node != null && this.clock.isTrusted(reading) && canWaitForTheClock(node, now)) {
				verifyTimeLeft(late, node, now);
				this.pause.sleep(A_MILLISECOND);
			}
			else {
				verifyObtainable(late, node, reading, now);
				this.tenancy.await(deadline);
			}
			return deadline;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unavailable("the thread was interrupted while it waited.", ex);
		}
		finally {
			this.waited.add(timeSource().nanoTime() - started);
		}
	}

	private void verifyNotStopped() {
		RuntimeException terminal = this.tenancy.terminal();
		if (terminal != null) {
			throw new KeySpaceRegressionException(named(terminal), terminal);
		}
	}

	/**
	 * Return whether it is the clock that has to move on, rather than the window. A node
	 * that was used further on than the clock is has no window until then.
	 */
	private boolean canWaitForTheClock(Node node, long now) {
		return !node.isSealed() && (!node.isWindowUsedUp(now, this.maxAhead) || node.isAheadOf(now, this.maxAhead));
	}

	/**
	 * The clock has to move on. How far depends on how many others wait.
	 * @param late whether the caller may not wait any more; that does not matter if it
	 * need not, as the clock has moved on meanwhile
	 */
	private void verifyTimeLeft(boolean late, Node node, long now) {
		if (late && node.isAheadOf(now, this.maxAhead)) {
			throw new ClockException("Id generator '" + name() + "' is node " + node.number()
					+ ", which has been used until " + this.layout.instant(node.first())
					+ ", and the clock is not there yet. Wait, or correct the clock if it is wrong.");
		}
		if (late && node.lastTime() - now >= this.maxAhead) {
			throw new ClockException("Id generator '" + name() + "' is " + (node.lastTime() - now)
					+ " ms ahead of the clock, and maxAhead is " + this.maxAhead
					+ " ms: more ids are drawn than the layout has, which is " + this.layout.tails()
					+ " a millisecond and node. Draw fewer, or use a layout with a wider tail in a new key space.");
		}
	}

	/**
	 * The window has to be moved, or the clock to be set right, or a node to be claimed.
	 */
	private void verifyObtainable(boolean late, @Nullable Node node, Reading reading, long now) {
		RuntimeException failure = this.tenancy.failure();
		boolean windowIsLast = node != null && node.window() >= this.layout.ticks();
		if (this.clock.isTrusted(reading) && (windowIsLast || now >= this.layout.ticks())) {
			throw new KeySpaceExhaustedException(
					"Id generator '" + name() + "' can make no more ids: the last instant they can carry is "
							+ this.layout.lastInstant() + ". Give it a new key space with a later epoch.");
		}
		if (failure instanceof ClockException) {
			throw new ClockException(named(failure), failure);
		}
		if (!this.clock.isTrusted(reading) && this.clock.isAlone()) {
			throw new ClockException(named(this.clock.distrust()));
		}
		if (late) {
			if (failure instanceof NodeUnavailableException) {
				throw new NodeUnavailableException(named(failure), failure);
			}
			throw unavailable(describeFailure(failure), failure);
		}
	}

	/**
	 * Say why the window was not moved. Where the store has refused, it has said what to
	 * do.
	 */
	private String describeFailure(@Nullable RuntimeException failure) {
		String problem = (failure != null) ? String.valueOf(failure.getMessage())
				: "the store did not answer within the wait-timeout";
		boolean refused = failure != null && failure.getCause() == null;
		return problem + (problem.endsWith(".") ? "" : ".") + (refused ? "" : " Check the store of key space '"
				+ this.keySpaceName + "'; the generator recovers by itself as soon as the store answers.");
	}

	private String named(RuntimeException failure) {
		return "Id generator '" + name() + "' cannot make ids: " + failure.getMessage();
	}

	private IdStoreUnavailableException unavailable(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException(
				"Id generator '" + name() + "' has exhausted its reserved time window: " + problem, cause);
	}

	@Override
	public String format(long id) {
		return this.scheme.format(id);
	}

	@Override
	public long parse(String text) {
		return this.scheme.parse(text);
	}

	@Override
	public IdDescription describe(long id) {
		return this.scheme.describe(id);
	}

	@Override
	public IdDescription describe(long id, Duration timeout) {
		return describe(id);
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return this.tenancy.look(timeout).thenRun(() -> {
			observeRate();
			alertIfLow();
		});
	}

	private void observeRate() {
		this.own.observe(this.sequences.issued());
		if (this.own.isNoteDue()) {
			this.own.note(this.sequences.issued(), Deadline.after(timeSource(), this.waitTimeout));
		}
	}

	/**
	 * Add the ids made here to those of the other instances, which have the counter of
	 * the key space for that, as times need none. If it is not known whether that
	 * succeeded, some are counted twice.
	 */
	private void count(KeySpaceStore counter, Deadline deadline) {
		observeRate();
		if (this.all.isNoteDue() || this.closed) {
			long made = this.sequences.issued();
			if (made > this.counted) {
				counter.count(this.keySpaceName, made - this.counted, deadline);
				this.counted = made;
			}
			long total = counter.read(this.keySpaceName, deadline).map(StoredKeySpace::nextOrdinal).orElse(made);
			this.all.note(total, deadline);
		}
		alertIfLow();
	}

	@Override
	public GeneratorSnapshot snapshot() {
		Reading reading = this.clock.read();
		long now = time(reading);
		KeySpaceSnapshot keySpace = keySpaceSnapshot(now);
		return new GeneratorSnapshot(strategy(), status(reading, now, keySpace), this.tenancy.storeFailure(),
				this.scheme.definition(), this.sequences.issued(), keySpace,
				this.tenancy.windowSnapshot(now, this.waits.sum(), Duration.ofNanos(this.waited.sum())), null,
				this.tenancy.nodeSnapshot(), clockSnapshot(reading));
	}

	@Override
	protected KeySpaceSnapshot keySpaceSnapshot() {
		return keySpaceSnapshot(time(this.clock.read()));
	}

	private KeySpaceSnapshot keySpaceSnapshot(long now) {
		long ticks = this.layout.ticks();
		long passed = Math.max(0, Math.min(now, ticks));
		BigInteger capacity = this.layout.capacity();
		BigInteger reserved = this.layout.ids(passed).multiply(BigInteger.valueOf(this.layout.nodes()));
		BigInteger ofNode = this.layout.ids(ticks - passed);
		ReservationRate ownRate = this.own.rate();
		ReservationRate rate = this.all.rate();
		BigInteger expected = (ownRate != null) ? BigDecimal.valueOf(ownRate.perSecond())
			.multiply(BigDecimal.valueOf(ticks - passed))
			.divideToIntegralValue(BigDecimal.valueOf(1_000))
			.toBigInteger()
			.min(ofNode) : null;
		Instant last = this.layout.lastInstant();
		return new KeySpaceSnapshot(this.keySpaceName, capacity, reserved, (rate != null) ? rate.perSecond() : null,
				last, last, new TimeLeft(last, ofNode, expected));
	}

	private ClockSnapshot clockSnapshot(Reading reading) {
		Node node = this.tenancy.node();
		long ahead = (node != null) ? node.lastTime() - (reading.wall() - this.epochMillis) : 0;
		return new ClockSnapshot(this.clock.isTrusted(reading), Duration.ofMillis(Math.max(0, ahead)),
				this.clock.skew(), this.clock.jumps(), this.waits.sum());
	}

	private GeneratorStatus status(Reading reading, long now, KeySpaceSnapshot keySpace) {
		Node node = this.tenancy.node();
		if (this.closed || this.tenancy.terminal() != null) {
			return GeneratorStatus.DOWN;
		}
		if (now >= this.layout.ticks()) {
			return GeneratorStatus.EXHAUSTED;
		}
		if (node == null || !this.clock.isTrusted(reading) || node.window() <= now
				|| node.isAheadOf(now, this.maxAhead)) {
			return GeneratorStatus.DOWN;
		}
		return isLow(keySpace) ? GeneratorStatus.LOW : GeneratorStatus.UP;
	}

	@Override
	public CompletableFuture<?> dropMemory() {
		return this.tenancy.dropMemory();
	}

	@Override
	public CompletableFuture<?> beginClose() {
		this.closed = true;
		return this.tenancy.beginClose();
	}

	@Override
	public void close() {
		this.closed = true;
		this.tenancy.close();
	}

	/**
	 * Builds a {@link TimeIdGenerator}.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder extends IdGeneratorBuilder<Builder> {

		private final TimeScheme scheme;

		private NodeSettings node = NodeSettings.lease(Duration.ofSeconds(30));

		private ClockSettings clockSettings = ClockSettings.defaults();

		private Duration waitTimeout = Duration.ofSeconds(5);

		private TailKeys tailKeys = TailKeys.secure();

		private @Nullable LongSupplier prefix;

		private ClockTicker ticker = new ClockTicker();

		private @Nullable KeySpaceStore keySpaces;

		private @Nullable SlotStore slots;

		private Builder(String name, TimeScheme scheme) {
			super(name, scheme.strategy());
			this.scheme = scheme;
		}

		@Override
		protected Builder self() {
			return this;
		}

		/**
		 * Set what remembers who has which node, and up to when times are reserved.
		 * Without a store the node must be given, and nothing protects from another
		 * instance with the same one, nor from a restart with a clock that was set back.
		 * @param keySpaces remembers the layout
		 * @param slots remembers the nodes
		 * @return this builder
		 */
		public Builder store(KeySpaceStore keySpaces, SlotStore slots) {
			this.keySpaces = keySpaces;
			this.slots = slots;
			return this;
		}

		/**
		 * Set where the number of the node comes from, if not from a lease of 30 seconds.
		 * @param node the source
		 * @return this builder
		 */
		public Builder node(NodeSettings node) {
			this.node = node;
			return this;
		}

		/**
		 * Set how much the clock may be off.
		 * @param clockSettings the bounds
		 * @return this builder
		 */
		public Builder clock(ClockSettings clockSettings) {
			this.clockSettings = clockSettings;
			return this;
		}

		/**
		 * Set how long a caller waits at most, and the store may take.
		 * @param waitTimeout the time
		 * @return this builder
		 */
		public Builder waitTimeout(Duration waitTimeout) {
			this.waitTimeout = BlockSettings.verifyWaitTimeout(waitTimeout);
			return this;
		}

		/**
		 * Set what ends readings of the clock that serve for more than one id, if it is
		 * not one of the generator's own. It is used with time sources only that
		 * {@linkplain TimeSource#runsByItself() run by themselves}.
		 * @param ticker the ticker, which several generators may share
		 * @return this builder
		 */
		public Builder ticker(ClockTicker ticker) {
			this.ticker = ticker;
			return this;
		}

		/**
		 * Set where the key of random tails comes from.
		 * @param tailKeys gives the key
		 * @return this builder
		 */
		public Builder tailKeys(TailKeys tailKeys) {
			this.tailKeys = tailKeys;
			return this;
		}

		/**
		 * Set what gives the prefix, where the layout has one. Asked by every call that
		 * draws ids, on its thread.
		 * @param prefix gives a prefix
		 * @return this builder
		 */
		public Builder prefix(LongSupplier prefix) {
			this.prefix = prefix;
			return this;
		}

		/**
		 * Open the key space, creating it if it does not exist, and claim a node. Must
		 * not be called in a transaction. If a node was asked for by its number that
		 * belongs to somebody who is not heard of, this takes up to the time of its
		 * lease.
		 * @return a generator that must be closed after use
		 * @throws IllegalArgumentException if the number of the node is out of range
		 * @throws KeySpaceMismatchException if the key space exists with another
		 * definition
		 * @throws NodeUnavailableException if there is no node to be had
		 * @throws ClockException if the clock is too far off that of the store
		 * @throws KeySpaceExhaustedException if the last instant has passed
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		@Override
		public TimeIdGenerator open() {
			return open(null, new Sleeper.Parking(timeSource()), this.tailKeys.key(name()));
		}

		/**
		 * Return how long {@link #open()} takes at most, with a predecessor that was
		 * killed and keeps its number for one lease.
		 * @return the time
		 */
		public Duration longestOpen() {
			return this.waitTimeout.multipliedBy(2).plus(this.node.lease()).plusSeconds(2);
		}

		/**
		 * Open with a supply, a pause and a key for random tails of one's own.
		 */
		TimeIdGenerator open(@Nullable StoreExecutor ownSupply, Sleeper pause, long key) {
			TimeLayout layout = this.scheme.layout();
			Long number = this.node.number();
			InvalidSettingException.require(number == null || number < layout.nodes(), NodeSettings.class, "number",
					number,
					"must be from 0 to " + (layout.nodes() - 1) + ", as the layout has " + layout.nodes() + " nodes");
			this.scheme.verifyBegun(timeSource().instant());
			TimeSequences sequences = new TimeSequences(layout, this.scheme.tail(), key,
					timeSource().runsByItself() ? this.ticker : null);
			KeySpaceStore keySpaces = this.keySpaces;
			SlotStore slots = this.slots;
			if (keySpaces == null || slots == null) {
				return openAlone(sequences, pause);
			}
			Deadline deadline = Deadline.after(timeSource(), this.waitTimeout);
			OpenedKeySpace.verifyDefinition(keySpaceName(), this.scheme.definition(), layout.ticks(), keySpaces,
					deadline);
			NodeClock clock = new NodeClock(timeSource(), this.clockSettings.maxSkew(), false);
			NodeLease tenancy = new NodeLease(new NodeLease.Context(name(), keySpaceName(), layout, sequences, clock,
					this.clockSettings.maxAhead().toMillis(), this.waitTimeout, timeSource(), pause, listeners(), key),
					slots, this.node, (ownSupply != null) ? ownSupply : new StoreThread(name()));
			try {
				tenancy.open(deadline);
				TimeIdGenerator generator = new TimeIdGenerator(this, tenancy, sequences, clock, pause);
				tenancy.start((until) -> generator.count(keySpaces, until));
				generator.opened();
				return generator;
			}
			catch (RuntimeException ex) {
				tenancy.close();
				throw ex;
			}
		}

		private TimeIdGenerator openAlone(TimeSequences sequences, Sleeper pause) {
			Long number = this.node.number();
			if (number == null) {
				throw new InvalidSettingException(NodeSettings.class, "source", this.node.source(),
						"must be one that gives a number where there is no store");
			}
			TimeLayout layout = this.scheme.layout();
			NodeClock clock = new NodeClock(timeSource(), this.clockSettings.maxSkew(), true);
			long now = clock.read().millis() - layout.epoch().toEpochMilli();
			// a predecessor that was restarted may have borrowed as much
			long first = Math.max(0, now + this.clockSettings.maxAhead().toMillis() + 1);
			if (first >= layout.ticks()) {
				throw new KeySpaceExhaustedException(
						"Id generator '" + name() + "' can make no ids: the last instant they can carry was "
								+ layout.lastInstant() + ". Give it a later epoch.");
			}
			Node node = new Node(number, first, layout.ticks(), sequences.begin(number, first));
			TimeIdGenerator generator = new TimeIdGenerator(this, new StaticNode(node, this.node.source(), layout),
					sequences, clock, pause);
			generator.opened();
			return generator;
		}

	}

}
