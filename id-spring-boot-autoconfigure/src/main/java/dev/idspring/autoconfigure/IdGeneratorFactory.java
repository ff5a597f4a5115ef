package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.CompositePrefix;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.SeriesSettings;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.IdGeneratorBuilder;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.Tail;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/**
 * Makes generators from properties.
 */
final class IdGeneratorFactory {

	static final String BEAN_NAME = "dev.idspring.autoconfigure.idGeneratorFactory";

	private static final List<String> REPLACED_BY_PRESET = List.of("alphabet", "length", "max-length", "multiplier",
			"offset");

	private final GeneratorPropertiesBinder binder;

	private final SettingProperties names;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final ObjectProvider<GaplessStore> gapless;

	private final TimeSource timeSource;

	private final GeneratorBuilders builders;

	private final List<IdGeneratorListener> listeners;

	private final ColumnVerification columnVerification;

	private final TimeGenerators timeGenerators;

	IdGeneratorFactory(Environment environment, GeneratorPropertiesBinder binder, @Nullable KeySpaceStore store,
			@Nullable JdbcDatabase database, ObjectProvider<SlotStore> slots, ObjectProvider<GaplessStore> gapless,
			TimeSource timeSource, List<IdGeneratorBuilderCustomizer<?>> customizers,
			ObjectProvider<CompositePrefix> prefixes, List<IdGeneratorListener> listeners, Tail.Keys tailKeys) {
		this.binder = binder;
		this.names = new SettingProperties(binder);
		this.builders = new GeneratorBuilders(this.binder, customizers);
		this.columnVerification = new ColumnVerification(this.names, database, timeSource);
		this.timeGenerators = new TimeGenerators(environment, this.binder, this.names, this.builders, store, slots,
				timeSource, prefixes, listeners, tailKeys, this.columnVerification);
		this.store = store;
		this.slots = slots;
		this.gapless = gapless;
		this.timeSource = timeSource;
		this.listeners = listeners;
	}

	/**
	 * Make the default generator. Called by its bean definition.
	 */
	DefaultIdGenerator createDefault(String name) {
		return new DefaultIdGenerator(create(name));
	}

	/**
	 * Make the generator of a name. Called by the bean definitions of the generators.
	 */
	ManagedIdGenerator create(String name) {
		GeneratorProperties properties = this.binder.bind(name);
		try {
			return open(name, properties);
		}
		catch (InvalidSettingException ex) {
			throw this.names.explain(name, properties.strategy(), ex);
		}
		catch (KeySpaceMismatchException ex) {
			throw this.names.explain(name, properties.strategy(), ex);
		}
	}

	private ManagedIdGenerator open(String name, GeneratorProperties properties) {
		return switch (properties.strategy()) {
			case COPRIME -> openCoprime(name, properties);
			case SEQUENTIAL -> openSequential(name, properties);
			case RECYCLED -> openRecycled(name, properties);
			case GAPLESS -> openGapless(name, properties);
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> this.timeGenerators.open(name, properties);
		};
	}

	/**
	 * Say what is common to all generators that use a store.
	 */
	private <B extends IdGeneratorBuilder<B>> B common(B builder, GeneratorProperties properties, KeySpaceStore store) {
		String name = builder.name();
		builder.keySpaceName(properties.keySpaceOf(name))
			.lowThreshold(this.names.lowThreshold(name, properties.health()))
			.timeSource(this.timeSource)
			.listener(new GeneratorLogger(store.describe(), "series", this.names.property(name, bound(properties))));
		this.listeners.forEach(builder::listener);
		return builder;
	}

	/**
	 * Return the property that says where the key space ends.
	 */
	private static String bound(GeneratorProperties properties) {
		String group = properties.strategy().id();
		return group + switch (properties.strategy()) {
			case COPRIME -> (properties.coprime().maxLength() != null) ? ".max-length" : ".length";
			case RECYCLED -> ".capacity";
			default -> ".end";
		};
	}

	private KeySpaceStore store(String name, GeneratorProperties properties) {
		if (this.store == null) {
			throw misused(name, properties.strategy(), "which needs a store, but ids.store is none.",
					"Leave ids.store at jdbc, or use snowflake, decimal-uid or composite with a node number that is given"
							+ " (ids.node.source).");
		}
		return this.store;
	}

	private BlockIdGenerator openCounter(BlockIdGenerator.Builder builder, GeneratorProperties properties,
			KeySpaceSettings settings, KeySpaceStore store) {
		this.builders.finish(common(builder, properties, store)
			.blockSettings(blockSettings(properties.block(), properties.block().maxSize())));
		this.columnVerification.verify(builder, properties, settings, store, ColumnVerification.Ahead.ofCounter());
		return builder.open();
	}

	private BlockIdGenerator openCoprime(String name, GeneratorProperties properties) {
		KeySpaceStore store = store(name, properties);
		GeneratorProperties.Coprime coprime = properties.coprime();
		if (coprime.preset() != null) {
			refuseReplacedByPreset(name, coprime.preset());
			return openCounter(BlockIdGenerator.parkMiller(name, store), properties, KeySpaceSettings.parkMiller(),
					store);
		}
		CoprimeSettings settings = new CoprimeSettings(Alphabet.of(coprime.alphabet()), coprime.length(),
				(coprime.maxLength() != null) ? coprime.maxLength() : coprime.length(), coprime.multiplier(),
				coprime.offset());
		return openCounter(BlockIdGenerator.coprime(name, settings, store), properties, settings, store);
	}

	private BlockIdGenerator openSequential(String name, GeneratorProperties properties) {
		KeySpaceStore store = store(name, properties);
		GeneratorProperties.Numbers numbers = properties.sequential();
		SequentialSettings settings = new SequentialSettings(numbers.start(), numbers.end());
		return openCounter(BlockIdGenerator.sequential(name, settings, store), properties, settings, store);
	}

	private BlockIdGenerator openRecycled(String name, GeneratorProperties properties) {
		KeySpaceStore store = store(name, properties);
		SlotStore slots = slots(name);
		GeneratorProperties.Recycled recycled = properties.recycled();
		RecycledSettings settings = new RecycledSettings(recycled.seriesSize(), recycled.capacity());
		SeriesSettings series = new SeriesSettings(recycled.seriesPerInstance(), properties.lease());
		BlockIdGenerator.Builder builder = BlockIdGenerator.recycled(name, settings, series, store, slots);
		this.builders.finish(common(builder, properties, store)
			// windows keep their size: it is what a crash may lose
			.blockSettings(blockSettings(properties.block(), properties.block().size())));
		this.columnVerification.verify(builder, properties, settings, store,
				ColumnVerification.Ahead.ofSeries(slots, settings.seriesSize()));
		return builder.open();
	}

	private GaplessIdGenerator openGapless(String name, GeneratorProperties properties) {
		GeneratorProperties.Numbers numbers = properties.gapless();
		GaplessSettings settings = new GaplessSettings(numbers.start(), numbers.end());
		GaplessStore gapless = this.gapless.getIfAvailable();
		if (gapless == null) {
			throw misused(name, Strategy.GAPLESS, "but there is no database whose transactions could draw numbers.",
					"Leave ids.store at jdbc and configure a DataSource, declare a GaplessStore bean beside a KeySpaceStore of"
							+ " your own, or use another strategy.");
		}
		KeySpaceStore store = store(name, properties);
		GaplessIdGenerator.Builder builder = this.builders
			.finish(common(GaplessIdGenerator.builder(name, settings, store, gapless), properties, store)
				.waitTimeout(properties.block().waitTimeout()));
		this.columnVerification.verify(builder, properties, settings, store,
				ColumnVerification.Ahead.ofGapless(gapless));
		return StartupExecutor.call(builder.waitTimeout(), builder::open);
	}

	private SlotStore slots(String name) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			throw misused(name, Strategy.RECYCLED, "but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.");
		}
		return slots;
	}

	private IdSetupException misused(String name, Strategy strategy, String problem, String remedy) {
		String property = this.names.property(name, "strategy");
		return new IdSetupException(property + " is " + strategy.id() + ", " + problem, remedy,
				List.of(property, "ids.store"), null);
	}

	private static BlockSettings blockSettings(GeneratorProperties.Block block, long maxSize) {
		return new BlockSettings(block.size(), maxSize, block.waitTimeout(), block.outageReserve());
	}

	private void refuseReplacedByPreset(String name, GeneratorProperties.Coprime.Preset preset) {
		for (String property : REPLACED_BY_PRESET) {
			if (this.binder.isOwn(name, "coprime.preset") && this.binder.isOwn(name, "coprime." + property)) {
				List<String> both = List.of(SettingProperties.own(name, "coprime." + property),
						SettingProperties.own(name, "coprime.preset"));
				throw new IdSetupException(
						both.get(0) + " is set together with " + both.get(1) + ", which is " + EnumIds.id(preset) + ".",
						"Remove one of them: the preset fixes everything else.", both, null);
			}
		}
	}

}
