package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.stripe.SharedChunk;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.generator.AbstractIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.recycled.SeriesReservations;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.Reservations;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.StoreWorker;
import org.jspecify.annotations.Nullable;

/**
 * A generator whose ids are the keys of a {@link KeySpace}. It reserves blocks of keys in
 * a {@link KeySpaceStore}, before callers need them.
 * <p>
 * Without Spring: <pre class="code">
 * try (BlockIdGenerator ids = BlockIdGenerator.coprime("orders", settings, store).open()) {
 *     long id = ids.nextLong();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class BlockIdGenerator extends AbstractIdGenerator {

	private final KeySpace keySpace;

	private final Reservations reservations;

	private final Duration waitTimeout;

	private final BlockEngines engines;

	private final KeySource keys;

	private final Stripe[] stripes;

	private final SharedChunk[] sharedChunks;

	private final ReservationForecast forecast;

	private BlockIdGenerator(Builder builder, ReservedKeySpace opened, IntFunction<StoreExecutor> executors) {
		super(builder, opened.keySpace().text(),
				(text, identity, keySpace) -> text.uuidsOfCounter(identity, keySpace, opened.keySpace().key(0)),
				opened.keySpace().lastKey());
		this.keySpace = opened.keySpace();
		this.reservations = opened.reservations();
		this.forecast = opened.forecast();
		Listeners listeners = listeners().with(new EngineListener());
		List<BlockEngine> engines = new ArrayList<>();
		for (BlockSource source : this.reservations.sources()) {
			engines.add(new BlockEngine(name(), opened, source, builder.effectiveBlockSettings(), timeSource(),
					executors.apply(engines.size()), listeners, Stripes.of(this.keySpace)));
		}
		this.waitTimeout = builder.blockSettings.waitTimeout();
		this.engines = new BlockEngines(engines, this.keySpace);
		this.keys = this.engines.keys();
		this.stripes = this.engines.stripes().owned();
		this.sharedChunks = this.engines.stripes().shared();
	}

	/**
	 * Create a builder of a generator whose keys look random.
	 * @param name the name of the generator, and of its key space unless another name is
	 * set
	 * @param settings the settings of the key space
	 * @param store records how much of the key space is reserved
	 * @return a builder
	 */
	public static Builder coprime(String name, CoprimeSettings settings, KeySpaceStore store) {
		return new Builder(name, "coprime", settings, store);
	}

	/**
	 * Create a builder of a generator with the keys of
	 * {@link KeySpaceSettings#parkMiller()}.
	 * @param name the name of the generator, and of its key space unless another name is
	 * set
	 * @param store records how much of the key space is reserved
	 * @return a builder
	 */
	public static Builder parkMiller(String name, KeySpaceStore store) {
		return new Builder(name, "coprime", KeySpaceSettings.parkMiller(), store);
	}

	/**
	 * Create a builder of a generator of ascending numbers.
	 * @param name the name of the generator, and of its key space unless another name is
	 * set
	 * @param settings the settings of the key space
	 * @param store records how much of the key space is reserved
	 * @return a builder
	 */
	public static Builder sequential(String name, SequentialSettings settings, KeySpaceStore store) {
		return new Builder(name, "sequential", settings, store);
	}

	/**
	 * Create a builder of a generator that takes its numbers from series. A series is a
	 * range of numbers. Only one instance at a time can reserve from a series.
	 * @param name the name of the generator, and of its key space unless another name is
	 * set
	 * @param settings the settings of the key space
	 * @param series how this instance uses series
	 * @param keySpaces stores the definition of the key space
	 * @param slots stores the series
	 * @return a builder
	 */
	public static Builder recycled(String name, RecycledSettings settings, SeriesSettings series,
			KeySpaceStore keySpaces, SlotStore slots) {
		SlotStore.requireMatching(keySpaces, slots);
		Builder builder = new Builder(name, "recycled", settings, keySpaces);
		InvalidSettingException.requireGiven(Builder.class, "series", series);
		builder.reservations = (opened, listeners, deadline) -> {
			SeriesReservations reservations = new SeriesReservations(name, opened, settings.seriesSize(), series, slots,
					listeners);
			reservations.refresh(deadline);
			return reservations;
		};
		return builder;
	}

	@Override
	public long nextLong() {
		Thread thread = Thread.currentThread();
		Stripe stripe = Stripe.of(thread, this.stripes);
		return stripe.isReadyFor(thread) ? stripe.next() : takeKey(thread);
	}

	private long takeKey(Thread thread) {
		long key = SharedChunk.take(thread, this.sharedChunks);
		return (key != Stripe.NONE) ? key : this.keys.takeKey();
	}

	@Override
	public void nextLongs(long[] into) {
		if (InvalidSettingException.requireGiven(IdGenerator.class, "into", into).length > 0) {
			this.keys.takeKeys(into);
		}
		else {
			this.engines.verifyRunning();
		}
	}

	@Override
	protected void verify(long id) {
		this.keySpace.ordinal(id);
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
		return description(id, ordinal,
				this.engines.isReserved(ordinal, Deadline.after(timeSource(), this.waitTimeout)));
	}

	@Override
	public IdDescription describe(long id, Duration timeout) {
		long ordinal = this.keySpace.ordinal(id);
		Boolean reserved = null;
		try {
			reserved = this.engines.isReserved(ordinal, Deadline.after(timeSource(), timeout));
		}
		catch (IllegalStateException ex) {
			// unknown: the store does not answer, or this generator has stopped or was
			// closed
		}
		return description(id, ordinal, reserved);
	}

	private IdDescription description(long id, long ordinal, @Nullable Boolean reserved) {
		return IdDescription.ofOrdinal(id, this.keySpace.format(id), this.keySpace.firstOrdinal() + ordinal, reserved);
	}

	/**
	 * Return the key space of this generator.
	 * @return the key space, with the effective values of all settings
	 */
	public KeySpace keySpace() {
		return this.keySpace;
	}

	@Override
	public CompletableFuture<?> refresh(Duration timeout) {
		return this.engines.refresh(Deadline.after(timeSource(), timeout)).exceptionally((ex) -> false);
	}

	@Override
	public GeneratorSnapshot snapshot() {
		BlockEngines.Snapshot engines = this.engines.snapshot();
		KeySpaceSnapshot keySpaceSnapshot = keySpaceSnapshot();
		return new GeneratorSnapshot(strategy(), status(engines, keySpaceSnapshot), engines.storeFailure(),
				this.keySpace.definition(), engines.issued(), keySpaceSnapshot, engines.block(),
				this.reservations.series(), null, null);
	}

	@Override
	protected KeySpaceSnapshot keySpaceSnapshot() {
		return this.forecast.snapshot(this.keySpace.capacity(), this.reservations.reserved());
	}

	private GeneratorStatus status(BlockEngines.Snapshot engines, KeySpaceSnapshot keySpace) {
		if (engines.terminalFailure() != null || (engines.storeFailure() != null && engines.empty())) {
			return GeneratorStatus.DOWN;
		}
		if ((keySpace.remaining().signum() == 0 && engines.empty()) || (engines.exhausted() && hasNoFreeSeries())) {
			return GeneratorStatus.EXHAUSTED;
		}
		return isLow(keySpace) ? GeneratorStatus.LOW : GeneratorStatus.UP;
	}

	/**
	 * Return whether keys are reserved from series, and every series with keys left is
	 * leased.
	 */
	private boolean hasNoFreeSeries() {
		SeriesSnapshot series = this.reservations.series();
		return series != null && series.abandoned() == 0 && series.untouched() == 0;
	}

	/**
	 * Return the reserved ordinals (positions of keys in the key space) that no caller
	 * has taken yet. Ordinals already distributed to threads are not included.
	 * @return the ranges, grouped by {@linkplain BlockSource source}, and in the order of
	 * use within a source
	 */
	public List<OrdinalRange> inMemory() {
		return this.engines.inMemory();
	}

	@Override
	public CompletableFuture<?> dropMemory() {
		return this.engines.dropMemory();
	}

	@Override
	public CompletableFuture<?> beginClose() {
		return this.engines.beginClose();
	}

	@Override
	public void close() {
		StoreWorker.awaitAll(List.of(beginClose()), this.waitTimeout);
	}

	/**
	 * Alerts listeners when few keys are left. Stops all engines when one of them detects
	 * that the store has returned to an earlier state.
	 */
	private final class EngineListener implements IdGeneratorListener {

		@Override
		public void reserved(String generator, long count, Duration took) {
			alertIfLow();
		}

		@Override
		public void stopped(String generator, RuntimeException reason) {
			if (reason instanceof KeySpaceRegressionException regression) {
				BlockIdGenerator.this.engines.halt(regression);
			}
		}

	}

	/**
	 * Builds a {@link BlockIdGenerator}.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder extends IdGeneratorBuilder<Builder> {

		private final KeySpaceSettings settings;

		private final KeySpaceStore store;

		private Reservations.Factory reservations;

		private BlockSettings blockSettings = BlockSettings.defaults();

		private IntFunction<StoreExecutor> executors = (number) -> new StoreThread(threadName(number));

		private Builder(String name, String strategy, KeySpaceSettings settings, KeySpaceStore store) {
			super(name, strategy);
			this.settings = requireGiven("settings", settings);
			this.store = requireGiven("store", store);
			this.reservations = (opened, listeners, deadline) -> new SharedCounter(name, opened.stored(),
					opened.keySpace(), store);
		}

		@Override
		protected Builder self() {
			return this;
		}

		/**
		 * Set how many ids are reserved ahead of use, and how long callers may wait. For
		 * {@link BlockIdGenerator#recycled}, blocks do not grow, so {@code maxSize} has
		 * no effect.
		 * @param blockSettings the sizes and timeouts
		 * @return this builder
		 */
		public Builder blockSettings(BlockSettings blockSettings) {
			this.blockSettings = requireGiven("blockSettings", blockSettings);
			return this;
		}

		/**
		 * Set the executors that access the store. By default, each source of blocks has
		 * its own thread.
		 * @param executors creates the executor of a source, given the index of the
		 * source
		 * @return this builder
		 */
		public Builder executors(IntFunction<StoreExecutor> executors) {
			this.executors = requireGiven("executors", executors);
			return this;
		}

		/**
		 * Return the block settings to use. Blocks of a series do not grow, so that a
		 * crash loses few of its numbers.
		 */
		private BlockSettings effectiveBlockSettings() {
			BlockSettings configured = this.blockSettings;
			return (this.settings instanceof RecycledSettings) ? new BlockSettings(configured.size(), configured.size(),
					configured.waitTimeout(), configured.outageReserve()) : configured;
		}

		private String threadName(int number) {
			return (number == 0) ? name() : name() + "-" + number;
		}

		/**
		 * Open the key space, creating it if it does not exist, and start to reserve ids.
		 * @return a generator that must be closed after use
		 * @throws KeySpaceMismatchException if the key space exists with a different
		 * definition
		 * @throws IdStoreUnavailableException if the store failed or did not answer in
		 * time
		 */
		@Override
		public BlockIdGenerator open() {
			StoreExecutor first = this.executors.apply(0);
			try {
				ReservedKeySpace opened = openOn(first);
				BlockIdGenerator generator = new BlockIdGenerator(this, opened,
						(number) -> (number == 0) ? first : this.executors.apply(number));
				opened.opened().inform(generator.listeners(), generator.snapshot());
				generator.engines.start();
				return generator;
			}
			catch (RuntimeException ex) {
				first.close();
				throw ex;
			}
		}

		/**
		 * Open the key space on a thread of the executor, so that a transaction of the
		 * caller is not affected.
		 */
		private ReservedKeySpace openOn(StoreExecutor executor) {
			Deadline deadline = Deadline.after(timeSource(), this.blockSettings.waitTimeout());
			try {
				return StoreAwait.await(CompletableFuture.supplyAsync(() -> open(deadline), executor), deadline,
						(problem, cause) -> new IdStoreUnavailableException(
								"Key space '" + keySpaceName() + "' could not be opened: " + problem + ".", cause));
			}
			catch (IdStoreUnavailableException ex) {
				if (ex.getCause() instanceof IdGenerationException
						|| ex.getCause() instanceof IllegalArgumentException) {
					throw (RuntimeException) ex.getCause();
				}
				throw ex;
			}
		}

		private ReservedKeySpace open(Deadline deadline) {
			OpenedKeySpace opened = OpenedKeySpace.open(keySpaceName(), this.settings, text(), this.store, deadline);
			return new ReservedKeySpace(opened, this.reservations.open(opened, listeners(), deadline),
					new ReservationForecast(keySpaceName(), this.store, timeSource()), this.store);
		}

	}

}
