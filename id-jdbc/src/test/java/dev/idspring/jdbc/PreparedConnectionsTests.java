package dev.idspring.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for connections that are prepared for reservations and used for nothing else. A
 * reservation on them takes fewer round trips.
 */
@Tag("mysql")
abstract class PreparedConnectionsTests {

	private static final String NAME = "orders";

	private static final long CAPACITY = 1_000_000;

	private final Kind kind;

	private HikariDataSource pool;

	private FaultyDataSource dataSource;

	private JdbcDatabase database;

	private JdbcKeySpaceStore store;

	PreparedConnectionsTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeEach
	void open() {
		TestDatabase database = this.kind.create();
		try (HikariDataSource application = database.pool(1)) {
			TestStores.initialize(application, database, "ids_");
		}
		this.pool = database.pool(1);
		this.pool.setAutoCommit(false);
		if (this.kind != Kind.POSTGRESQL) {
			this.pool.addDataSourceProperty("allowMultiQueries", "true");
		}
		this.pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		this.dataSource = new FaultyDataSource(this.pool);
		open(TestStores.deadline());
		this.store = new JdbcKeySpaceStore(this.database);
		this.store.create(NAME, "definition", CAPACITY, TestStores.deadline());
		assertThat(reserve()).isEqualTo(new OrdinalRange(0, 10));
	}

	private void open(Deadline deadline) {
		this.database = JdbcDatabase.open(this.dataSource, TestStores.preparedSettings(), deadline);
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	private OrdinalRange reserve() {
		return this.store.reserve(NAME, 10, CAPACITY, TestStores.deadline());
	}

	@Test
	void neitherQueriesNorSetsAutoCommitOrIsolation() {
		this.dataSource.begin((index, call) -> Outcome.SUCCEEDS);
		assertThat(reserve()).isEqualTo(new OrdinalRange(10, 20));
		assertThat(this.dataSource.calls()).contains("commit")
			.doesNotContain("getAutoCommit", "setAutoCommit", "getTransactionIsolation", "setTransactionIsolation",
					"rollback");
	}

	@Test
	void reservationTakesAnUpdateAndACommit() {
		assumeThat(this.kind).isNotEqualTo(Kind.POSTGRESQL);
		long before = countStatements();
		assertThat(reserve()).isEqualTo(new OrdinalRange(10, 20));
		// countStatements() also counts its own query and the commit after the query.
		// MariaDB's driver omits this commit
		long statementsOfTheCount = (this.kind == Kind.MARIADB) ? 1 : 2;
		assertThat(countStatements() - before).isEqualTo(2 + statementsOfTheCount);
	}

	private long countStatements() {
		return this.database.transactions()
			.read("read",
					(connection, timeout) -> SqlStatements.queryOne(connection, timeout, (row) -> row.getLong(2),
							"show session status like 'Questions'"),
					TestStores.deadline())
			.orElseThrow();
	}

	@Test
	void limitsIdleTransactionsInEachSession() {
		assumeThat(idleLimits()).as("MySQL has no such limit").isNotEmpty();
		for (int i = 0; i < 2; i++) {
			assertThat(idleLimits()).allMatch("3"::equals);
			assertThat(idleLimits()).allMatch("3"::equals);
			this.pool.getHikariPoolMXBean().softEvictConnections();
		}
	}

	/**
	 * Lent connections belong to the application's pool. In this test, they also do not
	 * allow several statements in one query.
	 */
	@Test
	void leavesTheSessionOfALentConnectionUnchanged() {
		try (HikariDataSource application = new HikariDataSource()) {
			this.pool.copyStateTo(application);
			application.setDataSourceProperties(new Properties());
			application.setAutoCommit(true);
			List<String> before = idleLimits(application);
			JdbcDatabase database = JdbcDatabase.open(new LendingPool(application), TestStores.preparedSettings(),
					TestStores.deadline());
			assertThat(new JdbcKeySpaceStore(database).reserve(NAME, 10, CAPACITY, TestStores.deadline()))
				.isEqualTo(new OrdinalRange(10, 20));
			assertThat(idleLimits(application)).isEqualTo(before).doesNotContain("3");
			new TransactionTemplate(new DataSourceTransactionManager(application)).executeWithoutResult((status) -> {
				new JdbcTemplate(application).update("delete from ids_key_space");
				status.setRollbackOnly();
			});
			// the row exists only if the delete was rolled back
			assertThat(reserve()).isEqualTo(new OrdinalRange(20, 30));
		}
	}

	/**
	 * Only on PostgreSQL can the store find out whether the application has changed a
	 * session.
	 */
	@Test
	void usesOnlyConnectionsWhoseSessionCanBeVerified() {
		LendingPool lending = new LendingPool(this.pool);
		lending.mustVerify = true;
		JdbcDatabase.open(lending, TestStores.preparedSettings(), TestStores.deadline());
		assertThat(lending.mustVerify).isEqualTo(this.kind == Kind.POSTGRESQL);
	}

	private List<String> idleLimits(HikariDataSource application) {
		return new JdbcTemplate(application).query(idleLimitsSql(),
				(row, index) -> row.getString((this.kind == Kind.POSTGRESQL) ? 1 : 2));
	}

	private String idleLimitsSql() {
		return (this.kind == Kind.POSTGRESQL)
				? "select replace(current_setting('idle_in_transaction_session_timeout'), 's', '')"
				: "show session variables where variable_name in ('idle_transaction_timeout', 'idle_write_transaction_timeout')";
	}

	private List<String> idleLimits() {
		return this.database.transactions()
			.repeat("read",
					(connection, timeout) -> SqlStatements.query(connection, timeout,
							(row) -> row.getString((this.kind == Kind.POSTGRESQL) ? 1 : 2), idleLimitsSql()),
					TestStores.deadline());
	}

	@Test
	void rowReadAtOpeningIsUsedOnce() {
		open(TestStores.deadline());
		assertThat(this.database.takePreloadedRow(NAME).orElseThrow().keySpace())
			.isEqualTo(new StoredKeySpace(NAME, "definition", CAPACITY, 10));
		assertThat(this.database.takePreloadedRow(NAME)).isEmpty();
		assertThat(this.database.takePreloadedRow("unknown")).isEmpty();
	}

	@Test
	void rowReadAtOpeningExpiresAtTheOpeningDeadline() {
		TestTimeSource clock = new TestTimeSource();
		open(Deadline.after(clock, Duration.ofSeconds(5)));
		clock.advance(Duration.ofSeconds(5));
		assertThat(this.database.takePreloadedRow(NAME)).isEmpty();
	}

	@Test
	void rowsOfAnEarlierOpeningAreDiscarded() {
		open(TestStores.deadline());
		TestDatabase.execute(this.pool, "delete from ids_key_space", "commit");
		open(TestStores.deadline());
		assertThat(this.database.takePreloadedRow(NAME)).isEmpty();
	}

	/**
	 * A row that another server has written does not show which reservations the
	 * fail-over has lost.
	 */
	@Test
	void rowOfAnotherServerIsDiscarded() {
		TestDatabase.execute(this.pool, "update ids_key_space set incarnation = 'another'", "commit");
		open(TestStores.deadline());
		assertThat(this.database.takePreloadedRow(NAME)).isEmpty();
		assertThat(this.store.create(NAME, "definition", CAPACITY, TestStores.deadline()).nextOrdinal())
			.isGreaterThan(10);
	}

	@Test
	void nothingIsReservedTwiceWhicheverCallFails() {
		long[] last = { 10 };
		int calls = this.dataSource.failEachCall(Outcome.failsAfter("08006"), (index) -> {
			OrdinalRange range = reserve();
			assertThat(range.start()).as("call %d", index).isGreaterThanOrEqualTo(last[0]);
			last[0] = range.end();
		});
		assertThat(calls).isGreaterThan(5);
		assertThat(new JdbcTemplate(this.pool).queryForObject("select next_ordinal from ids_key_space", Long.class))
			.isGreaterThanOrEqualTo(last[0]);
	}

	/**
	 * Lends connections of the application.
	 */
	private static final class LendingPool extends DelegatingDataSource implements LendingDataSource {

		private volatile boolean mustVerify;

		LendingPool(DataSource application) {
			super(application);
		}

		@Override
		public boolean isLent(Connection connection) {
			return true;
		}

		@Override
		public boolean mustVerifySession(Connection connection) {
			return this.mustVerify;
		}

		@Override
		public void stopLendingUnverified() {
			this.mustVerify = false;
		}

	}

}
