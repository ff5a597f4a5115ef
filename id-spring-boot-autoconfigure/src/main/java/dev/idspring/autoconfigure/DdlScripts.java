package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.block.BlockSettings;
import dev.idspring.ddl.DdlPlatform;
import dev.idspring.ddl.DdlTarget;
import dev.idspring.ddl.IdDdl;
import dev.idspring.ddl.TimeFunction;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Makes the script of {@code ids.ddl}. Asks no database and claims no node.
 */
final class DdlScripts {

	private static final List<String> PROPERTIES = List.of("ids.ddl");

	/** What takes the options of the command. */
	private static final Set<Class<?>> OPTIONS = Set.of(DdlTarget.class, TimeFunction.class);

	private final Environment environment;

	DdlScripts(Environment environment) {
		this.environment = environment;
	}

	DdlScript script(IdsProperties.Ddl ddl) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(this.environment);
		String name = known(binder, ddl.generator());
		GeneratorProperties properties = binder.bind(name);
		try {
			DdlTarget target = new DdlTarget(platform(ddl), ddl.schema(), ddl.function());
			String sql = new Layouts(binder, ddl, target).script(name, properties);
			return new DdlScript(name, target.platform(), sql);
		}
		catch (InvalidSettingException ex) {
			throw OPTIONS.contains(ex.getSettings()) ? SettingProperties.explain(ex, "ids.ddl.")
					: (ex.getSettings() == IdDdl.class) ? SettingProperties.explain(ex, "ids.jdbc.")
							: new SettingProperties(binder).explain(name, properties.strategy(), ex);
		}
	}

	private static String known(GeneratorPropertiesBinder binder, @Nullable String wanted) {
		Set<String> names = new TreeSet<>(binder.names());
		names.add(GeneratorPropertiesBinder.DEFAULT_NAME);
		String remedy = "Set ids.ddl.generator to one of " + String.join(", ", names) + ".";
		if (wanted == null) {
			throw new IdSetupException("ids.ddl.generator is not set.", remedy, PROPERTIES, null);
		}
		return names.stream()
			.filter((name) -> GeneratorNames.uniform(name).equals(GeneratorNames.uniform(wanted)))
			.findFirst()
			.orElseThrow(() -> new IdSetupException(
					"ids.ddl.generator is '" + wanted + "', but there is no id generator of that name.", remedy,
					PROPERTIES, null));
	}

	private DdlPlatform platform(IdsProperties.Ddl ddl) {
		DdlPlatform platform = ddl.platform();
		return (platform != null) ? platform : platform("ids.jdbc.platform", "")
			.or(() -> platform("spring.datasource.url", "jdbc:"))
			.orElseThrow(() -> new IdSetupException(
					"ids.ddl.platform is not set, and neither ids.jdbc.platform nor spring.datasource.url name a database"
							+ " that can make ids.",
					"Set ids.ddl.platform to one of postgresql, mariadb, mysql.",
					List.of("ids.ddl", "ids.jdbc.platform"), null));
	}

	private Optional<DdlPlatform> platform(String property, String prefix) {
		String value = this.environment.getProperty(property, "").toLowerCase(Locale.ROOT);
		return Arrays.stream(DdlPlatform.values())
			.filter((platform) -> (value + ":").startsWith(prefix + EnumIds.id(platform) + ":"))
			.findFirst();
	}

	/**
	 * Finds out what the ids of a generator are.
	 */
	private final class Layouts {

		private final IdsProperties.Ddl ddl;

		private final DdlTarget target;

		private final SettingProperties names;

		private final TimeSchemes schemes;

		private Layouts(GeneratorPropertiesBinder binder, IdsProperties.Ddl ddl, DdlTarget target) {
			this.ddl = ddl;
			this.target = target;
			this.names = new SettingProperties(binder);
			this.schemes = new TimeSchemes(binder, this.names, TimeSource.system());
		}

		private String script(String name, GeneratorProperties properties) {
			return switch (properties.strategy()) {
				case SNOWFLAKE, DECIMAL_UID -> time(name, properties);
				default -> throw new IdSetupException(
						"ids.ddl.generator is '" + name + "', but " + this.names.property(name, "strategy") + " is "
								+ properties.strategy().id() + ", for which there are no functions.",
						"Choose a generator whose strategy is snowflake or decimal-uid.",
						List.of("ids.ddl", this.names.property(name, "strategy")), null);
			};
		}

		private String time(String name, GeneratorProperties properties) {
			TimeScheme scheme = this.schemes.scheme(name, properties, false);
			long node = node(name, properties, scheme.layout());
			TimeFunction function = new TimeFunction(scheme, node, properties.clock().maxAhead(),
					BlockSettings.verifyWaitTimeout(properties.block().waitTimeout()));
			IdDdl script = IdDdl.on(this.target).withFunction(function);
			return reserved(script, properties.keySpaceOf(name), node).script();
		}

		private long node(String name, GeneratorProperties properties, TimeLayout layout) {
			Long node = this.ddl.node();
			if (node == null) {
				throw new IdSetupException("ids.ddl.generator is set, but ids.ddl.node is not.",
						"Set ids.ddl.node to a number that no instance has and no other database: "
								+ (layout.nodes() - 1) + " for instance, as instances take the lowest that are free."
								+ " There is no default.",
						PROPERTIES, null);
			}
			if (properties.node().source() == NodeSource.FIXED && node.equals(properties.node().id())) {
				throw new IdSetupException(
						"ids.ddl.node is " + node + ", but so is " + this.names.property(name, "node.id") + ".",
						"Set ids.ddl.node to a number that no instance has: " + (layout.nodes() - 1) + " for instance.",
						List.of("ids.ddl", this.names.property(name, "node.id")), null);
			}
			return node;
		}

		private IdDdl reserved(IdDdl script, String keySpace, long node) {
			if (StoreType.configured(DdlScripts.this.environment) != StoreType.JDBC) {
				return script;
			}
			String prefix = DdlScripts.this.environment.getProperty("ids.jdbc.table-prefix", "ids_");
			return script.withReservation(prefix, keySpace, node);
		}

	}

}
