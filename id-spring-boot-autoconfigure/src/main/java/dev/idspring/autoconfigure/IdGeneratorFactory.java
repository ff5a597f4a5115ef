package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
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

	private final KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final ObjectProvider<GaplessStore> gapless;

	private final TimeSource timeSource;

	private final Iterable<IdGeneratorBuilderCustomizer> customizers;

	private final ConcurrentMap<String, String> generatorsByKeySpace = new ConcurrentHashMap<>();

	IdGeneratorFactory(Environment environment, KeySpaceStore store, ObjectProvider<SlotStore> slots,
			ObjectProvider<GaplessStore> gapless, TimeSource timeSource,
			Iterable<IdGeneratorBuilderCustomizer> customizers) {
		this.binder = new GeneratorPropertiesBinder(environment);
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
				.blockSettings(blockSettings(name, properties, properties.block().maxSize())));
			case SEQUENTIAL ->
				open(builder(name, keySpaceName, properties, numbers(name, properties, properties.sequential()))
					.blockSettings(blockSettings(name, properties, properties.block().maxSize())));
			case RECYCLED -> open(builder(name, keySpaceName, properties, recycled(name, properties.recycled()))
				.reservations(series(name, properties))
				// windows keep their size: it is what a crash may lose
				.blockSettings(blockSettings(name, properties, properties.block().size())));
			case GAPLESS -> gapless(name, keySpaceName, properties);
		};
	}

	private BlockIdGenerator.Builder builder(String name, String keySpaceName, GeneratorProperties properties,
			KeySpaceSettings settings) {
		return BlockIdGenerator.builder(name, properties.strategy().id(), settings, this.store)
			.keySpaceName(keySpaceName)
			.lowMark(lowMark(name, properties))
			.timeSource(this.timeSource)
			.listener(new ReservationLogger(this.store.describe()));
	}

	private BlockIdGenerator open(BlockIdGenerator.Builder builder) {
		this.customizers.forEach((customizer) -> customizer.customize(builder));
		return builder.open();
	}

	private GaplessIdGenerator gapless(String name, String keySpaceName, GeneratorProperties properties) {
		SequentialSettings numbers = numbers(name, properties, properties.gapless());
		LowMark lowMark = lowMark(name, properties);
		Duration timeout = blockSettings(name, properties, properties.block().maxSize()).waitTimeout();
		GaplessStore gapless = this.gapless.getIfAvailable();
		if (gapless == null) {
			throw new IdSetupException(
					property(name, "strategy")
							+ " is gapless, but there is no database whose transactions could draw numbers.",
					"Leave ids.store at jdbc and configure a DataSource, declare a GaplessStore bean beside a KeySpaceStore of"
							+ " your own, or use another strategy.");
		}
		GaplessIdGenerator generator = StartThread.call(timeout, () -> GaplessIdGenerator.open(name, keySpaceName,
				numbers, this.store, gapless, new GaplessIdGenerator.Settings(timeout, lowMark), this.timeSource));
		new ReservationLogger(this.store.describe()).opened(name, keySpaceName, generator.keySpace(),
				generator.snapshot().keySpace().remaining());
		return generator;
	}

	private Reservations.Factory series(String name, GeneratorProperties properties) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			throw new IdSetupException(
					property(name, "strategy")
							+ " is recycled, but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.");
		}
		GeneratorProperties.Recycled recycled = properties.recycled();
		return SeriesReservations.factory(slots, checked(name, () -> new SeriesSettings(recycled.seriesSize(),
				recycled.seriesPerInstance(), properties.lease(), new SlotLogger())));
	}

	private String keySpaceName(String name, GeneratorProperties properties) {
		String keySpace = (properties.keySpace() != null) ? properties.keySpace() : name;
		if (!keySpace.matches("[!-~]([ -~]{0,98}[!-~])?")) {
			throw new IdSetupException(property(name, "key-space") + " is '" + keySpace + "'.",
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
		return checked(name,
				() -> new CoprimeSettings(Alphabet.of(coprime.alphabet()), coprime.length(),
						(coprime.maxLength() != null) ? coprime.maxLength() : coprime.length(), coprime.multiplier(),
						coprime.offset()));
	}

	private SequentialSettings numbers(String name, GeneratorProperties properties,
			GeneratorProperties.Numbers numbers) {
		return checked(name, () -> new SequentialSettings(properties.strategy().id(), numbers.start(), numbers.end()));
	}

	private RecycledSettings recycled(String name, GeneratorProperties.Recycled recycled) {
		return checked(name, () -> new RecycledSettings(recycled.seriesSize(), recycled.capacity()));
	}

	private void refuseReplacedByPreset(String name, GeneratorProperties.Coprime.Preset preset) {
		for (String property : REPLACED_BY_PRESET) {
			if (this.binder.isOwn(name, "coprime.preset") && this.binder.isOwn(name, "coprime." + property)) {
				throw new IdSetupException(
						property(name, "coprime." + property) + " is set together with "
								+ property(name, "coprime.preset") + ", which is " + preset + ".",
						"Remove one of them: the preset fixes everything else.");
			}
		}
	}

	private BlockSettings blockSettings(String name, GeneratorProperties properties, long maxSize) {
		GeneratorProperties.Block block = properties.block();
		return checked(name,
				() -> new BlockSettings(block.size(), maxSize, block.waitTimeout(), block.outageReserve()));
	}

	private LowMark lowMark(String name, GeneratorProperties properties) {
		return checked(name, () -> lowMark(properties.health()));
	}

	private static LowMark lowMark(GeneratorProperties.Health health) {
		String percent = health.lowRemaining().strip();
		percent = percent.endsWith("%") ? percent.substring(0, percent.length() - 1).strip() : percent;
		try {
			return new LowMark(Double.parseDouble(percent) / 100, health.lowHorizon());
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"health.low-remaining is '" + health.lowRemaining() + "' but must be a percentage such as 10%", ex);
		}
	}

	/**
	 * Turn what the settings say against a value into a failure that names the property.
	 * The messages of the settings begin with the name of the property below the
	 * generator's prefix.
	 */
	private <T> T checked(String name, Supplier<T> settings) {
		try {
			return settings.get();
		}
		catch (IllegalArgumentException ex) {
			String message = String.valueOf(ex.getMessage());
			String property = message.split(" ", 2)[0];
			throw new IdSetupException(
					"The settings of id generator '" + name + "' are wrong: "
							+ message.replaceFirst("^" + Pattern.quote(property), property(name, property)) + ".",
					"Correct the value.", ex);
		}
	}

	/**
	 * Return the full name of a property, as it stands in the configuration.
	 */
	private String property(String name, String property) {
		boolean own = this.binder.isOwn(name, property);
		return GeneratorPropertiesBinder.prefix(own ? name : GeneratorPropertiesBinder.DEFAULT_NAME) + "." + property;
	}

}
