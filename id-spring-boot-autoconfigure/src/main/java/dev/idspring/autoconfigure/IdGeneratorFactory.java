package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.CompositePrefix;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.Reservations;
import dev.idspring.block.SeriesReservations;
import dev.idspring.block.SeriesReservations.SeriesSettings;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.ParkMillerSettings;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ReservationObserver;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.TailKeys;
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

	private final ReservationObserver observer;

	private final ColumnVerification columnVerification;

	private final TimeGenerators timeGenerators;

	IdGeneratorFactory(Environment environment, GeneratorPropertiesBinder binder, @Nullable KeySpaceStore store,
			@Nullable JdbcDatabase database, ObjectProvider<SlotStore> slots, ObjectProvider<GaplessStore> gapless,
			TimeSource timeSource, List<IdGeneratorBuilderCustomizer<?>> customizers,
			ObjectProvider<CompositePrefix> prefixes, ReservationObserver observer, TailKeys tailKeys) {
		this.binder = binder;
		this.names = new SettingProperties(binder);
		this.builders = new GeneratorBuilders(this.binder, customizers);
		this.columnVerification = new ColumnVerification(this.names, database, timeSource);
		this.timeGenerators = new TimeGenerators(environment, this.binder, this.names, this.builders, store, slots,
				timeSource, prefixes, observer, tailKeys, this.columnVerification);
		this.store = store;
		this.slots = slots;
		this.gapless = gapless;
		this.timeSource = timeSource;
		this.observer = observer;
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
			case COPRIME -> openCounter(name, properties, coprime(name, properties.coprime()));
			case SEQUENTIAL -> openCounter(name, properties, numbers(properties, properties.sequential()));
			case RECYCLED -> openSeries(name, properties, recycled(properties.recycled()));
			case GAPLESS -> openGapless(name, properties);
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> this.timeGenerators.open(name, properties);
		};
	}

	private BlockIdGenerator.Builder builder(String name, GeneratorProperties properties, KeySpaceSettings settings) {
		KeySpaceStore store = store(name, properties);
		return BlockIdGenerator.builder(name, properties.strategy().id(), settings, store)
			.keySpaceName(properties.keySpaceOf(name))
			.lowThreshold(this.names.lowThreshold(name, properties.health()))
			.timeSource(this.timeSource)
			.observer(this.observer)
			.listener(new ReservationLogger(store.describe(), this.names.property(name, bound(properties))));
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
			String strategy = this.names.property(name, "strategy");
			throw new IdSetupException(
					strategy + " is " + properties.strategy().id() + ", which needs a store, but ids.store is none.",
					"Leave ids.store at jdbc, or use snowflake, decimal-uid or composite with a node number that is given"
							+ " (ids.node.source).",
					List.of(strategy, "ids.store"), null);
		}
		return this.store;
	}

	private BlockIdGenerator openCounter(String name, GeneratorProperties properties, KeySpaceSettings settings) {
		BlockIdGenerator.Builder builder = this.builders.finish(builder(name, properties, settings)
			.blockSettings(blockSettings(properties.block(), properties.block().maxSize())));
		this.columnVerification.verify(builder, properties, settings, store(name, properties),
				ColumnVerification.Ahead.ofCounter());
		return builder.open();
	}

	private BlockIdGenerator openSeries(String name, GeneratorProperties properties, RecycledSettings settings) {
		BlockIdGenerator.Builder builder = builder(name, properties, settings);
		SlotStore slots = slots(name);
		this.builders.finish(builder.reservations(series(properties, slots))
			// windows keep their size: it is what a crash may lose
			.blockSettings(blockSettings(properties.block(), properties.block().size())));
		this.columnVerification.verify(builder, properties, settings, store(name, properties),
				ColumnVerification.Ahead.ofSeries(slots, settings.seriesSize()));
		return builder.open();
	}

	private GaplessIdGenerator openGapless(String name, GeneratorProperties properties) {
		SequentialSettings numbers = numbers(properties, properties.gapless());
		GaplessStore gapless = this.gapless.getIfAvailable();
		if (gapless == null) {
			String strategy = this.names.property(name, "strategy");
			throw new IdSetupException(
					strategy + " is gapless, but there is no database whose transactions could draw numbers.",
					"Leave ids.store at jdbc and configure a DataSource, declare a GaplessStore bean beside a KeySpaceStore of"
							+ " your own, or use another strategy.",
					List.of(strategy, "ids.store"), null);
		}
		KeySpaceStore store = store(name, properties);
		GaplessIdGenerator.Builder builder = this.builders
			.finish(GaplessIdGenerator.builder(name, numbers, store, gapless)
				.keySpaceName(properties.keySpaceOf(name))
				.waitTimeout(properties.block().waitTimeout())
				.lowThreshold(this.names.lowThreshold(name, properties.health()))
				.timeSource(this.timeSource)
				.listener(new ReservationLogger(store.describe(), this.names.property(name, bound(properties)))));
		this.columnVerification.verify(builder, properties, numbers, store,
				ColumnVerification.Ahead.ofGapless(gapless));
		return StartupExecutor.call(builder.waitTimeout(), builder::open);
	}

	private SlotStore slots(String name) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			String strategy = this.names.property(name, "strategy");
			throw new IdSetupException(
					strategy + " is recycled, but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.", List.of(strategy), null);
		}
		return slots;
	}

	private static Reservations.Factory series(GeneratorProperties properties, SlotStore slots) {
		GeneratorProperties.Recycled recycled = properties.recycled();
		return SeriesReservations.factory(slots, new SeriesSettings(recycled.seriesSize(), recycled.seriesPerInstance(),
				properties.lease(), new SlotLogger()));
	}

	private KeySpaceSettings coprime(String name, GeneratorProperties.Coprime coprime) {
		if (coprime.preset() != null) {
			refuseReplacedByPreset(name, coprime.preset());
			return new ParkMillerSettings();
		}
		return new CoprimeSettings(Alphabet.of(coprime.alphabet()), coprime.length(),
				(coprime.maxLength() != null) ? coprime.maxLength() : coprime.length(), coprime.multiplier(),
				coprime.offset());
	}

	private static SequentialSettings numbers(GeneratorProperties properties, GeneratorProperties.Numbers numbers) {
		return new SequentialSettings(properties.strategy().id(), numbers.start(), numbers.end());
	}

	private static RecycledSettings recycled(GeneratorProperties.Recycled recycled) {
		return new RecycledSettings(recycled.seriesSize(), recycled.capacity());
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
