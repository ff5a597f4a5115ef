package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.test.KeySpaceStoreContract;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Fault;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link JdbcKeySpaceStore}. There is a subclass for each database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractJdbcKeySpaceStoreTests extends KeySpaceStoreContract {

	private static final String TABLE = "ids_key_space";

	private static final long CAPACITY = 1L << 40;

	private final List<HikariDataSource> pools = new ArrayList<>();

	private TestDatabase database;

	private HikariDataSource pool;

	private JdbcKeySpaceStore observer;

	/**
	 * Return a new database of the kind that the subclass tests.
	 */
	abstract TestDatabase newDatabase();

	TestDatabase database() {
		return this.database;
	}

	@BeforeAll
	void createTable() {
		this.database = newDatabase();
		this.pool = this.database.pool(2);
		initialize("ids_");
		this.observer = open(this.pool, "ids_");
	}

	@AfterEach
	void clearTable() {
		TestDatabase.execute(this.pool, "delete from " + TABLE);
		this.pools.forEach(HikariDataSource::close);
		this.pools.clear();
	}

	@AfterAll
	void closePool() {
		this.pool.close();
	}

	boolean initialize(String prefix) {
		return TestStores.initialize(this.pool, this.database, prefix);
	}

	@Override
	protected KeySpaceStore newStore() {
		return open(pool(1), "ids_");
	}

	private HikariDataSource pool(int size) {
		HikariDataSource dataSource = this.database.pool(size);
		this.pools.add(dataSource);
		return dataSource;
	}

	private static JdbcKeySpaceStore open(DataSource dataSource, String prefix) {
		return new JdbcKeySpaceStore(TestStores.database(dataSource, prefix));
	}

	@Test
	void describesTheDatabase() {
		assertThat(newStore().describe().type()).isEqualTo("jdbc");
		assertThat(newStore().describe().database()).isNotBlank();
		assertThat(newStore().describe().warnings()).isEmpty();
	}

	@Test
	void existingTableIsNotChanged() {
		newStore().create(NAME, "definition", CAPACITY, deadline());
		assertThat(initialize("ids_")).isFalse();
		assertThat(newStore().read(NAME, deadline())).isPresent();
	}

	@Test
	void usesTablesWithAnotherPrefix() {
		assertThat(initialize("other_")).isTrue();
		JdbcKeySpaceStore store = open(pool(1), "other_");
		store.create(NAME, "definition", CAPACITY, deadline());
		assertThat(newStore().read(NAME, deadline())).isEmpty();
		assertThat(store.reserve(NAME, 3, CAPACITY, deadline()).size()).isEqualTo(3);
	}

	@Test
	void concurrentTableCreationSucceeds() {
		List<HikariDataSource> connectedPools = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			HikariDataSource dataSource = pool(1);
			TestDatabase.execute(dataSource);
			connectedPools.add(dataSource);
		}
		for (String prefix : List.of("race1_", "race2_", "race3_")) {
			List<Boolean> created = inParallel(
					(index, store) -> TestStores.initialize(connectedPools.get(index), this.database, prefix));
			assertThat(created).contains(true);
			assertThat(open(pool(1), prefix).read(NAME, deadline())).isEmpty();
		}
	}

	@Test
	void missingTableIsReportedWithTheRemedy() {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> open(pool(1), "missing_"))
			.withMessageContaining("missing_key_space")
			.withMessageContaining("ids.jdbc.initialize-schema=always")
			.withMessageContaining("schema-");
	}

	@ParameterizedTest
	@CsvSource({ "before,08006", "after,08006", "before,42000", "after,42000", "before,40001", "after,40001" })
	void returnsNoUnconfirmedRangeWhicheverCallFails(String when, String state) {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		List<OrdinalRange> confirmedRanges = new ArrayList<>();
		Outcome outcome = when.equals("before") ? Outcome.failsBefore(state) : Outcome.failsAfter(state);
		int calls = faulty.failEachCall(outcome, (index) -> {
			try {
				confirmedRanges.add(store.reserve(NAME, 10, CAPACITY, deadline()));
			}
			catch (IdStoreUnavailableException ex) {
				assertThat(ex).hasStackTraceContaining("injected");
			}
			assertThat(nextOrdinal())
				.as("next ordinal in the store, when call %d fails %s it takes effect", index, when)
				.isGreaterThanOrEqualTo(confirmedRanges.stream().mapToLong(OrdinalRange::end).max().orElse(0));
		});
		assertThat(calls).as("calls of a reservation").isGreaterThan(10);
		assertThat(confirmedRanges).isNotEmpty();
		TestStores.assertDisjoint(confirmedRanges);
	}

	private long nextOrdinal() {
		return this.observer.read(NAME, deadline()).orElseThrow().nextOrdinal();
	}

	@ParameterizedTest
	@ValueSource(strings = { "before", "after" })
	void generatorIssuesNoUnconfirmedIdWhenCallsFail(String when) {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		List<Long> issued = new ArrayList<>();
		for (int seed = 0; seed < 3; seed++) {
			Random random = new Random(seed);
			faulty.begin((call, name) -> (random.nextInt(60) != 0) ? Outcome.SUCCEEDS
					: when.equals("before") ? Outcome.failsBefore("08006") : Outcome.failsAfter("08006"));
			try (BlockIdGenerator ids = BlockIdGenerator
				.coprime(NAME, new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store)
				.blockSettings(new BlockSettings(5, 20, Duration.ofSeconds(30), Duration.ZERO))
				.open()) {
				for (int i = 0; i < 200; i++) {
					issued.add(ids.nextLong());
				}
				long reserved = nextOrdinal();
				assertThat(issued).allSatisfy((id) -> assertThat(ids.keySpace().ordinal(id)).isLessThan(reserved));
			}
		}
		assertThat(issued).hasSize(600).doesNotHaveDuplicates();
	}

	@Test
	void discardsTheRangeAfterACommitWithUnknownOutcome() {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		store.reserve(NAME, 10, CAPACITY, deadline());
		AtomicInteger commits = new AtomicInteger();
		faulty.begin((index, call) -> (call.equals("commit") && commits.incrementAndGet() == 1)
				? Outcome.failsAfter("08007") : Outcome.SUCCEEDS);
		assertThat(store.reserve(NAME, 10, CAPACITY, deadline())).isEqualTo(new OrdinalRange(20, 30));
	}

	@ParameterizedTest
	@ValueSource(strings = { "before", "after" })
	void failedGiveBackIsNotRetried(String when) {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		OrdinalRange range = store.reserve(NAME, 10, CAPACITY, deadline());
		faulty.begin((index, call) -> !call.equals("commit") ? Outcome.SUCCEEDS
				: when.equals("before") ? Outcome.failsBefore("40001") : Outcome.failsAfter("40001"));
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.giveBack(NAME, range, deadline()));
		assertThat(faulty.calls().stream().filter("commit"::equals)).hasSize(1);
	}

	/**
	 * Return the JDBC call that advances a counter on this database.
	 */
	private String advanceCall() {
		return switch (this.database.platform()) {
			case "postgresql" -> "execute";
			case "h2", "sqlite" -> "executeQuery";
			default -> "executeUpdate";
		};
	}

	@Test
	void everyAttemptUsesANewConnectionAndTransaction() {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		store.reserve(NAME, 10, CAPACITY, deadline());
		AtomicInteger updates = new AtomicInteger();
		faulty.begin((index, call) -> (call.equals(advanceCall()) && updates.incrementAndGet() <= 3)
				? Outcome.failsAfter("40001") : Outcome.SUCCEEDS);
		assertThat(store.reserve(NAME, 10, CAPACITY, deadline())).isEqualTo(new OrdinalRange(10, 20));
		assertThat(faulty.calls().stream().filter("getConnection"::equals)).hasSize(4);
		assertThat(faulty.calls().stream().filter("rollback"::equals)).hasSize(3);
	}

	@Test
	void retriesTransientFailuresUntilTheDeadline() {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		TestTimeSource time = new TestTimeSource();
		Fault unreachable = (index, call) -> {
			time.advance(Duration.ofSeconds(1));
			return Outcome.failsBefore("08001");
		};
		faulty.begin(unreachable);
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.reserve(NAME, 10, CAPACITY, Deadline.after(time, Duration.ofSeconds(5))))
			.withMessageContaining("reserve ids of key space 'test'")
			.withMessageContaining("SQLState 08001")
			.withStackTraceContaining("injected");
		assertThat(faulty.calls()).hasSize(5).containsOnly("getConnection");
	}

	@Test
	void failsImmediatelyOnAPermanentFailure() {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		faulty.begin((index, call) -> call.equals(advanceCall()) ? Outcome.failsBefore("42501") : Outcome.SUCCEEDS);
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.reserve(NAME, 10, CAPACITY, deadline()));
		assertThat(faulty.calls().stream().filter(advanceCall()::equals)).hasSize(1);
	}

	@Test
	void interruptedThreadStopsRetryingAndRemainsInterrupted() {
		FaultyDataSource faulty = new FaultyDataSource(pool(1));
		JdbcKeySpaceStore store = open(faulty, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		faulty.begin((index, call) -> {
			Thread.currentThread().interrupt();
			return Outcome.failsBefore("08001");
		});
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.reserve(NAME, 10, CAPACITY, deadline()));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(faulty.calls()).containsExactly("getConnection");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionsAreReturnedWithTheirOriginalSettings(boolean autoCommit) throws SQLException {
		HikariDataSource dataSource = this.database.pool(1);
		this.pools.add(dataSource);
		dataSource.setAutoCommit(autoCommit);
		dataSource.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		FaultyDataSource recording = new FaultyDataSource(dataSource);
		JdbcKeySpaceStore store = open(recording, "ids_");
		store.create(NAME, "definition", CAPACITY, deadline());
		store.reserve(NAME, 10, CAPACITY, deadline());
		List<Object> settings = new ArrayList<>();
		// the pool also restores these settings, so the assertions below also count how
		// often the store sets them
		recording.begin((index, call) -> Outcome.SUCCEEDS);
		try (Connection connection = dataSource.getConnection()) {
			settings.add(connection.getAutoCommit());
			settings.add(connection.getTransactionIsolation());
			settings.add(connection.isReadOnly());
		}
		assertThat(settings).containsExactly(autoCommit, Connection.TRANSACTION_SERIALIZABLE, false);
		store.reserve(NAME, 10, CAPACITY, deadline());
		assertThat(recording.calls().stream().filter("setAutoCommit"::equals)).hasSize(autoCommit ? 2 : 0);
		assertThat(recording.calls().stream().filter("setTransactionIsolation"::equals).count()).isIn(0L, 2L);
	}

	@Test
	void generatorStopsWhenTheCounterIsSetBack() {
		try (BlockIdGenerator ids = generator(newStore())) {
			ids.nextLongs(100);
			TestDatabase.execute(this.pool, "update " + TABLE + " set next_ordinal = 0");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> ids.nextLongs(100_000));
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(ids::nextLong);
		}
	}

	@Test
	void generatorStopsWhenItsRowIsDeleted() {
		try (BlockIdGenerator ids = generator(newStore())) {
			ids.nextLongs(100);
			TestDatabase.execute(this.pool, "delete from " + TABLE);
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> ids.nextLongs(100_000))
				.withMessageContaining("skip-ahead");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(ids::nextLong);
		}
	}

	@Test
	void normalRestartLeavesNoGap() {
		long[] before;
		try (BlockIdGenerator ids = generator(newStore())) {
			before = ids.nextLongs(1_234);
		}
		assertThat(before).hasSize(1_234);
		try (BlockIdGenerator ids = generator(newStore())) {
			assertThat(ids.describe(ids.nextLong()).ordinal()).isEqualTo(1_234);
		}
	}

	@Test
	void parallelGeneratorsIssueNoDuplicates() {
		List<long[]> issued = inParallel((index, store) -> {
			try (BlockIdGenerator ids = generator(store)) {
				long[] drawn = new long[5_000];
				for (int i = 0; i < drawn.length; i++) {
					drawn[i] = ids.nextLong();
				}
				return drawn;
			}
		});
		assertThat(issued.stream().flatMapToLong(Arrays::stream).distinct().count()).isEqualTo(8 * 5_000);
	}

	@Test
	void callerThatHoldsTheOnlyConnectionGetsIds() {
		assumeThat(this.database.platform()).as("a database that allows several writers").isNotEqualTo("sqlite");
		inApplication((ids, transaction, jdbc) -> {
			long[] drawn = transaction.execute((status) -> {
				jdbc.update("insert into callers_work values (1)");
				long[] values = new long[20_000];
				for (int i = 0; i < values.length; i++) {
					values[i] = ids.nextLong();
				}
				return values;
			});
			assertThat(drawn).doesNotHaveDuplicates();
		});
	}

	@Test
	void reservationIsNotRolledBackWithTheTransactionOfTheCaller() {
		assumeThat(this.database.platform()).as("a database that allows several writers").isNotEqualTo("sqlite");
		inApplication((ids, transaction, jdbc) -> {
			long[] first = transaction.execute((status) -> {
				jdbc.update("insert into callers_work values (2)");
				status.setRollbackOnly();
				return ids.nextLongs(20_000);
			});
			assertThat(jdbc.queryForObject("select count(*) from callers_work where id = 2", Integer.class)).isZero();
			assertThat(LongStream.concat(LongStream.of(first), LongStream.of(ids.nextLongs(20_000))).distinct())
				.hasSize(40_000);
		});
	}

	/**
	 * Run a test in an application whose pool has only one connection.
	 */
	private void inApplication(ApplicationTest test) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + this.database.url(),
					"spring.datasource.username=" + this.database.username(),
					"spring.datasource.password=" + this.database.password(),
					"spring.datasource.hikari.maximum-pool-size=1")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
				jdbc.execute("create table callers_work (id bigint)");
				try {
					test.run(context.getBean(IdGenerator.class),
							new TransactionTemplate(context.getBean(PlatformTransactionManager.class)), jdbc);
				}
				finally {
					jdbc.execute("drop table callers_work");
				}
			});
	}

	private static BlockIdGenerator generator(KeySpaceStore store) {
		return BlockIdGenerator.coprime(NAME, new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store).open();
	}

	private interface ApplicationTest {

		void run(IdGenerator ids, TransactionTemplate transaction, JdbcTemplate jdbc);

	}

}
