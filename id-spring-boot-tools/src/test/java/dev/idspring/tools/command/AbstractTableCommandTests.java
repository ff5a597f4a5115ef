package dev.idspring.tools.command;

import java.util.List;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.tools.command.CommandLine.Result;
import org.junit.jupiter.api.AfterEach;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Base class of tests for a command that works with a table. Each test has its own
 * database.
 */
abstract class AbstractTableCommandTests {

	private final String command;

	private TestDatabase database;

	private HikariDataSource pool;

	private JdbcTemplate jdbc;

	AbstractTableCommandTests(String command) {
		this.command = command;
	}

	@AfterEach
	void close() {
		if (this.pool != null) {
			this.pool.close();
		}
	}

	/**
	 * Return the properties of the application's generators.
	 */
	abstract Stream<String> generatorProperties();

	/**
	 * Return the options of the command, which a test may replace.
	 */
	abstract Stream<String> options();

	/**
	 * Create a database with tables.
	 */
	final void create(Kind kind, String... sql) {
		create(kind.create(), sql);
	}

	final void create(TestDatabase database, String... sql) {
		this.database = database;
		this.pool = this.database.pool(4);
		this.jdbc = new JdbcTemplate(this.pool);
		new JdbcSchema(this.pool, "ids_").create();
		execute(sql);
	}

	final JdbcTemplate jdbc() {
		return this.jdbc;
	}

	final void execute(String... sql) {
		TestDatabase.execute(this.pool, sql);
	}

	/**
	 * Run the command.
	 * @param properties replace the default properties of the same name
	 */
	final Result run(String... properties) {
		return run(this.command, Stream.concat(generatorProperties(), options()), properties);
	}

	final Result run(String command, Stream<String> defaults, String... properties) {
		List<String> replaced = Stream.of(properties).map(AbstractTableCommandTests::name).toList();
		return CommandLine.run(SkipAheadCommandTests.Application.class, command,
				Stream
					.of(connectionProperties(), defaults.filter((property) -> !replaced.contains(name(property))),
							Stream.of(properties))
					.flatMap((stream) -> stream)
					.toArray(String[]::new));
	}

	private static String name(String property) {
		return property.substring(0, property.indexOf('='));
	}

	/**
	 * Start the application.
	 */
	final ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(SkipAheadCommandTests.Application.class).web(WebApplicationType.NONE)
			.properties(Stream.of(connectionProperties(), generatorProperties(), Stream.of(properties))
				.flatMap((stream) -> stream)
				.toArray(String[]::new))
			.run();
	}

	final Stream<String> connectionProperties() {
		return Stream.of("spring.datasource.url=" + this.database.url(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(), "spring.flyway.enabled=false");
	}

}
