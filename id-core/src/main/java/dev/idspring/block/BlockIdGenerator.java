package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorStatus;
import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.monitor.Listeners;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.monitor.LowKeySpaceAlert;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ReservationObserver;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OrdinalRange;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A generator whose ids are the keys of a {@link KeySpace}, reserved in blocks from a
 * {@link KeySpaceStore} ahead of use.
 * <p>
 * Without Spring: <pre class="code">
 * try (BlockIdGenerator ids = BlockIdGenerator.builder("orders", "coprime", settings, store).open()) {
 *     long id = ids.nextLong();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class BlockIdGenerator implements ManagedIdGenerator {

	private final String name;

	private final String strategy;

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final Reservations reservations;

	private final BlockServers servers;

	private final Stripe[] stripes;

	private final Listeners<ReservationListener> listeners;

	private final ReservationForecast forecast;

	private final LowThreshold lowThreshold;

	private final LowKeySpaceAlert lowWarning;

	private final TimeSource timeSource;

	private BlockIdGenerator(Builder builder, ReservedKeySpace opened, IntFunction<StoreExecutor> supplies) {
		this.name = builder.name;
		this.strategy = builder.strategy;
		this.keySpaceName = opened.name();
		this.keySpace = opened.keySpace();
		this.reservations = opened.reservations();
		this.forecast = opened.forecast();
		this.lowThreshold = builder.lowThreshold;
		this.timeSource = builder.timeSource;
		this.lowWarning = new LowKeySpaceAlert(this.timeSource.nanoTime());
		List<ReservationListener> all = new ArrayList<>(builder.listeners);
		all.add(new Watch());
		this.listeners = new Listeners<>(all);
		ReservationObserver observer = builder.observer.guarded();
		List<BlockServer> servers = new ArrayList<>();
		for (BlockSource source : this.reservations.sources()) {
			servers.add(new BlockServer(this.name, opened, source, builder.blockSettings, this.timeSource,
					supplies.apply(servers.size()), this.listeners, () -> observer.begin(this.name, this.strategy)));
		}
		this.servers = new BlockServers(servers);
		this.stripes = this.servers.stripes().owned();
	}

	/**
	 * Begin to build a generator.
	 * @param name the name of the generator, also that of its key space unless another is
	 * given
	 * @param strategy what operators call the strategy
	 * @param settings what is said about the key space
	 * @param store what remembers how far the key space is reserved
	 * @return a builder
	 */
	public static Builder builder(String name, String strategy, KeySpaceSettings settings, KeySpaceStore store) {
		return new Builder(name, strategy, settings, store);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public long nextLong() {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, this.stripes);
		return stripe.isReadyFor(thread) ? stripe.next() : this.servers.takeKey();
	}

	@Override
	public void nextLongs(long[] into) {
		if (into.length > 0) {
			this.servers.takeKeys(into);
		}
	}

	@Override
	public String format(long id) {
		return this.keySpace.format(id);
	}

	@Override
	public long parse(String text) {
		return this.keySpace.parse(text);
	}

	@Override
	public IdDescription describe(long id) {
		long ordinal = this.keySpace.ordinal(id);
		return description(id, ordinal, this.servers.any().isReserved(ordinal));
	}

	@Override
	public IdDescription describe(long id, Duration timeout) {
		long ordinal = this.keySpace.ordinal(id);
		Boolean reserved = null;
		try {
			reserved = this.servers.any().isReserved(ordinal, Deadline.after(this.timeSource, timeout));
		}
		catch (IllegalStateException ex) {
			// the store does not answer, or this generator has stopped
		}
		return description(id, ordinal, reserved);
	}

	private IdDescription description(long id, long ordinal, @Nullable Boolean reserved) {
		return IdDescription.ofOrdinal(id, this.keySpace.format(id), this.keySpace.firstOrdinal() + ordinal, reserved);
	}

	private void start(OpenedKeySpace opened) {
		long remaining = this.keySpace.capacity() - this.reservations.reserved();
		opened.tell(this.listeners, this.name, remaining);
		this.servers.start();
	}

	/**
	 * Return the key space of this generator.
	 * @return the key space, with everything that was left open decided
	 */
	public KeySpace keySpace() {
		return this.keySpace;
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return this.servers.any().refresh(Deadline.after(this.timeSource, timeout)).exceptionally((ex) -> false);
	}

	@Override
	public GeneratorSnapshot snapshot() {
		BlockServer.ServerSnapshot server = this.servers.snapshot();
		KeySpaceSnapshot keySpaceSnapshot = keySpaceSnapshot();
		return new GeneratorSnapshot(this.strategy, status(server, keySpaceSnapshot), server.storeFailure(),
				this.keySpace.definition(), server.issued(), keySpaceSnapshot, server.block(),
				this.reservations.series());
	}

	private KeySpaceSnapshot keySpaceSnapshot() {
		return this.forecast.snapshot(this.keySpace.capacity(), this.reservations.reserved());
	}

	/**
	 * Return the key space if it is low. A whole snapshot takes the longer the more
	 * series there are.
	 */
	private @Nullable KeySpaceSnapshot lowKeySpace() {
		KeySpaceSnapshot keySpace = keySpaceSnapshot();
		return this.lowThreshold.isReached(keySpace, this.timeSource.instant()) ? keySpace : null;
	}

	private GeneratorStatus status(BlockServer.ServerSnapshot server, KeySpaceSnapshot keySpace) {
		if (server.terminal() != null || (server.storeFailure() != null && server.empty())) {
			return GeneratorStatus.DOWN;
		}
		if (keySpace.remaining().signum() == 0 && server.empty()) {
			return GeneratorStatus.EXHAUSTED;
		}
		return this.lowThreshold.isReached(keySpace, this.timeSource.instant()) ? GeneratorStatus.LOW
				: GeneratorStatus.UP;
	}

	@Override
	public CompletableFuture<?> beginClose() {
		return this.servers.beginClose();
	}

	@Override
	public void close() {
		this.servers.close();
	}

	@Override
	public String toString() {
		return "Id generator '" + this.name + "'";
	}

	/**
	 * Warns of the end, and sees to it that no server goes on when one had to stop.
	 */
	private final class Watch implements ReservationListener {

		@Override
		public void reserved(String generator, OrdinalRange range, Duration took) {
			BlockIdGenerator self = BlockIdGenerator.this;
			KeySpaceSnapshot low = self.lowWarning.of(self.timeSource.nanoTime(), self::lowKeySpace);
			if (low != null) {
				self.listeners.tell((listener) -> listener.low(generator, low));
			}
		}

		@Override
		public void stopped(String generator, RuntimeException reason) {
			if (reason instanceof KeySpaceRegressionException regression) {
				BlockIdGenerator.this.servers.halt(regression);
			}
		}

	}

	/**
	 * Builds a {@link BlockIdGenerator}.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder implements ManagedIdGenerator.Builder {

		private final String name;

		private final String strategy;

		private final KeySpaceSettings settings;

		private final KeySpaceStore store;

		private String keySpaceName;

		private Reservations.Factory reservations;

		private BlockSettings blockSettings = BlockSettings.defaults();

		private LowThreshold lowThreshold = LowThreshold.defaults();

		private TimeSource timeSource = TimeSource.system();

		private ReservationObserver observer = ReservationObserver.none();

		private final List<ReservationListener> listeners = new ArrayList<>();

		private IntFunction<StoreExecutor> supplies = (number) -> new StoreThread(supplyName(number));

		private Builder(String name, String strategy, KeySpaceSettings settings, KeySpaceStore store) {
			this.name = name;
			this.strategy = strategy;
			this.settings = settings;
			this.store = store;
			this.keySpaceName = name;
			this.reservations = (generator, stored, keySpace, timeSource, deadline) -> new SharedCounter(generator,
					stored, keySpace, store);
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public String strategy() {
			return this.strategy;
		}

		@Override
		public String keySpaceName() {
			return this.keySpaceName;
		}

		@Override
		public Builder keySpaceName(String keySpaceName) {
			this.keySpaceName = keySpaceName;
			return this;
		}

		/**
		 * Set how ordinals are reserved, if not from a counter that all instances share.
		 * @param reservations begins to reserve
		 * @return this builder
		 */
		public Builder reservations(Reservations.Factory reservations) {
			this.reservations = reservations;
			return this;
		}

		/**
		 * Set how ids are reserved ahead of use.
		 * @param blockSettings sizes and timeouts
		 * @return this builder
		 */
		public Builder blockSettings(BlockSettings blockSettings) {
			this.blockSettings = blockSettings;
			return this;
		}

		@Override
		public Builder lowThreshold(LowThreshold lowThreshold) {
			this.lowThreshold = lowThreshold;
			return this;
		}

		/**
		 * Set where time comes from.
		 * @param timeSource tells the time
		 * @return this builder
		 */
		public Builder timeSource(TimeSource timeSource) {
			this.timeSource = timeSource;
			return this;
		}

		/**
		 * Add somebody who is told of reservations.
		 * @param listener is told
		 * @return this builder
		 */
		public Builder listener(ReservationListener listener) {
			this.listeners.add(listener);
			return this;
		}

		/**
		 * Set who observes reservations while they are made.
		 * @param observer is told
		 * @return this builder
		 */
		public Builder observer(ReservationObserver observer) {
			this.observer = observer;
			return this;
		}

		/**
		 * Set what talks to the store, if not a thread for each source of ordinals.
		 * @param supplies makes the supply of a source, which has a number from 0
		 * @return this builder
		 */
		public Builder supplies(IntFunction<StoreExecutor> supplies) {
			this.supplies = supplies;
			return this;
		}

		/**
		 * Open the key space, creating it if it does not exist, and begin to reserve.
		 * @return a generator that must be closed after use
		 * @throws KeySpaceMismatchException if the key space exists with another
		 * definition
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		@Override
		public BlockIdGenerator open() {
			return open(this.supplies);
		}

		private String supplyName(int number) {
			return (number == 0) ? this.name : this.name + "-" + number;
		}

		BlockIdGenerator open(IntFunction<StoreExecutor> supplies) {
			this.reservations.verify(this.settings);
			StoreExecutor first = supplies.apply(0);
			try {
				ReservedKeySpace opened = openOn(first);
				BlockIdGenerator generator = new BlockIdGenerator(this, opened,
						(number) -> (number == 0) ? first : supplies.apply(number));
				generator.start(opened.opened());
				return generator;
			}
			catch (RuntimeException ex) {
				first.close();
				throw ex;
			}
		}

		/**
		 * Open the key space on the supply: the caller may be in a transaction, which
		 * must not be touched.
		 */
		private ReservedKeySpace openOn(StoreExecutor supply) {
			Deadline deadline = Deadline.after(this.timeSource, this.blockSettings.waitTimeout());
			CompletableFuture<ReservedKeySpace> opened = new CompletableFuture<>();
			supply.execute(() -> {
				try {
					opened.complete(open(deadline));
				}
				catch (Throwable ex) {
					opened.completeExceptionally(ex);
				}
			});
			try {
				return StoreAwait.on(opened, deadline, (problem, cause) -> new IdStoreUnavailableException(
						"Key space '" + this.keySpaceName + "' could not be opened: " + problem + ".", cause));
			}
			catch (IdStoreUnavailableException ex) {
				if (ex.getCause() instanceof IdGenerationException more) {
					throw more;
				}
				throw ex;
			}
		}

		private ReservedKeySpace open(Deadline deadline) {
			OpenedKeySpace opened = OpenedKeySpace.open(this.keySpaceName, this.settings, this.store, deadline);
			return new ReservedKeySpace(opened,
					this.reservations.open(this.name, opened.stored(), opened.keySpace(), this.timeSource, deadline),
					new ReservationForecast(this.keySpaceName, this.store, this.timeSource));
		}

	}

}
