package dev.idspring.autoconfigure.persistence;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.annotation.aot.Item;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Test;
import org.springframework.aot.AotDetector;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes an application with entities ahead of time and runs the generated code.
 */
@CompileWithForkedClassLoader
class GeneratedIdAotTests {

	private static final TestPropertyValues PROPERTIES = TestPropertyValues.of(
			"spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create-drop",
			"ids.strategy=sequential", "ids.generators.items.sequential.start=1000",
			"ids.generators.codes.sequential.start=2000");

	@Test
	@SuppressWarnings("unchecked")
	void entitiesGetIds() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializer = process(generation);
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			System.setProperty(AotDetector.AOT_ENABLED, "true");
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				PROPERTIES.applyTo((ConfigurableApplicationContext) context);
				compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()).initialize(context);
				context.refresh();
				Item item = new Item();
				context.getBean(EntityManagerFactory.class)
					.runInTransaction((entityManager) -> entityManager.persist(item));
				assertThat(item.getId()).isEqualTo(1000);
				assertThat(item.getCode()).isEqualTo("2000");
			}
			finally {
				System.clearProperty(AotDetector.AOT_ENABLED);
			}
		});
	}

	private static ClassName process(TestGenerationContext generation) {
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		PROPERTIES.applyTo(source);
		source.register(Application.class);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		return initializer;
	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Item.class)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class })
	static class Application {

	}

}
