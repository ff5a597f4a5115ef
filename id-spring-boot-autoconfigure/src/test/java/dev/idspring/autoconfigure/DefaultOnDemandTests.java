package dev.idspring.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.autoconfigure.metrics.IdsMetricsAutoConfiguration;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.testsupport.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests that the default generator is opened on first use if the application has other
 * generators.
 */
class DefaultOnDemandTests {

	private final TestDatabase database = TestDatabase.h2();

	private ApplicationContextRunner runner(Class<?>... configurations) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, MetricsAutoConfiguration.class,
					IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsEndpointAutoConfiguration.class,
					IdsHealthContributorAutoConfiguration.class, IdsMetricsAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.withUserConfiguration(configurations)
			.withPropertyValues("spring.datasource.url=" + this.database.url(), "spring.datasource.username=sa",
					"management.endpoints.web.exposure.include=ids", "ids.generators.orders.strategy=sequential");
	}

	private static List<String> keySpaces(ApplicationContext context) {
		return new JdbcTemplate(context.getBean(DataSource.class))
			.queryForList("select name from ids_key_space order by name", String.class);
	}

	private static Health health(ApplicationContext context) {
		CompositeHealthContributor ids = context.getBean("idsHealthContributor", CompositeHealthContributor.class);
		return ((HealthIndicator) ids.getContributor("default")).health();
	}

	private static boolean hasMeters(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.find("ids.issued")
			.tags("generator", "default", "strategy", "coprime")
			.meter() != null;
	}

	@Test
	void monitoringNeitherOpensTheDefaultGeneratorNorReservesIds() {
		runner().run((context) -> {
			IdGenerators generators = context.getBean(IdGenerators.class);
			assertThat(generators.names()).containsExactly("default", "orders");
			assertThat(generators).extracting(IdGenerator::name).containsExactly("orders");
			IdsEndpoint endpoint = context.getBean(IdsEndpoint.class);
			assertThat(endpoint.ids().generators().keySet()).containsExactly("default", "orders");
			assertThat(endpoint.ids().generators().get("default")).hasFieldOrPropertyWithValue("status", "UNUSED")
				.hasFieldOrPropertyWithValue("strategy", "coprime")
				.isEqualTo(endpoint.generator("default"));
			assertThat(endpoint.id("default", "000000")).isNull();
			assertThat(endpoint.ids("000000")).isNotNull();
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).containsEntry("generator", "UNUSED");
			assertThat(hasMeters(context)).isFalse();
			assertThat(keySpaces(context)).containsExactly("orders");
		});
	}

	@Test
	void firstUseOpensTheDefaultGeneratorAndMonitoringShowsIt() {
		runner().run((context) -> {
			IdGenerator defaultGenerator = context.getBean(IdGenerators.class).get("Default");
			assertThat(defaultGenerator.nextString()).hasSize(6);
			assertThat(context.getBean(IdGenerator.class)).isSameAs(defaultGenerator);
			assertThat(context.getBean(IdGenerators.class)).extracting(IdGenerator::name)
				.containsExactly("default", "orders");
			assertThat(context.getBean(IdsEndpoint.class).generator("default")).hasFieldOrPropertyWithValue("status",
					"UP");
			assertThat(context.getBean(IdsEndpoint.class).id("default", defaultGenerator.nextString())).isNotNull();
			assertThat(health(context).getDetails()).containsKey("remaining");
			assertThat(context.getBean(MeterRegistry.class)
				.get("ids.issued")
				.tag("generator", "default")
				.functionCounter()
				.count()).isEqualTo(2);
			assertThat(keySpaces(context)).containsExactly("default", "orders");
		});
	}

	@Test
	void providerOpensTheDefaultGeneratorOnGetObject() {
		runner(InjectedProvider.class).run((context) -> {
			assertThat(keySpaces(context)).containsExactly("orders");
			assertThat(context.getBean(InjectedProvider.class).ids.getObject().name()).isEqualTo("default");
			assertThat(keySpaces(context)).containsExactly("default", "orders");
		});
	}

	@Test
	void injectionOpensTheDefaultGeneratorAtStartup() {
		runner(InjectedGenerator.class)
			.run((context) -> assertThat(keySpaces(context)).containsExactly("default", "orders"));
		runner(InjectedGenerator.class).withPropertyValues("ids.text.length=1", "ids.strategy=snowflake")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void defaultGeneratorIsOpenedAtStartupIfItIsTheOnlyOne() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + this.database.url(), "spring.datasource.username=sa")
			.run((context) -> assertThat(keySpaces(context)).containsExactly("default"));
	}

	/**
	 * The reservation must persist even though the caller's transaction is read-only and
	 * is rolled back.
	 */
	@Test
	void opensOutsideTheTransactionOfTheCaller() {
		runner().run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			transaction.setReadOnly(true);
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
			long first = transaction.execute((status) -> {
				status.setRollbackOnly();
				jdbc.queryForList("select * from ids_key_space");
				return context.getBean(IdGenerators.class).get("default").nextLong();
			});
			assertThat(keySpaces(context)).contains("default");
			assertThat(context.getBean(IdGenerator.class).nextLong()).isNotEqualTo(first);
		});
	}

	@Test
	void invalidSettingMakesEveryUseFail() {
		runner().withPropertyValues("ids.strategy=snowflake", "ids.snowflake.node-bits=30").run((context) -> {
			assertThat(context).hasNotFailed();
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(IdSetupException.class)
					.isThrownBy(() -> context.getBean(IdGenerators.class).get("default"))
					.withMessageContaining("ids.snowflake.node-bits");
			}
			assertThat(context.getBean(IdsEndpoint.class).generator("default")).hasFieldOrPropertyWithValue("status",
					"UNUSED");
		});
	}

	@Test
	void endpointShowsTheCanonicalNameOfTheStrategy() {
		runner().withPropertyValues("ids.strategy=DECIMAL_UID")
			.run((context) -> assertThat(context.getBean(IdsEndpoint.class).generator("default"))
				.hasFieldOrPropertyWithValue("strategy", "decimal-uid"));
	}

	@Test
	void firstUseFailsWhenACustomizerChoosesAKeySpaceThatIsAlreadyInUse() {
		runner(OwnKeySpace.class).withPropertyValues("ids.generators.orders.key-space=own")
			.run((context) -> assertThatExceptionOfType(IdSetupException.class)
				.isThrownBy(() -> context.getBean(IdGenerators.class).get("default"))
				.withMessageContaining("Two id generators use the key space 'own'"));
	}

	@Test
	void generatorBeanOfTheApplicationReplacesTheDefaultGenerator() {
		runner(ReplacedDefaultGenerator.class).run((context) -> assertThat(context.getBean(IdGenerators.class).names())
			.containsExactlyInAnyOrder("own", "orders"));
	}

	@Test
	void beanCanUseTheOpenedGeneratorDuringShutdown() {
		runner(LastSave.class).run((context) -> {
			LastSave save = context.getBean(LastSave.class);
			IdGenerator defaultGenerator = context.getBean(IdGenerator.class);
			assertThat(context.getBean(IdGenerators.class)).contains(defaultGenerator);
			context.close();
			assertThat(save.lastId).isNotNegative();
			assertThat(save.generators.get("default")).isSameAs(defaultGenerator);
		});
	}

	@Test
	void failsToOpenOnceTheApplicationCloses() {
		runner().run((context) -> {
			IdGenerators generators = context.getBean(IdGenerators.class);
			context.close();
			assertThatIllegalStateException().isThrownBy(() -> generators.get("default"))
				.withMessageContaining("closed");
		});
	}

	@Test
	void firstUseDuringShutdownFailsAndSuggestsARemedy() {
		runner(FirstUseDuringShutdown.class).run((context) -> {
			FirstUseDuringShutdown bean = context.getBean(FirstUseDuringShutdown.class);
			context.close();
			assertThat(bean.failure).isExactlyInstanceOf(IllegalStateException.class)
				.hasMessageContaining("Id generator 'default'")
				.hasMessageContaining("Inject the generator into the bean");
		});
	}

	@Test
	void childContextUsesTheGeneratorOfItsParent() {
		runner().run((parent) -> {
			try (GenericApplicationContext child = new GenericApplicationContext(parent)) {
				child.refresh();
				DefaultIdGenerators generators = DefaultIdGenerators.of(child);
				assertThat(generators.names()).containsExactly("default", "orders");
				assertThat(keySpaces(parent)).containsExactly("orders");
				assertThatNoException().isThrownBy(() -> generators.get("default").nextLong());
				assertThat(generators.get("default")).isSameAs(parent.getBean(IdGenerator.class));
			}
		});
	}

	static class OwnKeySpace implements IdGeneratorBuilderCustomizer<IdGeneratorBuilder<?>> {

		@Override
		public void customize(IdGeneratorBuilder<?> builder) {
			if (builder.name().equals("default")) {
				builder.keySpaceName("own");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReplacedDefaultGenerator {

		@Bean
		@Lazy
		IdGenerator idGenerator() {
			IdGenerator replacement = mock(IdGenerator.class);
			given(replacement.name()).willReturn("own");
			return replacement;
		}

	}

	static class LastSave implements DisposableBean {

		final IdGenerators generators;

		long lastId = -1;

		LastSave(IdGenerators generators) {
			this.generators = generators;
		}

		@Override
		public void destroy() {
			this.lastId = this.generators.get("default").nextLong();
		}

	}

	static class FirstUseDuringShutdown implements DisposableBean {

		final IdGenerators generators;

		@Nullable RuntimeException failure;

		FirstUseDuringShutdown(IdGenerators generators) {
			this.generators = generators;
		}

		@Override
		public void destroy() {
			try {
				this.generators.get("default");
			}
			catch (RuntimeException ex) {
				this.failure = ex;
			}
		}

	}

	static class InjectedProvider {

		final ObjectProvider<IdGenerator> ids;

		InjectedProvider(ObjectProvider<IdGenerator> ids) {
			this.ids = ids;
		}

	}

	static class InjectedGenerator {

		InjectedGenerator(IdGenerator ids) {
			ids.nextLong();
		}

	}

}
