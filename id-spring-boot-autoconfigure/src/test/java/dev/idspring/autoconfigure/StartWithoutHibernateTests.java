package dev.idspring.autoconfigure;

import dev.idspring.testsupport.HiddenPackages;
import dev.idspring.IdGenerator;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the start of an application without Hibernate on the class path.
 */
@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5 is not divided into modules that can be absent")
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
			assertThat(context.containsBean("idsHibernateGeneratedIds")).isFalse();
		}
	}

	@Test
	void entitiesOfSpringDataGetIds() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class, DataJdbc.class)
			.web(WebApplicationType.NONE)
			.run("--spring.datasource.generate-unique-name=true", "--spring.liquibase.enabled=false",
					"--spring.flyway.enabled=false", "--ids.strategy=sequential")) {
			context.getBean(JdbcTemplate.class).execute("create table NOTE (ID bigint primary key)");
			JdbcAggregateTemplate template = context.getBean(JdbcAggregateTemplate.class);
			assertThat(template.save(new Note(null))).isEqualTo(new Note(1L));
			assertThat(template.findAll(Note.class)).containsExactly(new Note(1L));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class DataJdbc extends AbstractJdbcConfiguration {

	}

	record Note(@Id @GeneratedId Long id) {

	}

}
