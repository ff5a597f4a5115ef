package dev.idspring.autoconfigure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.clock.TimeSource;
import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.ParkMillerSettings;
import dev.idspring.monitor.LowMark;
import dev.idspring.monitor.ManagedIdGenerator;
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

	private final TimeSource timeSource;

	private final Iterable<IdGeneratorBuilderCustomizer> customizers;

	private final ConcurrentMap<String, String> generatorsByKeySpace = new ConcurrentHashMap<>();

	IdGeneratorFactory(Environment environment, KeySpaceStore store, TimeSource timeSource,
			Iterable<IdGeneratorBuilderCustomizer> customizers) {
		this.binder = new GeneratorPropertiesBinder(environment);
		this.store = store;
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
		BlockIdGenerator.Builder builder = BlockIdGenerator
			.builder(name, properties.strategy().id(), keySpaceSettings(name, properties.coprime()), this.store)
			.keySpaceName(keySpaceName)
			.blockSettings(checked(name, () -> blockSettings(properties.block())))
			.lowMark(checked(name, () -> lowMark(properties.health())))
			.timeSource(this.timeSource)
			.listener(new ReservationLogger(this.store.describe()));
		this.customizers.forEach((customizer) -> customizer.customize(builder));
		return builder.open();
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

	private KeySpaceSettings keySpaceSettings(String name, GeneratorProperties.Coprime coprime) {
		if (coprime.preset() != null) {
			refuseReplacedByPreset(name, coprime.preset());
			return new ParkMillerSettings();
		}
		return checked(name,
				() -> new CoprimeSettings(Alphabet.of(coprime.alphabet()), coprime.length(),
						(coprime.maxLength() != null) ? coprime.maxLength() : coprime.length(), coprime.multiplier(),
						coprime.offset()));
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

	private static BlockSettings blockSettings(GeneratorProperties.Block block) {
		return new BlockSettings(block.size(), block.maxSize(), block.waitTimeout(), block.outageReserve());
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
