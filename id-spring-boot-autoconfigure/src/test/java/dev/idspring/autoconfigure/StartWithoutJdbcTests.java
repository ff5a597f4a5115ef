package dev.idspring.autoconfigure;

import dev.idspring.testsupport.HiddenPackages;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests the start of an application without JDBC support on the class path.
 */
@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5 is not divided into modules that can be absent")
@HiddenPackages({ "org.springframework.boot.jdbc", "org.springframework.boot.sql",
		"org.springframework.boot.transaction", "org.springframework.boot.persistence",
		"org.springframework.boot.flyway", "org.springframework.boot.liquibase", "org.springframework.jdbc",
		"org.springframework.transaction", "com.zaxxer.hikari" })
class StartWithoutJdbcTests {

	private final SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.NONE);

	@Test
	void classesAreAbsent() {
		for (String name : new String[] { "org.springframework.jdbc.core.JdbcTemplate",
				"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer",
				"org.springframework.boot.sql.init.DatabaseInitializationMode",
				"org.springframework.transaction.PlatformTransactionManager", "com.zaxxer.hikari.HikariDataSource" }) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(name));
		}
	}

	@Test
	void applicationStartsWithTheStoreInMemory() {
		try (ConfigurableApplicationContext context = this.application.run("--ids.store=memory")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
		}
	}

	@Test
	void applicationStartsWithoutAStore() {
		try (ConfigurableApplicationContext context = this.application.run("--ids.store=none",
				"--ids.strategy=snowflake", "--ids.node.source=fixed", "--ids.node.id=3")) {
			IdGenerator ids = context.getBean(IdGenerator.class);
			assertThat(ids.describe(ids.nextLong()).node()).isEqualTo(3);
		}
	}

	@Test
	void applicationThatNeedsADatabaseFailsWithARemedy() {
		Throwable failure = catchThrowable(() -> this.application.run());
		assertThat(failure).rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("spring-boot-starter-jdbc");
	}

	@Test
	void applicationWithDisabledIdsStarts() {
		try (ConfigurableApplicationContext context = this.application.run("--ids.enabled=false")) {
			assertThat(context.getBeanNamesForType(IdGenerator.class)).isEmpty();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
