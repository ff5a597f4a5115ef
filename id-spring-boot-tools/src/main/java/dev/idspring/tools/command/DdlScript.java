package dev.idspring.tools.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.autoconfigure.GeneratorDefinition;
import dev.idspring.autoconfigure.GeneratorProperties;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.autoconfigure.StoreType;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.block.BlockSettings;
import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import dev.idspring.tools.ddl.DdlTarget;
import dev.idspring.tools.ddl.IdDdl;
import dev.idspring.tools.ddl.TimeFunction;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The script for a database function that creates ids like those of a generator.
 *
 * @param generator the name of the generator
 * @param platform the database
 * @param sql the script
 */
record DdlScript(String generator, DdlPlatform platform, String sql) {

	private static final List<String> PROPERTIES = List.of("ids.ddl");

	/**
	 * Create the script for a generator. This method neither queries a database nor
	 * reserves a node.
	 * @param environment the environment with the properties of the generators
	 * @param ddl the options of the command
	 * @return the script
	 * @throws IdSetupException if a property is missing or invalid
	 */
	static DdlScript of(Environment environment, IdsProperties.Ddl ddl) {
		GeneratorDefinition generator = GeneratorDefinition.of(environment, ddl.generator(), "ids.ddl.generator");
		try {
			DdlTarget target = new DdlTarget(platform(environment, ddl), ddl.schema(), ddl.function());
			return new DdlScript(generator.name(), target.platform(), sql(environment, generator, target, ddl));
		}
		catch (InvalidSettingException ex) {
			// these settings come from the options of the command
			if (ex.getSettings() == DdlTarget.class || ex.getSettings() == TimeFunction.class) {
				throw GeneratorDefinition.explain(ex, "ids.ddl.");
			}
			throw (ex.getSettings() == IdDdl.class) ? GeneratorDefinition.explain(ex, "ids.jdbc.")
					: generator.explain(ex);
		}
	}

	private static DdlPlatform platform(Environment environment, IdsProperties.Ddl ddl) {
		return Optional.ofNullable(ddl.platform())
			.map((platform) -> DdlPlatform.valueOf(platform.name()))
			.or(() -> platform(environment, "ids.jdbc.platform", ""))
			.or(() -> platform(environment, "spring.datasource.url", "jdbc:"))
			.orElseThrow(() -> new IdSetupException(
					"ids.ddl.platform is not set, and neither ids.jdbc.platform nor spring.datasource.url names a"
							+ " database that can create ids.",
					"Set ids.ddl.platform to one of postgresql, mariadb, mysql.",
					List.of("ids.ddl", "ids.jdbc.platform"), null));
	}

	private static Optional<DdlPlatform> platform(Environment environment, String property, String prefix) {
		String value = environment.getProperty(property, "").toLowerCase(Locale.ROOT);
		return Arrays.stream(DdlPlatform.values())
			.filter((platform) -> (value + ":").startsWith(prefix + platform.name().toLowerCase(Locale.ROOT) + ":"))
			.findFirst();
	}

	private static String sql(Environment environment, GeneratorDefinition generator, DdlTarget target,
			IdsProperties.Ddl ddl) {
		GeneratorProperties properties = generator.properties();
		if (properties.strategy() != Strategy.SNOWFLAKE && properties.strategy() != Strategy.DECIMAL_UID) {
			String strategy = generator.property("strategy");
			throw new IdSetupException(
					"ids.ddl.generator is '" + generator.name() + "', but " + strategy + " is "
							+ properties.strategy().id() + ", for which no database function exists.",
					"Choose a generator whose strategy is snowflake or decimal-uid.", List.of("ids.ddl", strategy),
					null);
		}
		TimeScheme scheme = generator.times(TimeSource.system().instant());
		long node = node(generator, ddl.node(), scheme.layout().nodes() - 1);
		ClockSettings clock = new ClockSettings(properties.clock().maxAhead(), properties.clock().maxSkew());
		IdDdl script = IdDdl.on(target)
			.withFunction(new TimeFunction(scheme, node, clock.maxAhead(),
					BlockSettings.verifyWaitTimeout(properties.block().waitTimeout())));
		StoreType store = Binder.get(environment).bind("ids.store", StoreType.class).orElse(StoreType.JDBC);
		if (store == StoreType.REDIS) {
			throw new IdSetupException(
					"ids.store is redis, so a script for the database cannot reserve node " + node
							+ ": an instance could use the same node.",
					"Use ids.store=jdbc, or let the application create the ids.", List.of("ids.store"), null);
		}
		if (store == StoreType.JDBC) {
			script = script.withReservation(environment.getProperty("ids.jdbc.table-prefix", "ids_"),
					generator.keySpace(), node);
		}
		return script.script();
	}

	private static long node(GeneratorDefinition generator, @Nullable Long node, long last) {
		if (node == null) {
			throw new IdSetupException("ids.ddl.generator is set, but ids.ddl.node is not.",
					"Set ids.ddl.node to a number that no instance and no other database uses, for example " + last
							+ ", because instances take the lowest free numbers. There is no default.",
					PROPERTIES, null);
		}
		GeneratorProperties.Node instanceNode = generator.properties().node();
		if (instanceNode.source() == GeneratorProperties.Node.Source.FIXED && node.equals(instanceNode.id())) {
			String property = generator.property("node.id");
			throw new IdSetupException("ids.ddl.node is " + node + ", which is also the value of " + property + ".",
					"Set ids.ddl.node to a number that no instance uses, for example " + last + ".",
					List.of("ids.ddl", property), null);
		}
		return node;
	}

}
