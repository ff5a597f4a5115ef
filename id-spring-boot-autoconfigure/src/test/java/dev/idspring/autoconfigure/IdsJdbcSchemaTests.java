package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.List;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.JdbcSchema;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the names of the tables, and that the tables are created after migrations and
 * before the beans that use them.
 */
class IdsJdbcSchemaTests extends AbstractIdsJdbcTests {

	@Test
	void missingTableMakesStartupFailWithARemedy() {
		this.contextRunner.withPropertyValues("ids.jdbc.initialize-schema=never").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains(TABLE);
			assertThat(analysis.getAction()).contains("ids.jdbc.initialize-schema=always").contains("schema-h2.sql");
		});
	}

	@Test
	void tablePrefixIsUsedForScriptAndStatements() {
		this.contextRunner.withPropertyValues("ids.jdbc.table-prefix=my_").run((context) -> {
			context.getBean(IdGenerator.class).nextLong();
			assertThat(nextOrdinal(context, "my_key_space")).isEqualTo(1_000);
		});
	}

	@Test
	void invalidTablePrefixIsRejected() {
		this.contextRunner.withPropertyValues("ids.jdbc.table-prefix=ids_; drop table x; --")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(InvalidSettingException.class)
				.hasMessageContaining("tablePrefix is 'ids_; drop"));
	}

	@Test
	void createsTheTablesThroughAReadOnlyPool() {
		this.contextRunner
			.withPropertyValues("spring.datasource.url=jdbc:hsqldb:mem:read-only" + System.nanoTime(),
					"spring.datasource.hikari.read-only=true", "ids.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000"));
	}

	@Test
	void beansThatUseTheDatabaseDependOnTheSchemaInitializer() {
		this.contextRunner
			.run((context) -> assertThat(dependsOn(context, "jdbcTemplate")).contains("idsSchemaInitializer"));
		this.contextRunner
			.run((context) -> assertThat(dependsOn(context, "jdbcKeySpaceStore")).contains("idsSchemaInitializer"));
	}

	@Test
	void schemaInitializerRunsAfterFlyway() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
			.withPropertyValues("spring.flyway.locations=classpath:dev/idspring/autoconfigure/flyway")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(dependsOn(context, "idsSchemaInitializer")).contains("flywayInitializer");
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			});
	}

	/**
	 * No bean of the application uses a generator, because such a bean would determine
	 * the order of initialization.
	 */
	@Test
	void generatorsStartAfterTheApplicationCreatesTheTables() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("ids.jdbc.initialize-schema=never", "spring.sql.init.mode=always",
					"spring.sql.init.schema-locations=classpath:dev/idspring/jdbc/schema-h2.sql")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			});
		this.contextRunner.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
			.withPropertyValues("ids.jdbc.initialize-schema=never",
					"spring.flyway.locations=classpath:dev/idspring/autoconfigure/flyway-ids")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			});
	}

	@Test
	void schemaInitializerRunsAfterLiquibase() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
			.withPropertyValues(
					"spring.liquibase.change-log=classpath:dev/idspring/autoconfigure/liquibase/changelog.xml")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(dependsOn(context, "idsSchemaInitializer")).contains("liquibase");
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			});
	}

	@Test
	void userDefinedInitializerIsUsed() {
		this.contextRunner.withUserConfiguration(OwnInitializer.class)
			.run((context) -> assertThat(context).hasSingleBean(JdbcSchemaInitializer.class)
				.doesNotHaveBean("idsSchemaInitializer"));
	}

	private static List<String> dependsOn(AssertableApplicationContext context, String bean) {
		BeanDefinition definition = context.getSourceApplicationContext().getBeanFactory().getBeanDefinition(bean);
		return (definition.getDependsOn() != null) ? Arrays.asList(definition.getDependsOn()) : List.of();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInitializer {

		@Bean
		JdbcSchemaInitializer mySchemaInitializer(DataSource dataSource) {
			return new JdbcSchemaInitializer(dataSource, "ids_", JdbcSchemaInitializer.settings(dataSource,
					DatabaseInitializationMode.ALWAYS, JdbcSchema.DEFAULT_SCRIPT, null));
		}

	}

}
