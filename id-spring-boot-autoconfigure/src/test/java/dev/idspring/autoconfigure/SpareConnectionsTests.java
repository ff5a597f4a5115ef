package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SpareConnections}.
 */
class SpareConnectionsTests {

	private static final Duration SHORT_WAIT = Duration.ofMillis(1);

	private final CountDownLatch poolResponds = new CountDownLatch(1);

	private final AtomicInteger requests = new AtomicInteger();

	private final HikariDataSource pool = TestDatabase.h2().pool(10);

	private final SpareConnections spareConnections = new SpareConnections(() -> true, this::request);

	@AfterEach
	void close() {
		this.poolResponds.countDown();
		this.pool.close();
	}

	@Test
	void limitedNumberOfThreadsWaitsForAnUnresponsivePoolAndReturnsLateConnections() throws SQLException {
		for (int i = 0; i < 5 * SpareConnections.MAX_CONNECTIONS; i++) {
			assertThat(this.spareConnections.poll(SHORT_WAIT)).isNull();
		}
		Awaitility.await().until(() -> this.requests.get() == SpareConnections.MAX_CONNECTIONS);
		this.poolResponds.countDown();
		Awaitility.await()
			.until(() -> this.pool.isRunning() && this.pool.getHikariPoolMXBean().getTotalConnections() > 0
					&& this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		try (Connection connection = poll()) {
			assertThat(connection.isValid(0)).isTrue();
		}
		assertThat(this.requests).hasValueGreaterThan(SpareConnections.MAX_CONNECTIONS);
	}

	@Test
	void limitsTheNumberOfBorrowedConnections() throws SQLException {
		this.poolResponds.countDown();
		List<Connection> borrowed = new ArrayList<>();
		while (borrowed.size() < SpareConnections.MAX_CONNECTIONS) {
			borrowed.add(poll());
		}
		int requestsBefore = this.requests.get();
		for (int i = 0; i < SpareConnections.MAX_CONNECTIONS; i++) {
			assertThat(this.spareConnections.poll(SHORT_WAIT)).isNull();
		}
		assertThat(this.requests).hasValue(requestsBefore);
		for (Connection connection : borrowed) {
			connection.close();
		}
		poll().close();
	}

	@Test
	void doesNotUseAPoolWithoutAnIdleConnection() throws SQLException {
		this.poolResponds.countDown();
		SpareConnections withoutIdleConnection = new SpareConnections(() -> false, this::request);
		assertThat(withoutIdleConnection.poll(Duration.ofHours(1))).isNull();
		assertThat(this.requests).hasValue(0);
	}

	private Connection request() throws Exception {
		this.requests.incrementAndGet();
		this.poolResponds.await();
		return this.pool.getConnection();
	}

	private Connection poll() {
		return Awaitility.await()
			.until(() -> this.spareConnections.poll(Duration.ofSeconds(1)), (found) -> found != null);
	}

}
