package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import org.h2.jdbcx.JdbcDataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link IdsJdbcAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdsJdbcAutoConfigurationTests {

	private static final String TABLE = "ids_key_space";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

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
	void failedOpeningOfTheDatabaseLeavesNoPoolBehind() {
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
	void usesTheIdsDataSourceForTables() {
		this.contextRunner.withUserConfiguration(OwnDataSource.class).run((context) -> {
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
		runner.withUserConfiguration(OwnDataSource.class)
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

	@Test
	void callerHoldingTheOnlyConnectionDoesNotDeadlock() {
		this.contextRunner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1").run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			List<Long> ids = transaction.execute((status) -> {
				jdbc.queryForObject("select 1", Integer.class);
				return IntStream.range(0, 5_000)
					.mapToObj((i) -> context.getBean(IdGenerator.class).nextLong())
					.toList();
			});
			assertThat(ids).doesNotHaveDuplicates();
			context.getBean(IdGenerator.class).nextLongs(20_000);
		});
	}

	@Test
	void rollbackDoesNotGiveBackIds() {
		this.contextRunner.run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			IdGenerator ids = context.getBean(IdGenerator.class);
			long[] first = transaction.execute((status) -> {
				status.setRollbackOnly();
				return ids.nextLongs(3_000);
			});
			assertThat(ids.nextLongs(3_000)).doesNotContain(first);
		});
	}

	@Test
	void reservationDoesNotCommitTheTransactionOfTheCaller() {
		this.contextRunner.withUserConfiguration(TransactionAwareDataSource.class).run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			jdbc.execute("create table work (id bigint primary key)");
			transaction.executeWithoutResult((status) -> {
				jdbc.update("insert into work values (1)");
				context.getBean(IdGenerator.class).nextLongs(10_000);
				status.setRollbackOnly();
			});
			assertThat(jdbc.queryForObject("select count(*) from work", Integer.class)).isZero();
			assertThat(nextOrdinal(context, TABLE)).isGreaterThanOrEqualTo(10_000);
		});
	}

	@Test
	void worksWithLazyConnections() {
		this.contextRunner.withUserConfiguration(LazyConnections.class)
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextLongs(3_000)).doesNotHaveDuplicates());
	}

	@Test
	void gaplessNumbersStartAtOneInEachDatabaseOfARoutingDataSource() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		this.contextRunner.withBean("tenant", ThreadLocal.class, () -> tenant)
			.withUserConfiguration(RoutingTenants.class)
			.withPropertyValues("ids.generators.invoices.strategy=gapless", "ids.generators.documents.strategy=gapless",
					"ids.generators.documents.scoped=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				ManagedIdGenerator invoices = context.getBean("invoicesIdGenerator", ManagedIdGenerator.class);
				ScopedIdGenerator documents = context.getBean(ScopedIdGenerator.class);
				for (String target : List.of("t1", "t2", "schema of t2")) {
					tenant.set(target);
					assertThat(transaction.<Long>execute((status) -> invoices.nextLong())).isEqualTo(1);
					transaction.executeWithoutResult((status) -> {
						assertThat(invoices.nextLong()).isEqualTo(2);
						assertThat(documents.in("acme").nextLong()).isEqualTo(1);
						status.setRollbackOnly();
					});
					assertThat(transaction.<Long>execute((status) -> invoices.nextLong())).isEqualTo(2);
					assertThat(transaction.<Long>execute((status) -> documents.in("acme").nextLong())).isEqualTo(1);
				}
				assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
				// monitoring runs without a tenant
				tenant.remove();
				invoices.refresh(Duration.ofSeconds(30)).join();
				assertThat(invoices.snapshot().storeFailure()).isNull();
				assertThatException().isThrownBy(() -> transaction.execute((status) -> invoices.nextLong()));
			});
	}

	@Test
	void gaplessNumbersStartAtOneInEachDatabaseDespiteADefaultTarget() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		this.contextRunner.withBean("tenant", ThreadLocal.class, () -> tenant)
			.withUserConfiguration(RoutingTenants.class)
			.withPropertyValues("default-tenant=true", "ids.generators.invoices.strategy=gapless")
			.run((context) -> {
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				ManagedIdGenerator invoices = context.getBean("invoicesIdGenerator", ManagedIdGenerator.class);
				for (String target : List.of("t1", "t2", "schema of t2")) {
					tenant.set(target);
					assertThat(transaction.<Long>execute((status) -> invoices.nextLong())).isEqualTo(1);
					assertThat(transaction.<Long>execute((status) -> invoices.nextLong())).isEqualTo(2);
				}
				// monitoring runs without a tenant, on the default target
				tenant.remove();
				invoices.refresh(Duration.ofSeconds(30)).join();
				assertThat(invoices.snapshot().storeFailure()).isNull();
				assertThat(transaction.<Long>execute((status) -> invoices.nextLong())).isEqualTo(3);
			});
	}

	@ParameterizedTest
	@CsvSource({ "create table ids_gapless (name varchar(9)),add the missing columns",
			"create table other (name varchar(9)),create it in the database of the application's transactions" })
	void remedyForTheGaplessTableOfAnotherDatabaseFitsItsProblem(String sql, String remedy) {
		this.contextRunner.withUserConfiguration(OwnDataSource.class)
			.withPropertyValues("ids.generators.invoices.strategy=gapless",
					"spring.datasource.url=jdbc:h2:mem:gapless" + System.nanoTime() + ";INIT=" + sql)
			.run((context) -> assertThat(Stream.iterate(context.getStartupFailure(), Throwable::getCause)
				.filter(IdSetupException.class::isInstance)
				.findFirst()).hasValueSatisfying((failure) -> assertThat(failure).hasMessageContaining(remedy)));
	}

	@Test
	void createsTheTablesThroughAReadOnlyPool() {
		this.contextRunner
			.withPropertyValues("spring.datasource.url=jdbc:hsqldb:mem:read-only" + System.nanoTime(),
					"spring.datasource.hikari.read-only=true", "ids.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000"));
	}

	@Test
	void idsAreReservedOnTheWriterWhenReadOnlyTransactionsAreRoutedToAReplica() {
		this.contextRunner.withUserConfiguration(ReadWriteRouting.class).run((context) -> {
			TransactionTemplate readOnly = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
			readOnly.setReadOnly(true);
			long[] ids = readOnly.execute((status) -> context.getBean(IdGenerator.class).nextLongs(3_000));
			assertThat(ids).doesNotHaveDuplicates();
		});
	}

	@Test
	void creatingAGeneratorDoesNotAffectTheOpenTransaction() {
		this.contextRunner
			.withPropertyValues("spring.main.lazy-initialization=true", "spring.datasource.hikari.maximum-pool-size=1")
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor((beanFactory) -> Arrays.stream(beanFactory.getBeanDefinitionNames())
					.map(beanFactory::getBeanDefinition)
					.forEach((definition) -> definition.setLazyInit(true))))
			.run((context) -> {
				JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
				jdbc.execute("create table work (id bigint primary key)");
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				transaction.executeWithoutResult((status) -> {
					jdbc.update("insert into work values (1)");
					assertThat(context.getBean(IdGenerator.class).nextLong()).isZero();
					status.setRollbackOnly();
				});
				assertThat(jdbc.queryForObject("select count(*) from work", Integer.class)).isZero();
			});
	}

	@Test
	void connectionIsSharedWhenEachConnectionHasItsOwnDatabase(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:", "spring.datasource.hikari.maximum-pool-size=1",
					"spring.datasource.generate-unique-name=false")
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextLongs(3_000)).doesNotHaveDuplicates();
				assertThat(output).contains("does not see the same database");
			});
	}

	@Test
	void connectionIsSharedWhenThePoolIsNotHikari(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(UnpooledDataSource.class).run((context) -> {
			assertThat(context.getBean(IdGenerator.class).nextLongs(3_000)).doesNotHaveDuplicates();
			assertThat(output).contains("not a HikariCP pool");
		});
	}

	@Test
	void sharedConnectionOpensNoPoolForIds() {
		this.contextRunner
			.withPropertyValues("ids.jdbc.connection=shared", "spring.datasource.hikari.pool-name=sharing")
			.run((context) -> {
				context.getBean(IdGenerator.class).nextLong();
				assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
					.contains("sharing:housekeeper")
					.doesNotContain("sharing-ids:housekeeper");
			});
	}

	@Test
	void returnsSharedConnectionsInTheirOriginalState() {
		this.contextRunner
			.withPropertyValues("ids.jdbc.connection=shared", "spring.datasource.hikari.maximum-pool-size=1",
					"spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE")
			.run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(3_000);
				try (Connection connection = context.getBean(DataSource.class).getConnection()) {
					assertThat(connection.getAutoCommit()).isTrue();
					assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
				}
			});
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

	private static Long nextOrdinal(AssertableApplicationContext context, String table) {
		return context.getBean(JdbcTemplate.class)
			.queryForObject("select next_ordinal from " + table + " where name = 'default'", Long.class);
	}

	private static HikariDataSource h2(String name) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl("jdbc:h2:mem:" + name + "-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
		return dataSource;
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDataSource {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		DataSource idsDataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:mem:own" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
			return dataSource;
		}

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

	@Configuration(proxyBeanMethods = false)
	static class TransactionAwareDataSource {

		@Bean
		HikariDataSource target() {
			return h2("aware");
		}

		@Bean
		@Primary
		DataSource dataSource(HikariDataSource target) {
			return new TransactionAwareDataSourceProxy(target);
		}

		@Bean
		PlatformTransactionManager transactionManager(HikariDataSource target) {
			return new DataSourceTransactionManager(target);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConnections {

		@Bean
		DataSource dataSource() {
			return new LazyConnectionDataSourceProxy(h2("lazy"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnpooledDataSource {

		@Bean
		DataSource dataSource() {
			return new DriverManagerDataSource("jdbc:h2:mem:nopool" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
		}

	}

	/**
	 * A database or a schema for each tenant, and one database for ids.
	 */
	@Configuration(proxyBeanMethods = false)
	static class RoutingTenants {

		@Bean
		DataSource dataSource(ThreadLocal<String> tenant, Environment environment) {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected @Nullable Object determineCurrentLookupKey() {
					return tenant.get();
				}

			};
			HikariDataSource second = h2("t2");
			HikariDataSource schema = new HikariDataSource();
			schema.setJdbcUrl(second.getJdbcUrl());
			schema.setConnectionInitSql("create schema if not exists other; set schema other");
			DataSource first = withTables(h2("t1"));
			if (environment.containsProperty("default-tenant")) {
				routing.setDefaultTargetDataSource(first);
			}
			routing.setTargetDataSources(
					Map.of("t1", first, "t2", withTables(second), "schema of t2", withTables(schema)));
			return routing;
		}

		private static DataSource withTables(DataSource dataSource) {
			new JdbcSchema(dataSource, "ids_").create();
			return dataSource;
		}

		@Bean(defaultCandidate = false)
		@IdsDataSource
		DataSource idsDataSource() {
			return h2("ids");
		}

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadWriteRouting {

		@Bean
		DataSource dataSource() {
			HikariDataSource writer = h2("writer");
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return TransactionSynchronizationManager.isCurrentTransactionReadOnly() ? "reader" : "writer";
				}

			};
			routing.setTargetDataSources(Map.of("writer", writer, "reader", new UnusableReplica()));
			return routing;
		}

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(new LazyConnectionDataSourceProxy(dataSource));
		}

	}

	/**
	 * A replica that must not be used.
	 */
	private static final class UnusableReplica extends DriverManagerDataSource {

		@Override
		public Connection getConnection() throws SQLException {
			throw new SQLException("the replica was used");
		}

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
