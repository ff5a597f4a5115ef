package dev.idspring.autoconfigure;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.CompositePrefix;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.StartupFailures.Application;
import dev.idspring.autoconfigure.StartupFailures.Setup;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static dev.idspring.autoconfigure.StartupFailures.assertAnalysis;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupFails;
import static dev.idspring.autoconfigure.StartupFailures.description;
import static dev.idspring.autoconfigure.StartupFailures.failure;
import static dev.idspring.autoconfigure.StartupFailures.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests the failure analysis if beans do not fit: a DataSource or its driver is missing,
 * the DataSource is unsuitable, several beans are candidates, or a bean draws a gapless
 * number at startup.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnsuitableBeansTests {

	@TempDir
	private Path directory;

	@Test
	void idsDataSourceWithoutAUrlIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				IdsDataSourceWithoutUrl.class);
		assertAnalysis(output, "This is the database of the DataSource that is marked with @IdsDataSource.",
				"the properties of that DataSource: for HikariCP, these are jdbc-url, username and password.");
	}

	@Test
	void severalIdsDataSourcesAreReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				SeveralIdsDataSources.class);
		assertAnalysis(output, "Several DataSource beans are marked with @IdsDataSource: [one, other].",
				"Mark only the one for the id store.");
	}

	@Test
	void severalCompositePrefixBeansAreReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "composite").write(this.directory), TestDatabase.h2(),
				SeveralPrefixes.class);
		assertAnalysis(output, "There are several CompositePrefix beans and none of them is primary: [region, tenant].",
				"Mark one of them with @Primary.");
	}

	@Test
	void gaplessNumberDrawnAtStartupIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "gapless").write(this.directory), TestDatabase.h2(),
				DrawingAtStartup.class);
		assertAnalysis(output, "Id generator 'default': No number can be drawn",
				"Draw the number in a transaction that is not read-only");
	}

	@Test
	void missingDataSourceIsReported(CapturedOutput output) throws Exception {
		Setup failure = failure("there is neither a single DataSource bean nor a single KeySpaceStore bean",
				"Add spring-boot-starter-jdbc and a database driver and set spring.datasource.url")
			.withReported("ids.store", "jdbc");
		Path file = failure.write(this.directory);
		assertStartupFails(file, TestDatabase.h2(), WithoutDataSource.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		assertThat(description(output)).contains(failure.reported().get(0).expectedText(file, failure.settings()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "--ids.store=memory",
			"--ids.store=none --ids.strategy=snowflake --ids.node.source=fixed --ids.node.id=3" })
	void missingDriverIsReportedAsUnnecessaryWhenIdsNeedNoDatabase(String arguments, CapturedOutput output) {
		assertStartupFailsWithoutDrivers(Application.class, arguments);
		assertAnalysis(output, "Ids do not need a DataSource, because ids.store is " + arguments.split("[= ]")[1],
				"set spring.autoconfigure.exclude to " + DataSourceAutoConfiguration.class.getName());
	}

	@Test
	void missingDriverIsReportedAsUnnecessaryWhenTheStoreIsRedis(CapturedOutput output) {
		assertStartupFailsWithoutDrivers(ReplacedStore.class, "--ids.store=redis");
		assertAnalysis(output, "Failed to determine a suitable driver class",
				"exclude org.springframework.boot:spring-boot-starter-jdbc from the dependency on the starter of"
						+ " dev.idspring in pom.xml or build.gradle");
		assertThat(description(output)).contains("Ids do not need a DataSource, because ids.store is redis");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--ids.store=jdbc", "--ids.store=file" })
	void missingDriverIsNotReportedAsUnnecessaryForJdbcOrAnUnknownStore(String arguments, CapturedOutput output) {
		assertStartupFailsWithoutDrivers(Application.class, arguments);
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("Ids do not need a DataSource");
	}

	private static void assertStartupFailsWithoutDrivers(Class<?> configuration, String arguments) {
		ClassLoader withoutDrivers = new FilteredClassLoader("org.h2", "org.hsqldb", "org.apache.derby");
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(withoutDrivers), configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments.split(" ")).close());
	}

	@Test
	void routingDataSourceWithoutADefaultTargetIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				RoutingWithoutTarget.class);
		assertAnalysis(output,
				"the routing DataSource found no target: Cannot determine target DataSource for lookup key [null]",
				"Declare a DataSource for the tables of the id store, and mark it with @IdsDataSource.");
	}

	@Test
	void severalDataSourcesAreReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				SeveralDataSources.class);
		assertAnalysis(output, "There are several DataSource beans and none of them is primary: [one, other].",
				"Mark the one for the id store with @IdsDataSource, or mark one of them with @Primary");
	}

	@Test
	void unknownDatabaseIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.jdbc.initialize-schema", "never").write(this.directory),
				TestDatabase.h2(), UnknownDatabase.class);
		assertAnalysis(output, "The database 'Foobase' is not known to the id store",
				"set ids.jdbc.platform to one of");
	}

	/**
	 * Replaces the Redis store, as if a server were available.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ReplacedStore extends Application {

		@Bean
		InMemoryKeySpaceStore keySpaceStore() {
			return new InMemoryKeySpaceStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class WithoutDataSource {

	}

	/**
	 * Routes by tenant, but there is no current tenant at startup.
	 */
	@Configuration(proxyBeanMethods = false)
	static class RoutingWithoutTarget extends Application {

		@Bean
		DataSource routing() {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected @Nullable Object determineCurrentLookupKey() {
					return null;
				}

			};
			routing.setTargetDataSources(Map.of("t1", TestDatabase.h2().pool(1)));
			return routing;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralDataSources extends Application {

		@Bean
		DataSource one() {
			return TestDatabase.h2().pool(1);
		}

		@Bean
		DataSource other() {
			return TestDatabase.h2().pool(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class IdsDataSourceWithoutUrl extends Application {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		HikariDataSource forIds() {
			return new HikariDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralIdsDataSources extends Application {

		@Bean
		@IdsDataSource
		DataSource one() {
			return TestDatabase.h2().pool(1);
		}

		@Bean
		@IdsDataSource
		DataSource other() {
			return TestDatabase.h2().pool(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralPrefixes extends Application {

		@Bean
		CompositePrefix region() {
			return (generator) -> 1;
		}

		@Bean
		CompositePrefix tenant() {
			return (generator) -> 2;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DrawingAtStartup extends Application {

		@Bean
		InitializingBean drawing(IdGenerator numbers) {
			return numbers::nextLong;
		}

	}

	/**
	 * A database whose product name is unknown.
	 */
	@Configuration(proxyBeanMethods = false)
	static class UnknownDatabase extends Application {

		@Bean
		@Primary
		DataSource renamed() {
			return new DelegatingDataSource(
					new SimpleDriverDataSource(new org.h2.Driver(), TestDatabase.h2().url(), "sa", "")) {

				@Override
				public Connection getConnection() throws SQLException {
					Connection connection = super.getConnection();
					return proxy(Connection.class, connection, "getMetaData", proxy(DatabaseMetaData.class,
							connection.getMetaData(), "getDatabaseProductName", "Foobase"));
				}

			};
		}

		private static <T> T proxy(Class<T> type, T target, String method, Object answer) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, called,
					arguments) -> called.getName().equals(method) ? answer : called.invoke(target, arguments)));
		}

	}

}
