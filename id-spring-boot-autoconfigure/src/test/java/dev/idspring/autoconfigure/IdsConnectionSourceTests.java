package dev.idspring.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.idspring.autoconfigure.IdsConnectionSource.DedicatedDataSource;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsConnectionSource}.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdsConnectionSourceTests {

	/**
	 * A login to which the server does not respond must time out and be retried.
	 * Otherwise reservations would be blocked until the application is restarted.
	 */
	@Test
	void retriesALoginThatTimesOut() throws IOException {
		AtomicInteger attempts = new AtomicInteger();
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				HikariDataSource original = new HikariDataSource()) {
			CompletableFuture.runAsync(() -> acceptWithoutResponse(server, attempts),
					(task) -> new Thread(task).start());
			original.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/test");
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(1));
			try {
				CompletableFuture.runAsync(() -> {
					try (HikariDataSource pool = dedicated.unwrap(HikariDataSource.class)) {
						while (!pool.isClosed()) {
							connect(pool);
						}
					}
					catch (Exception ex) {
						// the pool was closed
					}
				}, (task) -> new Thread(task).start());
				Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> attempts.get() > 1);
			}
			finally {
				dedicated.close();
			}
		}
	}

	private static void connect(HikariDataSource pool) {
		try {
			pool.getConnection().close();
		}
		catch (Exception ex) {
			// the server does not respond
		}
	}

	/**
	 * Accept connections, refuse encryption, and then send nothing more.
	 */
	private static void acceptWithoutResponse(ServerSocket server, AtomicInteger attempts) {
		List<Socket> openSockets = new ArrayList<>();
		try {
			while (true) {
				Socket socket = server.accept();
				openSockets.add(socket);
				socket.getInputStream().readNBytes(8);
				socket.getOutputStream().write('N');
				attempts.incrementAndGet();
			}
		}
		catch (IOException ex) {
			// the test has closed the server socket
		}
	}

	/**
	 * Some drivers search for an available server for half a minute, even if a server
	 * becomes available earlier.
	 */
	@Test
	void borrowsAnIdleConnectionOfTheApplicationWhileTheDriverHangs(CapturedOutput output) throws SQLException {
		StuckDriver driver = new StuckDriver(TestDatabase.h2());
		DedicatedDataSource dedicated = null;
		try (HikariDataSource original = new HikariDataSource()) {
			original.setDataSource(driver);
			original.setMaximumPoolSize(2);
			original.setMinimumIdle(1);
			original.getConnection().close();
			dedicated = IdsConnectionSource.createDedicated(original, Duration.ofMinutes(1));
			dedicated.getConnection().close();
			assertThat(isBorrowed(dedicated)).isFalse();
			driver.released = new CountDownLatch(1);
			dedicated.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			try (Connection connection = dedicated.getConnection()) {
				assertThat(connection.isValid(0)).isTrue();
				assertThat(original.getHikariPoolMXBean().getActiveConnections()).isOne();
			}
			assertThat(output).contains("The connection for ids was lost");
			assertThat(original.getHikariPoolMXBean().getActiveConnections()).isZero();
			driver.released.countDown();
			DedicatedDataSource dedicatedDataSource = dedicated;
			Awaitility.await().until(() -> !isBorrowed(dedicatedDataSource));
		}
		finally {
			driver.released.countDown();
			dedicated.close();
		}
	}

	@Test
	void busyConnectionIsNotReportedAsLost(CapturedOutput output) throws SQLException {
		DedicatedDataSource dedicated = null;
		try (HikariDataSource original = new HikariDataSource()) {
			TestDatabase database = TestDatabase.h2();
			original.setJdbcUrl(database.url());
			original.setUsername(database.username());
			original.setPassword(database.password());
			original.getConnection().close();
			dedicated = IdsConnectionSource.createDedicated(original, Duration.ofMinutes(1));
			try (Connection busy = dedicated.getConnection(); Connection borrowed = dedicated.getConnection()) {
				assertThat(busy.isValid(0)).isTrue();
				assertThat(borrowed.isValid(0)).isTrue();
				assertThat(original.getHikariPoolMXBean().getActiveConnections()).isOne();
			}
			assertThat(output).doesNotContain("was lost");
		}
		finally {
			dedicated.close();
		}
	}

	private static boolean isBorrowed(DedicatedDataSource dedicated) throws SQLException {
		HikariPoolMXBean dedicatedPool = dedicated.unwrap(HikariDataSource.class).getHikariPoolMXBean();
		try (Connection connection = dedicated.getConnection()) {
			return dedicatedPool.getActiveConnections() == 0;
		}
	}

	private static final class StuckDriver extends DelegatingDataSource {

		private volatile CountDownLatch released = new CountDownLatch(0);

		StuckDriver(TestDatabase database) {
			super(new DriverManagerDataSource(database.url(), database.username(), database.password()));
		}

		@Override
		public Connection getConnection() throws SQLException {
			try {
				this.released.await();
			}
			catch (InterruptedException ex) {
				throw new SQLException(ex);
			}
			return super.getConnection();
		}

	}

	@Test
	void usesTheLoginTimeoutOfTheApplication() {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/test");
			original.addDataSourceProperty("loginTimeout", "7");
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(1));
			HikariDataSource copy = (HikariDataSource) dedicated;
			assertThat(copy.getDataSourceProperties()).containsEntry("loginTimeout", "7")
				.containsEntry("cancelSignalTimeout", "1");
			dedicated.close();
			assertThat(copy.isClosed()).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:postgresql://127.0.0.1:1/test", "jdbc:mariadb://127.0.0.1:1/test" })
	void doesNotChangeThePropertiesOfTheApplicationsPool(String url) {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl(url);
			original.addDataSourceProperty("user", "app");
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(5));
			assertThat(((HikariDataSource) dedicated).getDataSourceProperties()).containsEntry("user", "app")
				.hasSizeGreaterThan(1);
			assertThat(original.getDataSourceProperties()).containsOnlyKeys("user");
			dedicated.close();
		}
	}

	@Test
	void loginTimeoutForSeveralHostsLeavesTimeForTheSecondHost() {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl("jdbc:postgresql://127.0.0.1:1,127.0.0.1:2/test");
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(5));
			HikariDataSource copy = (HikariDataSource) dedicated;
			assertThat(copy.getDataSourceProperties()).containsEntry("loginTimeout", "30")
				.containsEntry("cancelSignalTimeout", "5");
			dedicated.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:mariadb:sequential://127.0.0.1:1;127.0.0.1:2/test,30000", "jdbc:mariadb://127.0.0.1:1/test,",
			"jdbc:mariadb:sequential://127.0.0.1:1;127.0.0.1:2/test?connectTimeout=7," })
	void setsAConnectTimeoutForSeveralHostsUnlessConfigured(String url, String expectedTimeout) {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl(url.replace(';', ','));
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(5));
			HikariDataSource copy = (HikariDataSource) dedicated;
			assertThat(copy.getDataSourceProperties().getProperty("connectTimeout")).isEqualTo(expectedTimeout);
			dedicated.close();
		}
	}

	/**
	 * The MariaDB and MySQL drivers also try to reconnect while they execute a statement.
	 * Without a limit, the attempts could take half a minute.
	 */
	@ParameterizedTest
	@CsvSource({ "jdbc:mariadb:sequential://127.0.0.1:1;127.0.0.1:2/test,8",
			"jdbc:mysql://127.0.0.1:1;127.0.0.1:2/test,8", "jdbc:mariadb://127.0.0.1:1/test,",
			"jdbc:mysql:loadbalance://127.0.0.1:1/test?retriesAllDown=3,",
			"jdbc:postgresql://127.0.0.1:1;127.0.0.1:2/test," })
	void limitsRetriesForSeveralHostsUnlessConfigured(String url, String expectedRetries) {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl(url.replace(';', ','));
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(5));
			HikariDataSource copy = (HikariDataSource) dedicated;
			assertThat(copy.getDataSourceProperties().getProperty("retriesAllDown")).isEqualTo(expectedRetries);
			dedicated.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:mariadb://127.0.0.1:1/test,true", "jdbc:mysql://127.0.0.1:1/test?user=root,true",
			"jdbc:mysql://127.0.0.1:1/test?allowMultiQueries=false,", "jdbc:postgresql://127.0.0.1:1/test," })
	void allowsMultiStatementsForTheStoreOnly(String url, String allowed) {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl(url);
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(1));
			assertThat(((HikariDataSource) dedicated).getDataSourceProperties().getProperty("allowMultiQueries"))
				.isEqualTo(allowed);
			assertThat(original.getDataSourceProperties()).doesNotContainKey("allowMultiQueries");
			dedicated.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:postgresql://127.0.0.1:1/test,true", "jdbc:mariadb://127.0.0.1:1/test,true",
			"jdbc:mysql://127.0.0.1:1/test,true", "jdbc:h2:mem:test,false", "jdbc:sqlite::memory:,false" })
	void preparesConnectionsToServersForReservations(String url, boolean prepared) {
		try (HikariDataSource original = new HikariDataSource()) {
			original.setJdbcUrl(url);
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(original, Duration.ofSeconds(1));
			HikariDataSource copy = (HikariDataSource) dedicated;
			assertThat(!dedicated.isAutoCommit()).isEqualTo(prepared);
			assertThat(copy.isAutoCommit()).isEqualTo(!prepared);
			assertThat(copy.getTransactionIsolation()).isNull();
			assertThat(copy.getDataSourceProperties().getProperty("prepareThreshold"))
				.isEqualTo(url.startsWith("jdbc:postgresql:") ? "0" : null);
			assertThat(original.isAutoCommit()).isTrue();
			dedicated.close();
		}
	}

}
