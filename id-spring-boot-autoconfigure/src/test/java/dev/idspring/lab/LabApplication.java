package dev.idspring.lab;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcSlotStore;
import dev.idspring.jdbc.TestStores;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * An application with generators of all strategies. Tests can set its clock and the clock
 * of its database to a wrong time.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
		JdbcTemplateAutoConfiguration.class, IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
class LabApplication {

	/** One fewer than the number of threads that need a connection. */
	private static final int CONNECTIONS = 3;

	/** The timeout after which applications give up on a network that loses data. */
	static final int TIMEOUT_MILLIS = 2_000;

	/** The maximum number of attempts to start an application. */
	private static final int MAX_STARTS = 20;

	/**
	 * Start an application, and retry a failed startup as a process supervisor would. On
	 * a busy machine a log-in may take longer than the timeout.
	 * @param directory the directory of the file that sets the database clock, and of the
	 * recorded store events
	 */
	static ConfigurableApplicationContext start(TestDatabase database, Path directory, String instance, LabClock clock,
			Class<?>... additional) {
		for (int i = 1;; i++) {
			try {
				return startOnce(database, directory, instance, clock, additional);
			}
			catch (RuntimeException ex) {
				if (i == MAX_STARTS) {
					throw ex;
				}
			}
		}
	}

	private static ConfigurableApplicationContext startOnce(TestDatabase database, Path directory, String instance,
			LabClock clock, Class<?>... additional) {
		return new SpringApplicationBuilder(LabApplication.class).sources(additional)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.initializers((context) -> {
				context.getBeanFactory().registerSingleton("labDatabase", database);
				context.getBeanFactory().registerSingleton("labClock", clock);
				RecordedStores stores = new RecordedStores(directory, instance, clock);
				context.getBeanFactory().registerSingleton("recordedStores", stores);
				context.getBeanFactory().addBeanPostProcessor(stores);
			})
			.run(Stream.concat(Stream.of("spring.main.banner-mode=off"), LabGenerator.allProperties())
				.map((property) -> "--" + property)
				.toArray(String[]::new));
	}

	@Bean
	@Primary
	TimeoutDataSource applicationDataSource(TestDatabase database) {
		return new TimeoutDataSource(database);
	}

	@Bean
	JdbcSlotStore labSlotStore(JdbcDatabase database, LabClock clock) {
		return TestStores.slots(database, clock::databaseMillis);
	}

	/**
	 * The application's pool. It limits how long the application's own statements and
	 * log-ins may take. The starter instead copies a pool without limits for its
	 * connection, so the starter must set the limits itself.
	 */
	static final class TimeoutDataSource extends DelegatingDataSource implements AutoCloseable {

		private final HikariDataSource pool;

		private final HikariDataSource poolWithoutLimits;

		TimeoutDataSource(TestDatabase database) {
			this.pool = database.pool(CONNECTIONS);
			this.pool.setConnectionTimeout(TIMEOUT_MILLIS);
			if (database.platform().equals("postgresql")) {
				this.pool.addDataSourceProperty("loginTimeout", Integer.toString(TIMEOUT_MILLIS / 1_000));
				// how many seconds the driver waits for the network when it cancels a
				// statement
				this.pool.addDataSourceProperty("cancelSignalTimeout", "1");
				// by default, the lab's server acknowledges commits before they are on
				// disk; the starter overrides this default for its own connection, and
				// this option overrides it for the application's connections
				this.pool.addDataSourceProperty("options", "-c synchronous_commit=on");
			}
			this.poolWithoutLimits = database.pool(CONNECTIONS);
			this.poolWithoutLimits.setDriverClassName(UnknownCommitCounter.class.getName());
			setTargetDataSource(this.pool);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			try {
				connection.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
				return connection;
			}
			catch (SQLException ex) {
				connection.close();
				throw ex;
			}
		}

		@Override
		public <T> T unwrap(Class<T> type) {
			return type.cast(this.poolWithoutLimits);
		}

		@Override
		public void close() {
			this.pool.close();
			this.poolWithoutLimits.close();
		}

	}

}
