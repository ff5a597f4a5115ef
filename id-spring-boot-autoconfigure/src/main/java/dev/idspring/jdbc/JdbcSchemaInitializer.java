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
import java.util.concurrent.ThreadLocalRandom;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

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

	private static final int ATTEMPTS = 30;

	private final DataSource dataSource;

	private final TableNames tables;

	/**
	 * Create an initializer.
	 * @param dataSource where the tables belong
	 * @param tablePrefix what the names of the tables begin with
	 * @param settings which script to run, and when
	 */
	public JdbcSchemaInitializer(DataSource dataSource, String tablePrefix, DatabaseInitializationSettings settings) {
		super(dataSource, settings);
		this.dataSource = dataSource;
		this.tables = new TableNames(tablePrefix);
	}

	/**
	 * Make settings for the constructor.
	 * @param dataSource where the tables belong
	 * @param mode when to run the script
	 * @param schema the location of the script
	 * @param platform which database to assume, or {@code null} to find out
	 * @return settings
	 */
	public static DatabaseInitializationSettings settings(DataSource dataSource, DatabaseInitializationMode mode,
			String schema, @Nullable String platform) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(mode);
		settings.setSchemaLocations(List.of(resolve(dataSource, schema, platform)));
		return settings;
	}

	private static String resolve(DataSource dataSource, String schema, @Nullable String platform) {
		PlatformPlaceholderDatabaseDriverResolver resolver = new PlatformPlaceholderDatabaseDriverResolver();
		return StringUtils.hasText(platform) ? resolver.resolveAll(platform.toLowerCase(Locale.ROOT), schema).get(0)
				: resolver.resolveAll(dataSource, schema).get(0);
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
			catch (RuntimeException ex) {
				pause();
				if (tablesExist()) {
					return false;
				}
				if (++attempts == ATTEMPTS || Thread.currentThread().isInterrupted()) {
					throw ex;
				}
			}
		}
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
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			for (String table : this.tables.all()) {
				statement.executeQuery("select 1 from " + table + " where 1 = 0").close();
			}
			return true;
		}
		catch (SQLException ex) {
			return false;
		}
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

}
