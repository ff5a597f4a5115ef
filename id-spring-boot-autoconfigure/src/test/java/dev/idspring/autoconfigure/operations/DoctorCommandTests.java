package dev.idspring.autoconfigure.operations;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsColumnsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.operations.CommandLine.Result;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DoctorCommand}.
 */
class DoctorCommandTests {

	@ParameterizedTest
	@Databases(except = Kind.DERBY) // to which Boot gives a user of its
									// own, with a schema
	void findingsAreProblems(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table orders (id bigint not null primary key)", "insert into orders values (7)");
		Result clean = run(database);
		assertThat(clean.exitCode()).as(clean.out()).isZero();
		assertThat(clean.out()).contains("Nothing is wrong with them.")
			.containsIgnoringCase("orders.id ")
			.contains("7 of 9223372036854775807 used (0.0000 %, from its index");
		database.execute("create table keyless (id bigint)");
		Result found = run(database);
		assertThat(found.exitCode()).as(found.out()).isEqualTo(1);
		assertThat(found.out()).contains("1 findings:").containsPattern("\\[NO_KEY] (\\w+\\.)?(?i:keyless): ");
		Result json = run(database, "ids.output=json");
		assertThat(JsonPath.<List<Map<String, String>>>read(json.out(), "$.findings")).singleElement()
			.satisfies((finding) -> assertThat(finding).containsEntry("code", "NO_KEY"));
		assertThat(JsonPath.<List<Integer>>read(json.out(), "$.columns[*].highest")).containsExactly(7);
	}

	@Test
	void shareThatIsLittleCanBeSet() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table orders (id smallint not null primary key)", "insert into orders values (16000)");
		assertThat(run(database).out()).contains("[SMALL_TYPE] PUBLIC.ORDERS.ID: ");
		assertThat(run(database, "ids.health.low-remaining=60%").out()).contains("[LITTLE_LEFT] PUBLIC.ORDERS.ID: ");
		assertThat(run(database, "ids.health.low-remaining=much").exitCode()).isEqualTo(2);
	}

	@Test
	void withoutDataSourceItCannotRun() {
		Result result = CommandLine.run(NoDataSource.class, "doctor");
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.out()).contains("needs the DataSource");
	}

	private static Result run(TestDatabase database, String... properties) {
		return CommandLine.run(Application.class, "doctor",
				Stream
					.concat(Stream.of("spring.datasource.url=" + database.url(),
							"spring.datasource.username=" + database.username(),
							"spring.datasource.password=" + database.password()), Stream.of(properties))
					.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class, IdsColumnsAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class NoDataSource {

	}

}
