package dev.idspring.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.IdSetupException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Looks for properties below {@code ids} that cannot have an effect.
 * <ul>
 * <li>What stands below a named generator and can have none there is refused: it was
 * written for that generator, which would be another one than was meant. Unless a source
 * of higher precedence, a profile say, has chosen another strategy since.</li>
 * <li>Groups right below {@code ids} that no generator uses, and names that are not
 * known, are pointed out in the log: the former may be shared by several applications,
 * the latter belong to somebody else. From environment variables, which are nobody's,
 * only those are that are nearly known.</li>
 * </ul>
 */
final class ConfigurationCheck {

	private static final Log logger = LogFactory.getLog(ConfigurationCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ids");

	private static final ConfigurationPropertyName STORE = PREFIX.append("store");

	private static final String GENERATORS = "generators";

	private final Environment environment;

	private final PropertyNames names = new PropertyNames();

	/** By their names in the uniform form, in which names are compared. */
	private final Map<String, Generator> generators = new HashMap<>();

	private final Set<Strategy> strategies = EnumSet.noneOf(Strategy.class);

	private final StoreType store;

	private final Set<ConfigurationPropertyName> pointedOut = new HashSet<>();

	ConfigurationCheck(Environment environment, GeneratorPropertiesBinder binder) {
		this.environment = environment;
		this.store = Binder.get(environment).bind(STORE, Bindable.of(StoreType.class)).orElse(StoreType.JDBC);
		this.strategies.add(binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME).strategy());
		for (String name : binder.names()) {
			Generator generator = new Generator(name, binder.bind(name).strategy());
			this.generators.put(GeneratorNames.uniform(name), generator);
			this.strategies.add(generator.strategy());
		}
	}

	/**
	 * Look.
	 * @throws IdSetupException if something is to be refused
	 */
	void run() {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
				iterable.stream()
					.filter(PREFIX::isAncestorOf)
					.forEach((name) -> check(new Given(source, name, variables)));
			}
		}
	}

	private void check(Given given) {
		Place place = place(given);
		Optional<String> known = given.find(place.rest(), place.names());
		if (known.isPresent()) {
			verifyEffective(given, place, known.get());
		}
		else if (!given.isGroup(place)) {
			verifyInPlace(given, place);
			warnUnknown(given, place);
		}
	}

	private Place place(Given given) {
		String path = given.path();
		Place place = new Place(null, path, this.names.all());
		for (Map.Entry<String, Generator> generator : this.generators.entrySet()) {
			String prefix = given.joined(GENERATORS, generator.getKey(), "");
			String rest = path.startsWith(prefix) ? path.substring(prefix.length()) : path;
			// without dots one name may be the beginning of another
			if (rest.length() < place.rest().length()) {
				place = new Place(generator.getValue(), rest, this.names.ofGenerators());
			}
		}
		return place;
	}

	private void verifyEffective(Given given, Place place, String known) {
		verifyStored(given, known);
		String group = known.split("\\.", 2)[0];
		Generator generator = place.generator();
		List<Strategy> users = Arrays.stream(Strategy.values()).filter((strategy) -> strategy.uses(known)).toList();
		String ids = users.stream().map(Strategy::id).collect(Collectors.joining(", "));
		// what uses all of a group or nothing of it is told by the group
		boolean wholeGroup = !group.equals("block");
		if (generator == null) {
			if (users.stream().noneMatch(this.strategies::contains)) {
				pointOut(given, "has no effect: no id generator has a strategy that uses ids."
						+ (wholeGroup ? group : known) + " (" + ids + ")");
			}
		}
		else if (!generator.strategy().uses(known) && isStrategyChosenAbove(given, generator)) {
			pointOut(given, "has no effect: a source of higher precedence has set the strategy of id generator '"
					+ generator.name() + "' to " + generator.strategy().id());
		}
		else if (!generator.strategy().uses(known)) {
			String prefix = GeneratorPropertiesBinder.prefix(generator.name()).toString();
			throw new IdSetupException(
					given.name() + " has no effect: the strategy of id generator '" + generator.name() + "' is "
							+ generator.strategy().id() + ".",
					"Remove it, or set " + prefix + ".strategy to " + ((users.size() > 1) ? "one of " : "") + ids
							+ ". What several generators share may stand right under ids, as ids." + known + ".");
		}
	}

	private boolean isStrategyChosenAbove(Given given, Generator generator) {
		ConfigurationPropertyName own = GeneratorPropertiesBinder.prefix(generator.name()).append("strategy");
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			// sources are wrapped anew where nobody has attached them
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
	private void verifyStored(Given given, String known) {
		if (known.equals("verify-column") && this.store != StoreType.JDBC) {
			throw new IdSetupException(given.name() + " is set, but ids.store is " + this.store.id() + ".",
					"Remove it, or leave ids.store at jdbc: the column is read over the connection of the store.");
		}
	}

	/**
	 * Refuse what may only stand right under {@code ids}.
	 */
	private void verifyInPlace(Given given, Place place) {
		if (place.generator() == null) {
			return;
		}
		List<String> others = new ArrayList<>(this.names.all());
		others.removeAll(this.names.ofGenerators());
		List<String> groups = others.stream().map((name) -> name.split("\\.", 2)[0]).distinct().toList();
		String first = given.first(place.rest());
		boolean misplaced = given.find(place.rest(), this.names.all()).isPresent()
				|| given.find(first, groups).isPresent() || (first.equals("jdbc") && !this.names.isJdbcKnown());
		if (misplaced) {
			throw new IdSetupException(
					given.name() + " is set, but " + String.join(", ", groups)
							+ " are of the application, not of a generator.",
					"Set ids." + given.find(place.rest(), this.names.all()).orElse(first)
							+ " instead, which is for all generators, or remove it.");
		}
	}

	private void warnUnknown(Given given, Place place) {
		if (given.path().startsWith("jdbc") && !this.names.isJdbcKnown()) {
			return;
		}
		if (!given.variable() && place.generator() == null
				&& !Spelling.nearest(given.first(given.path()), List.of(GENERATORS)).isEmpty()) {
			pointOut(given, "is not known and has no effect; did you mean ids." + GENERATORS + "?");
			return;
		}
		List<String> nearest = given.nearest(place.rest(), place.names());
		if (!nearest.isEmpty()) {
			Generator generator = place.generator();
			ConfigurationPropertyName prefix = GeneratorPropertiesBinder
				.prefix((generator != null) ? generator.name() : GeneratorPropertiesBinder.DEFAULT_NAME);
			String meant = nearest.stream()
				.map((name) -> given.written(prefix.append(name)))
				.collect(Collectors.joining(" or "));
			pointOut(given, "is not known and has no effect; did you mean " + meant + "?");
		}
		else if (!given.variable()) {
			pointOut(given, "is not known and has no effect");
		}
	}

	private void pointOut(Given given, String problem) {
		if (this.pointedOut.add(given.name())) {
			logger.warn(given.name() + given.origin() + " " + problem);
		}
	}

	private static List<String> groups(List<String> names) {
		return names.stream()
			.filter((name) -> name.contains("."))
			.map((name) -> name.substring(0, name.lastIndexOf('.')))
			.distinct()
			.toList();
	}

	private record Generator(String name, Strategy strategy) {

	}

	/**
	 * Where a property stands: right under {@code ids}, or under a named generator.
	 */
	private record Place(@Nullable Generator generator, String rest, List<String> names) {

	}

	/**
	 * A property that is set. Variables have underscores for both dots and dashes, which
	 * therefore cannot be told apart: neither counts in comparisons.
	 */
	private record Given(ConfigurationPropertySource source, ConfigurationPropertyName name, boolean variable) {

		String path() {
			return joined(IntStream.range(1, this.name.getNumberOfElements())
				.mapToObj((i) -> this.name.getElement(i, Form.UNIFORM))
				.toArray(String[]::new));
		}

		String joined(String... elements) {
			return String.join(this.variable ? "" : ".", elements);
		}

		Optional<String> find(String path, List<String> known) {
			return known.stream().filter((candidate) -> comparable(candidate).equals(path)).findFirst();
		}

		List<String> nearest(String path, List<String> known) {
			List<String> comparable = known.stream().map(this::comparable).toList();
			return Spelling.nearest(path, comparable)
				.stream()
				.map((nearest) -> known.get(comparable.indexOf(nearest)))
				.toList();
		}

		/**
		 * Whether this is not a property but what properties begin with, as an empty
		 * entry of a YAML file is, or belongs to a map nobody has an entry in.
		 */
		boolean isGroup(Place place) {
			boolean map = place.generator() == null && place.rest().startsWith(GENERATORS);
			return map || place.rest().isEmpty() || find(place.rest(), groups(place.names())).isPresent();
		}

		String first(String path) {
			return path.split("\\.", 2)[0];
		}

		String written(ConfigurationPropertyName name) {
			return this.variable ? name.toString().replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT)
					: name.toString();
		}

		String origin() {
			ConfigurationProperty property = this.source.getConfigurationProperty(this.name);
			Origin origin = (property != null) ? property.getOrigin() : null;
			return (origin != null) ? " (" + origin + ")" : "";
		}

		private String comparable(String known) {
			String comparable = known.replace("-", "");
			return this.variable ? comparable.replace(".", "") : comparable;
		}

	}

}
