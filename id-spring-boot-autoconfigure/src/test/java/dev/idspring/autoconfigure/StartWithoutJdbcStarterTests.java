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
 * Tests the start of an application that excludes {@code spring-boot-starter-jdbc} from
 * the starter. The class path still contains spring-jdbc, on which {@code id-jdbc}
 * depends, but not Spring Boot's support for it.
 */
@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5 is not divided into modules that can be absent")
@HiddenPackages({ "org.springframework.boot.jdbc", "org.springframework.boot.sql",
		"org.springframework.boot.transaction", "org.springframework.boot.persistence",
		"org.springframework.boot.flyway", "org.springframework.boot.liquibase", "com.zaxxer.hikari" })
class StartWithoutJdbcStarterTests {

	private final SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.NONE);

	@Test
	void onlySpringJdbcIsPresent() throws ClassNotFoundException {
		assertThat(Class.forName("org.springframework.jdbc.core.JdbcTemplate")).isNotNull();
		assertThatExceptionOfType(ClassNotFoundException.class)
			.isThrownBy(() -> Class.forName("org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
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
	void failureMentionsTheMissingStarter() {
		Throwable failure = catchThrowable(() -> this.application.run());
		assertThat(failure).rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("spring-boot-starter-jdbc");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
