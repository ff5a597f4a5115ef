package dev.idspring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TransactionSwitch;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TransactionPooler}. Some tests simulate a session that executes
 * another statement instead of the commit, as can happen behind pgbouncer in transaction
 * mode. Others use a pooler that switches sessions.
 */
class TransactionPoolerTests {

	/** The statement that checks whether a connection has a session to itself. */
	private static final String CHECK = "select pg_backend_pid(), txid_current()";

	private final TestDatabase database = TestDatabase.postgresql();

	private final HikariDataSource pool = this.database.pool(1);

	private final HikariDataSource ownPool = this.database.pool(1);

	@BeforeEach
	void createTables() {
		TestStores.initialize(this.ownPool, this.database, "ids_");
	}

	@AfterEach
	void close() {
		this.pool.close();
		this.ownPool.close();
	}

	@Test
	void reportsACommitLostBehindAPooler() {
		Numbers numbers = new Numbers(new PooledSessions(this.pool));
		assertThat(numbers.draw(false)).isEqualTo(1);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> numbers.draw(true))
			.withMessageContaining("was not committed")
			.withMessageContaining("prepareThreshold=0");
	}

	@Test
	void connectionWithADedicatedSessionIsCheckedOnce() {
		List<String> statements = new ArrayList<>();
		Numbers numbers = new Numbers(recording(this.pool, statements));
		numbers.draw(false);
		assertThat(statements).contains(CHECK);
		statements.clear();
		numbers.draw(false);
		assertThat(statements).isNotEmpty().doesNotContain(CHECK);
	}

	@Test
	void openingDetectsAPoolerThatLosesPreparedStatements() {
		try (TransactionSwitch pooler = new TransactionSwitch(this.database);
				HikariDataSource callers = pooler.database().pool(2)) {
			assertPoolerIsDetected(() -> gapless(callers).open(TestStores.deadline()));
			assertPoolerIsDetected(() -> TestStores.database(callers, "ids_"));
			awaitNoSessionInTransaction();
			try (HikariDataSource singleConnection = pooler.database().pool(1)) {
				assertPoolerIsDetected(() -> gapless(singleConnection).open(TestStores.deadline()));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SFATAL\0C08P01\0Mserver conn crashed?\0", "SFATAL\0C08P01\0Mquery_wait_timeout\0" })
	void opensWhenThePoolerHasNoFreeSession(String serverError) {
		PooledSessions callers = new PooledSessions(this.pool, serverError);
		gapless(callers).open(TestStores.deadline());
		assertThat(callers.probeFailed).isTrue();
	}

	@Test
	void detectsAStatementOfAnotherClientByItsParameters() {
		DataSource callers = new PooledSessions(this.pool,
				"SERROR\0C08P01\0Mbind message supplies 60 parameters\0Rexec_bind_message\0");
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> gapless(callers).open(TestStores.deadline()))
			.withMessageContaining("08P01");
	}

	private static void assertPoolerIsDetected(ThrowingCallable open) {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(open)
			.withMessageContaining("26000")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("prepareThreshold=0", "URL",
					"spring.datasource.hikari.data-source-properties", "max_prepared_statements"));
	}

	@Test
	void drawsThroughAPoolerWhenTheDriverPreparesNothing() {
		try (TransactionSwitch pooler = new TransactionSwitch(this.database);
				HikariDataSource callers = pooler.database().withUrlSuffix("&prepareThreshold=0").pool(1)) {
			gapless(callers).open(TestStores.deadline());
			assertThat(new Numbers(callers).draw(false)).isEqualTo(1);
		}
	}

	@Test
	void drawsThroughASessionPooler() {
		try (TransactionSwitch pooler = new TransactionSwitch(this.database);
				HikariDataSource callers = pooler.database().pool(2)) {
			pooler.switchSessions(false);
			gapless(callers).open(TestStores.deadline());
			assertThat(new Numbers(callers).draw(false)).isEqualTo(1);
		}
	}

	@Test
	void connectionThatCannotEndItsTransactionReleasesItsSession() {
		try (TransactionSwitch pooler = new TransactionSwitch(this.database)) {
			pooler.switchSessions(false);
			try (HikariDataSource callers = pooler.database().pool(2)) {
				Numbers numbers = new Numbers(callers);
				// each connection prepares its statements in only one of its two sessions
				numbers.draw(false);
				pooler.switchSessions(true);
				List<Throwable> failures = new ArrayList<>();
				for (int i = 0; i < 20; i++) {
					try {
						numbers.draw(false);
					}
					catch (RuntimeException ex) {
						failures.add(ex);
					}
				}
				assertThat(failures).isNotEmpty();
				awaitNoSessionInTransaction();
				pooler.switchSessions(false);
				// the draw succeeds once the pool has closed the connections whose
				// statements are prepared in another session
				Awaitility.await().ignoreExceptions().untilAsserted(() -> assertThat(numbers.draw(false)).isPositive());
			}
		}
	}

	@Test
	void reportsALostCommitOfASharedConnection() {
		JdbcTransactions transactions = TestStores.database(this.pool, "ids_").transactions();
		// this transaction makes the driver prepare the commit
		transactions.once("count", (connection, timeout) -> 1, TestStores.deadline());
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> transactions.once("count", (connection, timeout) -> {
				Numbers.replaceCommit(new JdbcTemplate(new SingleConnectionDataSource(connection, true)));
				return 2;
			}, TestStores.deadline()))
			.withMessageContaining("prepareThreshold=0");
		awaitNoSessionInTransaction();
	}

	private JdbcGaplessStore gapless(DataSource callers) {
		return new JdbcGaplessStore(callers, TestStores.database(this.ownPool, "ids_"));
	}

	/**
	 * Wait until no session is in a transaction. The server may notice only later that a
	 * client has disconnected.
	 */
	private void awaitNoSessionInTransaction() {
		Awaitility.await().until(this::sessionsInTransaction, (count) -> count == 0);
	}

	private long sessionsInTransaction() {
		return new JdbcTemplate(this.ownPool).queryForObject("select count(*) from pg_stat_activity"
				+ " where datname = current_database() and state like 'idle in transaction%'", Long.class);
	}

	private static DataSource recording(DataSource target, List<String> preparedStatements) {
		return new DelegatingDataSource(target) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return proxy(Connection.class, (method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						preparedStatements.add((String) arguments[0]);
					}
					return method.invoke(connection, arguments);
				});
			}

		};
	}

	private static <T> T proxy(Class<T> type, Call call) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				try {
					return call.invoke(method, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

	private final class Numbers {

		private final DataSource dataSource;

		private final JdbcGaplessStore store;

		Numbers(DataSource dataSource) {
			this.dataSource = dataSource;
			this.store = gapless(dataSource);
			this.store.create("invoices", 1, TestStores.deadline());
		}

		Long draw(boolean loseCommit) {
			return new TransactionTemplate(new DataSourceTransactionManager(this.dataSource)).execute((status) -> {
				long first = this.store
					.draw("invoices", 1, 1_000, Deadline.after(TimeSource.system(), Duration.ofSeconds(30)))
					.first();
				if (loseCommit) {
					replaceCommit(new JdbcTemplate(this.dataSource));
				}
				return first;
			});
		}

		private static void replaceCommit(JdbcTemplate session) {
			String name = session.queryForObject("select name from pg_prepared_statements where statement = 'COMMIT'",
					String.class);
			session.execute("deallocate \"" + name + "\"");
			session.execute("prepare \"" + name + "\" as select 1");
		}

	}

	/**
	 * Connections that report a wrong process id for their session.
	 */
	private static final class PooledSessions extends DelegatingDataSource {

		private final @Nullable String serverError;

		private volatile boolean probeFailed;

		PooledSessions(DataSource target) {
			this(target, null);
		}

		/**
		 * Create a DataSource.
		 * @param serverError the error that the server returns for the statement that
		 * probes for a pooler, or {@code null} to execute that statement
		 */
		PooledSessions(DataSource target, @Nullable String serverError) {
			super(target);
			this.serverError = serverError;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection target = super.getConnection();
			return proxy(Connection.class, (method, arguments) -> {
				if (method.getName().equals("unwrap") && arguments[0] == PGConnection.class) {
					return driver(target.unwrap(PGConnection.class));
				}
				Object result = method.invoke(target, arguments);
				return (this.serverError != null && result instanceof PreparedStatement statement
						&& arguments[0].toString().contains("concat(")) ? failingStatement(statement, this.serverError)
								: result;
			});
		}

		private PreparedStatement failingStatement(PreparedStatement target, String serverError) {
			return proxy(PreparedStatement.class, (method, arguments) -> {
				if (method.getName().equals("executeQuery")) {
					this.probeFailed = true;
					throw new PSQLException(new ServerErrorMessage(serverError));
				}
				return method.invoke(target, arguments);
			});
		}

		private static PGConnection driver(PGConnection target) {
			return proxy(PGConnection.class, (method, arguments) -> method.getName().equals("getBackendPID")
					? target.getBackendPID() + 1 : method.invoke(target, arguments));
		}

	}

	private interface Call {

		Object invoke(Method method, Object[] arguments) throws Exception;

	}

}
