package dev.idspring.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which DataSource contains the tables of the id store.
 */
class IdsJdbcDataSourceTests extends AbstractIdsJdbcTests {

	@Test
	void usesTheIdsDataSourceForTables() {
		this.contextRunner.withUserConfiguration(SeparateIdsDataSource.class).run((context) -> {
			context.getBean(IdGenerator.class).nextLong();
			JdbcTemplate idsJdbc = new JdbcTemplate(context.getBean("idsDataSource", DataSource.class));
			assertThat(idsJdbc.queryForObject("select count(*) from " + TABLE, Integer.class)).isOne();
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("select count(*) from information_schema.tables where table_name = 'IDS_KEY_SPACE'",
						Integer.class))
				.isZero();
		});
	}

	/**
	 * In an application with R2DBC, Spring Boot creates no DataSource.
	 */
	@Test
	void idsDataSourceThatIsNotADefaultCandidateIsSufficient() {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class));
		runner.withUserConfiguration(SeparateIdsDataSource.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JdbcKeySpaceStore.class)
				.hasSingleBean(JdbcSchemaInitializer.class)
				.doesNotHaveBean(JdbcTemplate.class)
				.doesNotHaveBean(PlatformTransactionManager.class));
		runner.withUserConfiguration(HiddenDataSource.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("there is neither a single DataSource bean"));
	}

	@Test
	void dataSourceMarkedByAQualifierOfItsDefinitionIsSufficient() {
		onlyIdsConfigurations().withInitializer((context) -> ((GenericApplicationContext) context).registerBean("own",
				DataSource.class, () -> h2("own"), (definition) -> {
					((AbstractBeanDefinition) definition).setDefaultCandidate(false);
					((AbstractBeanDefinition) definition)
						.addQualifier(new AutowireCandidateQualifier(IdsDataSource.class));
				}))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JdbcKeySpaceStore.class));
	}

	@Test
	void dataSourceRegisteredAsASingletonIsSufficient() {
		onlyIdsConfigurations()
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("own", h2("singleton")))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JdbcKeySpaceStore.class));
	}

	@Test
	void dataSourceOfTheParentContextIsSufficient() {
		new ApplicationContextRunner().withBean(DataSource.class, () -> h2("parent"))
			.run((parent) -> onlyIdsConfigurations().withParent(parent)
				.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JdbcKeySpaceStore.class)));
	}

	@Test
	void dataSourceThatIsNoAutowireCandidateIsNotSufficient() {
		onlyIdsConfigurations()
			.withBean("own", DataSource.class, () -> h2("no-candidate"),
					(definition) -> definition.setAutowireCandidate(false))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("there is neither a single DataSource bean"));
	}

	@Test
	void markedDataSourceThatIsNoAutowireCandidateIsRejected() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner, onlyIdsConfigurations())) {
			runner.withUserConfiguration(MarkedDataSourceWithoutInjection.class)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(IdSetupException.class)
					.hasMessageContaining("'ids' is marked with @IdsDataSource, but cannot be injected")
					.hasMessageContaining("@Bean(defaultCandidate = false)"));
		}
	}

	private static ApplicationContextRunner onlyIdsConfigurations() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class));
	}

	@Test
	void severalDataSourcesRequireIdsDataSource() {
		this.contextRunner.withUserConfiguration(TwoDataSources.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("@IdsDataSource"));
	}

	/**
	 * A DataSource that is not meant for ids.
	 */
	@Configuration(proxyBeanMethods = false)
	static class HiddenDataSource {

		@Bean(defaultCandidate = false)
		DataSource other() {
			return h2("other");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedDataSourceWithoutInjection {

		@Bean(autowireCandidate = false)
		@IdsDataSource
		DataSource ids() {
			return h2("not-injected");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource one() {
			return h2("one");
		}

		@Bean
		DataSource two() {
			return h2("two");
		}

	}

}
