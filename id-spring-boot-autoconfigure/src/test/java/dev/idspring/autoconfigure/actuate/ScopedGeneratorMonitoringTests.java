package dev.idspring.autoconfigure.actuate;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdDescriptor;
import dev.idspring.testsupport.IdsEndpointSchema;
import dev.idspring.testsupport.IdsEndpointClient;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.testsupport.TestDatabase;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how the endpoint, health and meters show generators of scoped numbers.
 */
class ScopedGeneratorMonitoringTests {

	private static ConfigurableApplicationContext context;

	private static IdsEndpointClient client;

	@BeforeAll
	static void start() {
		context = new SpringApplicationBuilder(Application.class).run("--server.port=0",
				"--management.endpoints.web.exposure.include=ids", "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
				"--spring.datasource.url=" + TestDatabase.h2().url(), "--ids.generators.invoices.strategy=gapless",
				"--ids.generators.invoices.scoped=true", "--ids.generators.invoices.period=none",
				"--ids.generators.invoices.text.pattern={scope}-{n}");
		client = new IdsEndpointClient(context);
		ScopedIdGenerator invoices = context.getBean(ScopedIdGenerator.class);
		TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		IntStream.rangeClosed(1, 150)
			.forEach((tenant) -> transaction
				.executeWithoutResult((status) -> invoices.in("t/" + tenant).nextLongs(tenant)));
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void listOfGeneratorsShowsTheNumberOfScopes() throws Exception {
		String allGenerators = client.get("");
		assertThat(JsonPath.<Integer>read(allGenerators, "$.scoped.invoices.scopes")).isEqualTo(150);
		assertThat(JsonPath.<Integer>read(allGenerators, "$.scoped.invoices.maxScopes")).isEqualTo(100_000);
		assertThat(JsonPath.<List<?>>read(allGenerators, "$..busiest")).isEmpty();
	}

	@Test
	void generatorShowsItsBusiestScopesAndAScopeByName() throws Exception {
		String oneGenerator = client.get("/invoices", IdsEndpointSchema.SCOPED);
		assertThat(JsonPath.<List<String>>read(oneGenerator, "$.busiest[*].name")).hasSize(10)
			.startsWith("t\\/150", "t\\/149");
		assertThat(JsonPath.<String>read(oneGenerator, "$.busiest[0].next")).isEqualTo("151");
		String scope = client.get("/invoices?scope=t%5C/7", IdsEndpointSchema.SCOPE);
		assertThat(JsonPath.<String>read(scope, "$.next")).isEqualTo("8");
		assertThat(client.get("/invoices?scope=nobody", 404)).contains("'invoices' has no such scope");
		client.get("/invoices?scope=a%00", 400);
		client.get("/invoices?scope=t%5C/7&period=2026", 404);
	}

	@Test
	void numberOfAScopeIsDescribedByItsTextForm() throws Exception {
		String number = client.get("/invoices/unused-7", IdsEndpointSchema.ID);
		assertThat(JsonPath.<String>read(number, "$.id")).isEqualTo("7");
		assertThat(JsonPath.<String>read(number, "$.scope")).isEqualTo("unused");
		client.get("/invoices/7", 400);
		IdsEndpoint endpoint = context.getBean(IdsEndpoint.class);
		assertThat(endpoint.id("invoices", "t/7-7")).extracting(IdDescriptor::scope, IdDescriptor::reserved)
			.containsExactly("t\\/7", true);
		assertThat(endpoint.id("invoices", "t/7-8")).extracting(IdDescriptor::reserved).isEqualTo(false);
	}

	@Test
	void endpointListsScopesInPages() throws Exception {
		List<String> names = new ArrayList<>();
		String after = "-";
		int pages = 0;
		while (after != null) {
			String page = client.get("/invoices?after=" + after, IdsEndpointSchema.SCOPE_PAGE);
			names.addAll(JsonPath.<List<String>>read(page, "$.scopes[*].name"));
			after = JsonPath.read(page, "$.after");
			pages++;
		}
		assertThat(pages).isEqualTo(2);
		assertThat(names).hasSize(150).doesNotHaveDuplicates();
	}

	@Test
	void periodWithoutAScopeSelectsThePageOfThatPeriod() throws Exception {
		String page = client.get("/invoices?period=2025", IdsEndpointSchema.SCOPE_PAGE);
		assertThat(JsonPath.<List<?>>read(page, "$.scopes")).isEmpty();
		client.get("/invoices?period=last", 400);
	}

	@Test
	void endpointShowsDownWhileTheTableIsMissing() throws Exception {
		DataSource dataSource = context.getBean(DataSource.class);
		try (Connection connection = dataSource.getConnection()) {
			connection.createStatement().execute("alter table ids_gapless rename to hidden");
			try {
				assertThat(JsonPath.<String>read(client.get(""), "$.store.status")).isEqualTo("DOWN");
				for (String path : List.of("/invoices", "/invoices?scope=t%5C/7", "/invoices?after=-")) {
					String generator = client.get(path, IdsEndpointSchema.SCOPED);
					assertThat(JsonPath.<String>read(generator, "$.status")).as(path).isEqualTo("DOWN");
				}
			}
			finally {
				connection.createStatement().execute("alter table hidden rename to ids_gapless");
			}
		}
		assertThat(JsonPath.<String>read(client.get(""), "$.store.status")).isEqualTo("UP");
	}

	@Test
	void healthShowsTheNumberOfScopes() {
		CompositeHealthContributor health = context.getBean("idsHealthContributor", CompositeHealthContributor.class);
		Health invoicesHealth = ((HealthIndicator) health.getContributor("invoices")).health();
		assertThat(invoicesHealth.getStatus()).isEqualTo(Status.UP);
		assertThat(invoicesHealth.getDetails()).containsEntry("scopes", 150L);
	}

	@Test
	void metersHaveNoScopeTagAndDoNotReadTheTable() throws Exception {
		client.get("");
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		assertThat(registry.get("ids.scopes").tag("generator", "invoices").gauge().value()).isEqualTo(150);
		assertThat(registry.get("ids.issued").tag("generator", "invoices").functionCounter().count())
			.isEqualTo(150 * 151 / 2);
		assertThat(registry.getMeters()).flatExtracting((meter) -> meter.getId().getTags())
			.noneMatch((tag) -> tag.getKey().equals("scope"))
			.extracting(Tag::getValue)
			.noneMatch((value) -> value.startsWith("t/") || value.contains("t\\/"));
		DataSource dataSource = context.getBean(DataSource.class);
		try (Connection connection = dataSource.getConnection()) {
			connection.createStatement().execute("alter table ids_gapless rename to hidden");
			try {
				registry.getMeters().forEach(Meter::measure);
				assertThat(registry.get("ids.scopes").gauge().value()).isEqualTo(150);
			}
			finally {
				connection.createStatement().execute("alter table hidden rename to ids_gapless");
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

}
