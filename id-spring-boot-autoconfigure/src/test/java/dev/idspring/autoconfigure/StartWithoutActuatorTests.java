package dev.idspring.autoconfigure;

import dev.idspring.testsupport.HiddenPackages;
import dev.idspring.IdGenerator;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the start of an application without Actuator, health checks and Micrometer on the
 * class path.
 */
@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5 is not divided into modules that can be absent")
@HiddenPackages({ "org.springframework.boot.actuate", "org.springframework.boot.health",
		"org.springframework.boot.micrometer", "io.micrometer.core" })
class StartWithoutActuatorTests {

	@Test
	void classesAreAbsent() {
		for (String name : new String[] { "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
				"org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint",
				"org.springframework.boot.health.contributor.Health", "io.micrometer.core.instrument.MeterRegistry" }) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(name));
		}
	}

	@Test
	void applicationStartsAndIssuesIds() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run("--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
					"--management.endpoints.web.exposure.include=ids")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			assertThat(context.containsBean("idsEndpoint")).isFalse();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
