package dev.idspring.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.init.DatabasePopulator;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.UncategorizedScriptException;

/**
 * Creates the tables of the id store.
 * <p>
 * If the tables exist, no script is run, and the database user needs no right to create
 * tables. If a script fails and the tables still do not exist, the script is repeated for
 * a few seconds, because another instance may be creating the tables. On some databases,
 * this causes a failure even with {@code if not exists}.
 *
 * @since 0.1.0
 */
public final class JdbcSchema {

	/**
	 * The location of the default scripts.
	 */
	public static final String DEFAULT_SCRIPT = "classpath:dev/idspring/jdbc/schema-@@platform@@.sql";

	private static final String PLACEHOLDER = "@@platform@@";

	private static final int ATTEMPTS = 30;

	private final DataSource dataSource;

	private final TableNames tables;

	/**
	 * Create an instance. The constructor does no I/O.
	 * @param dataSource the DataSource of the tables
	 * @param tablePrefix the prefix of the table names
	 * @throws IllegalArgumentException if the prefix is not valid in table names
	 */
	public JdbcSchema(DataSource dataSource, String tablePrefix) {
		this.dataSource = InvalidSettingException.requireGiven(JdbcSchema.class, "dataSource", dataSource);
		this.tables = new TableNames(tablePrefix);
	}

	/**
	 * Return the names of the tables.
	 * @param tablePrefix the prefix of the table names, optionally preceded by a schema
	 * name and a dot
	 * @return the names, without a schema
	 */
	public static Set<String> tables(String tablePrefix) {
		return new TableNames(tablePrefix).all()
			.stream()
			.map((table) -> table.substring(table.lastIndexOf('.') + 1))
			.collect(Collectors.toSet());
	}

	/**
	 * Create the tables with the script for this database, unless they exist.
	 * @return {@code true} if the script succeeded, {@code false} if the tables existed
	 * or another instance created them, or if only the table of gapless numbers is
	 * missing after the last attempt
	 * @throws IdSetupException if the database is not supported
	 * @throws IdStoreUnavailableException if the database cannot be reached
	 * @throws DataAccessException if the tables cannot be created
	 */
	public boolean create() {
		String script = script(this.dataSource, DEFAULT_SCRIPT, null);
		Resource resource = withPrefix(new ClassPathResource(script.substring("classpath:".length())),
				StandardCharsets.UTF_8);
		return create(() -> execute(new ResourceDatabasePopulator(resource)));
	}

	/**
	 * Execute scripts, even on connections that are read-only by default.
	 * @param scripts the scripts
	 * @throws DataAccessException if a script fails
	 */
	public void execute(DatabasePopulator scripts) {
		InvalidSettingException.requireGiven(JdbcSchema.class, "scripts", scripts);
		try {
			Connection connection = this.dataSource.getConnection();
			try (BorrowedConnection borrowed = new BorrowedConnection(connection)) {
				borrowed.prepareForScript();
				scripts.populate(connection);
				if (!connection.getAutoCommit()) {
					connection.commit();
				}
				borrowed.markCommitted();
			}
		}
		catch (SQLException | RuntimeException ex) {
			throw (ex instanceof DataAccessException failure) ? failure
					: new UncategorizedScriptException("A script failed", ex);
		}
	}

	/**
	 * Create the tables with the given scripts, unless they exist.
	 * @param scripts an action that runs the scripts
	 * @return {@code true} if the scripts succeeded, {@code false} if the tables existed
	 * or another instance created them, or if only the table of gapless numbers is
	 * missing after the last attempt
	 * @throws IdStoreUnavailableException if the database cannot be reached
	 * @throws DataAccessException if the tables cannot be created
	 */
	public boolean create(Runnable scripts) {
		InvalidSettingException.requireGiven(JdbcSchema.class, "scripts", scripts);
		if (exists()) {
			return false;
		}
		int attempts = 0;
		while (true) {
			try {
				scripts.run();
				return true;
			}
			catch (DataAccessException ex) {
				pause();
				if (exists()) {
					return false;
				}
				if (++attempts == ATTEMPTS || Thread.currentThread().isInterrupted()) {
					if (allExist(List.of(this.tables.keySpace(), this.tables.slot()))) {
						// a gapless generator will report that its table is missing
						return false;
					}
					throw ex;
				}
			}
		}
	}

	/**
	 * Return whether all tables exist and can be read.
	 * @return {@code false} if a table is missing, or if the user may not read it
	 * @throws IdStoreUnavailableException if the database cannot be reached
	 */
	public boolean exists() {
		return allExist(this.tables.all());
	}

	private boolean allExist(List<String> tables) {
		return run(this.dataSource, (connection) -> {
			try (Statement statement = connection.createStatement()) {
				// one round trip for all tables
				statement.executeQuery("select 1 from " + String.join(", ", tables) + " where 1 = 0").close();
				return true;
			}
			catch (SQLException ex) {
				return false;
			}
			finally {
				// otherwise a pool may hand out the connection in a failed transaction
				if (!connection.getAutoCommit()) {
					connection.rollback();
				}
			}
		});
	}

	/**
	 * Return the location of a script for one platform, such as {@code postgresql}.
	 * @param dataSource the DataSource of the tables
	 * @param location the location, which may contain {@code @@platform@@}
	 * @param platform the platform to use, or {@code null} to detect it
	 * @return the location, with the name of the platform
	 * @throws IdSetupException if the database is not supported
	 * @throws IdStoreUnavailableException if the platform must be detected and the
	 * database cannot be reached
	 */
	public static String script(DataSource dataSource, String location, @Nullable String platform) {
		InvalidSettingException.requireGiven(JdbcSchema.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(JdbcSchema.class, "location", location);
		if (platform != null) {
			return location.replace(PLACEHOLDER, Dialects.ofConfigured(platform).platform());
		}
		return location.contains(PLACEHOLDER)
				? location.replace(PLACEHOLDER, Dialects.ofSupportedProduct(product(dataSource)).platform()) : location;
	}

	/**
	 * Return the location of the default script for this database.
	 * @return the location, empty if the database is not supported
	 * @throws IdStoreUnavailableException if the database cannot be reached
	 */
	public Optional<String> defaultScript() {
		return Dialects.ofProduct(product()).map((dialect) -> DEFAULT_SCRIPT.replace(PLACEHOLDER, dialect.platform()));
	}

	/**
	 * Return the schema in the table prefix.
	 * @return the name of the schema, empty if the prefix contains none
	 */
	public Optional<String> schema() {
		return this.tables.schema();
	}

	/**
	 * Replace the default prefix in a script with the prefix of these tables.
	 * @param script a script for tables with the default prefix
	 * @param encoding the script's encoding
	 * @return the changed script, in the same encoding
	 */
	public Resource withPrefix(Resource script, Charset encoding) {
		InvalidSettingException.requireGiven(JdbcSchema.class, "script", script);
		InvalidSettingException.requireGiven(JdbcSchema.class, "encoding", encoding);
		try {
			return new ByteArrayResource(this.tables.replaceIn(script.getContentAsString(encoding)).getBytes(encoding),
					script.getDescription());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the product name of the database.
	 * @return the product name
	 * @throws IdStoreUnavailableException if the database cannot be reached
	 */
	public String product() {
		return product(this.dataSource);
	}

	private static String product(DataSource dataSource) {
		return run(dataSource, (connection) -> connection.getMetaData().getDatabaseProductName());
	}

	/**
	 * Run a query on a connection. Catch runtime exceptions, too, because some pools
	 * throw them if they cannot open their first connection.
	 */
	private static <T> T run(DataSource dataSource, Query<T> query) {
		try (Connection connection = dataSource.getConnection()) {
			return query.run(connection);
		}
		catch (SQLException | RuntimeException ex) {
			throw new IdStoreUnavailableException(
					"Cannot connect to the database of the id store: " + SqlFailure.describe(ex, dataSource), ex);
		}
	}

	/**
	 * Pause briefly, because another instance may have created only some of the tables so
	 * far.
	 */
	private static void pause() {
		try {
			Thread.sleep(ThreadLocalRandom.current().nextLong(50, 150));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private interface Query<T> {

		T run(Connection connection) throws SQLException;

	}

}
