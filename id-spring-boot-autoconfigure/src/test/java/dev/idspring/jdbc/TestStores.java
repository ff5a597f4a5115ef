package dev.idspring.jdbc;

import java.time.Duration;
import java.util.function.LongUnaryOperator;

import javax.sql.DataSource;

import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Opens stores as the auto-configuration would.
 */
public final class TestStores {

	private TestStores() {
	}

	static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(30));
	}

	/**
	 * Create the tables, unless they exist.
	 */
	public static boolean initialize(DataSource dataSource, TestDatabase database, String prefix) {
		return new JdbcSchemaInitializer(dataSource, prefix, JdbcSchemaInitializer.settings(dataSource,
				DatabaseInitializationMode.ALWAYS, JdbcSchemaInitializer.DEFAULT_SCHEMA_LOCATION, database.platform()))
			.initializeDatabase();
	}

	static JdbcDatabase database(DataSource dataSource, String prefix) {
		JdbcDatabase database = new JdbcDatabase(dataSource, JdbcSettings.defaults(prefix));
		database.open(deadline());
		return database;
	}

	/**
	 * Return a store that believes the database's clock to show something else.
	 */
	public static JdbcSlotStore slots(JdbcDatabase database, LongUnaryOperator clock) {
		return new JdbcSlotStore(database, clock);
	}

	static JdbcKeySpaceStore keySpaces(DataSource dataSource) {
		return new JdbcKeySpaceStore(database(dataSource, "ids_"));
	}

}
