package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.monitor.ManagedIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests gapless numbers if the id store uses a different database from the rows.
 */
class IdsJdbcGaplessTests extends AbstractIdsJdbcTests {

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
		this.contextRunner.withUserConfiguration(SeparateIdsDataSource.class)
			.withPropertyValues("ids.generators.invoices.strategy=gapless",
					"spring.datasource.url=jdbc:h2:mem:gapless" + System.nanoTime() + ";INIT=" + sql)
			.run((context) -> assertThat(Stream.iterate(context.getStartupFailure(), Throwable::getCause)
				.filter(IdSetupException.class::isInstance)
				.findFirst()).hasValueSatisfying((failure) -> assertThat(failure).hasMessageContaining(remedy)));
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

}
