package dev.idspring.tools.ddl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.tools.command.CommandLine;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the examples in {@code docs/database-function.md} exactly as shown: the command,
 * the script that it prints, and the SQL.
 */
class DatabaseFunctionExamplesTests {

	private static final String PAGE = page();

	@TempDir
	private Path directory;

	private static String page() {
		return Documentation.page("database-function");
	}

	private static List<String> examples(String language) {
		return Documentation.examples(PAGE, language);
	}

	/**
	 * Split the examples into pieces. Each piece begins with a comment.
	 */
	private static List<String> pieces() {
		return examples("sql").stream()
			.flatMap((example) -> Arrays.stream(example.split("(?m)^(?=-- )")))
			.filter((piece) -> !piece.isBlank())
			.toList();
	}

	private static String piece(String product) {
		List<String> found = pieces().stream().filter((piece) -> comment(piece).contains(product)).toList();
		assertThat(found).as(product).hasSize(1);
		return found.get(0);
	}

	private static String comment(String piece) {
		return piece.lines().findFirst().orElseThrow();
	}

	private static List<String> statements(String piece) {
		return Arrays.stream(piece.substring(piece.indexOf('\n')).split(";\\s*\n")).map(String::strip).toList();
	}

	private static List<String> arguments(String text) {
		return Pattern.compile("--ids\\.\\S+").matcher(text).results().map((found) -> found.group()).toList();
	}

	private static String argument(List<String> arguments, String name) {
		return arguments.stream()
			.filter((argument) -> argument.startsWith(name + "="))
			.map((argument) -> argument.substring(name.length() + 1))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void everyExampleIsForATestedDatabase() {
		assertThat(pieces()).extracting(DatabaseFunctionExamplesTests::comment)
			.hasSize(2)
			.anyMatch((comment) -> comment.startsWith("-- PostgreSQL"))
			.anyMatch((comment) -> comment.startsWith("-- MariaDB"));
		assertThat(examples("shell")).hasSize(1);
	}

	@Test
	void documentedExampleWorksOnPostgresql() throws Exception {
		String piece = piece("PostgreSQL");
		List<String> extraArguments = arguments(comment(piece));
		assertThat(extraArguments).hasSize(1);
		try (ExampleRun run = new ExampleRun(TestDatabase.postgresql(), piece, extraArguments)) {
			run.insertAndRead();
		}
	}

	@Test
	void documentedExampleWorksOnMariadb() throws Exception {
		try (ExampleRun run = new ExampleRun(TestDatabase.mariadb(), piece("MariaDB"), List.of())) {
			run.insertAndRead();
		}
	}

	/**
	 * Runs the command of the page, which writes the script. Then starts an application
	 * with the generator of the example. Flyway creates the tables of the starter, and
	 * runs the script. Finally, the SQL of the page is executed on the database.
	 */
	private final class ExampleRun implements AutoCloseable {

		static final int ROWS = 40;

		final JdbcTemplate jdbc;

		private final ConfigurableApplicationContext context;

		private final IdGenerator events;

		private final long node;

		ExampleRun(TestDatabase database, String piece, List<String> extraArguments) throws Exception {
			List<String> command = arguments(examples("shell").get(0));
			String file = argument(command, "--ids.ddl.file");
			Path migrations = Files.createDirectory(DatabaseFunctionExamplesTests.this.directory.resolve("migration"));
			Files.copy(
					IdsAutoConfiguration.class
						.getResourceAsStream("/dev/idspring/jdbc/schema-" + database.platform() + ".sql"),
					migrations.resolve("V7__ids.sql"));
			String generator = argument(command, "--ids.ddl.generator");
			List<String> properties = List.of("--spring.datasource.url=" + database.url(),
					"--spring.datasource.username=" + database.username(),
					"--spring.datasource.password=" + database.password(),
					"--ids.generators." + generator + ".strategy=snowflake",
					"--ids.generators." + generator + ".snowflake.format=base62", "--ids.jdbc.initialize-schema=never",
					"--spring.liquibase.enabled=false", "--spring.flyway.locations=filesystem:" + migrations);
			Stream<String> commandArguments = Stream.concat(command.stream(), extraArguments.stream())
				.map((argument) -> argument.replace(file, migrations.resolve(file).toString()));
			String[] commandProperties = Stream.concat(properties.stream(), commandArguments)
				.map((property) -> property.substring("--".length()))
				.filter((property) -> !property.startsWith("ids.command="))
				.toArray(String[]::new);
			assertThat(CommandLine.run(Application.class, argument(command, "--ids.command"), commandProperties)
				.exitCode()).isZero();
			assertThat(migrations.resolve(file)).isNotEmptyFile();
			this.context = run(properties.stream());
			this.events = this.context.getBean(IdGenerators.class).get(generator);
			this.node = Long.parseLong(argument(command, "--ids.ddl.node"));
			this.jdbc = this.context.getBean(JdbcTemplate.class);
			List<String> statements = statements(piece);
			assertThat(statements).isNotEmpty();
			statements.forEach(this.jdbc::execute);
		}

		private static ConfigurableApplicationContext run(Stream<String> arguments) {
			return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run(arguments.toArray(String[]::new));
		}

		/**
		 * Insert half of the rows with plain SQL, and the other half with ids of the
		 * generator.
		 */
		void insertAndRead() {
			Instant before = Instant.now();
			for (int i = 0; i < ROWS / 4; i++) {
				this.jdbc.execute("insert into event (name) values ('one')");
			}
			this.jdbc.execute("insert into event (name) values ('several')" + ", ('several')".repeat(ROWS / 4 - 1));
			for (int i = 0; i < ROWS / 2; i++) {
				this.jdbc.update("insert into event (id, name) values (?, 'given')", this.events.nextLong());
			}
			// the function may be a second ahead of the clock
			Instant after = Instant.now().plusSeconds(1);
			assertThat(idsWhere("name <> 'given'")).hasSize(ROWS / 2)
				.allSatisfy((id) -> assertThat(id.node()).isEqualTo(this.node))
				.allSatisfy((id) -> assertThat(id.time()).isBetween(before.minusMillis(1), after))
				.allSatisfy((id) -> assertThat(this.events.parse(this.events.format(id.id()))).isEqualTo(id.id()));
			assertThat(idsWhere("name = 'given'")).hasSize(ROWS / 2)
				.allSatisfy((id) -> assertThat(id.node()).isNotEqualTo(this.node));
		}

		private List<IdDescription> idsWhere(String condition) {
			return this.jdbc.queryForList("select id from event where " + condition, Long.class)
				.stream()
				.map(this.events::describe)
				.toList();
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
	static class Application {

	}

}
