package dev.idspring.autoconfigure;

import dev.idspring.IdGenerator;
import dev.idspring.entity.EntityIds;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs without Hibernate on the class path.
 */
@HiddenPackages({ "org.hibernate", "org.springframework.boot.hibernate" })
class StartWithoutHibernateTests {

	@Test
	void classesAreAbsent() {
		for (String name : new String[] { "org.hibernate.generator.Generator",
				"org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer" }) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(name));
		}
	}

	@Test
	void applicationStarts() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run("--spring.datasource.generate-unique-name=true", "--spring.liquibase.enabled=false",
					"--spring.flyway.enabled=false")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			assertThat(context.getBean(EntityIds.class).generator("", "orders").name()).isEqualTo("default");
			assertThat(context.containsBean("idsHibernateGeneratedIds")).isFalse();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
