package dev.idspring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the network timeout that a reservation sets.
 */
class NetworkTimeoutTests {

	private final List<Integer> networkTimeouts = new ArrayList<>();

	/**
	 * If the timeout expired while a driver was switching to another server, the driver
	 * would avoid that server for a minute, although it is healthy.
	 */
	@ParameterizedTest
	@CsvSource({ "'',6000", "sequential,30000", "loadbalance,30000" })
	void networkTimeoutIsLongerForADriverWithSeveralHosts(String mode, int expected) {
		TestDatabase database = TestDatabase.mariadb();
		String url = mode.isEmpty() ? database.url()
				: database.url()
					.replace("jdbc:mariadb://", "jdbc:mariadb:" + mode + "://")
					.replaceFirst("(//[^/]+)/", "$1,127.0.0.1:1/");
		try (HikariDataSource pool = new TestDatabase(url, database.username(), database.password(), "mariadb")
			.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			JdbcDatabase opened = JdbcDatabase.open(recordingDataSource(pool), JdbcSettings.defaults("ids_"),
					TestStores.deadline());
			JdbcKeySpaceStore store = new JdbcKeySpaceStore(opened);
			store.create("test", "definition", 1_000, TestStores.deadline());
			this.networkTimeouts.clear();
			Deadline deadline = Deadline.after(TimeSource.system(), Duration.ofSeconds(5));
			store.reserve("test", 10, 1_000, deadline);
			long passed = 5_000 - deadline.remaining().toMillis();
			assertThat(this.networkTimeouts).isNotEmpty()
				.first()
				.satisfies((limit) -> assertThat(limit.longValue()).isBetween(expected - 1 - passed, (long) expected));
		}
	}

	private DelegatingDataSource recordingDataSource(HikariDataSource pool) {
		return new DelegatingDataSource(pool) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							if (method.getName().equals("setNetworkTimeout")) {
								NetworkTimeoutTests.this.networkTimeouts.add((Integer) arguments[1]);
							}
							try {
								return method.invoke(connection, arguments);
							}
							catch (InvocationTargetException ex) {
								throw ex.getTargetException();
							}
						});
			}

		};
	}

}
