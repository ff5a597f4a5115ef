package dev.idspring.jdbc;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

import static java.util.Map.entry;

/**
 * The supported databases. Only the class of the requested dialect is loaded.
 */
final class Dialects {

	/**
	 * The beginning of each product's name, by platform. Schema scripts are named after
	 * the platform.
	 */
	private static final Map<String, String> PRODUCTS = Map.ofEntries(entry("h2", "H2"),
			entry("hsqldb", "HSQL Database Engine"), entry("derby", "Apache Derby"), entry("sqlite", "SQLite"),
			entry("postgresql", "PostgreSQL"), entry("mariadb", "MariaDB"), entry("mysql", "MySQL"),
			entry("sqlserver", "Microsoft SQL Server"), entry("oracle", "Oracle"), entry("db2", "DB2"));

	private Dialects() {
	}

	static List<String> platforms() {
		return PRODUCTS.keySet().stream().sorted().toList();
	}

	/**
	 * Return the dialect of a platform.
	 * @param platform the platform, as in the names of the schema scripts
	 */
	static Optional<Dialect> ofPlatform(String platform) {
		return Optional.ofNullable((Dialect) create(platform.toLowerCase(Locale.ROOT)));
	}

	/**
	 * Create a dialect. The return type is Object, because with the return type Dialect,
	 * the bytecode verifier would load all dialect classes.
	 */
	private static @Nullable Object create(String platform) {
		return switch (platform) {
			case "h2" -> new H2Dialect();
			case "hsqldb" -> new HsqldbDialect();
			case "derby" -> new DerbyDialect();
			case "sqlite" -> new SqliteDialect();
			case "postgresql" -> new PostgresqlDialect();
			case "mariadb", "mysql" -> new MysqlDialect(platform);
			case "sqlserver" -> new SqlserverDialect();
			case "oracle" -> new OracleDialect();
			case "db2" -> new Db2Dialect();
			default -> null;
		};
	}

	/**
	 * Return the dialect of a configured platform.
	 * @throws InvalidSettingException if there is no such platform
	 */
	static Dialect ofConfigured(String platform) {
		return ofPlatform(platform).orElseThrow(() -> new InvalidSettingException(JdbcSettings.class, "platform",
				platform, "must be one of " + String.join(", ", platforms()) + ", or unset"));
	}

	/**
	 * Return the dialect of a database, which must be supported.
	 * @param productName the name that the database reports
	 * @throws IdSetupException if the database is not supported
	 */
	static Dialect ofSupportedProduct(String productName) {
		return ofProduct(productName)
			.orElseThrow(() -> new IdSetupException("The database '" + productName + "' is not known to the id store.",
					"If it understands the SQL of a supported database, set ids.jdbc.platform to one of "
							+ String.join(", ", platforms())
							+ ". Otherwise use another database for the id store, and mark its DataSource with"
							+ " @IdsDataSource."));
	}

	/**
	 * Return the dialect of a database, or empty if the database is not supported.
	 * @param productName the name that the database reports
	 */
	static Optional<Dialect> ofProduct(String productName) {
		return PRODUCTS.entrySet()
			.stream()
			.filter((known) -> productName.startsWith(known.getValue()))
			.findAny()
			.flatMap((known) -> ofPlatform(known.getKey()));
	}

}
