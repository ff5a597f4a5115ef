package dev.idspring.neighbours.jta;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdGenerator;
import dev.idspring.testsupport.TestDatabase;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.persistence.EntityManager;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests gapless numbers in JTA transactions, with Narayana and Agroal DataSources, on H2.
 */
class JtaTests {

	@BeforeAll
	static void storeTransactionsInATemporaryDirectory(@TempDir Path directory) {
		for (String store : new String[] { null, "communicationStore", "stateStore" }) {
			BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
				.setObjectStoreDir(directory.toString());
		}
	}

	@Test
	void numberAndRowAreCommittedAndRolledBackTogether() {
		try (ConfigurableApplicationContext context = start(Participants.class)) {
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			JdbcTemplate otherJdbc = new JdbcTemplate(context.getBean("other", DataSource.class));
			jdbc.execute("create table bill (number bigint)");
			otherJdbc.execute("create table bill (number bigint)");
			IdGenerator ids = context.getBean("receiptsIdGenerator", IdGenerator.class);
			EntityManager entities = context.getBean(EntityManager.class);
			for (boolean rollback : new boolean[] { true, false }) {
				context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
					jdbc.update("insert into bill values (?)", ids.nextLong());
					otherJdbc.update("insert into bill values (?)", ids.nextLong());
					// the row of this entity is inserted only during the commit
					entities.persist(new Receipt());
					if (rollback) {
						status.setRollbackOnly();
					}
				});
			}
			assertThat(jdbc.queryForList("select number from bill", Long.class)).containsExactly(1L);
			assertThat(otherJdbc.queryForList("select number from bill", Long.class)).containsExactly(2L);
			assertThat(jdbc.queryForList("select number from receipt", Long.class)).containsExactly(3L);
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(ids::nextLong)
				.withMessageContaining("there is no transaction");
		}
	}

	@Test
	void dataSourceOutsideTheJtaTransactionIsRejected() {
		for (Class<?> pool : List.of(NonParticipant.class, NonParticipantWithoutAutoCommit.class)) {
			try (ConfigurableApplicationContext context = start(pool)) {
				IdGenerator ids = context.getBean("receiptsIdGenerator", IdGenerator.class);
				TransactionTemplate transaction = new TransactionTemplate(context.getBean(JtaTransactionManager.class));
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> transaction.executeWithoutResult((status) -> ids.nextLong()))
					.withMessageContaining(
							"JTA transaction manager 'transactionManager', and the DataSource of the sequence does not");
			}
		}
	}

	private static ConfigurableApplicationContext start(Class<?> dataSources) {
		return new SpringApplicationBuilder(Application.class, dataSources).web(WebApplicationType.NONE)
			.properties("ids.jdbc.initialize-schema=always", "ids.strategy=sequential",
					"ids.generators.receipts.strategy=gapless", "spring.jpa.hibernate.ddl-auto=create",
					"spring.batch.job.enabled=false", "spring.batch.jdbc.initialize-schema=never")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		JtaTransactionManager transactionManager() {
			UserTransaction user = com.arjuna.ats.jta.UserTransaction.userTransaction();
			TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
			return new JtaTransactionManager(user, manager);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Receipt.class)
	static class Participants {

		@Bean
		@Primary
		AgroalDataSource dataSource() throws SQLException {
			return participant();
		}

		@Bean
		AgroalDataSource other() throws SQLException {
			return participant();
		}

		private static AgroalDataSource participant() throws SQLException {
			String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
			return AgroalDataSource
				.from(new AgroalDataSourceConfigurationSupplier().connectionPoolConfiguration((pool) -> pool.maxSize(5)
					.acquisitionTimeout(Duration.ofSeconds(30))
					.transactionIntegration(new NarayanaTransactionIntegration(
							com.arjuna.ats.jta.TransactionManager.transactionManager(),
							new com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple()))
					.connectionFactoryConfiguration(
							(connections) -> connections.connectionProviderClass(JdbcDataSource.class)
								.jdbcUrl(url)
								.xaProperty("url", url))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NonParticipant {

		@Bean
		HikariDataSource dataSource() {
			return TestDatabase.h2().pool(5);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NonParticipantWithoutAutoCommit {

		@Bean
		HikariDataSource dataSource() {
			HikariDataSource dataSource = TestDatabase.h2().pool(5);
			dataSource.setAutoCommit(false);
			return dataSource;
		}

	}

}
