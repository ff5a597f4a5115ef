package dev.idspring.time;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.idspring.ClockException;
import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.block.BlockSettings;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.generator.AbstractIdGenerator;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.SlotStore;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A generator of time-based ids. An id contains the time of its generation, the number of
 * a <em>node</em>, which distinguishes the instances, and a <em>tail</em>, which
 * distinguishes ids of the same node and millisecond.
 * <p>
 * Generating an id needs no round trip to the store. The generator accesses the store
 * only occasionally and in the background, mainly to reserve the next window: the times
 * for which it may generate ids. With a store, the uniqueness of ids depends on the
 * window and not on the clock.
 * <p>
 * Usage without Spring: <pre class="code">
 * TimeScheme scheme = SnowflakeSettings.Preset.STANDARD.settings().scheme();
 * try (TimeIdGenerator ids = TimeIdGenerator.builder("events", scheme).store(keySpaces, slots).open()) {
 *     long id = ids.nextLong();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TimeIdGenerator extends AbstractIdGenerator {

	private final TimeScheme scheme;

	private final TimeLayout layout;

	private final NodeAssignment assignment;

	private final NodeClock clock;

	/** Supplies the numeric prefixes of ids, if the {@link TimeLayout} has a prefix. */
	private final @Nullable LongSupplier prefix;

	private final TimeSequences sequences;

	private final long epochMillis;

	private final long maxAhead;

	private final TimeWait wait;

	private final TimeReport report;

	private volatile boolean closed;

	private TimeIdGenerator(Builder builder, TimeScheme scheme, TimeContext context, NodeAssignment assignment) {
		super(builder, scheme.text().form(), (text, identity, keySpace) -> scheme.uuids(identity, text, keySpace),
				scheme.layout().maxId());
		this.scheme = scheme;
		this.layout = context.layout();
		this.assignment = assignment;
		this.clock = context.clock();
		this.prefix = builder.prefix;
		this.sequences = context.sequences();
		this.epochMillis = this.layout.epoch().toEpochMilli();
		this.maxAhead = context.maxAhead();
		this.wait = new TimeWait(context, assignment);
		this.report = new TimeReport(this.scheme, context, assignment, this.wait, builder.keySpaces);
		NodeSnapshot node = this.assignment.nodeSnapshot();
		String summary = strategy() + ", " + this.scheme.summary() + String.format(Locale.ROOT, "; node %d of %,d (%s)",
				node.number(), this.layout.nodes(), node.source());
		listeners().notifyListeners((listener, generator) -> listener.opened(generator, summary, snapshot()));
	}

	/**
	 * Create a builder for a generator.
	 * @param name the name of the generator, which is also the default name of its key
	 * space
	 * @param scheme the scheme of its ids
	 * @return a builder
	 */
	public static Builder builder(String name, TimeScheme scheme) {
		return new Builder(name, scheme);
	}

	@Override
	public long nextLong() {
		long prefix = prefix();
		long id = this.sequences.next();
		return prefix + ((id != TimeSequence.NONE) ? id : nextAfterReadingClock());
	}

	private long nextAfterReadingClock() {
		Deadline deadline = null;
		while (true) {
			Node node = this.assignment.node();
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
		if (InvalidSettingException.requireGiven(IdGenerator.class, "into", into).length > 0) {
			System.arraycopy(draw(into.length), 0, into, 0, into.length);
		}
		else {
			verifyOpen();
		}
	}

	private long[] draw(int wanted) {
		long prefix = prefix();
		this.wait.verifyBulkSize(wanted);
		long[] ids = new long[wanted];
		int count = 0;
		this.sequences.addPending(wanted);
		try {
			Deadline deadline = null;
			while (count < wanted) {
				Node node = this.assignment.node();
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
			this.sequences.addPending((count < wanted) ? count - wanted : -wanted);
		}
		for (int i = 0; i < wanted; i++) {
			ids[i] += prefix;
		}
		return ids;
	}

	private long prefix() {
		LongSupplier prefixes = this.prefix;
		if (prefixes == null) {
			return 0;
		}
		long prefix = prefixes.getAsLong();
		if (prefix < 0 || prefix >= this.layout.prefixes()) {
			throw new IllegalStateException("The CompositePrefix of id generator '" + name() + "' returned " + prefix
					+ " but must return a prefix from 0 to " + (this.layout.prefixes() - 1) + ".");
		}
		return this.layout.unverifiedId(prefix, 0, 0, 0);
	}

	private long time(Reading reading) {
		return reading.millis() - this.epochMillis;
	}

	private Deadline await(@Nullable Deadline callersDeadline) {
		verifyOpen();
		return this.wait.await(callersDeadline);
	}

	private void verifyOpen() {
		if (this.closed) {
			throw new IllegalStateException("Id generator '" + name() + "' is closed.");
		}
	}

	@Override
	protected void verify(long id) {
		this.layout.verify(id);
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
		InvalidSettingException.requireGiven(TimeIdGenerator.class, "timeout", timeout);
		return describe(id);
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		InvalidSettingException.requireGiven(TimeIdGenerator.class, "timeout", timeout);
		return this.assignment.checkStore(timeout).thenRun(() -> {
			this.report.observe();
			alertIfLow();
		});
	}

	private void count(KeySpaceStore keySpaces, Deadline deadline) {
		this.report.count(keySpaces, this.closed, deadline);
		alertIfLow();
	}

	@Override
	public GeneratorSnapshot snapshot() {
		return this.report.snapshot(this.closed, this::isLow);
	}

	@Override
	protected KeySpaceSnapshot keySpaceSnapshot() {
		return this.report.keySpace();
	}

	@Override
	public CompletableFuture<?> dropMemory() {
		return this.assignment.dropMemory();
	}

	@Override
	public CompletableFuture<?> beginClose() {
		this.closed = true;
		return this.assignment.beginClose();
	}

	@Override
	public void close() {
		this.closed = true;
		this.assignment.close();
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

		private Tail.Keys tailKeys = Tail.Keys.secure();

		private @Nullable LongSupplier prefix;

		private ClockTicker ticker = new ClockTicker();

		private @Nullable KeySpaceStore keySpaces;

		private @Nullable SlotStore slots;

		private Builder(String name, TimeScheme scheme) {
			super(name, InvalidSettingException.requireGiven(Builder.class, "scheme", scheme).strategy());
			this.scheme = scheme;
		}

		@Override
		protected Builder self() {
			return this;
		}

		/**
		 * Set the store. A generator without a store needs a configured node number. Its
		 * ids may repeat if another instance has the same number, or if the clock is set
		 * back before a restart.
		 * @param keySpaces the store of key spaces and their definitions
		 * @param slots the store of nodes, with their owners and windows
		 * @return this builder
		 */
		public Builder store(KeySpaceStore keySpaces, SlotStore slots) {
			this.keySpaces = requireGiven("keySpaces", keySpaces);
			this.slots = SlotStore.requireMatching(keySpaces, slots);
			return this;
		}

		/**
		 * Set how the generator gets its node. By default, the generator leases a free
		 * number for 30 seconds, and renews the lease.
		 * @param node the settings
		 * @return this builder
		 */
		public Builder node(NodeSettings node) {
			this.node = requireGiven("node", node);
			return this;
		}

		/**
		 * Set how far the times of ids may be ahead of the clock, and how far the clock
		 * may jump or differ from the clock of the store.
		 * @param clockSettings the settings
		 * @return this builder
		 */
		public Builder clock(ClockSettings clockSettings) {
			this.clockSettings = requireGiven("clockSettings", clockSettings);
			return this;
		}

		/**
		 * Set how long a caller may wait for ids, and how long a request to the store may
		 * take. The default is 5 seconds.
		 * @param waitTimeout the maximum duration
		 * @return this builder
		 */
		public Builder waitTimeout(Duration waitTimeout) {
			this.waitTimeout = BlockSettings.verifyWaitTimeout(waitTimeout);
			return this;
		}

		/**
		 * Set the ticker. In a burst of ids, callers share one reading of the clock until
		 * the ticker expires it, about a millisecond later. By default, each generator
		 * has its own ticker. If the time source does not
		 * {@linkplain TimeSource#advancesByItself() advance by itself}, the generator
		 * does not use the ticker.
		 * @param ticker the ticker, which several generators may share
		 * @return this builder
		 */
		public Builder ticker(ClockTicker ticker) {
			this.ticker = requireGiven("ticker", ticker);
			return this;
		}

		/**
		 * Set the supplier of the key for random tails.
		 * @param tailKeys the supplier
		 * @return this builder
		 */
		public Builder tailKeys(Tail.Keys tailKeys) {
			this.tailKeys = requireGiven("tailKeys", tailKeys);
			return this;
		}

		/**
		 * Set the supplier of the numeric prefixes of ids, if the layout has a prefix.
		 * The generator calls the supplier once per request, even for several ids, on the
		 * thread of the caller.
		 * @param prefix the supplier
		 * @return this builder
		 */
		public Builder prefix(LongSupplier prefix) {
			this.prefix = requireGiven("prefix", prefix);
			return this;
		}

		/**
		 * Open the key space, creating it if it does not exist, and claim a node. Do not
		 * call this method in a transaction. If a previous instance with the same
		 * configured node was killed, this method waits until the lease of that instance
		 * expires.
		 * @return the generator, which must be closed after use
		 * @throws IllegalArgumentException if the node number is out of range, if it is
		 * missing and there is no store, or if the epoch is in the future
		 * @throws KeySpaceMismatchException if the key space exists with another
		 * definition
		 * @throws NodeUnavailableException if no node is available
		 * @throws ClockException if the clock differs too much from that of the store
		 * @throws KeySpaceExhaustedException if the last instant of the layout has passed
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		@Override
		public TimeIdGenerator open() {
			return open(null, new Sleeper.Parking(timeSource()), this.tailKeys.key(name()));
		}

		/**
		 * Return the maximum duration of {@link #open()}, including the wait for the
		 * lease of a killed instance.
		 * @return the maximum duration
		 */
		public Duration maxOpenDuration() {
			return this.waitTimeout.multipliedBy(2).plus(this.node.lease()).plusSeconds(2);
		}

		/** Open a generator with a given executor, sleeper and key for random tails. */
		TimeIdGenerator open(@Nullable StoreExecutor executor, Sleeper sleeper, long key) {
			TimeScheme scheme = this.scheme.withText(text(), keySpaceName());
			TimeLayout layout = scheme.layout();
			Long number = this.node.number();
			InvalidSettingException.require(number == null || number < layout.nodes(), NodeSettings.class, "number",
					number,
					"must be from 0 to " + (layout.nodes() - 1) + ", because these are the nodes of the layout");
			scheme.verifyEpochNotInFuture(timeSource().instant());
			KeySpaceStore keySpaces = this.keySpaces;
			SlotStore slots = this.slots;
			TimeContext context = new TimeContext(name(), keySpaceName(), layout,
					new TimeSequences(layout, scheme.tail(), key, timeSource().advancesByItself() ? this.ticker : null),
					new NodeClock(timeSource(), this.clockSettings.maxSkew(), keySpaces == null || slots == null),
					this.clockSettings.maxAhead().toMillis(), this.waitTimeout, timeSource(), sleeper, listeners(),
					key);
			if (keySpaces == null || slots == null) {
				return new TimeIdGenerator(this, scheme, context, node(context));
			}
			Deadline deadline = context.deadline();
			NodeLease lease = new NodeLease(context, slots, this.node,
					(executor != null) ? executor : new StoreThread(name()));
			try {
				long storedEnd = OpenedKeySpace.verifyDefinition(keySpaceName(), scheme.definition(), layout.ticks(),
						keySpaces, deadline);
				lease.open(deadline);
				TimeIdGenerator generator = new TimeIdGenerator(this, scheme, context, lease);
				if (layout.ticks() < storedEnd) {
					listeners().notifyListeners(
							(listener, name) -> listener.lowered(name, keySpaceName(), layout.ticks(), storedEnd));
				}
				lease.start((callDeadline) -> generator.count(keySpaces, callDeadline));
				return generator;
			}
			catch (RuntimeException ex) {
				lease.close();
				throw ex;
			}
		}

		private NodeAssignment node(TimeContext context) {
			Long number = this.node.number();
			if (number == null) {
				throw new InvalidSettingException(NodeSettings.class, "source", this.node.source(),
						"must be fixed or hostname if there is no store");
			}
			// the ids from before a restart may be ahead of the clock by up to maxAhead
			long first = Math.max(0, context.now() + context.maxAhead() + 1);
			long end = context.layout().ticks();
			if (first >= end) {
				throw context.exhausted();
			}
			Node node = new Node(number, first, end, context.sequences().begin(number, first));
			return new NodeAssignment.ConfiguredNode(node, this.node.source(), context.layout());
		}

	}

}
