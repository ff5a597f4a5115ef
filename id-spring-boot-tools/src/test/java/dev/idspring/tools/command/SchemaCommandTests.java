package dev.idspring.tools.command;

import java.sql.ResultSet;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SchemaCommand}.
 */
class SchemaCommandTests {

	@ParameterizedTest
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void printsAScriptThatCreatesTheTables(Kind kind) {
		TestDatabase database = kind.create();
		Result printed = run(database, "ids.jdbc.table-prefix=my_");
		assertThat(printed.exitCode()).isZero();
		assertThat(printed.out()).startsWith("-- The tables of the id store for this database, ")
			.contains("classpath:dev/idspring/jdbc/schema-" + database.platform() + ".sql", "They do not exist yet",
					"--ids.schema.confirm=true", "my_key_space")
			.doesNotContain("ids_key_space");
		assertThat(exists(database, "my_key_space")).isFalse();
		try (HikariDataSource pool = database.pool(1)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			Stream.of(printed.out().split(";\\s*\\n|;\\s*$")).filter((sql) -> !sql.isBlank()).forEach(jdbc::execute);
		}
		assertThat(exists(database, "my_key_space")).isTrue();
		assertThat(run(database, "ids.jdbc.table-prefix=my_").out()).contains("They exist already");
	}

	@Test
	void createsTheTablesWithConfirmation() {
		TestDatabase database = TestDatabase.h2();
		Result created = run(database, "ids.schema.confirm=true", "ids.jdbc.initialize-schema=never");
		assertThat(created.exitCode()).isZero();
		assertThat(created.out()).contains("for this database, H2, were created").doesNotContain("create table");
		assertThat(exists(database, "ids_key_space")).isTrue();
		Result again = run(database, "ids.schema.confirm=true");
		assertThat(again.exitCode()).isZero();
		assertThat(again.out()).contains("already. Nothing has been changed.");
	}

	@Test
	void reportsThatOnlyTheTableOfGaplessNumbersCouldNotBeCreated() {
		TestDatabase database = TestDatabase.postgresql();
		String user = "s" + database.url().substring(database.url().lastIndexOf('/') + 1);
		run(database, "ids.schema.confirm=true");
		database.execute("drop table ids_gapless", "create role " + user + " login",
				"grant select, insert, update on ids_key_space, ids_slot to " + user);
		Result result = run(new TestDatabase(database.url(), user, "", "postgresql"), "ids.schema.confirm=true");
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.out()).contains("ids_gapless", "could not be created", "a right is missing")
			.doesNotContain("Nothing has been changed");
	}

	@Test
	void writesTheReportAsJson() {
		TestDatabase database = TestDatabase.h2();
		assertThat(JsonPath.<Map<String, Object>>read(run(database, "ids.output=json").out(), "$"))
			.containsEntry("command", "schema")
			.containsEntry("outcome", "done")
			.containsEntry("database", "H2")
			.containsEntry("tablesExist", false)
			.hasEntrySatisfying("script", (script) -> assertThat(script).asString().contains("create table"));
		assertThat(JsonPath.<Map<String, Object>>read(run(database, "ids.output=json", "ids.schema.confirm=true").out(),
				"$"))
			.containsEntry("created", true);
	}

	@ParameterizedTest
	@CsvSource({ "ids.jdbc.schema=classpath:nope.sql,nope.sql",
			"ids.jdbc.platform=foobase,ids.jdbc.platform is 'foobase'",
			"ids.jdbc.table-prefix=x'y,ids.jdbc.table-prefix is", "ids.jdbc.initialize-schema=maybe,initialize-schema",
			"spring.datasource.url=jdbc:h2:mem:x;IFEXISTS=TRUE,Cannot connect to the database" })
	void reportsWhyItCannotRun(String property, String message) {
		Result result = run(TestDatabase.h2(), property);
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

	@Test
	void cannotRunWithoutADataSource() {
		Result result = CommandLine.run(NoDataSource.class, "schema");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains("there is not exactly one DataSource bean");
	}

	@Test
	void usesTheAnnotatedDataSource() {
		TestDatabase annotated = TestDatabase.h2();
		TestDatabase database = TestDatabase.h2();
		assertThat(CommandLine
			.run(AnnotatedDataSource.class, "schema", "spring.datasource.url=" + database.url(),
					"own.url=" + annotated.url(), "ids.schema.confirm=true")
			.exitCode()).isZero();
		assertThat(exists(annotated, "ids_key_space")).isTrue();
		assertThat(exists(database, "ids_key_space")).isFalse();
	}

	private static boolean exists(TestDatabase database, String table) {
		try (HikariDataSource pool = database.pool(1)) {
			// the server may have databases of other tests
			return Boolean.TRUE.equals(new JdbcTemplate(pool).execute((ConnectionCallback<Boolean>) (connection) -> {
				try (ResultSet tables = connection.getMetaData()
					.getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
					boolean found = false;
					while (tables.next()) {
						found |= tables.getString("TABLE_NAME").equalsIgnoreCase(table);
					}
					return found;
				}
			}));
		}
	}

	private static Result run(TestDatabase database, String... properties) {
		return CommandLine.run(Application.class, "schema", Stream
			.concat(Stream
				.of("spring.datasource.url=" + database.url(), "spring.datasource.username=" + database.username(),
						"spring.datasource.password=" + database.password())
				.filter((property) -> !properties[0].startsWith(property.split("=")[0])), Stream.of(properties))
			.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			FlywayAutoConfiguration.class, IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class NoDataSource {

	}

	static class AnnotatedDataSource extends Application {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		DataSource idsDataSource(@Value("${own.url}") String url) {
			return DataSourceBuilder.create().url(url).username("sa").build();
		}

	}

}
