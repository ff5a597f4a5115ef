package dev.idspring.autoconfigure;

import dev.idspring.testsupport.HiddenPackages;
import dev.idspring.IdGenerator;
import dev.idspring.annotation.aot.Item;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the start of an application without Spring Data, R2DBC and Reactor on the class
 * path.
 */
@HiddenPackages({ "org.springframework.data", "org.springframework.r2dbc", "org.springframework.web.reactive",
		"io.r2dbc", "reactor", "org.reactivestreams" })
class StartWithoutDataTests {

	private final SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.NONE);

	@Test
	void classesAreAbsent() {
		for (String name : new String[] { "org.springframework.data.jdbc.core.mapping.JdbcMappingContext",
				"org.springframework.data.r2dbc.mapping.R2dbcMappingContext",
				"org.springframework.data.relational.core.mapping.RelationalMappingContext",
				"org.springframework.data.mapping.PersistentProperty", "io.r2dbc.spi.ConnectionFactory",
				"org.springframework.r2dbc.core.DatabaseClient", "reactor.core.publisher.Mono" }) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(name));
		}
	}

	@Test
	void applicationStarts() {
		try (ConfigurableApplicationContext context = this.application.run("--spring.datasource.url=jdbc:h2:mem:nodata",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			assertThat(context.containsBean("idsGeneratedIdCallback")).isFalse();
			assertThat(context.containsBean("idsReactiveGeneratedIdCallback")).isFalse();
		}
	}

	@Test
	void applicationStartsWithTheStoreInMemory() {
		try (ConfigurableApplicationContext context = this.application.run("--ids.store=memory",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
		}
	}

	@Test
	void jpaEntitiesGetIds() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class, Entities.class)
			.web(WebApplicationType.NONE)
			.run("--spring.datasource.url=jdbc:h2:mem:nodataentities", "--spring.flyway.enabled=false",
					"--spring.liquibase.enabled=false", "--spring.jpa.hibernate.ddl-auto=create-drop",
					"--ids.strategy=sequential", "--ids.generators.items.sequential.start=1000",
					"--ids.generators.codes.sequential.start=2000")) {
			Item item = new Item();
			context.getBean(EntityManagerFactory.class)
				.runInTransaction((entityManager) -> entityManager.persist(item));
			assertThat(item.getId()).isEqualTo(1000);
			assertThat(item.getCode()).isEqualTo("2000");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Item.class)
	static class Entities {

	}

}
