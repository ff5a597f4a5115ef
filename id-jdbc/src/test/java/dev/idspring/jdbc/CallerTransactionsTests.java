package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.ScopedIds;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.TransactionalIds;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.jdbc.CallerTransactions.CallerTransaction;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.IsolationLevelDataSourceAdapter;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.IsolationLevelDataSourceRouter;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link CallerTransactions} with several DataSources and transaction managers.
 */
class CallerTransactionsTests {

	private static final String ROW = "Invoice.number (table invoice)";

	private final TransactionManagers managers = new TransactionManagers();

	private final HikariDataSource numbers = TestDatabase.h2().pool(5);

	private final HikariDataSource rows = TestDatabase.h2().pool(5);

	private final TransactionTemplate inNumbers = transaction("numbersManager", this.numbers);

	private final TransactionTemplate inRows = transaction("rowsManager", this.rows);

	private TransactionalIds ids;

	private TransactionTemplate transaction(String name, DataSource dataSource) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		this.managers.add(name, manager);
		return new TransactionTemplate(manager);
	}

	@BeforeEach
	void begin() {
		this.managers.add("numbers", this.numbers);
		this.managers.add("rows", this.rows);
		new JdbcSchema(this.numbers, "ids_").create();
		TestDatabase.execute(this.numbers, "create table invoice (id bigint primary key)");
		this.ids = open(this.numbers);
	}

	@AfterEach
	void close() {
		this.numbers.close();
		this.rows.close();
	}

	private JdbcGaplessStore store(DataSource dataSource) {
		return new JdbcGaplessStore(dataSource, TestStores.database(this.numbers, "ids_"), this.managers);
	}

	private GaplessIdGenerator open(DataSource dataSource) {
		return GaplessIdGenerator
			.builder("invoices", new GaplessSettings(1, 1_000_000),
					new JdbcKeySpaceStore(TestStores.database(this.numbers, "ids_")), store(dataSource))
			.open();
	}

	private ScopedIds openScoped() {
		return ScopedGaplessIdGenerator
			.builder("scoped", new ScopedSettings(1, 1_000_000, ScopePeriod.NONE, ScopePattern.number()),
					new JdbcKeySpaceStore(TestStores.database(this.numbers, "ids_")), store(this.numbers))
			.open()
			.in("acme");
	}

	private static Insert insertThrough(DataSource dataSource) {
		return new Insert(ROW, dataSource, null);
	}

	private static long draw(TransactionalIds ids, Insert insert) {
		ids.verifyInsert(insert);
		return ids.nextLong();
	}

	@Test
	void innerTransactionOnAnotherDataSourceIsRejected() {
		TransactionalIds scoped = (TransactionalIds) openScoped();
		this.inNumbers.executeWithoutResult((outer) -> {
			assertThat(this.ids.nextLong()).isEqualTo(1);
			this.inRows.executeWithoutResult((inner) -> Stream.of(this.ids, scoped)
				.forEach((ids) -> assertThatExceptionOfType(IdGenerationException.class).isThrownBy(ids::nextLong)
					.withMessageContaining("Id generator '" + ids.name() + "'")
					.withMessageContaining("the transaction on DataSource 'numbers' is not the innermost one")
					.withMessageContaining("transaction manager 'rowsManager' (DataSource 'rows')")
					.withMessageContaining("REQUIRES_NEW")));
			assertThat(this.ids.nextLong()).isEqualTo(2);
			assertThat(scoped.nextLong()).isEqualTo(1);
		});
	}

	@Test
	void drawsInAnInnerTransactionOnTheSequenceDataSource() {
		this.inRows.executeWithoutResult((outer) -> {
			this.inNumbers.executeWithoutResult((inner) -> assertThat(this.ids.nextLong()).isEqualTo(1));
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this.ids::nextLong)
				.withMessageContaining("not belong to the DataSource of the sequence (DataSource 'numbers')")
				.withMessageContaining("transaction manager 'rowsManager' (DataSource 'rows')");
		});
	}

	@Test
	void drawsInATransactionOnTheSequenceDataSourceNestedInOthers() {
		TransactionTemplate requiresNew = new TransactionTemplate(this.inNumbers.getTransactionManager());
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		TransactionTemplate nested = new TransactionTemplate(this.inNumbers.getTransactionManager());
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.inNumbers.executeWithoutResult((outer) -> {
			this.inRows.executeWithoutResult((inner) -> requiresNew
				.executeWithoutResult((innermost) -> assertThat(this.ids.nextLong()).isEqualTo(1)));
			nested.executeWithoutResult((inner) -> assertThat(this.ids.nextLong()).isEqualTo(2));
			this.inNumbers.executeWithoutResult((inner) -> assertThat(this.ids.nextLong()).isEqualTo(3));
		});
	}

	@Test
	void rejectsARowOfAnotherDataSourceInEitherNestingOrder() {
		TransactionalIds scoped = (TransactionalIds) openScoped();
		for (TransactionalIds ids : new TransactionalIds[] { this.ids, scoped }) {
			this.inRows.executeWithoutResult((outer) -> this.inNumbers
				.executeWithoutResult((inner) -> assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> ids.verifyInsert(insertThrough(this.rows)))
					.withMessageContaining("Id generator '" + ids.name() + "'")
					.withMessageContaining("for Invoice.number (table invoice)")
					.withMessageContaining("the row is inserted through DataSource 'rows'")
					.withMessageContaining(
							"in the transaction on DataSource 'numbers', begun by transaction manager 'numbersManager' (DataSource 'numbers')")
					.withMessageContaining("insert the row through DataSource 'numbers'")));
			this.inNumbers.executeWithoutResult((outer) -> {
				// without a transaction of the row's DataSource, each statement is
				// committed on its own
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> ids.verifyInsert(insertThrough(this.rows)));
				this.inRows.executeWithoutResult((inner) -> assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> ids.verifyInsert(insertThrough(this.rows))));
				assertThat(draw(ids, insertThrough(this.numbers))).isEqualTo(1);
			});
		}
	}

	@Test
	void rowOnAnotherConnectionIsRejected() throws SQLException {
		try (Connection other = this.numbers.getConnection()) {
			this.inNumbers.executeWithoutResult((status) -> {
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> this.ids.verifyInsert(new Insert("Invoice.number", this.numbers, other)))
					.withMessageContaining("through another connection of DataSource 'numbers'");
				Connection callersConnection = DataSourceUtils.getConnection(this.numbers);
				assertThat(draw(this.ids, new Insert("Invoice.number", this.numbers, callersConnection))).isEqualTo(1);
				assertThat(draw(this.ids, new Insert("Invoice.number", null, callersConnection))).isEqualTo(2);
				assertThat(draw(this.ids, new Insert("Invoice.number", null, null))).isEqualTo(3);
			});
		}
	}

	@Test
	void rowWithoutATransactionIsRejected() {
		assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> this.ids.verifyInsert(insertThrough(this.numbers)))
			.withMessageContaining("there is no transaction");
	}

	@Test
	void rowsOfAnotherDataSourceAreRejectedAtStartup() {
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> this.ids.verifyInserts(ROW, List.of(this.rows)))
			.withMessageContaining("Invoice.number (table invoice) gets numbers from the gapless sequence 'invoices'")
			.withMessageContaining("in transactions on DataSource 'numbers'")
			.withMessageContaining("its rows are inserted through DataSource 'rows'")
			.withMessageContaining("@Primary");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> ((TransactionalIds) openScoped()).verifyInserts(ROW, List.of(this.rows)));
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> this.ids.verifyInserts(ROW, List.of(new LazyConnectionDataSourceProxy(this.rows))))
			.withMessageContaining("a LazyConnectionDataSourceProxy of DataSource 'rows'");
		assertThatNoException().isThrownBy(() -> this.ids.verifyInserts(ROW, List.of(this.rows, this.numbers)));
		assertThatNoException().isThrownBy(() -> this.ids.verifyInserts(ROW, List.of()));
	}

	static Stream<String> proxies() {
		return Stream.of("lazy", "aware", "routing", "adapter", "lazy around routing", "aware around lazy");
	}

	private static DataSource proxy(String kind, DataSource target) {
		return switch (kind) {
			case "lazy" -> new LazyConnectionDataSourceProxy(target);
			case "aware" -> new TransactionAwareDataSourceProxy(target);
			case "routing" -> routing(target);
			case "adapter" -> new IsolationLevelDataSourceAdapter() {
				{
					setTargetDataSource(target);
				}
			};
			case "lazy around routing" -> new LazyConnectionDataSourceProxy(routing(target));
			case "aware around lazy" -> new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(target));
			default -> throw new IllegalArgumentException(kind);
		};
	}

	private static DataSource routing(DataSource target) {
		IsolationLevelDataSourceRouter router = new IsolationLevelDataSourceRouter();
		router.setTargetDataSources(Map.of("ISOLATION_SERIALIZABLE", target));
		router.setDefaultTargetDataSource(target);
		router.afterPropertiesSet();
		return router;
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void drawsWhenEverythingUsesTheSameProxy(String kind) {
		DataSource proxy = proxy(kind, this.numbers);
		assertDrawsAndRollsBack(proxy, proxy, proxy);
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void drawsFromASequenceOnTheTargetInATransactionOnTheProxy(String kind) {
		DataSource proxy = proxy(kind, this.numbers);
		assertDrawsAndRollsBack(this.numbers, proxy, proxy);
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void drawsFromASequenceOnTheProxyInATransactionOnTheTarget(String kind) {
		assertDrawsAndRollsBack(proxy(kind, this.numbers), this.numbers, this.numbers);
	}

	private void assertDrawsAndRollsBack(DataSource sequenceDataSource, DataSource transactionDataSource,
			DataSource rowDataSource) {
		TransactionalIds ids = open(sequenceDataSource);
		TransactionTemplate transaction = transaction("manager", transactionDataSource);
		JdbcTemplate jdbc = new JdbcTemplate(rowDataSource);
		assertThatNoException().isThrownBy(() -> ids.verifyInserts(ROW, List.of(rowDataSource)));
		Supplier<Long> drawWithoutRow = ids::nextLong;
		Supplier<Long> drawForRow = () -> draw(ids, insertThrough(rowDataSource));
		for (boolean rollback : new boolean[] { true, false }) {
			transaction.executeWithoutResult((status) -> {
				long number = drawWithoutRow.get();
				assertThat(number).isEqualTo(1);
				jdbc.update("insert into invoice values (?)", number);
				jdbc.update("insert into invoice values (?)", drawForRow.get());
				if (rollback) {
					status.setRollbackOnly();
				}
			});
		}
		assertThat(new JdbcTemplate(this.numbers).queryForList("select id from invoice order by id", Long.class))
			.containsExactly(1L, 2L);
	}

	@Test
	void refusesToCommitAfterStatementsOutsideTheProxyTransaction() {
		TransactionTemplate transaction = transaction("manager", new LazyConnectionDataSourceProxy(this.numbers));
		JdbcTemplate outside = new JdbcTemplate(this.numbers);
		assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> transaction.executeWithoutResult(
					(status) -> outside.update("insert into invoice values (?)", this.ids.nextLong())))
			.withMessageContaining("statements were run through DataSource 'numbers', and these are not part of");
		transaction.executeWithoutResult((status) -> {
			outside.queryForList("select * from invoice");
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this.ids::nextLong)
				.withMessageContaining("a LazyConnectionDataSourceProxy of DataSource 'numbers'");
		});
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(
				() -> transaction.executeWithoutResult((status) -> this.ids.verifyInsert(insertThrough(this.numbers))));
		assertThat(this.inNumbers.<Long>execute((status) -> this.ids.nextLong())).isEqualTo(1);
	}

	@Test
	void callsShareOneAttemptToReadTheAutoCommitMode() {
		JtaDataSource dataSource = new JtaDataSource(TestDatabase.h2());
		CountDownLatch released = new CountDownLatch(1);
		dataSource.onConnection = released::await;
		inUnknownTransaction(dataSource, (transactions) -> {
			for (int call = 0; call < 2; call++) {
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(transactions::get);
				assertThat(Thread.interrupted()).isTrue();
			}
			released.countDown();
			assertThat(transactions.get().jta()).isTrue();
			assertThat(dataSource.attempts).hasValue(1);
		});
	}

	@Test
	void readsTheAutoCommitModeAgainAfterAFailedAttempt() {
		JtaDataSource dataSource = new JtaDataSource(TestDatabase.h2());
		dataSource.onConnection = () -> {
			throw new SQLException("down");
		};
		inUnknownTransaction(dataSource, (transactions) -> {
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(transactions::get);
			dataSource.onConnection = () -> {
			};
			assertThat(transactions.get().jta()).isTrue();
		});
	}

	@Test
	@Tag("wide")
	void readsTheAutoCommitModeAgainAfterAnAttemptThatDoesNotEnd() {
		JtaDataSource dataSource = new JtaDataSource(TestDatabase.h2());
		CountDownLatch released = new CountDownLatch(1);
		dataSource.onConnection = released::await;
		inUnknownTransaction(dataSource, (transactions) -> {
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(transactions::get);
			dataSource.onConnection = () -> {
			};
			assertThat(transactions.get().jta()).isTrue();
			released.countDown();
		});
	}

	/**
	 * Run a test in a transaction whose manager is not known.
	 * @param test gets a function that looks for the transaction
	 */
	private void inUnknownTransaction(DataSource dataSource, Consumer<Supplier<CallerTransaction>> test) {
		CallerTransactions transactions = new CallerTransactions(dataSource, this.managers);
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			test.accept(() -> transactions.current((problem, remedy) -> new IdGenerationException(problem)));
		}
		finally {
			TransactionSynchronizationManager.clear();
			TransactionSynchronizationManager.unbindResourceIfPossible(dataSource);
		}
	}

	/**
	 * A DataSource whose connections auto-commit except in the thread that created the
	 * DataSource, as if that thread had a JTA transaction.
	 */
	private static final class JtaDataSource extends DriverManagerDataSource {

		private final Thread transactionThread = Thread.currentThread();

		private final AtomicInteger attempts = new AtomicInteger();

		/** Runs before another thread gets a connection. */
		private volatile ConnectionHook onConnection = () -> {
		};

		JtaDataSource(TestDatabase database) {
			super(database.url(), database.username(), database.password());
		}

		@Override
		public Connection getConnection() throws SQLException {
			boolean inTransaction = Thread.currentThread() == this.transactionThread;
			if (!inTransaction) {
				this.attempts.incrementAndGet();
				try {
					this.onConnection.run();
				}
				catch (InterruptedException ex) {
					throw new SQLException(ex);
				}
			}
			Connection connection = super.getConnection();
			connection.setAutoCommit(!inTransaction);
			return connection;
		}

	}

	private interface ConnectionHook {

		void run() throws SQLException, InterruptedException;

	}

}
