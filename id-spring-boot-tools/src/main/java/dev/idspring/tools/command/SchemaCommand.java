package dev.idspring.tools.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.autoconfigure.IdsJdbcProperties;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.autoconfigure.JdbcSchemaInitializer;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.jdbc.SqlFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;
import org.springframework.util.ReflectionUtils;

/**
 * Prints or runs the script that creates the tables of the id store.
 */
final class SchemaCommand implements IdsCommand {

	@Override
	public Help help() {
		return new Help("schema",
				"Prints the script that creates the tables of the id store in this database, or creates the tables.",
				"to connect; with ids.schema.confirm=true, also to create tables if they do not exist.",
				new Option("ids.schema.confirm", "true to create the tables. Otherwise nothing is changed."),
				new Option("ids.jdbc.schema", "Location of the script. By default, the script for this database."),
				new Option("ids.jdbc.platform", "Database whose script is used. Detected by default."),
				new Option("ids.jdbc.table-prefix", "Prefix of the names of the tables."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		context.refuseRedis("there are no tables to create.",
				"Start the application once with ids.redis.initialize=always, which creates its key spaces.");
		DataSource dataSource = dataSource(context);
		IdsJdbcProperties jdbc = context.options("ids.jdbc", IdsJdbcProperties.class);
		JdbcSchema schema = new JdbcSchema(dataSource, jdbc.tablePrefix());
		String subject = "The tables of the id store for this database, " + schema.product() + ", ";
		if (context.options("ids.schema", IdsProperties.Schema.class).confirm()) {
			Initializer initializer = new Initializer(dataSource, jdbc);
			boolean created = initializer.initializeDatabase();
			DataAccessException failure = initializer.failure;
			if (!created && failure != null && !schema.exists()) {
				return CommandReport.of(Outcome.PROBLEMS, subject + "exist, except " + jdbc.tablePrefix()
						+ "gapless, which only gapless generators need. It could not be created: "
						+ SqlFailure.describe(failure) + ". Grant the right to create tables and run the command again,"
						+ " or create the table with the script that the command prints without ids.schema.confirm.")
					.with("database", schema.product())
					.with("created", false);
			}
			return CommandReport
				.of(Outcome.DONE, subject + (created ? "were created." : "exist already. Nothing has been changed."))
				.with("database", schema.product())
				.with("created", created);
		}
		String location = JdbcSchema.script(dataSource, jdbc.schema(), jdbc.platform());
		boolean tablesExist = schema.exists();
		String hint = tablesExist ? "They exist already. Nothing has been changed."
				: "They do not exist yet. Nothing has been changed. Run the command again with"
						+ " --ids.schema.confirm=true to create them.";
		return CommandReport.ofScript(subject + "from " + location + ".\n" + hint, script(schema, location))
			.with("database", schema.product())
			.with("tablesExist", tablesExist);
	}

	/**
	 * Find the DataSource of the id store. A DataSource with {@link IdsDataSource} may be
	 * excluded from injection by type, so this annotation is the qualifier of the
	 * injection.
	 */
	private static DataSource dataSource(CommandContext context) {
		Field marked = Objects.requireNonNull(ReflectionUtils.findField(Marked.class, "dataSource"));
		Object found = context.beans().resolveDependency(new DependencyDescriptor(marked, false), null);
		return (found instanceof DataSource dataSource) ? dataSource : context.single(DataSource.class);
	}

	/**
	 * Declares the injection of a DataSource with {@link IdsDataSource}.
	 */
	private static final class Marked {

		@IdsDataSource
		@Nullable DataSource dataSource;

	}

	/**
	 * Creates the tables, and stores the latest failure of the script.
	 */
	private static final class Initializer extends JdbcSchemaInitializer {

		private @Nullable DataAccessException failure;

		Initializer(DataSource dataSource, IdsJdbcProperties jdbc) {
			super(dataSource, jdbc.tablePrefix(),
					settings(dataSource, DatabaseInitializationMode.ALWAYS, jdbc.schema(), jdbc.platform()));
		}

		@Override
		protected void runScripts(Scripts scripts) {
			try {
				super.runScripts(scripts);
			}
			catch (DataAccessException ex) {
				this.failure = ex;
				throw ex;
			}
		}

	}

	private static String script(JdbcSchema schema, String location) {
		Resource resource = new DefaultResourceLoader().getResource(location);
		try {
			return schema.withPrefix(resource, StandardCharsets.UTF_8).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException | UncheckedIOException ex) {
			throw new IdSetupException("The script " + location + " (ids.jdbc.schema) cannot be read: " + ex + ".",
					"Correct the location, or remove it to use the default script.", ex);
		}
	}

}
