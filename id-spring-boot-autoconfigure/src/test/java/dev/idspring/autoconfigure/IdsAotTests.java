package dev.idspring.autoconfigure;

import java.util.function.Consumer;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.block.InMemoryKeySpaceStore;
import dev.idspring.data.GeneratedId;
import dev.idspring.data.GeneratedIdCallback;
import dev.idspring.data.ReactiveGeneratedIdCallback;
import dev.idspring.monitor.ManagedIdGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
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
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.javapoet.ClassName;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Processes an application ahead of time, and runs what comes out.
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

	@Test
	void generatorsOfAllStrategiesHandOutIds() {
		processAndRun(InjectingApplication.class, ALL_STRATEGIES, ALL_STRATEGIES, (context) -> {
			assertThat(context.getBean("names")).isEqualTo("default orders orders line-items");
			IdGenerators generators = context.getBean(IdGenerators.class);
			assertThat(generators.names()).containsExactly("default", "orders", "line-items", "customers", "rows",
					"invoices", "events", "transfers", "documents");
			assertThat(generators.get("default").nextString()).isEqualTo("000000");
			assertThat(generators.get("orders").nextString()).isEqualTo("00000000");
			assertThat(generators.get("line-items").nextString()).isEqualTo("16807");
			assertThat(generators.get("customers").nextLong()).isEqualTo(1);
			assertThat(generators.get("rows").nextLong()).isEqualTo(1);
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			assertThat(transaction.<Long>execute((status) -> generators.get("invoices").nextLong())).isEqualTo(1);
			for (String name : new String[] { "events", "transfers", "documents" }) {
				IdGenerator ids = generators.get(name);
				long first = ids.nextLong();
				assertThat(ids.describe(first).node()).as(name).isZero();
				assertThat(ids.nextLong()).as(name).isNotEqualTo(first);
			}
		});
	}

	@Test
	void settingsAreReadAtStartAndNamesAreNot() {
		TestPropertyValues build = DATABASE.and("ids.block.size=10", "ids.generators.orders.coprime.length=8",
				"ids.generators.tickets.strategy=sequential");
		TestPropertyValues run = DATABASE.and("ids.block.size=1001", "ids.generators.orders.strategy=snowflake",
				"ids.generators.orders.snowflake.format=base32", "ids.generators.later.strategy=sequential");
		processAndRun(Application.class, build, run, (context) -> {
			IdGenerators generators = context.getBean(IdGenerators.class);
			assertThat(generators.names()).containsExactly("default", "orders", "tickets");
			assertThat(generators.get("orders").nextString()).as("another strategy").hasSize(13);
			assertThat(generators.get("tickets").nextString()).as("what is inherited").isEqualTo("000000");
			ManagedIdGenerator tickets = (ManagedIdGenerator) generators.get("tickets");
			assertThat(tickets.snapshot().keySpace().reserved().longValue()).as("whole blocks")
				.isPositive()
				.matches((reserved) -> reserved % 1_001 == 0);
			assertThatIllegalArgumentException().isThrownBy(() -> generators.get("later"))
				.withMessageContaining("tickets");
		});
	}

	@Test
	void storeInMemoryIsRefusedWhereADatabaseIsConfigured() {
		assertRefused(MEMORY, DATABASE, "ids.store is jdbc, but was memory when the application was processed");
	}

	@Test
	void databaseIsRefusedWhereAStoreInMemoryIsConfigured() {
		assertRefused(DATABASE, MEMORY, "ids.store is memory, but was jdbc when the application was processed");
	}

	@Test
	void databaseIsRefusedWhereNoStoreIsConfigured() {
		assertRefused(DATABASE, DATABASE.and("ids.store=none"), "ids.store is none, but was jdbc when");
	}

	@Test
	void storeInMemoryIsUsedWhereTheBuildHasIt() {
		processAndRun(Application.class, MEMORY, MEMORY, (context) -> {
			assertThat(context.getBean(InMemoryKeySpaceStore.class)).isNotNull();
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
		});
	}

	@Test
	void entitiesGetIds() {
		processAndRun(DataApplication.class, MEMORY, MEMORY, (context) -> {
			assertThat(context.getBean(GeneratedIdCallback.class).onBeforeConvert(new DataApplication.Order(null)))
				.extracting("id")
				.isNotNull();
			assertThat(Mono
				.from(context.getBean(ReactiveGeneratedIdCallback.class)
					.onBeforeConvert(new DataApplication.Order(null), SqlIdentifier.unquoted("order")))
				.block()).extracting("id").isNotNull();
		});
	}

	private static void assertRefused(TestPropertyValues build, TestPropertyValues run, String message) {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> processAndRun(Application.class, build, run, (context) -> {
			}))
			.havingRootCause()
			.isInstanceOf(IdSetupException.class)
			.withMessageContaining(message);
	}

	@SuppressWarnings("unchecked")
	private static void processAndRun(Class<?> application, TestPropertyValues build, TestPropertyValues run,
			Consumer<ConfigurableApplicationContext> test) {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		build.applyTo(source);
		source.register(application);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			System.setProperty(AotDetector.AOT_ENABLED, "true");
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				assertThat(AotDetector.useGeneratedArtifacts()).isTrue();
				run.applyTo((ConfigurableApplicationContext) context);
				compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()).initialize(context);
				context.refresh();
				test.accept(context);
			}
			finally {
				System.clearProperty(AotDetector.AOT_ENABLED);
			}
		});
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ IdsDataJdbcAutoConfiguration.class, IdsDataR2dbcAutoConfiguration.class })
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
		String names(IdGenerator ids, @Qualifier("orders") IdGenerator qualified, IdGenerator ordersIdGenerator,
				@Qualifier("line-items") IdGenerator items) {
			return String.join(" ", ids.name(), qualified.name(), ordersIdGenerator.name(), items.name());
		}

	}

}
