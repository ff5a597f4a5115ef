package dev.idspring.migration;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.IdGenerators;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that Flyway and Liquibase can run the unchanged schema scripts, and that
 * generators start after these tools.
 */
class MigrationToolsTests {

	private static final String SCRIPT = "/dev/idspring/jdbc/schema-%s.sql";

	@TempDir
	private Path directory;

	/**
	 * Copy the script for a database from the jar to a file.
	 */
	private static void copyScript(TestDatabase database, Path file) throws IOException {
		try (InputStream script = MigrationToolsTests.class
			.getResourceAsStream(SCRIPT.formatted(database.platform()))) {
			Files.createDirectories(file.getParent());
			Files.copy(Objects.requireNonNull(script), file);
		}
	}

	/**
	 * Return the settings from the documentation, which are the same for both tools.
	 */
	private static List<String> settings(String tool) {
		String section = section();
		Matcher block = Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL).matcher(section);
		assertThat(block.find()).isTrue();
		List<String> settings = block.group(1).lines().filter((line) -> !line.startsWith("#")).toList();
		assertThat(settings).contains("ids.jdbc.initialize-schema=never");
		assertThat(section).contains(tool);
		return settings;
	}

	private static String section() {
		String page = Documentation.page("database");
		return page.split("\n## Flyway and Liquibase\n")[1].split("\n## ")[0];
	}

	private ConfigurableApplicationContext start(TestDatabase database, Class<?> application, List<String> settings,
			String... additional) {
		List<String> arguments = new ArrayList<>(
				List.of("spring.datasource.url=" + database.url(), "spring.datasource.username=" + database.username(),
						"spring.datasource.password=" + database.password(), "ids.generators.orders.strategy=recycled",
						"ids.generators.events.strategy=snowflake", "ids.generators.invoices.strategy=gapless"));
		if (!database.username().isEmpty()) {
			arguments.add("spring.datasource.hikari.maximum-pool-size=4");
		}
		arguments.addAll(settings);
		arguments.addAll(List.of(additional));
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.run(arguments.stream().map((argument) -> "--" + argument).toArray(String[]::new));
	}

	private static void verifyIds(ConfigurableApplicationContext context) {
		IdGenerators ids = context.getBean(IdGenerators.class);
		assertThat(ids.get("default").nextString()).isEqualTo("000000");
		assertThat(ids.get("orders").nextLong()).isEqualTo(1);
		assertThat(ids.get("events").nextLong()).isPositive();
		assertThat(
				context.getBean(JdbcTemplate.class).queryForObject("select count(*) from ids_key_space", Integer.class))
			.isEqualTo(4);
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL" })
	void scriptWorksAsAFlywayMigration(Kind kind) throws IOException {
		TestDatabase database = kind.create();
		copyScript(database, this.directory.resolve("V7__ids.sql"));
		// a migration that the application had before it added the starter
		Files.writeString(this.directory.resolve("V1__orders.sql"), "create table orders (id integer);");
		assertThat(section()).contains("src/main/resources/db/migration/V7__ids.sql");
		for (int i = 0; i < 2; i++) {
			try (ConfigurableApplicationContext context = start(database, FlywayApplication.class, settings("Flyway"),
					"spring.flyway.locations=filesystem:" + this.directory)) {
				if (i == 0) {
					verifyIds(context);
				}
			}
		}
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL" })
	void scriptWorksAsALiquibaseChange(Kind kind) throws IOException {
		TestDatabase database = kind.create();
		Path changelog = this.directory.resolve("db/changelog/db.changelog-master.xml");
		copyScript(database, this.directory.resolve("db/changelog/ids.sql"));
		Matcher changelogExample = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL).matcher(section());
		assertThat(changelogExample.find()).isTrue();
		Files.writeString(changelog, changelogExample.group(1));
		for (int i = 0; i < 2; i++) {
			try (ConfigurableApplicationContext context = start(database, LiquibaseApplication.class,
					settings("Liquibase"), "spring.liquibase.change-log=" + changelog.toUri())) {
				if (i == 0) {
					verifyIds(context);
				}
			}
		}
	}

	/**
	 * The starter must not create the tables itself.
	 */
	@Test
	void startupFailsWhenTheMigrationIsMissing() throws IOException {
		TestDatabase database = TestDatabase.postgresql();
		Files.writeString(this.directory.resolve("V1__orders.sql"), "create table orders (id integer);");
		assertThatException()
			.isThrownBy(() -> start(database, FlywayApplication.class, settings("Flyway"),
					"spring.flyway.locations=filesystem:" + this.directory))
			.withStackTraceContaining("ids_key_space");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = { "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration",
					"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration" })
	static class FlywayApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = { "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
			"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration" })
	static class LiquibaseApplication {

	}

}
