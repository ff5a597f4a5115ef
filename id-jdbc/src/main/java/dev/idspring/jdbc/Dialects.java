package dev.idspring.jdbc;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;

/**
 * The databases that the stores know.
 */
final class Dialects {

	static final List<Dialect> ALL = List.of(new H2Dialect(), new HsqldbDialect(), new DerbyDialect(),
			new SqliteDialect(), new PostgresqlDialect(), new MysqlDialect("mariadb", "MariaDB"),
			new MysqlDialect("mysql", "MySQL"), new SqlserverDialect(), new OracleDialect(), new Db2Dialect());

	private Dialects() {
	}

	/**
	 * Return the dialect of a platform, as the scripts are named.
	 */
	static Optional<Dialect> ofPlatform(String platform) {
		return ALL.stream().filter((dialect) -> dialect.platform().equalsIgnoreCase(platform)).findAny();
	}

	/**
	 * Return the dialect of a platform that is configured.
	 * @throws IdSetupException if there is no such platform
	 */
	static Dialect ofConfigured(String platform) {
		return ofPlatform(platform).orElseThrow(() -> new IdSetupException("ids.jdbc.platform is '" + platform + "'.",
				"Use one of " + platforms() + ", or leave it unset."));
	}

	/**
	 * Return the dialect of a database that is to be recognised.
	 * @param productName how the database calls itself
	 * @throws IdSetupException if it is not known
	 */
	static Dialect recognised(String productName) {
		return ofProduct(productName)
			.orElseThrow(() -> new IdSetupException("The database '" + productName + "' is not known to the id store.",
					"If it understands the SQL of a known one, set ids.jdbc.platform to one of " + platforms()
							+ "; otherwise keep the ids in another database, whose DataSource is marked with"
							+ " @IdsDataSource."));
	}

	/**
	 * Return the dialect of a database.
	 * @param productName how the database calls itself
	 */
	static Optional<Dialect> ofProduct(String productName) {
		return ALL.stream().filter((dialect) -> dialect.isOf(productName)).findAny();
	}

	private static String platforms() {
		return ALL.stream().map(Dialect::platform).collect(Collectors.joining(", "));
	}

}
