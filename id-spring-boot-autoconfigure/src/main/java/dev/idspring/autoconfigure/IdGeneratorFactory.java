package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.CompositePrefix;
import dev.idspring.IdSetupException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.block.Reservations;
import dev.idspring.clock.TimeSource;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.GaplessStore;
import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.ParkMillerSettings;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.monitor.LowMark;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.slot.SeriesReservations;
import dev.idspring.slot.SeriesReservations.SeriesSettings;
import dev.idspring.slot.SlotStore;
import dev.idspring.time.TailKeys;
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

	private final CheckedProperties checks;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final ObjectProvider<GaplessStore> gapless;

	private final TimeSource timeSource;

	private final Iterable<IdGeneratorBuilderCustomizer> customizers;

	private final TimeGenerators timeGenerators;

	private final ConcurrentMap<String, String> generatorsByKeySpace = new ConcurrentHashMap<>();

	IdGeneratorFactory(Environment environment, @Nullable KeySpaceStore store, ObjectProvider<SlotStore> slots,
			ObjectProvider<GaplessStore> gapless, TimeSource timeSource,
			Iterable<IdGeneratorBuilderCustomizer> customizers, ObjectProvider<CompositePrefix> prefixes,
			TailKeys tailKeys) {
		this.binder = new GeneratorPropertiesBinder(environment);
		this.checks = new CheckedProperties(this.binder);
		this.timeGenerators = new TimeGenerators(environment, this.binder, this.checks, store, slots, timeSource,
				prefixes, tailKeys);
		this.store = store;
		this.slots = slots;
		this.gapless = gapless;
		this.timeSource = timeSource;
		this.customizers = customizers;
	}

	/**
	 * Make the default generator. Called by its bean definition.
	 */
	PreferredIdGenerator createDefault(String name) {
		return new PreferredIdGenerator(create(name));
	}

	/**
	 * Make the generator of a name. Called by the bean definitions of the generators.
	 */
	ManagedIdGenerator create(String name) {
		GeneratorProperties properties = this.binder.bind(name);
		String keySpaceName = keySpaceName(name, properties);
		return switch (properties.strategy()) {
			case COPRIME -> open(builder(name, keySpaceName, properties, coprime(name, properties.coprime()))
				.blockSettings(this.checks.blockSettings(name, properties, properties.block().maxSize())));
			case SEQUENTIAL ->
				open(builder(name, keySpaceName, properties, numbers(name, properties, properties.sequential()))
					.blockSettings(this.checks.blockSettings(name, properties, properties.block().maxSize())));
			case RECYCLED -> open(builder(name, keySpaceName, properties, recycled(name, properties.recycled()))
				.reservations(series(name, properties))
				// windows keep their size: it is what a crash may lose
				.blockSettings(this.checks.blockSettings(name, properties, properties.block().size())));
			case GAPLESS -> gapless(name, keySpaceName, properties);
			case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> this.timeGenerators.open(name, keySpaceName, properties);
		};
	}

	private BlockIdGenerator.Builder builder(String name, String keySpaceName, GeneratorProperties properties,
			KeySpaceSettings settings) {
		KeySpaceStore store = store(name, properties);
		return BlockIdGenerator.builder(name, properties.strategy().id(), settings, store)
			.keySpaceName(keySpaceName)
			.lowMark(this.checks.lowMark(name, properties))
			.timeSource(this.timeSource)
			.listener(new ReservationLogger(store.describe()));
	}

	private KeySpaceStore store(String name, GeneratorProperties properties) {
		if (this.store == null) {
			throw new IdSetupException(
					this.checks.property(name, "strategy") + " is " + properties.strategy().id()
							+ ", which needs a store, but ids.store is none.",
					"Leave ids.store at jdbc, or use snowflake, decimal-uid or composite with a node number that is given"
							+ " (ids.node.source).");
		}
		return this.store;
	}

	private BlockIdGenerator open(BlockIdGenerator.Builder builder) {
		this.customizers.forEach((customizer) -> customizer.customize(builder));
		return builder.open();
	}

	private GaplessIdGenerator gapless(String name, String keySpaceName, GeneratorProperties properties) {
		SequentialSettings numbers = numbers(name, properties, properties.gapless());
		LowMark lowMark = this.checks.lowMark(name, properties);
		Duration timeout = this.checks.waitTimeout(name, properties);
		GaplessStore gapless = this.gapless.getIfAvailable();
		if (gapless == null) {
			throw new IdSetupException(
					this.checks.property(name, "strategy")
							+ " is gapless, but there is no database whose transactions could draw numbers.",
					"Leave ids.store at jdbc and configure a DataSource, declare a GaplessStore bean beside a KeySpaceStore of"
							+ " your own, or use another strategy.");
		}
		KeySpaceStore store = store(name, properties);
		GaplessIdGenerator generator = StartThread.call(timeout, () -> GaplessIdGenerator.open(name, keySpaceName,
				numbers, store, gapless, new GaplessIdGenerator.Settings(timeout, lowMark), this.timeSource));
		new ReservationLogger(store.describe()).opened(name, keySpaceName, generator.keySpace(),
				generator.snapshot().keySpace().remaining().longValue());
		return generator;
	}

	private Reservations.Factory series(String name, GeneratorProperties properties) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			throw new IdSetupException(
					this.checks.property(name, "strategy")
							+ " is recycled, but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.");
		}
		GeneratorProperties.Recycled recycled = properties.recycled();
		return SeriesReservations.factory(slots,
				this.checks.checked(name, () -> new SeriesSettings(recycled.seriesSize(), recycled.seriesPerInstance(),
						properties.lease(), new SlotLogger())));
	}

	private String keySpaceName(String name, GeneratorProperties properties) {
		String keySpace = (properties.keySpace() != null) ? properties.keySpace() : name;
		if (!keySpace.matches("[!-~]([ -~]{0,98}[!-~])?")) {
			throw new IdSetupException(this.checks.property(name, "key-space") + " is '" + keySpace + "'.",
					"Use 1 to 100 printable ASCII characters.");
		}
		String other = this.generatorsByKeySpace.putIfAbsent(keySpace, name);
		// the same one again: a lazy bean whose first creation failed
		if (other != null && !other.equals(name)) {
			throw new IdSetupException(
					"Id generators '" + other + "' and '" + name + "' use the same key space '" + keySpace + "'.",
					"Set " + GeneratorPropertiesBinder.prefix(name)
							+ ".key-space to another name, or inject generator '" + other + "' in both places.");
		}
		return keySpace;
	}

	private KeySpaceSettings coprime(String name, GeneratorProperties.Coprime coprime) {
		if (coprime.preset() != null) {
			refuseReplacedByPreset(name, coprime.preset());
			return new ParkMillerSettings();
		}
		return this.checks.checked(name,
				() -> new CoprimeSettings(Alphabet.of(coprime.alphabet()), coprime.length(),
						(coprime.maxLength() != null) ? coprime.maxLength() : coprime.length(), coprime.multiplier(),
						coprime.offset()));
	}

	private SequentialSettings numbers(String name, GeneratorProperties properties,
			GeneratorProperties.Numbers numbers) {
		return this.checks.checked(name,
				() -> new SequentialSettings(properties.strategy().id(), numbers.start(), numbers.end()));
	}

	private RecycledSettings recycled(String name, GeneratorProperties.Recycled recycled) {
		return this.checks.checked(name, () -> new RecycledSettings(recycled.seriesSize(), recycled.capacity()));
	}

	private void refuseReplacedByPreset(String name, GeneratorProperties.Coprime.Preset preset) {
		for (String property : REPLACED_BY_PRESET) {
			if (this.binder.isOwn(name, "coprime.preset") && this.binder.isOwn(name, "coprime." + property)) {
				throw new IdSetupException(
						this.checks.property(name, "coprime." + property) + " is set together with "
								+ this.checks.property(name, "coprime.preset") + ", which is " + preset + ".",
						"Remove one of them: the preset fixes everything else.");
			}
		}
	}

}
