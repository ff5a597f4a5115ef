package dev.idspring.tools.command;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SkipAheadCommand}.
 */
class SkipAheadCommandTests {

	private final TestDatabase database = TestDatabase.h2();

	@Test
	void printsThePlanWithoutConfirmation() {
		draw(10, "ids.strategy=sequential", "ids.sequential.end=1000");
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).contains("Key space 'default' is at ordinal 10 of 1000.",
				"would move it to ordinal 510: the keys in between would never be issued, and 490 would be left",
				"Nothing has been changed", "--ids.skip-ahead.confirm=true");
		assertThat(nextOrdinal()).isEqualTo(10);
	}

	@Test
	void skipsAheadWithConfirmation() {
		draw(10, "ids.strategy=sequential");
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500", "ids.skip-ahead.confirm=true");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).contains("Key space 'default' was moved ahead from ordinal 10 to ordinal 510.",
				"Restart all instances");
		assertThat(nextOrdinal()).isEqualTo(510);
		assertThat(draw(1, "ids.strategy=sequential")).isEqualTo(511);
	}

	@Test
	void reportsHowFarItMovedAKeySpaceNearItsEnd() {
		draw(10, "ids.strategy=sequential", "ids.sequential.end=100");
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500", "ids.skip-ahead.confirm=true");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).contains("Key space 'default' was moved ahead from ordinal 10 to ordinal 100.");
		assertThat(nextOrdinal()).isEqualTo(100);
	}

	@Test
	void writesTheReportAsJson() {
		draw(10, "ids.strategy=sequential");
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500", "ids.output=json");
		assertThat(JsonPath.<Map<String, Object>>read(result.out(), "$")).containsEntry("command", "skip-ahead")
			.containsEntry("outcome", "done")
			.containsEntry("keySpace", "default")
			.containsEntry("by", 500)
			.containsEntry("skipped", false)
			.containsKey("message");
	}

	@Test
	void movesAParkMillerKeySpaceAhead() {
		draw(10, "ids.coprime.preset=park-miller");
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500", "ids.skip-ahead.confirm=true");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).contains("Key space 'default' was moved ahead from ordinal 10 to ordinal 510.");
		assertThat(nextOrdinal()).isEqualTo(510);
	}

	@Test
	void skipsSeries() {
		String[] recycled = { "ids.strategy=recycled", "ids.recycled.series-size=1000" };
		draw(10, recycled);
		String[] skip = { "ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500" };
		assertThat(run(skip).out()).contains("has started 1 series of 1000 keys each. Series with keys left: 1.",
				"skip 500 series", "number 501", "Keys left after the skip: ", "Nothing has been changed");
		Result skipped = run(concat(skip, "ids.skip-ahead.series=3", "ids.skip-ahead.confirm=true"));
		assertThat(skipped.exitCode()).isZero();
		assertThat(skipped.out()).contains("was moved ahead by 500 in each series that was not used up, at most",
				"Series skipped before the next new one: 3.");
		try (ConfigurableApplicationContext first = start(recycled)) {
			assertThat(first.getBean(IdGenerator.class).nextLong()).isEqualTo(511);
			assertThat(draw(1, recycled)).isEqualTo(4_001);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "gapless | set next_value in each row whose name is 'default'",
			"snowflake | has no counter, because its ids contain times", "coprime | There is no key space 'nope'" })
	void reportsAnUnsupportedOrUnknownKeySpaceAsAProblem(String strategy, String message) {
		start("ids.strategy=" + strategy).close();
		Result result = run("ids.skip-ahead.key-space=" + (strategy.equals("coprime") ? "nope" : "default"),
				"ids.skip-ahead.by=500", "ids.skip-ahead.confirm=true");
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.out()).contains(message);
	}

	@Test
	void reportsAClosedKeySpaceAsAProblem() {
		draw(10, "ids.strategy=sequential");
		this.database.execute("update ids_key_space set definition = 'closed: ' || definition");
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500", "ids.skip-ahead.confirm=true");
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.out()).contains("cannot be moved ahead, because its definition is 'closed: sequential");
		assertThat(nextOrdinal()).isEqualTo(10);
	}

	@Test
	void planReportsABridgedKeySpaceAsAProblem() {
		start("ids.strategy=sequential").close();
		this.database.execute("create sequence orders_seq increment by 50",
				"create table orders (id bigint not null primary key)");
		CommandLine.run(Application.class, "adopt", concat(database(), "ids.strategy=sequential",
				"ids.adopt.table=orders", "ids.adopt.generator=default", "ids.adopt.confirm=true"));
		Result result = run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500");
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.out()).contains("Key space 'default' draws from sequence PUBLIC.ORDERS_SEQ.",
				"Advance that source instead");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ids.skip-ahead.key-space=a | ids.skip-ahead.by is not set",
			"ids.skip-ahead.by=5 | ids.skip-ahead.key-space is not set",
			"ids.skip-ahead.confirm=true | ids.skip-ahead.key-space is not set",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=0 | ids.skip-ahead.by is 0",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=1,ids.skip-ahead.series=-1 | ids.skip-ahead.series is -1",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=1,ids.store=none | not exactly one KeySpaceStore bean",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=1,ids.store=memory | ids.store is memory",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=1,ids.enabled=false | ids.enabled=true",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=1 | Table ids_key_space is missing",
			"ids.skip-ahead.key-space=a,ids.skip-ahead.by=1,spring.datasource.url=jdbc:h2:mem:x;IFEXISTS=TRUE,spring.datasource.hikari.connection-timeout=250 | Cannot open the id store" })
	void reportsWhyItCannotRun(String properties, String message) {
		Result result = run(properties.split(","));
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains(message);
	}

	/**
	 * A dry run changes nothing and runs no migration.
	 */
	@Test
	void runsNeitherScriptsNorMigrations() {
		run("ids.skip-ahead.key-space=default", "ids.skip-ahead.by=500", "ids.jdbc.initialize-schema=always",
				"spring.flyway.enabled=true");
		try (HikariDataSource pool = this.database.pool(1)) {
			assertThat(new JdbcTemplate(pool)
				.queryForList("select table_name from information_schema.tables where table_schema = 'PUBLIC'"))
				.isEmpty();
		}
	}

	private long nextOrdinal() {
		try (HikariDataSource pool = this.database.pool(1)) {
			return new JdbcTemplate(pool).queryForObject("select next_ordinal from ids_key_space", Long.class);
		}
	}

	private long draw(int count, String... properties) {
		try (ConfigurableApplicationContext context = start(properties)) {
			return context.getBean(IdGenerator.class).nextLongs(count)[0];
		}
	}

	private ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(Stream.of(concat(database(), properties)).map((property) -> "--" + property).toArray(String[]::new));
	}

	private Result run(String... properties) {
		return CommandLine.run(Application.class, "skip-ahead", concat(database(), properties));
	}

	private String[] database() {
		return new String[] { "spring.datasource.url=" + this.database.url(), "spring.flyway.enabled=false" };
	}

	private static String[] concat(String[] some, String... more) {
		// if several options have the same name, the last one wins
		List<String> names = Arrays.stream(more).map((property) -> property.split("=")[0]).toList();
		return Stream
			.concat(Arrays.stream(some).filter((property) -> !names.contains(property.split("=")[0])),
					Arrays.stream(more))
			.toArray(String[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			FlywayAutoConfiguration.class, IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

}
