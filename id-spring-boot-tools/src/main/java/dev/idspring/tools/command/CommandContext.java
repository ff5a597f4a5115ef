package dev.idspring.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.autoconfigure.StoreType;
import dev.idspring.jdbc.Bridge;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.SqlFailure;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Provides the properties and beans of the application to a command. Beans are created
 * only on demand, and are never started.
 *
 * @param application the application context with its bean definitions, before it is
 * refreshed
 */
record CommandContext(ConfigurableApplicationContext application) {

	/**
	 * The timeout of id store operations, and of SQL statements except those that fill a
	 * column.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(30);

	Environment environment() {
		return this.application.getEnvironment();
	}

	/**
	 * Read the options of a command from the properties of the application.
	 */
	<T> T options(String prefix, Class<T> type) {
		return Binder.get(environment()).bindOrCreate(prefix, type);
	}

	/**
	 * Return the bean factory of the application. The first call refreshes the
	 * application context.
	 */
	ConfigurableListableBeanFactory beans() {
		ConfigurableListableBeanFactory beans = this.application.getBeanFactory();
		if (!this.application.isActive()) {
			((BeanDefinitionRegistry) beans).registerBeanDefinition(DormantApplication.class.getName(),
					BeanDefinitionBuilder.rootBeanDefinition(DormantApplication.class, DormantApplication::new)
						.getBeanDefinition());
			this.application.refresh();
		}
		return beans;
	}

	/**
	 * Return the DataSource of the application's tables.
	 */
	DataSource dataSource() {
		DataSource dataSource = beans().getBeanProvider(DataSource.class).getIfUnique();
		if (dataSource == null) {
			throw new IdSetupException(
					"The command needs the DataSource of the application's tables, but there is none,"
							+ " or there are several and none of them is primary: "
							+ List.of(beans().getBeanNamesForType(DataSource.class)) + ".",
					"Configure spring.datasource, or mark one of the DataSource beans with @Primary.");
		}
		return dataSource;
	}

	/**
	 * Fail if the application stores its key spaces in Redis.
	 * @param problem why the command cannot run with Redis, as a sentence
	 * @param remedy what the operator can do instead
	 */
	void refuseRedis(String problem, String remedy) {
		if (options("ids", IdsProperties.class).store() == StoreType.REDIS) {
			throw new IdSetupException("ids.store is redis: " + problem, remedy, List.of("ids.store"), null);
		}
	}

	/**
	 * Return the store of key spaces. Fails if the key spaces are not in a database.
	 */
	JdbcKeySpaceStore jdbcStore() {
		if (single(KeySpaceStore.class) instanceof JdbcKeySpaceStore store) {
			return store;
		}
		throw new IdSetupException("The id store is not in a database.", "Run the command with ids.store=jdbc.");
	}

	/**
	 * Return the bridge of a key space, empty if the key space has no bridge or the store
	 * is not in a database.
	 */
	static Optional<Bridge> bridge(KeySpaceStore store, String name) {
		return (store instanceof JdbcKeySpaceStore jdbc) ? jdbc.bridge(name, deadline()) : Optional.empty();
	}

	/**
	 * Return the deadline for an operation of the id store that starts now.
	 */
	static Deadline deadline() {
		return Deadline.after(TimeSource.system(), TIMEOUT);
	}

	/**
	 * Create a template that limits each statement to {@link #TIMEOUT}.
	 */
	static JdbcTemplate jdbc(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.setQueryTimeout((int) TIMEOUT.toSeconds());
		return jdbc;
	}

	/**
	 * Return the character that a database uses to quote identifiers.
	 */
	static String quote(JdbcTemplate jdbc) {
		return Objects
			.requireNonNull(jdbc.execute(
					(ConnectionCallback<String>) (connection) -> connection.getMetaData().getIdentifierQuoteString()))
			.strip();
	}

	/**
	 * Return the output of {@code show create table} on MariaDB and MySQL.
	 * @param table the quoted name of the table
	 */
	static String showCreateTable(JdbcTemplate jdbc, String table) {
		return Objects
			.requireNonNull(jdbc.queryForObject("show create table " + table, (row, index) -> row.getString(2)));
	}

	/**
	 * Find the definition of a column, without its name, in the output of
	 * {@code show create table}.
	 * @param column the quoted name of the column
	 */
	static String columnDefinition(JdbcTemplate jdbc, String table, String column) {
		String create = showCreateTable(jdbc, table);
		String name = column.substring(1, column.length() - 1);
		// the quotes depend on the settings of the server
		Matcher line = Pattern.compile("^\\s*[`\"]?" + Pattern.quote(name) + "[`\"]? (.+?),?$", Pattern.MULTILINE)
			.matcher(create);
		Assert.state(line.find(), () -> "No column " + column + " in " + create);
		return line.group(1);
	}

	/**
	 * Return the primary key of a table. The key must be a single column of whole
	 * numbers.
	 * @param property the option that names the table
	 * @param keys the keys of the table, as read from the catalogue
	 * @throws IdSetupException if there is no such key, or if the highest key of the
	 * table could not be read
	 */
	static KeyColumn key(String property, QualifiedName table, KeyColumns keys) {
		KeyColumn column = keys.columns()
			.stream()
			.filter((one) -> one.end() != null)
			.findFirst()
			.orElseThrow(() -> new IdSetupException(
					property + " is " + table + ", which has no single-column primary key of whole numbers.",
					"Name a table with such a key.", List.of(property), null));
		String unread = "the highest " + column.name() + ":";
		keys.notRead().stream().filter((part) -> part.startsWith(unread)).findFirst().ifPresent((part) -> {
			throw new IdSetupException(property + " is " + table + ", but the command could not read " + part + ".",
					"Remove the cause, and run the command again.", List.of(property), null);
		});
		return column;
	}

	/**
	 * Return a number with a noun in the singular or plural.
	 */
	static String count(long count, String noun) {
		return count + " " + noun + ((count == 1) ? "" : "s");
	}

	/**
	 * Describe the highest value of a key column as a clause.
	 */
	static String highestKey(KeyColumn column) {
		return (column.highest() != null) ? "the highest key is " + column.highest() : "the table is empty";
	}

	/**
	 * Verify that the file for a script does not exist yet.
	 * @param property the option that names the file
	 */
	static void verifyNewFile(String property, @Nullable String file) {
		if (file != null && Files.exists(Path.of(file))) {
			throw new IdSetupException(property + " is '" + file + "', which already exists.",
					"Name another file, or leave the option out.", List.of(property), null);
		}
	}

	/**
	 * Find the table that an option names.
	 * @param property the option
	 * @param value the value of the option
	 * @throws IdSetupException if there is no such table, or if several tables match
	 */
	static QualifiedName table(DataSource dataSource, String property, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw new IdSetupException(property + " is not set.", "Set it to the name of the table.", List.of(property),
					null);
		}
		List<QualifiedName> found;
		try (Connection connection = dataSource.getConnection()) {
			found = QualifiedName.find(connection, value);
		}
		catch (SQLException ex) {
			throw new IdSetupException(
					property + " is '" + value + "', but the command could not search the database for the table: "
							+ SqlFailure.describe(ex, dataSource) + ".",
					SqlFailure.remedy(ex).orElse("Run the command again when the database is available."), ex);
		}
		return only(found, property, value).orElseThrow(
				() -> new IdSetupException(property + " is '" + value + "', but there is no table with that name.",
						"Name a table in the schema of the application, or a table in another schema as schema.table.",
						List.of(property), null));
	}

	/**
	 * Find the tables and views with a name, which may include the schema.
	 */
	static List<QualifiedName> tables(JdbcTemplate jdbc, String name) {
		return Objects.requireNonNull(jdbc
			.execute((ConnectionCallback<List<QualifiedName>>) (connection) -> QualifiedName.find(connection, name)));
	}

	/**
	 * Return the only match for a name, empty if there is none.
	 * @param found the matches
	 * @param property the option that contains the name
	 * @param value the value of the option
	 * @throws IdSetupException if there are several matches
	 */
	static <T> Optional<T> only(List<T> found, String property, String value) {
		if (found.size() > 1) {
			throw new IdSetupException(property + " is '" + value + "', which could be any of " + found + ".",
					"Write the name exactly as the database stores it, and as schema.table if it is in another schema.",
					List.of(property), null);
		}
		return found.stream().findFirst();
	}

	/**
	 * Write a script to a file that does not exist yet.
	 * @param property the option that names the file
	 */
	static void write(String property, String file, String script) {
		try {
			Files.writeString(Path.of(file), script, StandardOpenOption.CREATE_NEW);
		}
		catch (IOException ex) {
			throw new IdSetupException(property + " is '" + file + "', which cannot be written: " + ex + ".",
					"Name a new file in an existing directory.", ex);
		}
	}

	/**
	 * Return the only or the primary bean of a type that belongs to the id store. Fails
	 * if there is no such bean.
	 */
	<T> T single(Class<T> type) {
		T bean = beans().getBeanProvider(type).getIfUnique();
		if (bean == null) {
			throw new IdSetupException(
					"The command needs the id store, but there is not exactly one " + type.getSimpleName() + " bean.",
					"Run the command with ids.enabled=true and the id store of the application: ids.store=jdbc with a"
							+ " database, or ids.store=redis with Redis and the module id-redis. If there are several"
							+ " DataSources, mark the DataSource of the id store with @IdsDataSource.");
		}
		return bean;
	}

}
