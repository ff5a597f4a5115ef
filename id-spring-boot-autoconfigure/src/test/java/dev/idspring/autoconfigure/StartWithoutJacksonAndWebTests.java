package dev.idspring.autoconfigure;

import dev.idspring.testsupport.HiddenPackages;
import dev.idspring.IdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the start of an application with neither Jackson nor a web framework on the class
 * path.
 */
@HiddenPackages({ "tools.jackson.databind", "com.fasterxml.jackson.databind", "org.springframework.web" })
class StartWithoutJacksonAndWebTests {

	@Test
	void classesAreAbsent() {
		for (String name : new String[] { "tools.jackson.databind.JacksonModule",
				"org.springframework.web.bind.support.WebBindingInitializer",
				"org.springframework.web.servlet.DispatcherServlet",
				"org.springframework.web.reactive.DispatcherHandler" }) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(name));
		}
	}

	@Test
	void applicationStarts() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run("--ids.store=memory", "--spring.flyway.enabled=false", "--spring.liquibase.enabled=false")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			assertThat(context.getBeanNamesForType(Object.class)).doesNotContain("idsJacksonModule",
					"idsTextConverterConfigurer", "idsBindingPostProcessor");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
