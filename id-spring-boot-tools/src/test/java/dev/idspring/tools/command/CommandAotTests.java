package dev.idspring.tools.command;

import javax.sql.DataSource;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsDataSource;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.testsupport.TestDatabase;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.AotDetector;
import org.springframework.aot.test.generate.TestGenerationContext;
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
import org.springframework.core.env.Environment;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs commands of the starter with an application that was processed ahead of time.
 */
@CompileWithForkedClassLoader
class CommandAotTests {

	@Test
	@Tag("wide")
	void commandsUseTheStoreWithoutInitializingTheSchema() {
		String url = TestDatabase.h2().url();
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		TestPropertyValues.of("url=" + url, "ids.jdbc.initialize-schema=always").applyTo(source);
		source.register(Application.class);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			System.setProperty(AotDetector.AOT_ENABLED, "true");
			try {
				assertThat(run(compiled, initializer, url, new SchemaCommand()).text()).contains("do not exist yet");
				assertThat(run(compiled, initializer, url, new SchemaCommand(), "ids.schema.confirm=true").fields())
					.containsEntry("created", true);
				assertThat(run(compiled, initializer, url, new SkipAheadCommand(), "ids.skip-ahead.key-space=a",
						"ids.skip-ahead.by=1")
					.text()).contains("There is no key space 'a'");
			}
			finally {
				System.clearProperty(AotDetector.AOT_ENABLED);
			}
		});
	}

	@SuppressWarnings("unchecked")
	private static CommandReport run(Compiled compiled, ClassName initializer, String url, IdsCommand command,
			String... properties) {
		GenericApplicationContext application = new GenericApplicationContext();
		TestPropertyValues.of(properties)
			.and("url=" + url, "ids.jdbc.initialize-schema=always")
			.applyTo((ConfigurableApplicationContext) application);
		compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()).initialize(application);
		try (application) {
			return command.run(new CommandContext(application));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class })
	static class Application {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		DataSource idsDataSource(Environment environment) {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setUrl(environment.getRequiredProperty("url"));
			return dataSource;
		}

	}

}
