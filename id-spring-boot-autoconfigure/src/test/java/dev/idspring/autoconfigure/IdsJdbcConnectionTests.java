package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
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

/**
 * Tests the connections that reserve ids: callers' transactions do not affect them, and
 * are not affected by them, and a connection is shared with the application only if it
 * must be or a setting requires it.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdsJdbcConnectionTests extends AbstractIdsJdbcTests {

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

}
