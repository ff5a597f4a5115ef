package dev.idspring.autoconfigure;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes an application ahead of time, and runs what comes out.
 */
@CompileWithForkedClassLoader
class IdsAotTests {

	private static final TestPropertyValues PROPERTIES = TestPropertyValues.of(
			"spring.datasource.generate-unique-name=true", "ids.generators.orders.coprime.length=8",
			"ids.generators.line-items.coprime.preset=park-miller", "ids.generators.events.strategy=snowflake");

	@Test
	@SuppressWarnings("unchecked")
	void generatorsWorkWhenProcessedAheadOfTime() {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		PROPERTIES.applyTo(source);
		source.register(Application.class);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			GenericApplicationContext context = new GenericApplicationContext();
			PROPERTIES.applyTo((ConfigurableApplicationContext) context);
			compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()).initialize(context);
			context.refresh();
			try (context) {
				assertThat(context.getBean("names")).isEqualTo("default orders orders line-items");
				IdGenerators generators = context.getBean(IdGenerators.class);
				assertThat(generators.names()).containsExactly("default", "orders", "line-items", "events");
				assertThat(generators.get("default").nextString()).isEqualTo("000000");
				assertThat(generators.get("line-items").nextString()).isEqualTo("16807");
				IdGenerator events = generators.get("events");
				assertThat(events.describe(events.nextLong()).node()).isZero();
			}
		});
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class })
	static class Application {

		@Bean
		String names(IdGenerator ids, @Qualifier("orders") IdGenerator qualified, IdGenerator ordersIdGenerator,
				@Qualifier("line-items") IdGenerator items) {
			return String.join(" ", ids.name(), qualified.name(), ordersIdGenerator.name(), items.name());
		}

	}

}
