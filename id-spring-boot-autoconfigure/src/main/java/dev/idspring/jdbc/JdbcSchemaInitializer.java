package dev.idspring.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;

/**
 * Creates the tables of the id store. May be registered as a bean to override the
 * auto-configured one.
 * <p>
 * Looks first, so that no right to create tables is needed once they exist; and looks
 * again, for a few seconds, when the script failed, as another instance may have been a
 * moment faster and not every database knows {@code if not exists}.
 *
 * @since 0.1.0
 */
public class JdbcSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	/**
	 * Where the scripts are.
	 */
	public static final String DEFAULT_SCHEMA_LOCATION = "classpath:dev/idspring/jdbc/schema-@@platform@@.sql";

	private static final String PLATFORM = "@@platform@@";

	private static final int ATTEMPTS = 30;

	private final DataSource dataSource;

	private final DriverMessages messages;

	private final TableNames tables;

	private final DatabaseInitializationMode mode;

	private final List<String> locations;

	/**
	 * Create an initializer.
	 * @param dataSource where the tables belong
	 * @param tablePrefix what the names of the tables begin with
	 * @param settings which script to run, and when
	 */
	public JdbcSchemaInitializer(DataSource dataSource, String tablePrefix, DatabaseInitializationSettings settings) {
		super(dataSource, settings);
		this.dataSource = dataSource;
		this.messages = new DriverMessages(dataSource);
		this.tables = new TableNames(tablePrefix);
		this.mode = settings.getMode();
		this.locations = (settings.getSchemaLocations() != null) ? List.copyOf(settings.getSchemaLocations())
				: List.of();
	}

	/**
	 * Make settings for the constructor.
	 * @param dataSource where the tables belong
	 * @param mode when to run the script
	 * @param schema the location of the script
	 * @param platform which database to assume, or {@code null} to find out
	 * @return settings
	 * @throws IdSetupException if the platform is not known
	 * @throws IdStoreUnavailableException if the database must be asked, and cannot be
	 * reached
	 */
	public static DatabaseInitializationSettings settings(DataSource dataSource, DatabaseInitializationMode mode,
			String schema, @Nullable String platform) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(mode);
		settings.setSchemaLocations(List.of(resolve(dataSource, schema, platform)));
		return settings;
	}

	private static String resolve(DataSource dataSource, String schema, @Nullable String platform) {
		if (platform != null) {
			return schema.replace(PLATFORM, Dialect.ofConfigured(platform).platform());
		}
		return schema.contains(PLATFORM) ? schema.replace(PLATFORM, Dialect.recognised(product(dataSource)).platform())
				: schema;
	}

	private static String product(DataSource dataSource) {
		return ask(dataSource, (connection) -> connection.getMetaData().getDatabaseProductName());
	}

	/**
	 * Ask on a connection. Pools that cannot make their first one do not all throw what
	 * they ought to.
	 */
	private static <T> T ask(DataSource dataSource, Question<T> question) {
		try (Connection connection = dataSource.getConnection()) {
			return question.ask(connection);
		}
		catch (SQLException | RuntimeException ex) {
			DriverMessages messages = new DriverMessages(dataSource);
			throw new IdStoreUnavailableException("Cannot connect to the database of the id store: " + messages.of(ex),
					messages.cause(ex));
		}
	}

	private String reason(Exception ex) {
		String reason = this.messages.of(NestedExceptionUtils.getMostSpecificCause(ex)).strip();
		return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
	}

	@Override
	public boolean initializeDatabase() {
		if (tablesExist()) {
			return false;
		}
		int attempts = 0;
		while (true) {
			try {
				return super.initializeDatabase();
			}
			catch (DataAccessException ex) {
				pause();
				if (tablesExist()) {
					return false;
				}
				if (++attempts == ATTEMPTS || Thread.currentThread().isInterrupted()) {
					throw failed(ex);
				}
			}
			catch (IllegalStateException | UncheckedIOException ex) {
				throw new IdSetupException(
						"The script that creates the tables of the id store, " + script()
								+ " by ids.jdbc.schema, cannot be read: " + reason(ex) + ".",
						"Correct the location, or remove it to use the script that comes with the id store.",
						this.messages.cause(ex));
			}
		}
	}

	private IdSetupException failed(DataAccessException ex) {
		String product = product(this.dataSource);
		String script = script();
		String problem = "The tables of the id store cannot be created in this database, " + product
				+ ", with the script " + script + " (ids.jdbc.initialize-schema is " + mode()
				+ ", ids.jdbc.table-prefix is '" + this.tables.prefix()
				+ "'; the script is by ids.jdbc.schema and ids.jdbc.platform): " + reason(ex) + ".";
		Optional<String> usual = Dialect.ofProduct(product)
			.map((dialect) -> DEFAULT_SCHEMA_LOCATION.replace(PLATFORM, dialect.platform()));
		String remedy = (usual.isPresent() && !usual.get().equals(script))
				? "The script for this database is " + usual.get()
						+ ": it is used when ids.jdbc.schema and ids.jdbc.platform are not set. Or"
				: this.tables.schema()
					.map((schema) -> "Create schema '" + schema + "' if there is none. Or")
					.orElse("");
		return new IdSetupException(problem,
				(remedy + " grant the right to create tables, or create them by hand and set"
						+ " ids.jdbc.initialize-schema=never.")
					.strip(),
				this.messages.cause(ex));
	}

	private String script() {
		return String.join(", ", this.locations);
	}

	private String mode() {
		return this.mode.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Wait a moment: another instance may have created some of the tables and be about to
	 * create the others.
	 */
	private static void pause() {
		try {
			Thread.sleep(ThreadLocalRandom.current().nextLong(50, 150));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean tablesExist() {
		return ask(this.dataSource, (connection) -> {
			try (Statement statement = connection.createStatement()) {
				for (String table : this.tables.all()) {
					statement.executeQuery("select 1 from " + table + " where 1 = 0").close();
				}
				return true;
			}
			catch (SQLException ex) {
				return false;
			}
		});
	}

	@Override
	protected void runScripts(Scripts scripts) {
		Charset encoding = (scripts.getEncoding() != null) ? scripts.getEncoding() : StandardCharsets.UTF_8;
		List<Resource> prefixed = new ArrayList<>();
		scripts.forEach((script) -> prefixed.add(withPrefix(script, encoding)));
		super.runScripts(new Scripts(prefixed).continueOnError(scripts.isContinueOnError())
			.separator(scripts.getSeparator())
			.encoding(encoding));
	}

	private Resource withPrefix(Resource script, Charset encoding) {
		try {
			return new ByteArrayResource(this.tables.replaceIn(script.getContentAsString(encoding)).getBytes(encoding),
					script.getDescription());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Question<T> {

		T ask(Connection connection) throws SQLException;

	}

}
