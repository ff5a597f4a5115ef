package dev.idspring.autoconfigure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.clock.TimeSource;
import dev.idspring.ddl.DdlPlatform;
import dev.idspring.ddl.DdlTarget;
import dev.idspring.ddl.IdDdl;
import dev.idspring.ddl.TimeFunction;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Carries out {@code ids.ddl}: prints a script and ends the start, before any bean is
 * created. So neither a database nor a node is needed, and nothing is claimed.
 */
final class DdlPrinter implements BeanFactoryPostProcessor {

	private final Environment environment;

	private final PrintStream out;

	DdlPrinter(Environment environment, PrintStream out) {
		this.environment = environment;
		this.out = out;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		IdsProperties.Ddl ddl = Binder.get(this.environment)
			.bindOrCreate("ids.ddl", Bindable.of(IdsProperties.Ddl.class));
		String generator = ddl.generator();
		if (generator != null) {
			print(ddl, generator);
		}
		else if (ddl.platform() != null || ddl.node() != null || ddl.schema() != null || ddl.file() != null) {
			throw new IdSetupException("ids.ddl.generator is not set, but other properties of ids.ddl are.",
					"Set ids.ddl.generator to the name of the generator whose ids the database is to make, or remove the"
							+ " others.");
		}
	}

	private void print(IdsProperties.Ddl ddl, String wanted) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(this.environment);
		String name = known(binder, wanted);
		DdlTarget target = named(() -> new DdlTarget(platform(ddl), ddl.schema(), ddl.function()));
		String script = new Layouts(binder, ddl, target).script(name, binder.bind(name));
		String where = write(ddl.file(), script);
		throw new IdSetupException(
				"The script that lets " + target.platform().product() + " share in id generator '" + name + "' was "
						+ where + ". Nothing has been started, and nothing has been changed in any database.",
				"Read it, and run it there or make a migration of it. Remove ids.ddl to start the application.");
	}

	private static String known(GeneratorPropertiesBinder binder, String wanted) {
		Set<String> names = new TreeSet<>(binder.names());
		names.add(GeneratorPropertiesBinder.DEFAULT_NAME);
		return names.stream()
			.filter((name) -> GeneratorNames.uniform(name).equals(GeneratorNames.uniform(wanted)))
			.findFirst()
			.orElseThrow(() -> new IdSetupException(
					"ids.ddl.generator is '" + wanted + "', but there is no id generator of that name.",
					"Use one of " + String.join(", ", names) + "."));
	}

	private DdlPlatform platform(IdsProperties.Ddl ddl) {
		DdlPlatform platform = ddl.platform();
		return (platform != null) ? platform : platform("ids.jdbc.platform", "")
			.or(() -> platform("spring.datasource.url", "jdbc:"))
			.orElseThrow(() -> new IdSetupException(
					"ids.ddl.platform is not set, and neither ids.jdbc.platform nor spring.datasource.url name a database"
							+ " that can make ids.",
					"Set ids.ddl.platform to one of postgresql, mariadb, mysql."));
	}

	private Optional<DdlPlatform> platform(String property, String prefix) {
		String value = this.environment.getProperty(property, "").toLowerCase(Locale.ROOT);
		return Arrays.stream(DdlPlatform.values())
			.filter((platform) -> (value + ":").startsWith(prefix + EnumIds.id(platform) + ":"))
			.findFirst();
	}

	private String write(@Nullable String file, String script) {
		if (file == null) {
			this.out.println(script);
			this.out.flush();
			return "printed to standard output";
		}
		try {
			Files.writeString(Path.of(file), script, StandardOpenOption.CREATE_NEW);
			return "written to " + file;
		}
		catch (IOException ex) {
			throw new IdSetupException("ids.ddl.file is '" + file + "', which cannot be written: " + ex + ".",
					"Name a file that does not exist yet, in a directory that does.", ex);
		}
	}

	/**
	 * Turn what is said against a value into a failure that names the property.
	 */
	private static <T> T named(Supplier<T> settings) {
		try {
			return settings.get();
		}
		catch (IllegalArgumentException ex) {
			throw new IdSetupException("ids." + ex.getMessage() + ".", "Correct the value.", ex);
		}
	}

	/**
	 * Finds out what the ids of a generator are.
	 */
	private final class Layouts {

		private final IdsProperties.Ddl ddl;

		private final DdlTarget target;

		private final CheckedProperties checks;

		private final TimeSchemes schemes;

		private Layouts(GeneratorPropertiesBinder binder, IdsProperties.Ddl ddl, DdlTarget target) {
			this.ddl = ddl;
			this.target = target;
			this.checks = new CheckedProperties(binder);
			this.schemes = new TimeSchemes(binder, this.checks, TimeSource.system());
		}

		private String script(String name, GeneratorProperties properties) {
			return switch (properties.strategy()) {
				case SNOWFLAKE, DECIMAL_UID -> time(name, properties);
				default -> throw new IdSetupException(
						"ids.ddl.generator is '" + name + "', but " + this.checks.property(name, "strategy") + " is "
								+ properties.strategy().id() + ", for which there are no functions.",
						"Choose a generator whose strategy is snowflake or decimal-uid.");
			};
		}

		private String time(String name, GeneratorProperties properties) {
			TimeScheme scheme = this.schemes.scheme(name, properties, false);
			long node = node(name, properties, scheme.layout());
			TimeFunction function = named(() -> new TimeFunction(scheme, node, properties.clock().maxAhead(),
					this.checks.waitTimeout(name, properties)));
			IdDdl script = this.checks.checked(name, () -> IdDdl.on(this.target).withFunction(function));
			return reserved(script, properties.keySpaceOf(name), node).script();
		}

		private long node(String name, GeneratorProperties properties, TimeLayout layout) {
			Long node = this.ddl.node();
			if (node == null) {
				throw new IdSetupException("ids.ddl.generator is set, but ids.ddl.node is not.",
						"Set ids.ddl.node to a number that no instance has and no other database: "
								+ (layout.nodes() - 1) + " for instance, as instances take the lowest that are free."
								+ " There is no default.");
			}
			if (properties.node().source() == NodeSource.FIXED && node.equals(properties.node().id())) {
				throw new IdSetupException(
						"ids.ddl.node is " + node + ", but so is " + this.checks.property(name, "node.id") + ".",
						"Set ids.ddl.node to a number that no instance has: " + (layout.nodes() - 1)
								+ " for instance.");
			}
			return node;
		}

		private IdDdl reserved(IdDdl script, String keySpace, long node) {
			if (StoreType.configured(DdlPrinter.this.environment) != StoreType.JDBC) {
				return script;
			}
			String prefix = DdlPrinter.this.environment.getProperty("ids.jdbc.table-prefix", "ids_");
			return named(() -> script.withReservation(prefix, keySpace, node));
		}

	}

}
