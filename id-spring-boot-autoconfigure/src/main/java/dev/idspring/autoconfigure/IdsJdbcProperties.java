package dev.idspring.autoconfigure;

import java.time.Duration;

import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.StringUtils;

/**
 * Properties of the store in the database. They are in a separate record, because some of
 * their types are available only with JDBC.
 *
 * @param initializeSchema When to create the tables.
 * @param schema Location of the script that creates the tables.
 * @param platform Database platform, which determines the script and the SQL dialect.
 * Detected if not set.
 * @param tablePrefix Prefix of the table names. May begin with the name of a database
 * schema and a dot.
 * @param connection Whether reservations use a dedicated connection or connections of the
 * application's pool.
 * @param failoverMargin Maximum number of ids that all instances together may reserve
 * from a new key space in one burst. After a burst, the rate is limited. Both limits rise
 * with use. After a fail-over to another database server, a key space skips as many ids
 * as the lost server could have reserved without replicating them, but at most 1/64 of
 * the ids that are left (with recycled possibly more). The value 0 disables this
 * protection, also for nodes.
 * @param failoverLag Longest replication lag that a database server may have when it
 * takes over. For this long after a fail-over, no ids are reserved. Must be the same for
 * all instances.
 * @param synchronousCommit Lowest level of PostgreSQL's setting synchronous_commit for
 * reservations. A lower level of the session is raised to this level. If this property is
 * not set, only the level 'off' is raised, to 'on'.
 * @since 0.1.0
 */
@ConfigurationProperties("ids.jdbc")
public record IdsJdbcProperties(@DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
		@DefaultValue(IdsJdbcProperties.SCHEMA) String schema, @Nullable String platform,
		@DefaultValue("ids_") String tablePrefix, @DefaultValue("dedicated") Connection connection,
		@DefaultValue("1000000") Long failoverMargin, @DefaultValue("5s") Duration failoverLag,
		@Nullable SynchronousCommit synchronousCommit) {

	private static final String SCHEMA = "classpath:dev/idspring/jdbc/schema-@@platform@@.sql";

	/**
	 * Create properties. An empty string counts as not set, because a placeholder may
	 * resolve to an empty string.
	 */
	public IdsJdbcProperties {
		platform = StringUtils.hasText(platform) ? platform : null;
		schema = StringUtils.hasText(schema) ? schema : SCHEMA;
	}

	/**
	 * The connection that reservations use.
	 */
	public enum Connection {

		/**
		 * A dedicated connection, which is opened when needed. It prevents a deadlock if
		 * callers hold all connections of the application's pool.
		 */
		DEDICATED,

		/**
		 * A connection from the application's pool.
		 */
		SHARED

	}

}
