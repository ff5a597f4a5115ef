package dev.idspring.autoconfigure;

import java.time.Duration;

import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.StringUtils;

/**
 * Properties of the store in the database. Apart from the others, because they need
 * classes that are only there with JDBC.
 *
 * @param initializeSchema When to create the tables.
 * @param schema Location of the script that creates the tables.
 * @param platform Database to assume, for the script and for the dialect. Detected if
 * unset.
 * @param tablePrefix What the names of the tables begin with. May name a schema.
 * @param connection Which connections reservations use: their own, or those of the
 * application's pool.
 * @param failoverMargin How many ids all instances together may reserve at once, and so
 * how far a key space skips ahead when another database server has taken over. 0 for no
 * limit and no skip.
 * @param failoverLag What a database server that takes over may lack of the time before
 * the fail-over, for which it then reserves nothing. The same for all instances.
 * @param synchronousCommit What the commits of reservations wait for at least, as
 * PostgreSQL's setting of that name says. Never lowers what the session has. If unset,
 * only off becomes on.
 * @since 0.1.0
 */
@ConfigurationProperties("ids.jdbc")
public record IdsJdbcProperties(@DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
		@DefaultValue(IdsJdbcProperties.SCHEMA) String schema, @Nullable String platform,
		@DefaultValue("ids_") String tablePrefix, @DefaultValue("dedicated") Connection connection,
		@DefaultValue("1000000") long failoverMargin, @DefaultValue("5s") Duration failoverLag,
		@Nullable SynchronousCommit synchronousCommit) {

	private static final String SCHEMA = "classpath:dev/idspring/jdbc/schema-@@platform@@.sql";

	/**
	 * Create settings. An empty text is none, as where a placeholder has no value.
	 */
	public IdsJdbcProperties {
		platform = GeneratorProperties.textOrNull(platform);
		schema = StringUtils.hasText(schema) ? schema : SCHEMA;
	}

	/**
	 * Which connection reservations use.
	 */
	public enum Connection {

		/**
		 * One of their own, opened when needed, so that callers who hold all connections
		 * of the application's pool do not lock themselves out.
		 */
		DEDICATED,

		/**
		 * One from the application's pool.
		 */
		SHARED

	}

}
