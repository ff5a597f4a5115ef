package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

import dev.idspring.CompositePrefix;
import dev.idspring.IdScopeResolver;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.autoconfigure.ColumnVerification.Ahead;
import dev.idspring.autoconfigure.EntityColumns.Keys;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.SlotStore;
import dev.idspring.text.ScopePattern;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.ClockTicker;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.util.LambdaSafe;

/**
 * Makes generators from properties: one way for all of them, with customizers after the
 * properties, and each on a key space of its own.
 */
final class IdGeneratorFactory {

	private static final Log logger = LogFactory.getLog(IdGeneratorFactory.class);

	static final String BEAN_NAME = "dev.idspring.autoconfigure.idGeneratorFactory";

	private static final List<String> REPLACED_BY_PRESET = List.of("alphabet", "length", "max-length", "multiplier",
			"offset");

	private final GeneratorPropertiesBinder binder;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final ObjectProvider<GaplessStore> gapless;

	private final TimeSource timeSource;

	private final List<IdGeneratorBuilderCustomizer<?>> customizers;

	private final ObjectProvider<CompositePrefix> prefixes;

	private final ObjectProvider<IdScopeResolver> scopeResolvers;

	private final List<IdGeneratorListener> listeners;

	private final Tail.Keys tailKeys;

	private final ColumnVerification columnVerification;

	private final EntityColumns entityColumns;

	private final ConcurrentMap<String, IdGeneratorBuilder<?>> byKeySpace = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, IdGeneratorBuilder<?>> byUuidIdentity = new ConcurrentHashMap<>();

	/** One for all generators of the context. */
	private final ClockTicker ticker = new ClockTicker();

	IdGeneratorFactory(GeneratorPropertiesBinder binder, @Nullable KeySpaceStore store, ObjectProvider<SlotStore> slots,
			ObjectProvider<GaplessStore> gapless, TimeSource timeSource,
			List<IdGeneratorBuilderCustomizer<?>> customizers, ObjectProvider<CompositePrefix> prefixes,
			ObjectProvider<IdScopeResolver> scopeResolvers, List<IdGeneratorListener> listeners, Tail.Keys tailKeys,
			ColumnVerification columnVerification, EntityColumns entityColumns) {
		this.binder = binder;
		this.store = store;
		this.slots = slots;
		this.gapless = gapless;
		this.timeSource = timeSource;
		this.customizers = customizers;
		this.prefixes = prefixes;
		this.scopeResolvers = scopeResolvers;
		this.listeners = listeners;
		this.tailKeys = tailKeys;
		this.columnVerification = columnVerification;
		this.entityColumns = entityColumns;
	}

	/**
	 * Make the generator of a name. Called by the bean definitions of the generators.
	 */
	ManagedIdGenerator create(String name) {
		GeneratorProperties properties = this.binder.bind(name);
		refuseScopes(name, properties);
		try {
			return switch (properties.strategy()) {
				case COPRIME -> openCoprime(name, properties);
				case SEQUENTIAL -> openSequential(name, properties);
				case RECYCLED -> openRecycled(name, properties);
				case GAPLESS -> openGapless(name, properties);
				case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> openTime(name, properties);
			};
		}
		catch (InvalidSettingException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
		catch (KeySpaceMismatchException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
	}

	/**
	 * Refuse what only generators of scopes use, where it was written for another one.
	 */
	private void refuseScopes(String name, GeneratorProperties properties) {
		boolean isDefault = name.equals(GeneratorPropertiesBinder.DEFAULT_NAME);
		for (String property : isDefault ? Set.of("scoped") : Strategy.OF_SCOPES) {
			String own = GeneratorPropertiesBinder.own(name, property);
			if (isDefault ? properties.scoped() : properties.strategy() == Strategy.GAPLESS
					&& !property.equals("scoped") && this.binder.isOwn(name, property)) {
				throw new IdSetupException(
						own + " has no effect: "
								+ (isDefault ? "the default generator cannot have scopes."
										: "numbers of id generator '" + name + "' have no scope."),
						isDefault ? "Configure a generator under ids.generators, and set scoped there."
								: "Remove it, or set " + GeneratorPropertiesBinder.own(name, "scoped") + " to true.",
						List.of(own), null);
			}
		}
	}

	/**
	 * Make the generator of a name whose numbers have scopes.
	 */
	ManagedScopedIdGenerator createScoped(String name) {
		GeneratorProperties properties = this.binder.bind(name);
		try {
			return openScoped(name, properties);
		}
		catch (InvalidSettingException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
		catch (KeySpaceMismatchException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
	}

	private ScopedGaplessIdGenerator openScoped(String name, GeneratorProperties properties) {
		GaplessStore gapless = gapless(name, properties);
		if (!(gapless instanceof ScopedGaplessStore scoped)) {
			throw misused(name, properties,
					"and scoped, but the GaplessStore bean, a " + gapless.getClass().getName() + ", has no scopes.",
					"Implement ScopedGaplessStore, or do not declare a GaplessStore.");
		}
		GeneratorProperties.Numbers numbers = properties.gapless();
		ScopePattern pattern = new TextProperties(this.binder, name).pattern();
		ScopedGaplessIdGenerator.Builder builder = ScopedGaplessIdGenerator
			.builder(name, new ScopedSettings(numbers.start(), numbers.end(), properties.period(), pattern),
					store(name, properties), scoped)
			.zone(properties.zone())
			.maxScopes(properties.maxScopes())
			.scopeResolver(this.scopeResolvers.getIfUnique())
			.waitTimeout(properties.block().waitTimeout());
		finish(builder, properties);
		ScopedGaplessIdGenerator generator = StartupExecutor.call(builder.waitTimeout(), builder::open);
		logger.info("Id generator '" + name + "' (gapless) writes numbers of scopes as " + pattern
				+ (pattern.isUnique() ? ""
						: ", so a text is unique in its scope only: "
								+ GeneratorPropertiesBinder.own(name, "text.pattern")
								+ " leaves out the scope, or a part of it"));
		return generator;
	}

	private GaplessStore gapless(String name, GeneratorProperties properties) {
		GaplessStore gapless = this.gapless.getIfAvailable();
		if (gapless == null) {
			throw misused(name, properties,
					"but there is no database whose transactions could draw numbers: a number is given back when the"
							+ " transaction that drew it rolls back, which takes a table in the database of that"
							+ " transaction.",
					"Leave ids.store at jdbc and configure a DataSource, declare a GaplessStore bean beside the KeySpaceStore,"
							+ " or use another strategy.");
		}
		return gapless;
	}

	private BlockIdGenerator openCoprime(String name, GeneratorProperties properties) {
		KeySpaceStore store = store(name, properties);
		GeneratorProperties.Coprime coprime = properties.coprime();
		if (coprime.preset() != null) {
			refuseReplacedByPreset(name, coprime.preset());
			return openCounter(BlockIdGenerator.parkMiller(name, store), properties, KeySpaceSettings.parkMiller(),
					store);
		}
		CoprimeSettings settings = new TextProperties(this.binder, name).coprime();
		return openCounter(BlockIdGenerator.coprime(name, settings, store), properties, settings, store);
	}

	private void refuseReplacedByPreset(String name, GeneratorProperties.Coprime.Preset preset) {
		for (String property : REPLACED_BY_PRESET) {
			if (this.binder.isOwn(name, "coprime.preset") && this.binder.isOwn(name, "coprime." + property)) {
				List<String> both = List.of(GeneratorPropertiesBinder.own(name, "coprime." + property),
						GeneratorPropertiesBinder.own(name, "coprime.preset"));
				throw new IdSetupException(both.get(0) + " is set together with " + both.get(1) + ", which is "
						+ Strategy.nameOf(preset) + ".", "Remove one of them: the preset fixes everything else.", both,
						null);
			}
		}
	}

	private BlockIdGenerator openSequential(String name, GeneratorProperties properties) {
		KeySpaceStore store = store(name, properties);
		GeneratorProperties.Numbers numbers = properties.sequential();
		SequentialSettings settings = new SequentialSettings(numbers.start(), numbers.end());
		return openCounter(BlockIdGenerator.sequential(name, settings, store), properties, settings, store);
	}

	private BlockIdGenerator openCounter(BlockIdGenerator.Builder builder, GeneratorProperties properties,
			KeySpaceSettings settings, KeySpaceStore store) {
		finish(builder.blockSettings(blockSettings(properties.block(), properties.block().maxSize())), properties);
		return open(builder, properties, settings, store,
				(keySpace, stored, deadline) -> ColumnVerification.from(stored.nextOrdinal(), keySpace));
	}

	private BlockIdGenerator openRecycled(String name, GeneratorProperties properties) {
		KeySpaceStore store = store(name, properties);
		SlotStore slots = slots(name, properties);
		GeneratorProperties.Recycled recycled = properties.recycled();
		RecycledSettings settings = new RecycledSettings(recycled.seriesSize(), recycled.capacity());
		SeriesSettings series = new SeriesSettings(recycled.seriesPerInstance(), properties.lease());
		BlockIdGenerator.Builder builder = BlockIdGenerator.recycled(name, settings, series, store, slots);
		// windows keep their size: it is what a crash may lose
		finish(builder.blockSettings(blockSettings(properties.block(), properties.block().size())), properties);
		return open(builder, properties, settings, store, ColumnVerification.ofSeries(slots, settings.seriesSize()));
	}

	private BlockIdGenerator open(BlockIdGenerator.Builder builder, GeneratorProperties properties,
			KeySpaceSettings settings, KeySpaceStore store, Ahead ahead) {
		this.columnVerification.verify(builder, properties, settings, store, ahead);
		BlockIdGenerator generator = builder.open();
		this.entityColumns.add(builder.name(),
				Keys.of(properties, builder.keySpaceName(), generator.keySpace(), (deadline) -> {
					List<OrdinalRange> ranges = new ArrayList<>(
							unissued(builder.keySpaceName(), generator.keySpace(), store, ahead, deadline));
					// after that, what had been reserved before is in memory
					generator.refresh(deadline.remaining()).join();
					ranges.addAll(generator.inMemory());
					return ranges;
				}));
		return generator;
	}

	private static List<OrdinalRange> unissued(String name, KeySpace keySpace, KeySpaceStore store, Ahead ahead,
			Deadline deadline) {
		return ColumnVerification.ranges(ahead, keySpace, store.read(name, deadline).orElse(null), deadline);
	}

	private static BlockSettings blockSettings(GeneratorProperties.Block block, long maxSize) {
		return new BlockSettings(block.size(), maxSize, block.waitTimeout(), block.outageReserve());
	}

	private GaplessIdGenerator openGapless(String name, GeneratorProperties properties) {
		GeneratorProperties.Numbers numbers = properties.gapless();
		GaplessSettings settings = new GaplessSettings(numbers.start(), numbers.end());
		GaplessStore gapless = gapless(name, properties);
		KeySpaceStore store = store(name, properties);
		GaplessIdGenerator.Builder builder = GaplessIdGenerator.builder(name, settings, store, gapless)
			.waitTimeout(properties.block().waitTimeout());
		finish(builder, properties);
		Ahead ahead = ColumnVerification.ofGapless(gapless);
		this.columnVerification.verify(builder, properties, settings, store, ahead);
		GaplessIdGenerator generator = StartupExecutor.call(builder.waitTimeout(), builder::open);
		this.entityColumns.add(name, Keys.of(properties, builder.keySpaceName(), generator.keySpace(),
				(deadline) -> unissued(builder.keySpaceName(), generator.keySpace(), store, ahead, deadline)));
		return generator;
	}

	private TimeIdGenerator openTime(String name, GeneratorProperties properties) {
		LongSupplier prefix = (properties.strategy() == Strategy.COMPOSITE) ? prefix(name, properties.composite())
				: null;
		TimeSettings settings = new TimeSettings(this.binder, name);
		TimeScheme scheme = settings.scheme(this.timeSource.instant(), prefix != null);
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder(name, scheme)
			.node(settings.node(scheme.layout().nodes(), this.store != null))
			.clock(new ClockSettings(properties.clock().maxAhead(), properties.clock().maxSkew()))
			.waitTimeout(properties.block().waitTimeout())
			.ticker(this.ticker)
			.tailKeys(this.tailKeys);
		if (prefix != null) {
			builder.prefix(prefix);
		}
		SlotStore slots = (this.store != null) ? slots(name, properties) : null;
		if (this.store != null && slots != null) {
			builder.store(this.store, slots);
		}
		finish(builder, properties);
		TimeScheme written = scheme.written(builder.text(), builder.keySpaceName());
		if (slots != null) {
			this.columnVerification.verify(builder, properties, written, slots);
		}
		TimeIdGenerator generator = StartupExecutor.call(builder.longestOpen(), builder::open);
		this.entityColumns.add(name, Keys.ofTime(properties, builder.keySpaceName(), written));
		return generator;
	}

	/**
	 * Return what gives the prefix, or {@code null} if ids begin with the node.
	 */
	private @Nullable LongSupplier prefix(String name, GeneratorProperties.Composite composite) {
		Long fixed = composite.prefix();
		if (fixed != null) {
			long prefixes = TimeSettings.composite(composite, true).scheme().layout().prefixes();
			InvalidSettingException.requireRange(CompositeSettings.class, "prefix", fixed, 0L, prefixes - 1);
			return () -> fixed;
		}
		CompositePrefix prefix;
		try {
			prefix = this.prefixes.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(
					"There are several CompositePrefix beans and none of them is primary: " + ex.getBeanNamesFound()
							+ ".",
					"Mark one of them with @Primary. It may decide by the name of the"
							+ " generator, which it is called with.",
					ex);
		}
		return (prefix != null) ? () -> prefix.prefix(name) : null;
	}

	/**
	 * Do what remains to be done before a generator is opened.
	 * @param builder says what only this kind of generator has
	 */
	@SuppressWarnings("unchecked")
	private <B extends IdGeneratorBuilder<B>> void finish(B builder, GeneratorProperties properties) {
		String name = builder.name();
		builder.keySpaceName(properties.keySpaceOf(name))
			.text(new TextProperties(this.binder, name).settings())
			.lowThreshold(this.binder.lowThreshold(name, properties.health()))
			.timeSource(this.timeSource)
			.listener(new GeneratorLogger((this.store != null) ? this.store.describe() : null,
					properties.strategy().isOfTime() ? "node" : "series",
					this.binder.property(name, properties.strategy().bound())));
		if (properties.uuid().identity() != null) {
			builder.uuidIdentity(properties.uuid().identity());
		}
		this.listeners.forEach(builder::listener);
		LambdaSafe.callbacks(IdGeneratorBuilderCustomizer.class, this.customizers, builder)
			.withLogger(IdGeneratorFactory.class)
			.invoke((customizer) -> customize(customizer, builder));
		verifyNotShared(builder);
	}

	private static <B extends IdGeneratorBuilder<?>> void customize(IdGeneratorBuilderCustomizer<B> customizer,
			B builder) {
		try {
			customizer.customize(builder);
		}
		catch (InvalidSettingException ex) {
			throw new IdSetupException("An IdGeneratorBuilderCustomizer of id generator '" + builder.name()
					+ "' uses a wrong setting: " + ex.getMessage() + ".", "Correct the customizer.", ex);
		}
	}

	/**
	 * Keep the key spaces of generators apart, wherever they were named.
	 */
	private void verifyNotShared(IdGeneratorBuilder<?> builder) {
		IdGeneratorBuilder<?> other = this.byKeySpace.putIfAbsent(builder.keySpaceName(), builder);
		// the same one again: a lazy bean whose first creation failed
		if (other != null && !other.name().equals(builder.name())) {
			throw new IdSetupException(
					"Two id generators use the key space '" + builder.keySpaceName() + "': " + user(other) + ", and "
							+ user(builder) + ".",
					"Set " + keySpaceProperty(builder) + " to another name, or inject generator '" + other.name()
							+ "' in both places.",
					List.of(keySpaceProperty(other), keySpaceProperty(builder)), null);
		}
		IdGeneratorBuilder<?> alike = this.byUuidIdentity.putIfAbsent(builder.uuidIdentity(), builder);
		if (alike != null && !alike.name().equals(builder.name())) {
			String property = GeneratorPropertiesBinder.own(builder.name(), "uuid.identity");
			throw new IdSetupException("The id generators '" + alike.name() + "' and '" + builder.name()
					+ "' would make the same UUIDs, as both have the identity '" + builder.uuidIdentity() + "'.",
					"Set " + property + " to another name, or remove it.", List.of(property), null);
		}
	}

	private String user(IdGeneratorBuilder<?> builder) {
		String origin = builder.keySpaceName().equals(builder.name()) ? "its name" : "a customizer";
		if (this.binder.value(keySpaceProperty(builder)).filter(builder.keySpaceName()::equals).isPresent()) {
			origin = keySpaceProperty(builder);
		}
		return "'" + builder.name() + "' (" + builder.strategy() + ") by " + origin;
	}

	private static String keySpaceProperty(IdGeneratorBuilder<?> builder) {
		return GeneratorPropertiesBinder.own(builder.name(), "key-space");
	}

	private KeySpaceStore store(String name, GeneratorProperties properties) {
		if (this.store == null) {
			throw misused(name, properties, "which needs a store, but ids.store is none.",
					"Leave ids.store at jdbc or set it to redis, or use snowflake, decimal-uid or composite with a node number that is given"
							+ " (ids.node.source).");
		}
		return this.store;
	}

	private SlotStore slots(String name, GeneratorProperties properties) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			throw misused(name, properties, "but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.");
		}
		return slots;
	}

	private IdSetupException misused(String name, GeneratorProperties properties, String problem, String remedy) {
		String property = this.binder.property(name, "strategy");
		return new IdSetupException(property + " is " + properties.strategy().id() + ", " + problem, remedy,
				List.of(property, "ids.store"), null);
	}

}
