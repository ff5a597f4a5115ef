package dev.idspring.tools.columns;

import java.time.Duration;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.IdsEndpointSchema;
import dev.idspring.testsupport.IdsEndpointClient;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.TestTimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the information about table keys in the endpoint, the health indicator and
 * the meters.
 */
class ColumnWatchTests {

	private static ConfigurableApplicationContext start(TestDatabase database, String... more) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class).properties("server.port=0",
				"management.endpoints.web.exposure.include=ids", "spring.main.banner-mode=off",
				"spring.flyway.enabled=false", "spring.liquibase.enabled=false",
				"spring.datasource.url=" + database.url(), "spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password(), "ids.jdbc.initialize-schema=always");
		return builder.properties(more).run();
	}

	@ParameterizedTest
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void readsColumnsAtMostOnceAMinuteAndReportsTheRateOfUse(Kind kind) throws Exception {
		TestDatabase database = kind.create();
		database.execute("create table orders (id int not null primary key)", "insert into orders values (100000)");
		try (ConfigurableApplicationContext context = start(database, "ids.columns.watch=true")) {
			IdsEndpointClient client = new IdsEndpointClient(context);
			TestTimeSource time = context.getBean(TestTimeSource.class);
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			String orders = "$.columns[?(@.table =~ /orders/i)]";
			String first = client.get("/columns", IdsEndpointSchema.COLUMNS);
			assertThat(JsonPath.<List<Integer>>read(first, orders + ".used")).containsExactly(100_000);
			assertThat(JsonPath.<List<Integer>>read(first, orders + ".last")).containsExactly(Integer.MAX_VALUE);
			assertThat(JsonPath.<List<String>>read(first, orders + ".status")).containsExactly("UP");
			assertThat(JsonPath.<List<?>>read(first, orders + ".exhaustedAt")).isEmpty();
			jdbc.update("insert into orders values (1500000000)");
			time.advance(Duration.ofSeconds(59));
			assertThat(
					JsonPath.<List<Integer>>read(client.get("/columns", IdsEndpointSchema.COLUMNS), orders + ".used"))
				.containsExactly(100_000);
			time.advance(Duration.ofDays(28));
			String later = client.get("/columns", IdsEndpointSchema.COLUMNS);
			assertThat(JsonPath.<List<Integer>>read(later, orders + ".used")).containsExactly(1_500_000_000);
			assertThat(JsonPath.<List<Double>>read(later, orders + ".idsPerSecond").get(0)).isBetween(600.0, 640.0);
			// at this rate, the column will be used up in less than a month
			assertThat(JsonPath.<List<String>>read(later, orders + ".status")).containsExactly("LOW");
			assertThat(JsonPath.<List<String>>read(later, "$.findings[*].code")).containsExactly("SMALL_TYPE");
			var health = (HealthIndicator) context.getBean("idsHealthContributor", CompositeHealthContributor.class)
				.getContributor("columns");
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			assertThat(health.health().getDetails()).containsEntry("columns", "LOW");
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("ids.columns.low").gauge().value()).isEqualTo(1);
			assertThat(meters.get("ids.columns.used").gauges())
				.anySatisfy((gauge) -> assertThat(gauge.value()).isBetween(69.0, 71.0));
		}
	}

	@Test
	void numbersBeyondLongAreComparedWithTheEndOfTheirType() throws Exception {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table orders (id numeric(38) primary key)",
				"insert into orders values (10000000000000000000000000000)");
		try (ConfigurableApplicationContext context = start(database, "ids.columns.watch=true")) {
			String columns = new IdsEndpointClient(context).get("/columns", IdsEndpointSchema.COLUMNS);
			assertThat(JsonPath.<List<String>>read(columns, "$.columns[*].status")).containsExactly("UP");
		}
	}

	@Test
	void measuresTheRateOfAColumnThatEndsBeyondLong() throws Exception {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table orders (id numeric(38) primary key)",
				"insert into orders values (4000000000000000000)");
		try (ConfigurableApplicationContext context = start(database, "ids.columns.watch=true")) {
			IdsEndpointClient client = new IdsEndpointClient(context);
			client.get("/columns", IdsEndpointSchema.COLUMNS);
			database.execute("insert into orders values (9000000000000000000)");
			context.getBean(TestTimeSource.class).advance(Duration.ofDays(28));
			String columns = client.get("/columns", IdsEndpointSchema.COLUMNS);
			assertThat(JsonPath.<List<Number>>read(columns, "$.columns[*].idsPerSecond")).singleElement()
				.satisfies((rate) -> assertThat(rate.doubleValue()).isBetween(2.0e12, 2.1e12));
			assertThat(JsonPath.<List<String>>read(columns, "$.columns[*].status")).containsExactly("UP");
		}
	}

	@Test
	void reportsAFailingDatabaseTogetherWithTheLastKnownColumns() throws Exception {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table orders (id int not null primary key)");
		try (ConfigurableApplicationContext context = start(database, "ids.columns.watch=true")) {
			IdsEndpointClient client = new IdsEndpointClient(context);
			client.get("/columns", IdsEndpointSchema.COLUMNS);
			context.getBean(TestTimeSource.class).advance(Duration.ofMinutes(2));
			context.getBean(HikariDataSource.class).close();
			String failed = client.get("/columns", IdsEndpointSchema.COLUMNS);
			assertThat(JsonPath.<String>read(failed, "$.error")).isNotBlank();
			assertThat(JsonPath.<List<String>>read(failed, "$.columns[*].table")).contains("ORDERS");
		}
	}

	@Test
	void watchesNoColumnsByDefault() throws Exception {
		try (ConfigurableApplicationContext context = start(TestDatabase.h2())) {
			new IdsEndpointClient(context).get("/columns", 404);
			assertThat(
					context.getBean("idsHealthContributor", CompositeHealthContributor.class).getContributor("columns"))
				.isNull();
			assertThat(context.getBean(MeterRegistry.class).find("ids.columns.low").gauge()).isNull();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
	static class Application {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		@Primary
		TestTimeSource testTimeSource() {
			return new TestTimeSource();
		}

	}

}
