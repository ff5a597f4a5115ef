package dev.idspring.autoconfigure;

import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests which beans {@link IdsJdbcAutoConfiguration} creates, which settings it accepts,
 * what it logs, and what closing the context releases.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdsJdbcAutoConfigurationTests extends AbstractIdsJdbcTests {

	@Test
	void embeddedDatabaseWorksWithoutAnyProperty() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(JdbcKeySpaceStore.class).hasSingleBean(JdbcSchemaInitializer.class);
			assertThat(context.getBean(IdGenerator.class).nextStrings(2)).containsExactly("000000", "zcDK0x");
			assertThat(nextOrdinal(context, TABLE)).isEqualTo(1_000);
		});
	}

	@Test
	void emptyPropertiesAreTreatedAsUnset() {
		this.contextRunner
			.withPropertyValues("ids.jdbc.platform=", "ids.jdbc.schema=", "ids.key-space=", "ids.verify-column=",
					"ids.generators.orders.key-space=", "ids.generators.orders.verify-column= ")
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
				assertThat(context.getBean(IdGenerators.class).get("orders").nextString()).isEqualTo("000000");
				assertThat(context.getBean(JdbcTemplate.class)
					.queryForList("select name from ids_key_space", String.class))
					.containsExactlyInAnyOrder("default", "orders");
			});
	}

	@Test
	void invalidStrategyLeavesNoDedicatedPoolBehind() {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("ids.strategy=coprim", "spring.datasource.hikari.pool-name=abandoned")
			.run((context) -> {
				for (int attempt = 0; attempt < 2; attempt++) {
					assertThatException().isThrownBy(() -> context.getBean(JdbcDatabase.class))
						.withStackTraceContaining("coprim");
				}
				// a thread of a closed pool may end a little later
				Awaitility.await()
					.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
						.contains("abandoned:housekeeper")
						.doesNotContain("abandoned-ids:housekeeper"));
			});
	}

	@Test
	void logsEachGeneratorOnce(CapturedOutput output) {
		this.contextRunner.withPropertyValues("ids.generators.orders.coprime.preset=park-miller").run((context) -> {
			context.getBean(IdGenerator.class).nextLong();
			assertThat(output)
				.containsOnlyOnce(
						"Id generator 'default': coprime, base62, 6 characters; 56,800,235,584 of 56,800,235,584 keys"
								+ " left in key space 'default'; store jdbc (H2)")
				.containsOnlyOnce("Id generator 'orders': park-miller; 2,147,483,646 of 2,147,483,646 keys left"
						+ " in key space 'orders'; store jdbc (H2)");
		});
	}

	@Test
	void warnsOnceAboutANewCoprimeKeySpaceWithFewKeys(CapturedOutput output) {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
				"spring.datasource.url=jdbc:h2:mem:few-keys;DB_CLOSE_DELAY=-1", "ids.coprime.length=2",
				"ids.generators.counted.strategy=sequential", "ids.generators.counted.sequential.end=99",
				"ids.generators.longer.coprime.length=3");
		for (int start = 0; start < 2; start++) {
			runner.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLong()).isNotNegative());
		}
		assertThat(output).containsOnlyOnce("has only ")
			.contains("WARN")
			.contains("'default' has only 3,844 keys in its new key space 'default'", "ids.coprime.max-length");
	}

	@Test
	void createsNoBeansWhenDisabled() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(KeySpaceStore.class)
				.doesNotHaveBean(JdbcSchemaInitializer.class)
				.doesNotHaveBean(JdbcStoreConnector.class)
				.doesNotHaveBean(IdGenerator.class));
	}

	@Test
	void createsNoJdbcBeansForAnotherStore() {
		this.contextRunner.withPropertyValues("ids.store=memory")
			.run((context) -> assertThat(context).hasSingleBean(InMemoryKeySpaceStore.class)
				.doesNotHaveBean(JdbcSchemaInitializer.class));
		this.contextRunner.withBean(KeySpaceStore.class, InMemoryKeySpaceStore::new)
			.run((context) -> assertThat(context).hasSingleBean(KeySpaceStore.class)
				.doesNotHaveBean(JdbcSchemaInitializer.class)
				.doesNotHaveBean(JdbcKeySpaceStore.class));
	}

	@Test
	void changedDefinitionMakesStartupFailWithARemedy() {
		String url = "spring.datasource.url=jdbc:h2:mem:changed;DB_CLOSE_DELAY=-1";
		this.contextRunner.withPropertyValues(url).run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withPropertyValues(url, "ids.coprime.length=7").run((context) -> {
			assertThat(context).hasFailed().getFailure().rootCause().isInstanceOf(KeySpaceMismatchException.class);
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("length=6").contains("length=7");
			assertThat(analysis.getAction()).contains("ids.key-space");
		});
	}

	@Test
	void unknownPlatformMakesStartupFail() {
		this.contextRunner
			.withPropertyValues("ids.jdbc.platform=foobase",
					"ids.jdbc.schema=classpath:dev/idspring/jdbc/schema-h2.sql")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(InvalidSettingException.class)
				.hasMessageContaining("platform is 'foobase'")
				.hasMessageContaining("postgresql"));
	}

	@Test
	void closingGivesBackReservedIdsAndClosesTheConnection() {
		String url = "spring.datasource.url=jdbc:h2:mem:closing;DB_CLOSE_DELAY=-1";
		HikariDataSource[] pool = new HikariDataSource[1];
		this.contextRunner.withPropertyValues(url).run((context) -> {
			pool[0] = (HikariDataSource) context.getBean(DataSource.class);
			context.getBean(IdGenerator.class).nextLongs(7);
		});
		this.contextRunner.withPropertyValues(url)
			.run((context) -> assertThat(context.getBean(IdGenerator.class)
				.describe(context.getBean(IdGenerator.class).nextLong())
				.ordinal()).isEqualTo(7));
		// Hikari closes connections on a background thread
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.contains(pool[0].getPoolName())));
	}

	@Test
	void twoContextsInOneJvmIssueDistinctIds() {
		ApplicationContextRunner same = this.contextRunner
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:two;DB_CLOSE_DELAY=-1");
		same.run((first) -> same.run((second) -> {
			CompletableFuture<long[]> some = CompletableFuture
				.supplyAsync(() -> first.getBean(IdGenerator.class).nextLongs(5_000));
			long[] others = second.getBean(IdGenerator.class).nextLongs(5_000);
			assertThat(some.join()).doesNotContain(others);
		}));
	}

}
