package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * Binds the properties of a generator. A named one is bound as if {@code ids.x} stood
 * wherever {@code ids.generators.<name>.x} does, in front of the real {@code ids.x}: so
 * inheritance works property by property, and whatever goes wrong is reported with the
 * name and the origin of the property that the user wrote.
 */
final class GeneratorPropertiesBinder {

	static final String DEFAULT_NAME = "default";

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private static final ConfigurationPropertyName GENERATORS = PREFIX.append("generators");

	/** Belongs to one key space, and so to one generator. */
	private static final Set<ConfigurationPropertyName> NOT_INHERITED = Set.of(PREFIX.append("key-space"),
			PREFIX.append("verify-column"));

	private final Environment environment;

	private final Map<String, GeneratorProperties> bound = new ConcurrentHashMap<>();

	GeneratorPropertiesBinder(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Return the names under {@code ids.generators}.
	 */
	Set<String> names() {
		return GeneratorNames.of(this.environment);
	}

	/**
	 * Return the properties of a generator, which are bound once.
	 * @param name the name of the generator
	 */
	GeneratorProperties bind(String name) {
		return this.bound.computeIfAbsent(name, this::bindNow);
	}

	private GeneratorProperties bindNow(String name) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (name.equals(DEFAULT_NAME)) {
				sources.add(source);
			}
			else {
				sources.add(new Own(source, prefix(name)));
			}
		}
		if (!name.equals(DEFAULT_NAME)) {
			for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
				sources.add(new Inherited(source));
			}
		}
		return new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment)).bindOrCreate(PREFIX,
				Bindable.of(GeneratorProperties.class), BindHandler.DEFAULT);
	}

	/**
	 * Return whether a generator says something itself, rather than inherit it.
	 * @param name the name of the generator
	 * @param property the name of the property below the generator's prefix
	 */
	boolean isOwn(String name, String property) {
		return value(prefix(name).append(property).toString()).isPresent();
	}

	/**
	 * Return what a property says, as it is written.
	 * @param property the full name of the property
	 */
	Optional<String> value(String property) {
		return Optional.ofNullable(Binder.get(this.environment).bind(property, String.class).orElse(null));
	}

	/**
	 * Return what the properties of a generator begin with.
	 * @param name the name of the generator
	 */
	static ConfigurationPropertyName prefix(String name) {
		return name.equals(DEFAULT_NAME) ? PREFIX : GENERATORS.append(ConfigurationPropertyName.adapt(name, '.'));
	}

	/**
	 * What stands under the generator's own prefix.
	 */
	private record Own(ConfigurationPropertySource source,
			ConfigurationPropertyName prefix) implements ConfigurationPropertySource {

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			return PREFIX.isAncestorOf(name) ? this.source.getConfigurationProperty(own(name)) : null;
		}

		@Override
		public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
			return (PREFIX.equals(name) || PREFIX.isAncestorOf(name)) ? this.source.containsDescendantOf(own(name))
					: ConfigurationPropertyState.ABSENT;
		}

		private ConfigurationPropertyName own(ConfigurationPropertyName name) {
			return this.prefix.append(name.subName(PREFIX.getNumberOfElements()));
		}

	}

	/**
	 * What stands under the common prefix. The name of the key space is not inherited, as
	 * two generators must not draw from the same one, nor is the column that its ids go
	 * to.
	 */
	private record Inherited(ConfigurationPropertySource source) implements ConfigurationPropertySource {

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			return NOT_INHERITED.contains(name) ? null : this.source.getConfigurationProperty(name);
		}

		@Override
		public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
			return this.source.containsDescendantOf(name);
		}

	}

}
