package dev.idspring.autoconfigure;

import dev.idspring.IdGenerator;
import dev.idspring.redis.RedisDatabase;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Bean;

import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link IdsRedisAutoConfiguration} without a Redis server. The tests of module
 * {@code redis-tests} use a real server.
 */
class IdsRedisAutoConfigurationTests {

	/** A port on which no server listens. */
	private static final int CLOSED_PORT = 1;

	private static final int ANOTHER_CLOSED_PORT = 2;

	private static final String URL_PROPERTY = "spring.data.redis.url=redis://user:s3cret@localhost:1";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
				IdsRedisAutoConfiguration.class, IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=redis", "ids.block.wait-timeout=2s",
				"spring.datasource.generate-unique-name=true");

	@Test
	void missingModuleIsReported() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(RedisDatabase.class))
			.run((context) -> assertAnalysis(context,
					"ids.store is redis, but the module id-redis is not on the class path.",
					"Add the dependency dev.idspring:id-redis"));
	}

	@Test
	void missingLettuceIsReported() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(LettuceConnectionFactory.class))
			.run((context) -> assertAnalysis(context, "or Lettuce or Spring Data Redis is missing from the class path.",
					"Do not exclude io.lettuce:lettuce-core"));
	}

	@Test
	void missingConnectionFactoryIsReported() {
		this.contextRunner.run(
				(context) -> assertAnalysis(context, "ids.store is redis, but there is no RedisConnectionFactory bean.",
						"Add spring-boot-starter-data-redis and set spring.data.redis.host"));
	}

	@Test
	void clientOtherThanLettuceIsRejected() {
		this.contextRunner.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
			.run((context) -> assertAnalysis(context, "the RedisConnectionFactory bean is a ",
					"Set spring.data.redis.client-type to lettuce"));
	}

	@Test
	void severalConnectionFactoriesWithoutAPrimaryOrAnnotatedOneAreRejected() {
		this.contextRunner.withUserConfiguration(SeveralFactories.class)
			.run((context) -> assertAnalysis(context,
					"Several RedisConnectionFactory beans exist, and none of them is primary: [one, other].",
					"Add @IdsRedisConnectionFactory to the one"));
	}

	@Test
	void configuredListOfReplicasIsRejected() {
		this.contextRunner.withUserConfiguration(Factory.class)
			.withPropertyValues("spring.data.redis.masterreplica.nodes[0]=localhost:1")
			.run((context) -> assertAnalysis(context, "spring.data.redis.masterreplica.nodes is set",
					"Set spring.data.redis.sentinel.*"));
	}

	@Test
	void severalAnnotatedConnectionFactoriesAreRejected() {
		this.contextRunner.withUserConfiguration(SeveralMarkedFactories.class)
			.run((context) -> assertAnalysis(context,
					"Several RedisConnectionFactory beans are marked with @IdsRedisConnectionFactory: [one, other].",
					"Mark only the one"));
	}

	@Test
	void adviceNamesTheKeysAsTheyAreOnTheServer() {
		assertThat(StoreType.REDIS.advice()).contains("the keys {<ids.redis.key-prefix>}:*");
	}

	@Test
	void unreachableServerIsReportedWithoutItsPassword() {
		// the store retries until the timeout ends; a busy machine needs some seconds to
		// detect the failure
		this.contextRunner.withUserConfiguration(Factory.class)
			.withPropertyValues(URL_PROPERTY, "ids.block.wait-timeout=10s")
			.run((context) -> {
				FailureAnalysis analysis = analysis(context);
				assertThat(analysis.getDescription())
					.contains("cannot connect to localhost:1: the server refuses the connection",
							"Property: spring.data.redis.url")
					.doesNotContain("s3cret");
				assertThat(analysis.getAction()).contains("Start the server, or correct its host and port.", "--debug");
			});
	}

	@Test
	void failureMentionsTheAnnotatedConnectionFactory() {
		this.contextRunner.withUserConfiguration(MarkedFactory.class).run((context) -> {
			FailureAnalysis analysis = analysis(context);
			assertThat(analysis.getDescription()).contains("marked with @IdsRedisConnectionFactory")
				.doesNotContain("spring.data.redis");
		});
	}

	@ParameterizedTest
	@CsvSource({ "local=2,ids.redis.local", "failover-margin=-1,ids.redis.failover-margin",
			"failover-lag=1ms,ids.redis.failover-lag", "replicas=-1,ids.redis.replicas",
			"key-prefix={ids},ids.redis.key-prefix" })
	void invalidSettingIsReportedAsAProperty(String setting, String property) {
		this.contextRunner.withUserConfiguration(Factory.class)
			.withPropertyValues("ids.redis." + setting)
			.run((context) -> assertAnalysis(context, property + " is ", "Correct the value."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.store=jdbc", "ids.store=memory", "ids.enabled=false" })
	void backsOffForOtherStoresAndWhenDisabled(String property) {
		this.contextRunner.withUserConfiguration(Factory.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RedisStoreConnector.class)
				.doesNotHaveBean(RedisDatabase.class));
	}

	@Test
	void backsOffForAUserDefinedStore() {
		this.contextRunner.withBean(KeySpaceStore.class, InMemoryKeySpaceStore::new).run((context) -> {
			assertThat(context).hasSingleBean(KeySpaceStore.class)
				.doesNotHaveBean(RedisStoreConnector.class)
				.doesNotHaveBean(JdbcStoreConnector.class);
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "REDIS", "Redis" })
	void anySpellingOfTheStoreIsAccepted(String spelling) {
		this.contextRunner.withPropertyValues("ids.store=" + spelling)
			.run((context) -> assertThat(analysis(context).getDescription()).contains("ids.store is redis, but"));
	}

	@Test
	void settingsThatNeedADatabaseAreRejected() {
		ApplicationContextRunner withStore = this.contextRunner.withBean(KeySpaceStore.class,
				InMemoryKeySpaceStore::new);
		withStore.withPropertyValues("ids.strategy=gapless")
			.run((context) -> assertAnalysis(context,
					"ids.strategy is gapless, but there is no database whose transactions could draw numbers",
					"or use another strategy"));
		withStore
			.withPropertyValues("ids.generators.invoices.strategy=gapless", "ids.generators.invoices.scoped=true",
					"ids.generators.invoices.text.pattern=INV-{scope}-{n}")
			.run((context) -> assertAnalysis(context,
					"ids.generators.invoices.strategy is gapless, but there is no database",
					"or use another strategy"));
		withStore.withPropertyValues("ids.verify-column=orders.id")
			.run((context) -> assertAnalysis(context, "the key spaces are in another store.",
					"Remove the property, or set ids.store to jdbc."));
	}

	private static void assertAnalysis(AssertableApplicationContext context, String problem, String remedy) {
		FailureAnalysis analysis = analysis(context);
		assertThat(analysis.getDescription()).contains(problem);
		assertThat(analysis.getAction()).contains(remedy);
	}

	private static FailureAnalysis analysis(AssertableApplicationContext context) {
		assertThat(context).hasFailed();
		StandardEnvironment environment = new StandardEnvironment();
		TestPropertyValues.of("ids.store=redis", URL_PROPERTY).applyTo(environment);
		return new IdSetupFailureAnalyzer(environment).analyze(context.getStartupFailure());
	}

	@Configuration(proxyBeanMethods = false)
	static class Factory {

		@Bean
		LettuceConnectionFactory redisConnectionFactory() {
			return new LettuceConnectionFactory("localhost", CLOSED_PORT);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedFactory extends Factory {

		@Bean(defaultCandidate = false)
		@IdsRedisConnectionFactory
		LettuceConnectionFactory idsConnectionFactory() {
			return new LettuceConnectionFactory("localhost", ANOTHER_CLOSED_PORT);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralFactories {

		@Bean
		LettuceConnectionFactory one() {
			return new LettuceConnectionFactory("localhost", CLOSED_PORT);
		}

		@Bean
		LettuceConnectionFactory other() {
			return new LettuceConnectionFactory("localhost", CLOSED_PORT);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralMarkedFactories {

		@Bean
		@IdsRedisConnectionFactory
		LettuceConnectionFactory one() {
			return new LettuceConnectionFactory("localhost", CLOSED_PORT);
		}

		@Bean
		@IdsRedisConnectionFactory
		LettuceConnectionFactory other() {
			return new LettuceConnectionFactory("localhost", CLOSED_PORT);
		}

	}

}
