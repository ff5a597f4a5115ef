package dev.idspring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TransactionPooler}: a session that executes something else where it is
 * told to commit, as it happens behind pgbouncer in transaction mode.
 */
class TransactionPoolerTests {

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
	void commitThatIsLostBehindAPoolerIsTold() {
		Numbers numbers = new Numbers(new PooledSessions(this.pool));
		assertThat(numbers.draw(false)).isEqualTo(1);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> numbers.draw(true))
			.withMessageContaining("was not committed")
			.withMessageContaining("prepareThreshold=0");
	}

	@Test
	void connectionWithASessionToItselfIsAskedOnce() {
		Numbers numbers = new Numbers(this.pool);
		numbers.draw(false);
		long before = statements();
		numbers.draw(false);
		assertThat(statements()).isEqualTo(before);
	}

	private long statements() {
		return new JdbcTemplate(this.ownPool).queryForObject(
				"select count(*) from pg_stat_activity"
						+ " where datname = current_database() and query like '%pg_backend_pid(), txid_current()'",
				Long.class);
	}

	private final class Numbers {

		private final DataSource dataSource;

		private final JdbcGaplessStore store;

		Numbers(DataSource dataSource) {
			this.dataSource = dataSource;
			this.store = new JdbcGaplessStore(dataSource,
					TestStores.database(TransactionPoolerTests.this.ownPool, "ids_"));
			this.store.open(TestStores.deadline());
			this.store.create("invoices", 1, 0, TestStores.deadline());
		}

		Long draw(boolean mixedUp) {
			return new TransactionTemplate(new DataSourceTransactionManager(this.dataSource)).execute((status) -> {
				long first = this.store
					.draw("invoices", 1, 1_000, 0, Deadline.after(TimeSource.system(), Duration.ofSeconds(30)))
					.first();
				if (mixedUp) {
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
	 * Connections that know another process id than that of their session.
	 */
	private static final class PooledSessions extends DelegatingDataSource {

		PooledSessions(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection target = super.getConnection();
			return proxy(Connection.class,
					(method, arguments) -> (method.getName().equals("unwrap") && arguments[0] == PGConnection.class)
							? driver(target.unwrap(PGConnection.class)) : method.invoke(target, arguments));
		}

		private static PGConnection driver(PGConnection target) {
			return proxy(PGConnection.class, (method, arguments) -> method.getName().equals("getBackendPID")
					? target.getBackendPID() + 1 : method.invoke(target, arguments));
		}

		private static <T> T proxy(Class<T> type, Call call) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						try {
							return call.invoke(method, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					}));
		}

	}

	private interface Call {

		Object invoke(Method method, Object[] arguments) throws Exception;

	}

}
