package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.jdbc.Bridge.Counter;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Bridge}. The tests imitate old instances of an application, which draw
 * numbers directly from a source (a sequence or a counter). At the same time, new
 * instances reserve ids through a bridge to this source.
 */
@Tag("mysql")
class BridgeTests {

	private static final long CAPACITY = 1_000_000_000_000L;

	private static final int DRAWS = Integer.getInteger("test.ids.bridge-draws", 12);

	private static final int DRAWS_BEFORE_ADOPTION = 17;

	private HikariDataSource pool;

	private Kind kind;

	@AfterEach
	void close() {
		if (this.pool != null) {
			this.pool.close();
		}
	}

	static Stream<Arguments> sources() {
		return Databases.Provider.databasesOfThisRun(Kind.values())
			.filter((kind) -> kind != Kind.H2_FILE)
			.flatMap((kind) -> Arrays.stream(Reading.values())
				.filter((reading) -> !reading.sequence || nextValue(kind) != null)
				.filter((reading) -> reading == Reading.SEQUENCE_POOLED || reading == Reading.NEXT_PLAIN
						|| Boolean.getBoolean("test.ids.all-invocations"))
				.map((reading) -> Arguments.of(kind, reading)));
	}

	@ParameterizedTest
	@MethodSource("sources")
	@Tag("longer")
	void oldAndNewInstancesNeverTakeTheSameNumber(Kind kind, Reading reading) throws Exception {
		int increment = reading.increment;
		create(kind, increment);
		Set<Long> takenNumbers = ConcurrentHashMap.newKeySet();
		List<Long> duplicates = new ArrayList<>();
		for (int i = 0; i < DRAWS_BEFORE_ADOPTION; i++) {
			recordNumbers(takenNumbers, duplicates, drawAsOldInstance(reading, increment));
		}
		Bridge bridge = bridge(reading, increment);
		JdbcKeySpaceStore first = TestStores.keySpaces(this.pool);
		assertThat(adopt(first, bridge)).isTrue();
		List<Callable<Void>> instances = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			instances
				.add(repeatedly(() -> recordNumbers(takenNumbers, duplicates, drawAsOldInstance(reading, increment))));
			JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
			instances.add(repeatedly(() -> recordNumbers(takenNumbers, duplicates, reserve(store))));
		}
		runAll(instances);
		assertThat(duplicates).isEmpty();
		assertThat(takenNumbers).allMatch((number) -> number < first.read("orders", TestStores.deadline())
			.map(StoredKeySpace::nextOrdinal)
			.orElseThrow(), "below the position of the key space");
	}

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB })
	void readsASequenceIfTheLocaleHasItsOwnDigits(Kind kind) throws Exception {
		create(kind, 50);
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag("ar-EG"));
			JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
			assertThat(adopt(store, bridge(Reading.SEQUENCE_POOLED, 50))).isTrue();
			assertThat(store.read("orders", TestStores.deadline())).isPresent();
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@ParameterizedTest
	@Databases({ Kind.H2, Kind.POSTGRESQL, Kind.MARIADB, Kind.DERBY, Kind.SQLITE })
	void doesNotDrawFromTheSourceAfterTheBridgeEnds(Kind kind) throws Exception {
		create(kind, 1);
		Bridge bridge = bridge(Reading.NEXT_PLAIN, 1);
		assertThat(adopt(TestStores.keySpaces(this.pool), bridge)).isTrue();
		Set<Long> takenNumbers = ConcurrentHashMap.newKeySet();
		List<Long> duplicates = new ArrayList<>();
		List<Callable<Void>> instances = new ArrayList<>();
		AtomicInteger reserving = new AtomicInteger(3);
		for (int i = 0; i < 3; i++) {
			JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
			// the store must read the bridge before the bridge ends
			recordNumbers(takenNumbers, duplicates, reserve(store));
			Callable<Void> draws = repeatedly(() -> recordNumbers(takenNumbers, duplicates, reserve(store)));
			instances.add(() -> {
				try {
					return draws.call();
				}
				finally {
					reserving.decrementAndGet();
				}
			});
		}
		instances.add(() -> {
			while (takenNumbers.size() < 1_000 && reserving.get() > 0) {
				Thread.onSpinWait();
			}
			assertThat(takenNumbers.size()).as("numbers drawn before the bridge ends").isGreaterThanOrEqualTo(1_000);
			assertThat(new AdoptedKeySpaces(TestStores.keySpaces(this.pool)).endBridge("orders", false,
					TestStores.deadline()))
				.isPresent();
			return null;
		});
		runAll(instances);
		assertThat(duplicates).isEmpty();
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		assertThat(store.bridge("orders", TestStores.deadline())).isEmpty();
		assertThat(new AdoptedKeySpaces(store).endBridge("orders", false, TestStores.deadline()))
			.isEqualTo(OptionalLong.empty());
		TestDatabase.execute(this.pool, "drop table counters");
		recordNumbers(takenNumbers, duplicates, reserve(store));
		assertThat(duplicates).isEmpty();
	}

	@ParameterizedTest
	@Databases(except = Kind.H2_FILE)
	void oldInstancesCannotDrawFromAClosedCounter(Kind kind) throws Exception {
		create(kind, 50);
		Bridge bridge = bridge(Reading.NEXT_POOLED, 50);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		assertThat(adopt(store, bridge)).isTrue();
		store.reserve("orders", 10, CAPACITY, TestStores.deadline());
		long finalValue = new AdoptedKeySpaces(store).finalValue(bridge, TestStores.deadline()).orElseThrow();
		assertThat(new AdoptedKeySpaces(store).isLimited(bridge, TestStores.deadline())).isFalse();
		limit(kind, finalValue);
		assertThat(new AdoptedKeySpaces(store).isLimited(bridge, TestStores.deadline())).isTrue();
		drawAsOldInstance(Reading.NEXT_POOLED, 50);
		assertThat(new AdoptedKeySpaces(store).bridged(bridge, TestStores.deadline())).containsExactly("orders");
		assertThat(new AdoptedKeySpaces(store).endBridge("orders", true, TestStores.deadline())).isPresent();
		assertThat(new AdoptedKeySpaces(store).bridged(bridge, TestStores.deadline())).isEmpty();
		assertThatExceptionOfType(SQLException.class).as("old instance that increments in SQL")
			.isThrownBy(() -> drawAsOldInstance(Reading.NEXT_POOLED, 1));
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			long value = value(statement, "select next_val from counters where name = 'orders'");
			assertThat(value).isEqualTo(finalValue);
			// without a limit, Hibernate would draw negative numbers after the largest
			// value of the column's type
			assertThatExceptionOfType(SQLException.class).as("old instance that increments in Java")
				.isThrownBy(() -> statement.executeUpdate("update counters set next_val = " + (value + 50)
						+ " where next_val = " + value + " and name = 'orders'"));
			statement.executeUpdate("update counters set next_val = next_val + 50 where name = 'others'");
		}
		assertThat(reserve(store).count()).as("reservation from the key space").isPositive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "MyISAM", "Aria" })
	void rejectsACounterInANonTransactionalTableAndLeavesItUnchanged(String engine) throws Exception {
		create(Kind.MARIADB, 1);
		TestDatabase.execute(this.pool, "alter table counters engine=" + engine);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		Bridge bridge = bridge(Reading.NEXT_PLAIN, 1);
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> new AdoptedKeySpaces(store).isLimited(bridge, TestStores.deadline()))
			.withMessageContaining("table counters")
			.withMessageContaining("engine " + engine)
			.withMessageContaining("alter table `counters` engine=InnoDB");
		assertThat(drawAsOldInstance(Reading.NEXT_PLAIN, 1).boxed()).containsExactly(1L);
		TestDatabase.execute(this.pool, "alter table counters engine=InnoDB");
		assertThat(new AdoptedKeySpaces(store).isLimited(bridge, TestStores.deadline())).isFalse();
		assertThat(drawAsOldInstance(Reading.NEXT_PLAIN, 1).boxed()).containsExactly(2L);
	}

	/**
	 * Limit the counter as the {@code adopt} command recommends.
	 */
	private void limit(Kind kind, long finalValue) {
		TestDatabase.execute(this.pool, (kind == Kind.SQLITE)
				? "create trigger limited before update on counters when new.name = 'orders' and new.next_val > "
						+ finalValue + " begin select raise(abort, 'closed'); end"
				: "alter table counters add constraint limited check (name <> 'orders' or next_val <= " + finalValue
						+ ")");
	}

	@Test
	void adoptReplacesAnUnusedKeySpace() throws Exception {
		create(Kind.H2, 1);
		JdbcKeySpaceStore storeInUse = TestStores.keySpaces(this.pool);
		storeInUse.create("orders", "sequential start=1", CAPACITY, TestStores.deadline());
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		assertThat(new AdoptedKeySpaces(store).isUnused("orders", TestStores.deadline())).isTrue();
		assertThat(adopt(store, bridge(Reading.NEXT_PLAIN, 1))).isTrue();
		assertThat(new AdoptedKeySpaces(store).isUnused("orders", TestStores.deadline())).isFalse();
		assertThat(reserve(store).min().orElseThrow()).isPositive();
		assertThatExceptionOfType(KeySpaceMismatchException.class).as("instance with another definition")
			.isThrownBy(() -> reserve(storeInUse));
		assertThat(adopt(store, bridge(Reading.NEXT_PLAIN, 1))).as("key space in use").isFalse();
	}

	@Test
	void secretIsNotAddedForNumbersThatOldInstancesHaveDrawn() throws Exception {
		create(Kind.H2, 1);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		assertThat(adopt(store, bridge(Reading.NEXT_PLAIN, 1))).isTrue();
		TestDatabase.execute(this.pool, "update counters set next_val = next_val + 1000");
		String definition = store.read("orders", TestStores.deadline()).orElseThrow().definition();
		assertThat(store.redefine("orders", definition, "with secret", 500, TestStores.deadline()).definition())
			.isEqualTo(definition);
		assertThat(store.redefine("orders", definition, "with secret", 5_000, TestStores.deadline()).definition())
			.isEqualTo("with secret");
	}

	@Test
	void adoptCreatesNothingIfTheSourceCannotBeDrawnFrom() throws Exception {
		create(Kind.H2, 1);
		TestDatabase.execute(this.pool, "delete from counters where name = 'orders'");
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(
				() -> new AdoptedKeySpaces(store).adopt(new StoredKeySpace("orders", "sequential start=0", CAPACITY, 0),
						bridge(Reading.NEXT_PLAIN, 1), TestStores.deadline()));
		assertThat(new AdoptedKeySpaces(store).isUnused("orders", TestStores.deadline())).isTrue();
	}

	@Test
	void adoptDoesNotReplaceAKeySpaceUsedConcurrently() throws Exception {
		create(Kind.H2, 1);
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		JdbcKeySpaceStore store = TestStores.keySpaces(faulty);
		store.create("orders", "sequential start=0", CAPACITY, TestStores.deadline());
		Bridge bridge = bridge(Reading.NEXT_PLAIN, 1);
		faulty.begin((index, call) -> {
			if (call.equals("executeUpdate")) {
				faulty.begin((later, other) -> Outcome.SUCCEEDS);
				TestStores.keySpaces(this.pool).reserve("orders", 1, CAPACITY, TestStores.deadline());
			}
			return Outcome.SUCCEEDS;
		});
		assertThat(adopt(store, bridge)).isFalse();
		assertThat(store.bridge("orders", TestStores.deadline())).isEmpty();
	}

	@Test
	void staleStoreDetectsThatTheBridgeHasEnded() throws Exception {
		create(Kind.H2, 1);
		JdbcKeySpaceStore staleStore = TestStores.keySpaces(this.pool);
		adopt(staleStore, bridge(Reading.NEXT_PLAIN, 1));
		long before = staleStore.reserve("orders", 10, CAPACITY, TestStores.deadline()).end();
		long end = new AdoptedKeySpaces(TestStores.keySpaces(this.pool))
			.endBridge("orders", false, TestStores.deadline())
			.orElseThrow();
		// if the store drew from the source, this range would start directly after the
		// first range
		OrdinalRange range = staleStore.reserve("orders", 10, CAPACITY, TestStores.deadline());
		assertThat(range.start()).isEqualTo(end).isGreaterThanOrEqualTo(before);
		assertThat(staleStore.reserve("orders", 10, CAPACITY, TestStores.deadline()).start()).isEqualTo(end + 10);
	}

	/**
	 * The bridge ends after the numbers are drawn from the source, and before the
	 * statement that reserves them. The test uses H2, because H2 takes no locks when it
	 * reads.
	 */
	@Test
	void discardsNumbersDrawnWhileTheBridgeEnds() {
		create(Kind.H2, 1);
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		JdbcKeySpaceStore store = TestStores.keySpaces(faulty);
		adopt(store, bridge(Reading.SEQUENCE_PLAIN, 1));
		store.reserve("orders", 100, CAPACITY, TestStores.deadline());
		faulty.begin((index, call) -> {
			if (call.equals("executeUpdate")) {
				faulty.begin((later, other) -> Outcome.SUCCEEDS);
				TestDatabase.execute(this.pool, "update ids_key_space set bridge = null, next_ordinal = 150");
			}
			return Outcome.SUCCEEDS;
		});
		assertThat(store.reserve("orders", 100, CAPACITY, TestStores.deadline()).start()).isEqualTo(150);
	}

	@Test
	void staleStoreDrawsThroughABridgeAddedLater() throws Exception {
		create(Kind.H2, 1);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		store.create("orders", "sequential start=0", CAPACITY, TestStores.deadline());
		store.reserve("orders", 10, CAPACITY, TestStores.deadline());
		TestDatabase.execute(this.pool, "delete from ids_key_space");
		adopt(TestStores.keySpaces(this.pool), bridge(Reading.NEXT_PLAIN, 1));
		drawAsOldInstance(Reading.NEXT_PLAIN, 1);
		assertThat(store.reserve("orders", 10, CAPACITY, TestStores.deadline()).start()).isEqualTo(5);
	}

	@Test
	void discardsSourceNumbersBelowTheKeySpacePosition() throws Exception {
		create(Kind.POSTGRESQL, 1);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		adopt(store, bridge(Reading.SEQUENCE_PLAIN, 1));
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> store.skip("orders", 250_000, CAPACITY, TestStores.deadline()))
			.withMessageContaining("draws from sequence orders_seq");
		TestDatabase.execute(this.pool, "update ids_key_space set next_ordinal = 250000");
		assertThat(store.reserve("orders", 100, CAPACITY, TestStores.deadline()).start())
			.isGreaterThanOrEqualTo(250_000);
	}

	@Test
	void reservationEndsAtTheBound() throws Exception {
		create(Kind.H2, 1);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		adopt(store, bridge(Reading.NEXT_PLAIN, 1));
		assertThat(store.reserve("orders", 100, 60, TestStores.deadline()).end()).isEqualTo(60);
		assertThat(store.reserve("orders", 100, 60, TestStores.deadline()).isEmpty()).isTrue();
	}

	@Test
	void failureNamesTheMissingSource() throws Exception {
		create(Kind.H2, 1);
		JdbcKeySpaceStore store = TestStores.keySpaces(this.pool);
		adopt(store, bridge(Reading.NEXT_PLAIN, 1));
		TestDatabase.execute(this.pool, "delete from counters where name = 'orders'");
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.reserve("orders", 10, CAPACITY, TestStores.deadline()))
			.withMessageContaining("table COUNTERS (NEXT_VAL of NAME 'orders') has vanished");
	}

	@Test
	void textFormPreservesUnusualNames() {
		for (Bridge bridge : List.of(new Bridge(new QualifiedName("c&d", "a&b=\"ü\""), null, 1, 0),
				new Bridge(new QualifiedName(null, "t"), new Counter("c", null, null), 50, 7),
				new Bridge(new QualifiedName(null, "t"), new Counter("c", "k", "x=1&y"), 2, 3))) {
			assertThat(Bridge.parse(bridge.text())).isEqualTo(bridge);
		}
	}

	private void create(Kind kind, int increment) {
		this.kind = kind;
		TestDatabase database = kind.create();
		this.pool = database.pool(8);
		TestStores.initialize(this.pool, database, "ids_");
		TestDatabase.execute(this.pool,
				"create table counters (name varchar(20) not null primary key, next_val bigint not null)",
				"insert into counters values ('orders', 1)", "insert into counters values ('others', 1)");
		if (nextValue(kind) != null) {
			TestDatabase.execute(this.pool, "create sequence orders_seq start with 1 increment by " + increment);
		}
	}

	private static String nextValue(Kind kind) {
		return switch (kind) {
			case H2, H2_FILE -> "select next value for orders_seq";
			case POSTGRESQL -> "select nextval('orders_seq')";
			case MARIADB -> "select nextval(orders_seq)";
			default -> null;
		};
	}

	private Bridge bridge(Reading reading, int increment) {
		// in upper or lower case, as in the catalogue of the database
		boolean upperCase = this.kind == Kind.H2 || this.kind == Kind.H2_FILE || this.kind == Kind.HSQLDB
				|| this.kind == Kind.DERBY;
		UnaryOperator<String> nameInCatalogue = (name) -> upperCase ? name.toUpperCase(Locale.ROOT) : name;
		return reading.sequence
				? new Bridge(new QualifiedName(null, nameInCatalogue.apply("orders_seq")), null, increment, 0)
				: new Bridge(new QualifiedName(null, nameInCatalogue.apply("counters")),
						new Counter(nameInCatalogue.apply("next_val"), nameInCatalogue.apply("name"), "orders"),
						increment, 0);
	}

	private static boolean adopt(JdbcKeySpaceStore store, Bridge bridge) {
		long firstUnused = new AdoptedKeySpaces(store).firstUnused(bridge, TestStores.deadline());
		return new AdoptedKeySpaces(store).adopt(
				new StoredKeySpace("orders", "sequential start=0", CAPACITY, firstUnused), bridge,
				TestStores.deadline());
	}

	/**
	 * Draw numbers as an old instance does.
	 */
	private LongStream drawAsOldInstance(Reading reading, int increment) throws SQLException {
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			if (reading.sequence) {
				return reading.numbers(value(statement, nextValue(this.kind)), increment);
			}
			connection.setAutoCommit(false);
			statement
				.executeUpdate("update counters set next_val = next_val + " + increment + " where name = 'orders'");
			long newValue = value(statement, "select next_val from counters where name = 'orders'");
			connection.commit();
			connection.setAutoCommit(true);
			return reading.numbers((reading == Reading.LAST) ? newValue : newValue - increment, increment);
		}
	}

	private static long value(Statement statement, String sql) throws SQLException {
		try (ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getLong(1);
		}
	}

	private static LongStream reserve(JdbcKeySpaceStore store) {
		OrdinalRange range = store.reserve("orders", ThreadLocalRandom.current().nextLong(1, 200), CAPACITY,
				TestStores.deadline());
		assertThat(range.isEmpty()).isFalse();
		return LongStream.range(range.start(), range.end());
	}

	private static void recordNumbers(Set<Long> takenNumbers, List<Long> duplicates, LongStream numbers) {
		numbers.forEach((number) -> {
			if (!takenNumbers.add(number)) {
				synchronized (duplicates) {
					duplicates.add(number);
				}
			}
		});
	}

	private Callable<Void> repeatedly(Task task) {
		return () -> {
			for (int i = 0; i < DRAWS; i++) {
				try {
					task.run();
				}
				catch (SQLException ex) {
					// ignore conflicts and lock timeouts, because the next iteration
					// tries again
					if (!Dialect.isRepeatable(ex.getSQLState()) && this.kind != Kind.SQLITE
							&& !(this.kind == Kind.H2 && "HYT00".equals(ex.getSQLState()))) {
						throw ex;
					}
				}
			}
			return null;
		};
	}

	private static void runAll(List<Callable<Void>> tasks) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
		try {
			for (Future<Void> future : threads.invokeAll(tasks)) {
				future.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private interface Task {

		void run() throws SQLException;

	}

	/**
	 * How old instances read a value from the source, and which numbers they derive from
	 * it. From a counter, they use the value before their update ({@code NEXT}) or after
	 * it ({@code LAST}).
	 */
	enum Reading {

		SEQUENCE_POOLED(true, 50), SEQUENCE_POOLED_LO(true, 50), SEQUENCE_PLAIN(true, 1), NEXT_POOLED(false, 50),
		NEXT_POOLED_LO(false, 50), NEXT_PLAIN(false, 1), LAST(false, 50);

		private final boolean sequence;

		private final int increment;

		Reading(boolean sequence, int increment) {
			this.sequence = sequence;
			this.increment = increment;
		}

		LongStream numbers(long value, int increment) {
			return switch (this) {
				case SEQUENCE_POOLED, NEXT_POOLED, LAST ->
					LongStream.rangeClosed(Math.max(1, value - increment + 1), value);
				case SEQUENCE_POOLED_LO, NEXT_POOLED_LO -> LongStream.range(value, value + increment);
				case SEQUENCE_PLAIN, NEXT_PLAIN -> LongStream.of(value);
			};
		}

	}

}
