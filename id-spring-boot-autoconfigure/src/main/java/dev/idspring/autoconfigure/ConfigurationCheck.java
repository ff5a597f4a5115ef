package dev.idspring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.IdSetupException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Looks for properties below {@code ids} that cannot have an effect.
 * <ul>
 * <li>What stands below a named generator and can have none there is refused: it was
 * written for that generator, which would be another one than was meant. Unless a source
 * of higher precedence, a profile say, has chosen another strategy since.</li>
 * <li>Groups right below {@code ids} that no generator uses, and names that are not
 * known, are logged: several applications may share the former, and the latter may belong
 * to something else. Of environment variables only those are logged that are nearly
 * known.</li>
 * </ul>
 */
final class ConfigurationCheck {

	private static final Log logger = LogFactory.getLog(ConfigurationCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private static final String NEEDED_BY_JDBC = "org.springframework.boot.sql.init.DatabaseInitializationMode";

	private final Environment environment;

	private final StoreType store;

	/** What may stand below {@code ids}. */
	private final List<String> known;

	/** What may also stand below {@code ids.generators.<name>}. */
	private final List<String> knownOfGenerators = names(GeneratorProperties.class, "");

	private final boolean jdbc = ClassUtils.isPresent(NEEDED_BY_JDBC, getClass().getClassLoader());

	/** By their names in the uniform form. */
	private final Map<String, Generator> generators = new HashMap<>();

	private final Set<Strategy> strategies;

	private final Set<ConfigurationPropertyName> logged = new HashSet<>();

	ConfigurationCheck(Environment environment, GeneratorPropertiesBinder binder, StoreType store) {
		this.environment = environment;
		this.store = store;
		this.known = new ArrayList<>(this.knownOfGenerators);
		this.known.addAll(names(IdsProperties.class, ""));
		if (this.jdbc) {
			this.known.addAll(names(IdsJdbcProperties.class, "jdbc."));
		}
		for (String name : binder.names()) {
			this.generators.put(GeneratorNames.uniform(name), new Generator(name, binder.bind(name).strategy()));
		}
		this.strategies = this.generators.values().stream().map(Generator::strategy).collect(Collectors.toSet());
		this.strategies.add(binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME).strategy());
	}

	/**
	 * Return the names of the properties that are bound to a record.
	 */
	static List<String> names(Class<?> type, String prefix) {
		List<String> names = new ArrayList<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			names.addAll(component.getType().isRecord() ? names(component.getType(), name + ".") : List.of(name));
		}
		return names;
	}

	/**
	 * Look.
	 * @throws IdSetupException if something is to be refused
	 */
	void run() {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter(PREFIX::isAncestorOf).forEach((name) -> check(new Given(source, name)));
			}
		}
	}

	private void check(Given given) {
		if (!given.first(1).equals("generators")) {
			checkShared(given, given.below(1));
			return;
		}
		Generator generator = this.generators.get(given.first(2));
		if (generator != null) {
			checkOwn(given, given.below(3), generator);
		}
	}

	private void checkShared(Given given, String path) {
		String property = given.find(path, this.known);
		if (property != null) {
			verifyStored(given, property);
			List<Strategy> users = users(property);
			if (users.stream().noneMatch(this.strategies::contains)) {
				log(given, "has no effect: no id generator has a strategy that uses ids."
						+ (property.startsWith("block.") ? property : group(property)) + " (" + ids(users) + ")");
			}
		}
		else if (this.jdbc || !given.first(1).equals("jdbc")) {
			List<String> sections = given.variable() ? List.of() : List.of("generators");
			if (Spelling.nearest(given.first(1), sections).isEmpty()) {
				logUnknown(given, path, this.known, GeneratorPropertiesBinder.DEFAULT_NAME);
			}
			else {
				log(given, "is not known and has no effect; did you mean ids.generators?");
			}
		}
	}

	private void checkOwn(Given given, String path, Generator generator) {
		String property = given.find(path, this.knownOfGenerators);
		if (property == null) {
			verifyInPlace(given, path);
			logUnknown(given, path, this.knownOfGenerators, generator.name());
			return;
		}
		verifyStored(given, property);
		Strategy strategy = generator.strategy();
		if (strategy.uses(property)) {
			return;
		}
		if (isStrategyChosenAbove(given, generator)) {
			log(given, "has no effect: a source of higher precedence has set the strategy of id generator '"
					+ generator.name() + "' to " + strategy.id());
			return;
		}
		List<Strategy> users = users(property);
		String chosen = SettingProperties.own(generator.name(), "strategy");
		throw new IdSetupException(
				given.name() + " has no effect: the strategy of id generator '" + generator.name() + "' is "
						+ strategy.id() + ".",
				"Remove it, or set " + chosen + " to " + ((users.size() > 1) ? "one of " : "") + ids(users)
						+ ". What several generators share may stand right under ids, as ids." + property + ".",
				List.of(given.name().toString(), chosen), null);
	}

	private static List<Strategy> users(String property) {
		return Arrays.stream(Strategy.values()).filter((strategy) -> strategy.uses(property)).toList();
	}

	private static String ids(List<Strategy> strategies) {
		return strategies.stream().map(Strategy::id).collect(Collectors.joining(", "));
	}

	private static String group(String property) {
		return property.split("\\.", 2)[0];
	}

	private boolean isStrategyChosenAbove(Given given, Generator generator) {
		ConfigurationPropertyName own = GeneratorPropertiesBinder.prefix(generator.name()).append("strategy");
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			// sources that are not attached are wrapped again by each call
			if (source.getUnderlyingSource() == given.source().getUnderlyingSource()) {
				return false;
			}
			if (source.getConfigurationProperty(own) != null) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Refuse the verification of a column where the store is not in a database.
	 */
	private void verifyStored(Given given, String property) {
		if (property.equals("verify-column") && this.store != StoreType.JDBC) {
			throw new IdSetupException(given.name() + " is set, but ids.store is " + this.store.id() + ".",
					"Remove it, or leave ids.store at jdbc: the column is read over the connection of the store.",
					List.of(given.name().toString(), "ids.store"), null);
		}
	}

	/**
	 * Refuse what may only stand right under {@code ids}.
	 */
	private void verifyInPlace(Given given, String path) {
		Set<String> groups = this.known.stream().map(ConfigurationCheck::group).collect(Collectors.toSet());
		groups.removeAll(this.knownOfGenerators.stream().map(ConfigurationCheck::group).toList());
		groups.add("jdbc");
		String property = given.find(path, this.known);
		String group = given.find(given.first(3), List.copyOf(groups));
		if (group != null) {
			throw new IdSetupException(
					given.name() + " is set, but " + String.join(", ", groups.stream().sorted().toList())
							+ " are of the application, not of a generator.",
					"Set ids." + ((property != null) ? property : group)
							+ " instead, which is for all generators, or remove it.",
					List.of(given.name().toString()), null);
		}
	}

	private void logUnknown(Given given, String path, List<String> known, String generator) {
		if (path.isEmpty() || known.stream().anyMatch((name) -> given.comparable(name + ".").startsWith(path + "."))) {
			// no property but the beginning of some, as an empty entry of a YAML file
			return;
		}
		List<String> comparable = known.stream().map(given::comparable).toList();
		String meant = Spelling.nearest(path, comparable)
			.stream()
			.map((nearest) -> given.written(SettingProperties.own(generator, known.get(comparable.indexOf(nearest)))))
			.collect(Collectors.joining(" or "));
		if (!meant.isEmpty()) {
			log(given, "is not known and has no effect; did you mean " + meant + "?");
		}
		else if (!given.variable()) {
			log(given, "is not known and has no effect");
		}
	}

	private void log(Given given, String problem) {
		if (this.logged.add(given.name())) {
			ConfigurationProperty property = given.source().getConfigurationProperty(given.name());
			String origin = (property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "";
			logger.warn(given.name() + origin + " " + problem);
		}
	}

	private record Generator(String name, Strategy strategy) {

	}

	/**
	 * A property that is set. Variables have underscores for both dots and dashes, which
	 * therefore cannot be told apart: neither counts in comparisons.
	 */
	private record Given(ConfigurationPropertySource source, ConfigurationPropertyName name) {

		boolean variable() {
			return this.source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
		}

		String first(int position) {
			return (position < this.name.getNumberOfElements()) ? this.name.getElement(position, Form.UNIFORM) : "";
		}

		String below(int position) {
			return IntStream.range(position, this.name.getNumberOfElements())
				.mapToObj(this::first)
				.collect(Collectors.joining(variable() ? "" : "."));
		}

		@Nullable String find(String path, List<String> known) {
			return known.stream().filter((candidate) -> comparable(candidate).equals(path)).findFirst().orElse(null);
		}

		String comparable(String known) {
			return known.replace("-", "").replace(".", variable() ? "" : ".");
		}

		String written(String property) {
			return variable() ? property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT) : property;
		}

	}

}
