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

	private static final Duration MOMENT = Duration.ofMillis(1);

	private final CountDownLatch answered = new CountDownLatch(1);

	private final AtomicInteger asked = new AtomicInteger();

	private final HikariDataSource pool = TestDatabase.h2().pool(10);

	private final SpareConnections spare = new SpareConnections(() -> true, () -> {
		this.asked.incrementAndGet();
		this.answered.await();
		return this.pool.getConnection();
	});

	@AfterEach
	void close() {
		this.answered.countDown();
		this.pool.close();
	}

	@Test
	void fewThreadsWaitForAStuckPoolAndReturnLateConnections() throws SQLException {
		for (int i = 0; i < 5 * SpareConnections.MOST; i++) {
			assertThat(this.spare.poll(MOMENT)).isNull();
		}
		Awaitility.await().until(() -> this.asked.get() == SpareConnections.MOST);
		this.answered.countDown();
		Awaitility.await()
			.until(() -> this.pool.isRunning() && this.pool.getHikariPoolMXBean().getTotalConnections() > 0
					&& this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		try (Connection connection = poll()) {
			assertThat(connection.isValid(0)).isTrue();
		}
		assertThat(this.asked).hasValueGreaterThan(SpareConnections.MOST);
	}

	@Test
	void limitsTheNumberOfBorrowedConnections() throws SQLException {
		this.answered.countDown();
		List<Connection> lent = new ArrayList<>();
		while (lent.size() < SpareConnections.MOST) {
			lent.add(poll());
		}
		int before = this.asked.get();
		for (int i = 0; i < SpareConnections.MOST; i++) {
			assertThat(this.spare.poll(MOMENT)).isNull();
		}
		assertThat(this.asked).hasValue(before);
		for (Connection connection : lent) {
			connection.close();
		}
		poll().close();
	}

	@Test
	void doesNotUseAPoolWithoutAnIdleConnection() throws SQLException {
		SpareConnections none = new SpareConnections(() -> false, () -> {
			throw new AssertionError("asked");
		});
		assertThat(none.poll(Duration.ofHours(1))).isNull();
	}

	private Connection poll() {
		return Awaitility.await().until(() -> this.spare.poll(Duration.ofSeconds(1)), (found) -> found != null);
	}

}
