package dev.idspring.autoconfigure;

import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.jdbc.SqlFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.util.StringUtils;

/**
 * Creates the tables of the id store when the application starts. An application may
 * declare a bean of this type to replace the auto-configured one.
 *
 * @since 0.1.0
 */
public class JdbcSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	/**
	 * The SQLState of a statement that fails because no schema is selected, or because
	 * the schema does not exist.
	 */
	private static final String NO_SCHEMA = "3F000";

	private final JdbcSchema schema;

	private final String tablePrefix;

	private final DatabaseInitializationSettings settings;

	/**
	 * Create an initializer.
	 * @param dataSource the DataSource of the database in which to create the tables
	 * @param tablePrefix the prefix of the table names
	 * @param settings the script to run, and when to run it
	 */
	public JdbcSchemaInitializer(DataSource dataSource, String tablePrefix, DatabaseInitializationSettings settings) {
		super(dataSource, settings);
		this.schema = new JdbcSchema(dataSource, tablePrefix);
		this.tablePrefix = tablePrefix;
		this.settings = settings;
	}

	/**
	 * Create settings for the constructor.
	 * @param dataSource the DataSource of the database in which to create the tables
	 * @param mode when to run the script
	 * @param schema the location of the script
	 * @param platform the database platform to assume, or {@code null} to detect it
	 * @return the settings
	 * @throws IdSetupException if the platform is not known
	 * @throws IdStoreUnavailableException if the platform must be detected, but the
	 * database cannot be reached
	 */
	public static DatabaseInitializationSettings settings(DataSource dataSource, DatabaseInitializationMode mode,
			String schema, @Nullable String platform) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(mode);
		settings.setSchemaLocations(List.of(JdbcSchema.script(dataSource, schema, platform)));
		return settings;
	}

	@Override
	public boolean initializeDatabase() {
		AtomicBoolean scriptRan = new AtomicBoolean();
		try {
			return this.schema.create(() -> scriptRan.set(super.initializeDatabase())) && scriptRan.get();
		}
		catch (DataAccessException ex) {
			throw creationFailure(ex);
		}
		catch (IdGenerationException ex) {
			throw ex;
		}
		catch (UncheckedIOException | IllegalStateException ex) {
			throw new IdSetupException(
					"The script that creates the tables of the id store, " + script()
							+ " (ids.jdbc.schema), cannot be read: " + reason(ex) + ".",
					"Correct the location, or remove it to use the default script.", ex);
		}
	}

	private IdSetupException creationFailure(DataAccessException ex) {
		String problem = "The tables of the id store cannot be created in this database, " + this.schema.product()
				+ ", with the script " + script() + " (ids.jdbc.initialize-schema="
				+ Strategy.nameOf(this.settings.getMode()) + ", ids.jdbc.table-prefix=" + this.tablePrefix
				+ "; ids.jdbc.schema and ids.jdbc.platform determine the script): " + SqlFailure.describe(ex) + ".";
		String remedy = this.schema.defaultScript()
			.filter((defaultScript) -> !defaultScript.equals(script()))
			.map((defaultScript) -> "Remove ids.jdbc.schema and ids.jdbc.platform to use the script for this database ("
					+ defaultScript + "), or ")
			.or(() -> this.schema.schema().map((name) -> "Create schema '" + name + "' if it does not exist, or "))
			.orElse(NO_SCHEMA.equals(sqlState(ex)) ? "Create the schema that the connection is to use, or " : "");
		return new IdSetupException(problem, StringUtils.capitalize(remedy
				+ "grant the right to create tables, or create them manually and set ids.jdbc.initialize-schema=never."
				+ StoreConnector.DRIVER_HINT), ex);
	}

	private static @Nullable String sqlState(Exception ex) {
		return (NestedExceptionUtils.getMostSpecificCause(ex) instanceof SQLException sql) ? sql.getSQLState() : null;
	}

	private static String reason(Exception ex) {
		String reason = String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()).strip();
		return StringUtils.trimTrailingCharacter(reason, '.');
	}

	private String script() {
		return StringUtils.collectionToDelimitedString(this.settings.getSchemaLocations(), ", ");
	}

	@Override
	protected void runScripts(Scripts scripts) {
		Charset encoding = (scripts.getEncoding() != null) ? scripts.getEncoding() : StandardCharsets.UTF_8;
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator();
		populator.setContinueOnError(scripts.isContinueOnError());
		populator.setSeparator(scripts.getSeparator());
		populator.setSqlScriptEncoding(encoding.name());
		scripts.forEach((script) -> populator.addScript(this.schema.withPrefix(script, encoding)));
		customize(populator);
		this.schema.execute(populator);
	}

}
