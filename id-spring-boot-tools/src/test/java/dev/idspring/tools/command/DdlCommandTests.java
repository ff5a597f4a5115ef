package dev.idspring.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DdlCommand}.
 */
class DdlCommandTests {

	/** The generators of an application without a database. */
	private static final List<String> PROPERTIES = List.of("ids.generators.events.strategy=snowflake",
			"ids.generators.events.snowflake.format=base62", "ids.generators.transfers.strategy=decimal-uid",
			"ids.generators.orders.strategy=recycled", "ids.generators.documents.strategy=composite",
			"ids.generators.unsigned.strategy=decimal-uid", "ids.generators.unsigned.decimal-uid.signed=false",
			"ids.generators.fixed.strategy=snowflake", "ids.generators.fixed.node.source=fixed",
			"ids.generators.fixed.node.id=7");

	@TempDir
	private Path directory;

	@Test
	void scriptIsPrinted() {
		Result result = run("ids.ddl.generator=events", "ids.ddl.platform=postgresql", "ids.ddl.node=1023",
				"ids.ddl.schema=shard7");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out())
			.startsWith(
					"-- The script for the PostgreSQL function that creates ids of generator 'events'. No database has")
			.contains("create or replace function shard7.next_id() returns bigint",
					"create schema if not exists shard7;",
					"snowflake epoch=2024-01-01T00:00:00Z time-bits=41 node-bits=10", "as node 1023 of 1024",
					"insert into ids_slot", "'events', 1023,");
	}

	@Test
	void scriptIsAFieldOfTheJsonReport() {
		Result result = run("ids.ddl.generator=events", "ids.ddl.platform=postgresql", "ids.ddl.node=1023",
				"ids.output=json");
		assertThat(JsonPath.<String>read(result.out(), "$.script")).contains("create or replace function")
			.doesNotContain("No database has been changed");
		assertThat(JsonPath.<String>read(result.out(), "$.message")).contains("No database has been changed");
	}

	@Test
	void usesThePlatformOfTheConfiguredDatabase() {
		assertThat(run("ids.ddl.generator=transfers", "ids.ddl.node=9", "ids.store=none",
				"spring.datasource.url=jdbc:mariadb://db.example.com/orders")
			.out()).contains("MariaDB", "create or replace function next_id() returns bigint", "delimiter $$")
			// without a store, the script reserves no node
			.doesNotContain("ids_slot");
		assertThat(run("ids.ddl.generator=transfers", "ids.ddl.node=9", "ids.jdbc.platform=mysql",
				"ids.jdbc.table-prefix=app.ids_")
			.out()).contains("MySQL", "insert into app.ids_slot");
	}

	@Test
	void fileIsWrittenButNeverOverwritten() throws Exception {
		Path file = this.directory.resolve("V7__ids.sql");
		String[] properties = { "ids.ddl.generator=events", "ids.ddl.platform=postgresql", "ids.ddl.node=1023",
				"ids.ddl.file=" + file };
		Result result = run(properties);
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).contains("written to " + file).doesNotContain("create or replace");
		assertThat(Files.readString(file)).contains("create or replace function public.next_id()");
		Files.writeString(file, "mine");
		result = run(properties);
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains("ids.ddl.file is '" + file, "Name a new file in an existing directory");
		assertThat(file).hasContent("mine");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ids.ddl.node=3 | ids.ddl.generator is not set",
			"ids.ddl.generator=nope | Set ids.ddl.generator to one of default, documents, events,",
			"ids.ddl.generator=events,ids.ddl.node=3 | Set ids.ddl.platform to one of postgresql, mariadb, mysql",
			"ids.ddl.generator=events,ids.ddl.node=3,spring.datasource.url=jdbc:h2:mem:x | Set ids.ddl.platform to one of",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql | Set ids.ddl.node to a number that no instance and no other database uses, for example 1023",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql,ids.ddl.node=1024 | ids.ddl.node is 1024 but must be from 0 to 1023",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql,ids.ddl.node=-1 | ids.ddl.node is -1 but must be from 0 to 1023",
			"ids.ddl.generator=fixed,ids.ddl.platform=postgresql,ids.ddl.node=7 | ids.ddl.node is 7, which is also the value of ids.generators.fixed.node.id",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql,ids.ddl.node=3,ids.ddl.schema=a;b | ids.ddl.schema is 'a;b' but must consist of",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql,ids.ddl.node=3,ids.ddl.function=Next | ids.ddl.function is 'Next' but must consist of",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql,ids.ddl.node=3,ids.jdbc.table-prefix=x' | ids.jdbc.table-prefix is 'x'' but must be 1 to 20 letters, digits and underscores",
			"ids.ddl.generator=events,ids.ddl.platform=postgresql,ids.ddl.node=3,ids.clock.max-ahead=-1s | ids.clock.max-ahead is -1s but must be from 0s to 1h",
			"ids.ddl.generator=orders,ids.ddl.platform=postgresql | ids.generators.orders.strategy is recycled, for which no database function exists",
			"ids.ddl.generator=documents,ids.ddl.platform=postgresql | ids.generators.documents.strategy is composite, for which no database function exists",
			"ids.ddl.generator=default,ids.ddl.platform=postgresql,ids.ddl.node=3 | ids.strategy is coprime, for which no database function exists",
			"ids.ddl.generator=unsigned,ids.ddl.platform=postgresql,ids.ddl.node=3 | ids.generators.unsigned.decimal-uid.signed is false but PostgreSQL" })
	void rejectsInvalidOptions(String properties, String message) {
		Result result = run(properties.split(","));
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

	static Stream<TestDatabase> databases() {
		return Stream.of(TestDatabase.postgresql(), TestDatabase.mariadb());
	}

	/**
	 * The script can be used as a migration without changes.
	 */
	@ParameterizedTest
	@MethodSource("databases")
	void scriptIsAMigrationForFlyway(TestDatabase database) throws Exception {
		Path migrations = Files.createDirectory(this.directory.resolve("migration"));
		String schema = "/dev/idspring/jdbc/schema-" + database.platform() + ".sql";
		Files.copy(IdsAutoConfiguration.class.getResourceAsStream(schema), migrations.resolve("V1__ids.sql"));
		List<String> properties = List.of("spring.datasource.url=" + database.url(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password(), "ids.strategy=snowflake",
				"ids.snowflake.format=base62", "spring.liquibase.enabled=false",
				"spring.flyway.locations=filesystem:" + migrations, "ids.jdbc.initialize-schema=never");
		Result result = CommandLine
			.run(Application.class, "ddl",
					Stream
						.concat(properties.stream(),
								Stream.of("ids.ddl.generator=default", "ids.ddl.node=1023",
										"ids.ddl.file=" + migrations.resolve("V2__next_id.sql")))
						.toArray(String[]::new));
		assertThat(result.exitCode()).as(result.out()).isZero();
		// the command itself runs no migrations
		try (HikariDataSource pool = database.pool(1); Connection connection = pool.getConnection()) {
			assertThat(connection.getMetaData().getTables(connection.getCatalog(), null, "%flyway%", null).next())
				.isFalse();
		}
		start(properties);
		try (HikariDataSource pool = database.pool(1);
				Connection connection = pool.getConnection();
				var row = connection.createStatement()
					.executeQuery("select next_id(),"
							+ " (select count(*) from ids_slot where slot = 1023 and owner like 'database %')")) {
			assertThat(row.next()).isTrue();
			assertThat((row.getLong(1) >> 12) & 1023).isEqualTo(1023);
			assertThat(row.getLong(2)).isEqualTo(1);
		}
	}

	@Test
	void documentationShowsTheCommand() {
		assertThat(Documentation.page("database-function"))
			.contains("--ids.command=ddl --ids.ddl.generator=events --ids.ddl.node=1023 --ids.ddl.file=");
	}

	private static Result run(String... properties) {
		return CommandLine.run(NoDatabase.class, "ddl",
				Stream.concat(PROPERTIES.stream(), Stream.of(properties)).toArray(String[]::new));
	}

	private static void start(List<String> properties) {
		new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(properties.stream().map((property) -> "--" + property).toArray(String[]::new))
			.close();
	}

	@Configuration(proxyBeanMethods = false)
	static class NoDatabase {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
	static class Application {

	}

}
