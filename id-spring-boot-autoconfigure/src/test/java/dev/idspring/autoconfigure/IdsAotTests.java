package dev.idspring.autoconfigure;

import java.util.function.Consumer;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.AotDetector;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.javapoet.ClassName;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Processes applications ahead of time and runs the generated code.
 */
@CompileWithForkedClassLoader
class IdsAotTests {

	private static final TestPropertyValues DATABASE = TestPropertyValues
		.of("spring.datasource.generate-unique-name=true");

	private static final TestPropertyValues MEMORY = DATABASE.and("ids.store=memory");

	private static final TestPropertyValues ALL_STRATEGIES = DATABASE.and("ids.generators.orders.coprime.length=8",
			"ids.generators.line-items.coprime.preset=park-miller", "ids.generators.customers.strategy=sequential",
			"ids.generators.rows.strategy=recycled", "ids.generators.invoices.strategy=gapless",
			"ids.generators.events.strategy=snowflake", "ids.generators.transfers.strategy=decimal-uid",
			"ids.generators.documents.strategy=composite");

	private static final String[] NAMES = { "default", "orders", "line-items", "customers", "rows", "invoices",
			"events", "transfers", "documents" };

	@Test
	void processedApplicationWithADatabaseReadsItsSettingsAtStartup() {
		TestPropertyValues changedSettings = DATABASE.and("ids.block.size=1001",
				"ids.generators.orders.strategy=snowflake", "ids.generators.orders.snowflake.format=base32",
				"ids.generators.later.strategy=sequential");
		process(InjectingApplication.class, ALL_STRATEGIES.and("ids.block.size=10"), (processed) -> {
			processed.run(ALL_STRATEGIES, IdsAotTests::assertAllStrategiesIssueIds);
			processed.run(changedSettings, IdsAotTests::assertSettingsAreReadAtStartupButNamesAreFixed);
			processed.assertStartupFails(DATABASE.and("ids.store=memory"),
					"ids.store is memory, but was jdbc when the application was processed");
			processed.assertStartupFails(DATABASE.and("ids.store=none"), "ids.store is none, but was jdbc when");
		});
	}

	@Test
	@Tag("wide")
	void processedApplicationWithAMemoryStoreRejectsAnotherStore() {
		process(DataApplication.class, MEMORY, (processed) -> {
			processed.run(MEMORY, (context) -> {
				assertThat(context.getBean(InMemoryKeySpaceStore.class)).isNotNull();
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
				assertEntitiesGetIds(context);
			});
			processed.assertStartupFails(DATABASE,
					"ids.store is jdbc, but was memory when the application was processed");
		});
	}

	@Test
	@Tag("wide")
	void processedApplicationWithARedisStoreRejectsAnotherStore() {
		TestPropertyValues redis = DATABASE.and("ids.store=redis");
		process(DataApplication.class, redis, (processed) -> {
			processed.assertStartupFails(redis, "ids.store is redis, but there is no RedisConnectionFactory bean.");
			processed.assertStartupFails(DATABASE,
					"ids.store is jdbc, but was redis when the application was processed");
		});
	}

	private static void assertAllStrategiesIssueIds(ConfigurableApplicationContext context) {
		assertThat(context.getBean("names")).isEqualTo("default orders orders line-items");
		IdGenerators generators = context.getBean(IdGenerators.class);
		assertThat(generators.names()).containsExactly(NAMES);
		assertThat(generators.get("default").nextString()).isEqualTo("000000");
		assertThat(generators.get("orders").nextString()).isEqualTo("00000000");
		assertThat(generators.get("line-items").nextString()).isEqualTo("16807");
		assertThat(generators.get("customers").nextLong()).isEqualTo(1);
		assertThat(generators.get("rows").nextLong()).isEqualTo(1);
		TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		assertThat(transaction.<Long>execute((status) -> generators.get("invoices").nextLong())).isEqualTo(1);
		for (String name : new String[] { "events", "transfers", "documents" }) {
			IdGenerator ids = generators.get(name);
			long first = ids.nextLong();
			assertThat(ids.describe(first).node()).as(name).isZero();
			assertThat(ids.nextLong()).as(name).isNotEqualTo(first);
		}
	}

	private static void assertSettingsAreReadAtStartupButNamesAreFixed(ConfigurableApplicationContext context) {
		IdGenerators generators = context.getBean(IdGenerators.class);
		assertThat(generators.names()).containsExactly(NAMES);
		assertThat(generators.get("orders").nextString()).as("another strategy").hasSize(13);
		assertThat(generators.get("customers").nextString()).as("inherited settings").isEqualTo("000000");
		ManagedIdGenerator customers = (ManagedIdGenerator) generators.get("customers");
		assertThat(customers.snapshot().keySpace().reserved().longValue()).as("whole blocks")
			.isPositive()
			.matches((reserved) -> reserved % 1_001 == 0);
		assertThatIllegalArgumentException().isThrownBy(() -> generators.get("later"))
			.withMessageContaining("customers");
	}

	private static void assertEntitiesGetIds(ConfigurableApplicationContext context) {
		// templates register the entity in the mapping context before they call callbacks
		context.getBeansOfType(RelationalMappingContext.class)
			.values()
			.forEach((mapping) -> mapping.getRequiredPersistentEntity(DataApplication.Order.class));
		DataApplication.Order order = new DataApplication.Order(null);
		assertThat(EntityCallbacks.create(context).callback(BeforeConvertCallback.class, order).id()).isNotNull();
		assertThat(ReactiveEntityCallbacks.create(context)
			.callback(org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback.class, order,
					SqlIdentifier.unquoted("order"))
			.block()
			.id()).isNotNull();
	}

	/**
	 * Process an application ahead of time. This takes seconds, so a test processes its
	 * application only once.
	 */
	private static void process(Class<?> application, TestPropertyValues buildProperties, Consumer<Processed> test) {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		buildProperties.applyTo(source);
		source.register(application);
		System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
		ClassName initializer;
		try {
			initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		}
		finally {
			System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
		}
		generation.writeGeneratedContent();
		TestCompiler.forSystem()
			.with(generation)
			.compile((compiled) -> test.accept(new Processed(compiled, initializer.toString())));
	}

	private record Processed(Compiled compiled, String initializer) {

		@SuppressWarnings("unchecked")
		void run(TestPropertyValues properties, Consumer<ConfigurableApplicationContext> test) {
			System.setProperty(AotDetector.AOT_ENABLED, "true");
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				assertThat(AotDetector.useGeneratedArtifacts()).isTrue();
				properties.applyTo((ConfigurableApplicationContext) context);
				this.compiled.getInstance(ApplicationContextInitializer.class, this.initializer).initialize(context);
				context.refresh();
				test.accept(context);
				IdGenerator ids = context.getBean(IdGenerator.class);
				context.close();
				assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessageContaining("is closed");
			}
			finally {
				System.clearProperty(AotDetector.AOT_ENABLED);
			}
		}

		void assertStartupFails(TestPropertyValues properties, String message) {
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> run(properties, (context) -> {
			})).havingRootCause().isInstanceOf(IdSetupException.class).withMessageContaining(message);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsRedisAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ IdsDataJdbcAutoConfiguration.class, IdsDataR2dbcAutoConfiguration.class,
			IdsHibernateAutoConfiguration.class })
	static class DataApplication extends Application {

		@Bean
		JdbcMappingContext jdbcMappingContext() {
			return new JdbcMappingContext();
		}

		@Bean
		R2dbcMappingContext r2dbcMappingContext() {
			return new R2dbcMappingContext();
		}

		record Order(@Id @GeneratedId Long id) {

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InjectingApplication extends Application {

		@Bean
		@Lazy
		String names(IdGenerator ids, @Qualifier("orders") IdGenerator qualified, IdGenerator ordersIdGenerator,
				@Qualifier("line-items") IdGenerator items) {
			return String.join(" ", ids.name(), qualified.name(), ordersIdGenerator.name(), items.name());
		}

	}

}
