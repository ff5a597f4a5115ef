package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.ClockException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.rules.FenceState;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FailoverFence} on the databases that have server identities, and on
 * H2. One database simulates several servers: the tests change the identity that the
 * database reports. To simulate lost commits, they set rows back. {@link FenceLine}
 * explains the terms line, rate and burst.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FailoverFenceTests {

	private static final String NAME = "test";

	private static final long MARGIN = 1_000;

	private static final Duration LAG = Duration.ofMillis(100);

	private static final Duration LEASE = Duration.ofMinutes(10);

	private static final SlotSpace SERIES = TestSlots.series(1_000, 10_000);

	/**
	 * The time after a fail-over during which no instance can claim a node. It is longer
	 * than a lease.
	 */
	private static final Duration WAITING_TIME = Duration.ofMinutes(12);

	private static final SlotSpace NODES = TestSlots.nodes(10, new Horizon(5_000_000, WAITING_TIME));

	private static final Duration LONG_LEASE = Duration.ofHours(1);

	private static final Duration LEASE_DIFFERENCE = LONG_LEASE.minus(LEASE);

	private final Kind kind;

	private TestDatabase database;

	private HikariDataSource pool;

	private JdbcTemplate jdbc;

	FailoverFenceTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTables() {
		this.database = this.kind.create();
		this.pool = this.database.pool(20);
		this.jdbc = new JdbcTemplate(this.pool);
		TestStores.initialize(this.pool, this.database, "ids_");
	}

	@AfterEach
	void empty() {
		TestDatabase.execute(this.pool, "delete from ids_slot", "delete from ids_key_space");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	private JdbcDatabase server(String name) {
		return server(name, MARGIN);
	}

	private JdbcDatabase server(String name, long margin) {
		return server(name, margin, LAG);
	}

	private JdbcDatabase server(String name, long margin, Duration lag) {
		JdbcDatabase server = JdbcDatabase.open(this.pool, TestStores.settings(margin, lag), TestStores.deadline());
		server.setIncarnation("'" + name + "'");
		return server;
	}

	private static JdbcKeySpaceStore keySpaces(JdbcDatabase server) {
		return new JdbcKeySpaceStore(server);
	}

	private static OrdinalRange reserve(JdbcKeySpaceStore store, long count) {
		return store.reserve(NAME, count, 1L << 40, TestStores.deadline());
	}

	private JdbcKeySpaceStore createKeySpace(String server) {
		JdbcKeySpaceStore store = keySpaces(server(server));
		store.create(NAME, "definition", 1L << 40, TestStores.deadline());
		return store;
	}

	private String incarnation() {
		return this.jdbc.queryForObject("select incarnation from ids_key_space", String.class);
	}

	private long queryNumber(String column, String table) {
		return this.jdbc.queryForObject("select " + column + " from " + table, Long.class);
	}

	@Test
	void recordsTheFirstServerWithoutMovingTheCounter() {
		JdbcKeySpaceStore store = createKeySpace("a");
		assertThat(incarnation()).isEqualTo("a");
		assertThat(reserve(store, 10)).isEqualTo(new OrdinalRange(0, 10));
		this.jdbc.update("update ids_key_space set incarnation = null");
		assertThat(reserve(keySpaces(server("b")), 10)).isEqualTo(new OrdinalRange(10, 20));
		assertThat(incarnation()).isEqualTo("b");
	}

	@Test
	void counterSkipsAtLeastTheMarginAfterAFailOver() {
		assertThat(reserve(createKeySpace("a"), 10)).isEqualTo(new OrdinalRange(0, 10));
		JdbcKeySpaceStore replica = keySpaces(server("b"));
		OrdinalRange moved = reserve(replica, 10);
		assertThat(moved.start()).isGreaterThanOrEqualTo(MARGIN + 10);
		assertThat(reserve(replica, 10).start()).isEqualTo(moved.end());
		assertThat(reserve(keySpaces(server("a")), 10).start()).as("after a fail-back to the first server")
			.isGreaterThan(moved.end());
	}

	@Test
	void counterSkipsMoreAfterALongerPause() {
		reserve(createKeySpace("a"), 10);
		this.jdbc.update("update ids_key_space set line_time = line_time - " + 60 * FenceLine.SECOND);
		// the rate is 1,000 ids per second: 1,000 ids for the margin, 100 for the lag,
		// and 60,000 for the pause of one minute
		assertThat(reserve(keySpaces(server("b")), 10).start()).isGreaterThanOrEqualTo(61_100);
	}

	@Test
	void refusesReservationsForOneLagAfterAFailOver() {
		reserve(createKeySpace("a"), 10);
		Deadline deadline = Deadline.after(TimeSource.system(), Duration.ofMinutes(5));
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(
					() -> keySpaces(server("b", MARGIN, Duration.ofMinutes(10))).reserve(NAME, 10, 1L << 40, deadline))
			.withMessageContaining("Cannot reserve ids of key space 'test' yet: the database has failed over");
		assertThat(deadline.hasPassed()).as("the call fails before its deadline").isFalse();
	}

	@Test
	void reservesWhenTheClockIsSetBack() {
		JdbcKeySpaceStore store = createKeySpace("a");
		OrdinalRange first = reserve(store, 10);
		this.jdbc.update("update ids_key_space set line_time = line_time + " + 3600 * FenceLine.SECOND);
		assertThat(reserve(store, 10).start()).isEqualTo(first.end());
	}

	@Test
	void timeOfTheLineIsNotMovedBackToAnOutdatedClockReading() {
		reserve(createKeySpace("a"), 10);
		ReservationSql sql = server("a", MARGIN).fence().sql();
		FenceLine line = line();
		long lag = 60 * FenceLine.SECOND;
		// the time of the line is at most one burst ahead of the clock
		long clock = line.time() - FenceLine.burst(LAG.toNanos() / 1_000);
		assertThat(followClock(sql, line, clock - lag, lag)).isZero();
		assertThat(followClock(sql, line, clock, lag)).isOne();
	}

	private int followClock(ReservationSql sql, FenceLine line, long clock, long lag) {
		return Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<Integer>) (connection) -> sql
			.followClock(NAME, new FenceState("a", "a", line, clock), line, lag)
			.run(connection, 10)));
	}

	@Test
	void grantsNoMoreThanTheMarginForALargeReservation() {
		JdbcKeySpaceStore store = createKeySpace("a");
		assertThat(reserve(store, 5_000).size()).isBetween(1L, MARGIN);
	}

	@Test
	void rateIsRaisedOneLagBeforeItIsUsed() {
		JdbcKeySpaceStore store = createKeySpace("a");
		repeatUntilTheRateIsRaised(() -> reserve(store, 500));
		// the rate may have been raised twice
		assertThat(queryNumber("line_raised_rate", "ids_key_space"))
			.isGreaterThanOrEqualTo(queryNumber("line_rate", "ids_key_space") * FenceLine.RAISE_FACTOR);
		assertThat(queryNumber("line_raised_at - line_time", "ids_key_space"))
			.isLessThanOrEqualTo(LAG.toNanos() / 1_000);
	}

	@Test
	void raisedRateIsLoweredWhenItIsNoLongerNeeded() {
		// with this margin, the loop below cannot use up even the initial rate
		JdbcKeySpaceStore store = keySpaces(server("a", 1_000_000));
		store.create(NAME, "definition", 1L << 40, TestStores.deadline());
		long initial = queryNumber("line_raised_rate", "ids_key_space");
		this.jdbc.update("update ids_key_space set line_rate = 8000 * line_rate, line_raised_rate = 8000 * line_rate");
		store.read(NAME, TestStores.deadline());
		Deadline deadline = TestStores.deadline();
		while (queryNumber("line_raised_rate", "ids_key_space") > initial && !deadline.hasPassed()) {
			reserve(store, 1);
		}
		assertThat(queryNumber("line_raised_rate", "ids_key_space")).isEqualTo(initial);
		assertThat(queryNumber("line_rate", "ids_key_space")).isEqualTo(initial);
	}

	private void repeatUntilTheRateIsRaised(Runnable reservation) {
		long before = queryNumber("line_raised_rate", "ids_key_space");
		int reservations = 0;
		while (queryNumber("line_raised_rate", "ids_key_space") == before && reservations < 5_000) {
			reservation.run();
			reservations++;
		}
		assertThat(reservations).as("reservations until the rate is raised").isLessThan(5_000);
	}

	@Test
	void sqlAndFenceLineComputeTheSameValues() {
		JdbcDatabase server = server("a", 1_000_000);
		JdbcKeySpaceStore store = keySpaces(server);
		store.create(NAME, "definition", 1L << 40, TestStores.deadline());
		reserve(store, 1);
		long future = System.currentTimeMillis() * 1_000 + 600 * FenceLine.SECOND;
		this.jdbc.update("update ids_key_space set line_raised_rate = 8 * line_rate, line_raised_at = " + future
				+ ", line_held_until = " + future);
		for (long count : List.of(1L, 7L, 999L, 123_457L)) {
			FenceLine before = line();
			OrdinalRange range = reserve(store, count);
			assertThat(line()).isEqualTo(before.reserve(count, 0));
			assertThat(store.giveBack(NAME, range, TestStores.deadline())).isTrue();
			assertThat(line()).isEqualTo(before.reserve(count, 0).giveBack(count));
		}
	}

	private FenceLine line() {
		return this.jdbc.queryForObject("select * from ids_key_space",
				(row, number) -> new FenceLine(row.getLong("next_ordinal"), row.getLong("line_time"),
						row.getLong("line_rate"), row.getLong("line_raised_rate"), row.getLong("line_raised_at"),
						row.getLong("line_held_until")));
	}

	@Test
	void oneInstanceMovesTheCounterWhenSeveralReconnect() {
		reserve(createKeySpace("a"), 10);
		CyclicBarrier barrier = new CyclicBarrier(8);
		List<OrdinalRange> ranges = IntStream.range(0, 8)
			.mapToObj((i) -> keySpaces(server("b")))
			.map((store) -> CompletableFuture.supplyAsync(() -> {
				await(barrier);
				return reserve(store, 10);
			}, (task) -> new Thread(task).start()))
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		TestStores.assertDisjoint(ranges);
		long first = ranges.stream().mapToLong(OrdinalRange::start).min().orElseThrow();
		assertThat(first).isGreaterThanOrEqualTo(MARGIN + 10);
		assertThat(queryNumber("next_ordinal", "ids_key_space")).as("the counter is moved only once")
			.isEqualTo(first + 8 * 10);
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void warnsOnceAndFailsWhenTheCounterIsBehindAValueReadOnAnotherServer() {
		try (SwitchableServer switchable = new SwitchableServer()) {
			JdbcKeySpaceStore store = keySpaces(switchable.database);
			store.create(NAME, "definition", 1L << 40, TestStores.deadline());
			reserve(store, 10);
			Map<String, Object> before = this.jdbc.queryForMap("select * from ids_key_space");
			switchable.server("b");
			// another instance detects the fail-over and reserves
			long end = reserve(keySpaces(switchable.another()), 10).end();
			store.read(NAME, TestStores.deadline());
			assertThat(switchable.warnings()).noneMatch((warning) -> warning.contains("lacks"));
			restore(before);
			switchable.server("a");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> reserve(store, 10))
				.withMessageContaining("back on server a, which lacks what server b wrote")
				.withMessageContaining(
						"--ids.skip-ahead.key-space=test --ids.skip-ahead.by=<" + (end - 10) + " or more>");
			assertThat(switchable.warnings()).filteredOn((warning) -> warning.contains("lacks")).hasSize(1);
			assertThat(reserve(store, 10).size()).as("reserves again after the first failure").isEqualTo(10);
		}
	}

	@Test
	void warnsWhenAnEarlierServerReturnsAndOthersHaveMovedItsCounter() {
		try (SwitchableServer switchable = new SwitchableServer()) {
			JdbcKeySpaceStore store = keySpaces(switchable.database);
			store.create(NAME, "definition", 1L << 40, TestStores.deadline());
			reserve(store, 10);
			Map<String, Object> before = this.jdbc.queryForMap("select * from ids_key_space");
			switchable.server("b");
			reserve(store, 10);
			restore(before);
			switchable.server("a");
			this.jdbc.update("update ids_key_space set next_ordinal = next_ordinal + 1000000");
			assertThat(reserve(store, 10).start()).isEqualTo(1_000_010);
			assertThat(switchable.warnings()).filteredOn((warning) -> warning.contains("lacks"))
				.singleElement()
				.asString()
				.contains("--ids.skip-ahead.by=<how many ids may be lost>");
		}
	}

	@Test
	void numberToSkipIncludesTheLatestReservationOnTheOtherServer() {
		try (SwitchableServer switchable = new SwitchableServer()) {
			JdbcKeySpaceStore store = keySpaces(switchable.database);
			store.create(NAME, "definition", 1L << 40, TestStores.deadline());
			reserve(store, 10);
			Map<String, Object> before = this.jdbc.queryForMap("select * from ids_key_space");
			switchable.server("b");
			reserve(store, 10);
			long end = reserve(store, 5_000).end();
			restore(before);
			switchable.server("a");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> reserve(store, 10))
				.withMessageContaining("--ids.skip-ahead.by=<" + (end - 10) + " or more>");
		}
	}

	@Test
	void doesNotWarnWhenAnEarlierServerReturnsWithAllWrites() {
		try (SwitchableServer switchable = new SwitchableServer()) {
			JdbcKeySpaceStore store = keySpaces(switchable.database);
			store.create(NAME, "definition", 1L << 40, TestStores.deadline());
			OrdinalRange last = reserve(store, 10);
			for (String server : List.of("b", "a", "b", "a")) {
				switchable.server(server);
				OrdinalRange next = reserve(store, 10);
				assertThat(next.start()).isGreaterThan(last.end());
				last = next;
			}
			assertThat(switchable.warnings()).noneMatch((warning) -> warning.contains("lacks"));
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void warnsWhenSlotsAreBehindAStateSeenOnAnotherServer(boolean nodes) {
		try (SwitchableServer switchable = new SwitchableServer()) {
			SlotSpace space = nodes ? NODES : SERIES;
			SlotOwner owner = SlotOwner.random(LEASE);
			JdbcSlotStore store = slots(switchable.database);
			Slot slot = store.claim(NAME, space, owner, TestStores.deadline()).orElseThrow().slot();
			Map<String, Object> before = this.jdbc.queryForMap("select * from ids_key_space");
			switchable.server("b");
			store.renew(NAME, space, slot, owner, TestStores.deadline());
			assertThat(switchable.warnings()).noneMatch((warning) -> warning.contains("lacks"));
			restore(before);
			switchable.server("a");
			store.renew(NAME, space, slot, owner, TestStores.deadline());
			assertThat(switchable.warnings()).filteredOn((warning) -> warning.contains("lacks"))
				.singleElement()
				.asString()
				.contains("back on server a, which lacks what server b wrote",
						nodes ? "Stop all instances, wait for" : "--ids.skip-ahead.series=");
		}
	}

	private void restore(Map<String, Object> row) {
		this.jdbc.update(
				"update ids_key_space set "
						+ row.keySet().stream().map((column) -> column + " = ?").collect(Collectors.joining(", ")),
				row.values().toArray());
	}

	@Test
	void marginOfZeroDisablesTheFence() {
		reserve(createKeySpace("a"), 10);
		assertThat(reserve(keySpaces(server("b", 0)), 10)).isEqualTo(new OrdinalRange(10, 20));
		assertThat(incarnation()).isEqualTo("a");
	}

	@Test
	void negativeMarginIsRejected() {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> TestStores.settings(-1, LAG))
			.withMessageContaining("failoverMargin is -1");
	}

	@Test
	void skipsAtMostAShareOfTheRemainingNumbers() {
		JdbcKeySpaceStore store = keySpaces(server("a"));
		store.create(NAME, "definition", 6_410, TestStores.deadline());
		store.reserve(NAME, 10, 6_410, TestStores.deadline());
		assertThat(keySpaces(server("b")).reserve(NAME, 10, 6_410, TestStores.deadline()))
			.isEqualTo(new OrdinalRange(110, 120));
	}

	@Test
	void skipsTheFullDistanceWhenTheDetectingInstanceHasASmallerBound() {
		reserve(createKeySpace("a"), 10);
		assertThat(keySpaces(server("b")).reserve(NAME, 10, 12, TestStores.deadline()).size()).isZero();
		assertThat(reserve(keySpaces(server("b")), 10).start()).isGreaterThanOrEqualTo(MARGIN + 10);
	}

	@Test
	void counterIsNotMovedBeyondTheLargestNumber() {
		JdbcKeySpaceStore store = keySpaces(server("a"));
		store.create(NAME, "definition", Long.MAX_VALUE, TestStores.deadline());
		this.jdbc.update("update ids_key_space set next_ordinal = " + (Long.MAX_VALUE - 5));
		assertThat(keySpaces(server("b")).reserve(NAME, 10, Long.MAX_VALUE, TestStores.deadline()))
			.isEqualTo(new OrdinalRange(Long.MAX_VALUE - 4, Long.MAX_VALUE));
	}

	/**
	 * In a key space with slots, the counter issues no ids. If reading or updating the
	 * counter recorded the new server, the slots would not detect the fail-over.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failOverDoesNotMoveTheCounterOfAKeySpaceWithSlots(boolean byNumber) {
		reserve(createKeySpace("a"), 10);
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore slots = slots("a");
		Slot slot = byNumber ? slots.claim(NAME, 3, NODES, owner, TestStores.deadline()).slot() : claim(slots, owner);
		JdbcKeySpaceStore replica = keySpaces(server("b"));
		assertThat(replica.read(NAME, TestStores.deadline()).orElseThrow().nextOrdinal()).isEqualTo(10);
		replica.count(NAME, 5, TestStores.deadline());
		assertThat(queryNumber("next_ordinal", "ids_key_space")).isEqualTo(15);
		assertThat(incarnation()).isEqualTo("a");
		slots("b").renew(NAME, NODES, slot, owner, TestStores.deadline());
		assertThat(incarnation()).isEqualTo("b");
	}

	@Test
	void readReturnsALowerBoundOfTheMovedCounter() {
		reserve(createKeySpace("a"), 10);
		JdbcKeySpaceStore replica = keySpaces(server("b"));
		long lowerBound = replica.read(NAME, TestStores.deadline()).orElseThrow().nextOrdinal();
		assertThat(lowerBound).isGreaterThanOrEqualTo(MARGIN + 10);
		assertThat(queryNumber("next_ordinal", "ids_key_space")).isEqualTo(10);
		OrdinalRange reserved = reserve(replica, 10);
		assertThat(reserved.start()).isGreaterThanOrEqualTo(lowerBound);
		assertThat(replica.read(NAME, TestStores.deadline()).orElseThrow().nextOrdinal()).isEqualTo(reserved.end());
	}

	@Test
	void doesNotGiveBackARangeToAnotherServer() {
		JdbcDatabase server = server("a");
		createKeySpace("a");
		JdbcKeySpaceStore store = keySpaces(server);
		OrdinalRange first = reserve(store, 10);
		assertThat(store.giveBack(NAME, first, TestStores.deadline())).isTrue();
		OrdinalRange range = reserve(store, 2_000);
		server.setIncarnation("'b'");
		assertThat(store.giveBack(NAME, range, TestStores.deadline())).as("before the fail-over is detected").isFalse();
		// simulate that another instance has moved the counter to the end of the range
		this.jdbc.update("update ids_key_space set incarnation = 'b'");
		assertThat(store.giveBack(NAME, range, TestStores.deadline()))
			.as("after another instance has moved the counter")
			.isFalse();
		OrdinalRange next = reserve(store, 10);
		assertThat(store.giveBack(NAME, next, TestStores.deadline())).as("reserved on the current server").isTrue();
	}

	@Test
	void generatorContinuesWhenLessThanTheMarginIsLost() {
		JdbcDatabase server = server("a", 1_000_000);
		try (BlockIdGenerator ids = sequential(server)) {
			long[] before = ids.nextLongs(5_000);
			simulateFailOver("update ids_key_space set next_ordinal = 100, incarnation = 'before'");
			long[] after = ids.nextLongs(200_000);
			assertThat(after[after.length - 1]).isGreaterThan(1_000_000);
			assertThat(LongStream.concat(LongStream.of(before), LongStream.of(after)).distinct().count())
				.isEqualTo(before.length + after.length);
		}
	}

	@Test
	void generatorStopsWhenMoreThanTheMarginIsLost() {
		JdbcDatabase server = server("a");
		try (BlockIdGenerator ids = sequential(server)) {
			ids.nextLongs(50_000);
			simulateFailOver("update ids_key_space set next_ordinal = 100, line_rate = 1000, line_raised_rate = 1000,"
					+ " incarnation = 'before'");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> ids.nextLongs(200_000));
		}
	}

	/**
	 * Simulate a fail-over. This happens in one transaction, because generators also
	 * reserve in the background.
	 */
	private void simulateFailOver(String... sql) {
		new TransactionTemplate(new DataSourceTransactionManager(this.pool))
			.executeWithoutResult((status) -> List.of(sql).forEach(this.jdbc::update));
	}

	private static BlockIdGenerator sequential(JdbcDatabase server) {
		return BlockIdGenerator.sequential(NAME, new SequentialSettings(1, 1L << 40), keySpaces(server)).open();
	}

	@Test
	void skipsStartedSeriesToTheirEnds() {
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = claim(store, owner);
		slot = store.advance(NAME, SERIES, slot, owner, 500, TestStores.deadline()).slot();
		this.jdbc.update("update ids_slot set next_position = 100");
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		assertThat(replica.read(NAME, 0, TestStores.deadline()).orElseThrow().slot().position()).isEqualTo(1_100);
		StoredSlot moved = replica.advance(NAME, SERIES, slot, owner, 600, TestStores.deadline());
		assertThat(moved.slot()).isEqualTo(new Slot(0, 10_000, 10_000));
		assertThat(moved.owner()).isNotEqualTo(owner.id());
		assertSeriesAreSkipped(replica, owner);
	}

	@Test
	void skipsTheFullNumberOfSeriesWhenTheDetectingInstanceAllowsFewer() {
		SlotOwner owner = SlotOwner.random(LEASE);
		claim(slots("a"), owner);
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		assertThat(replica.claim(NAME, TestSlots.series(1, 10_000), owner, TestStores.deadline())).isEmpty();
		assertSeriesAreSkipped(replica, owner);
	}

	/**
	 * A take-over skips at least one series, and one more for each second since the last
	 * claim.
	 */
	private void assertSeriesAreSkipped(JdbcSlotStore replica, SlotOwner owner) {
		long next = queryNumber("next_slot", "ids_key_space");
		assertThat(next).isBetween(2L, 10L);
		assertThat(claim(replica, owner)).isEqualTo(new Slot(next, next * 10_000, (next + 1) * 10_000));
	}

	@ParameterizedTest
	@CsvSource({ "1,100", "60,5000", "120,5000", "999,5000", "1000,3000", "1000,60000", "9999,600000" })
	void firstSeriesIsClaimedWithAnyMarginAndLag(long margin, long lagMillis) {
		JdbcSlotStore store = slots(server("a", margin, Duration.ofMillis(lagMillis)));
		assertThat(claim(store, SlotOwner.random(LEASE)).number()).isZero();
	}

	@Test
	void rateOfNewSeriesIsRaised() {
		JdbcSlotStore store = slots("a");
		long raised = queryNumber("line_raised_rate", "ids_key_space");
		repeatUntilTheRateIsRaised(() -> claim(store, SlotOwner.random(LEASE)));
		assertThat(queryNumber("line_raised_rate", "ids_key_space")).isBetween(raised + 1,
				raised * FenceLine.RAISE_FACTOR);
	}

	@Test
	void doesNotGiveBackARangeReservedBeforeTheFailOver() {
		JdbcDatabase server = server("a");
		createKeySpace("a");
		JdbcKeySpaceStore store = keySpaces(server);
		OrdinalRange range = reserve(store, 10);
		this.jdbc.update("update ids_key_space set incarnation = 'b'");
		server.setIncarnation("'b'");
		store.read(NAME, TestStores.deadline());
		assertThat(store.giveBack(NAME, range, TestStores.deadline())).isFalse();
	}

	@Test
	void numberOfNewSeriesIsLimitedByTheMargin() {
		JdbcSlotStore store = slots(server("a", MARGIN, Duration.ofSeconds(10)));
		claim(store, SlotOwner.random(LEASE));
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.claim(NAME, SERIES, SlotOwner.random(LEASE),
					Deadline.after(TimeSource.system(), Duration.ofMillis(500))))
			.withMessageContaining("yet: all instances together have reserved as many ids as failover-margin allows");
	}

	@Test
	void skipsNoPositionsBeyondTheEndOfASeriesAndNoSeriesBeyondTheLast() {
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = claim(store, owner);
		store.advance(NAME, SERIES, slot, owner, 9_500, TestStores.deadline());
		this.jdbc.update("update ids_key_space set next_slot = 1000");
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		assertThat(replica.read(NAME, 0, TestStores.deadline()).orElseThrow().slot().isUsedUp()).isTrue();
		assertThat(replica.claim(NAME, SERIES, owner, TestStores.deadline())).isEmpty();
		assertThat(queryNumber("next_position", "ids_slot")).isEqualTo(10_000);
		assertThat(queryNumber("next_slot", "ids_key_space")).isEqualTo(1_000);
	}

	@Test
	void ownerLosesASeriesStartedOnTheLostServer() {
		SlotOwner owner = SlotOwner.random(LEASE);
		Slot slot = claim(slots("a"), owner);
		this.jdbc.update("delete from ids_slot");
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(
				() -> new JdbcSlotStore(server("a")).advance(NAME, SERIES, slot, owner, 100, TestStores.deadline()));
		this.jdbc.update("update ids_key_space set next_slot = 0");
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		assertThat(replica.read(NAME, 0, TestStores.deadline()).orElseThrow().slot().isUsedUp()).isTrue();
		StoredSlot found = replica.advance(NAME, SERIES, slot, owner, 100, TestStores.deadline());
		assertThat(found.owner()).isNull();
		assertThat(found.slot().isUsedUp()).isTrue();
		assertThat(claim(replica, owner).number()).isPositive();
	}

	@Test
	void doesNotReleaseASeriesOnAnotherServer() {
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.advance(NAME, SERIES, claim(store, owner), owner, 500, TestStores.deadline()).slot();
		assertThat(new JdbcSlotStore(server("b")).release(NAME, slot, owner, 400, TestStores.deadline())).isFalse();
		assertThat(queryNumber("next_position", "ids_slot")).isEqualTo(500);
		assertThat(store.release(NAME, slot, owner, 400, TestStores.deadline())).isTrue();
	}

	@Test
	void recycledGeneratorContinuesWithANewSeriesAfterEachFailOver() {
		JdbcDatabase server = server("a", 100_000);
		try (BlockIdGenerator ids = recycled(server, 10_000, 1_000_000_000)) {
			long[] before = ids.nextLongs(25_000);
			// three series were started; the replica knows only the first one
			simulateFailOver("update ids_key_space set next_slot = 1, incarnation = 'before'",
					"delete from ids_slot where slot > 0", "update ids_slot set next_position = 100");
			long[] after = ids.nextLongs(25_000);
			assertThat(after[after.length - 1]).isGreaterThan(110 * 10_000);
			simulateFailOver("update ids_key_space set incarnation = 'before'");
			long[] afterSecondFailOver = ids.nextLongs(25_000);
			assertThat(Stream.of(before, after, afterSecondFailOver).flatMapToLong(LongStream::of).distinct().count())
				.isEqualTo(75_000);
		}
	}

	/**
	 * An instance with enough ids in memory does not reserve between two fail-overs, but
	 * only renews its lease.
	 */
	@Test
	void reportsNoLossForASeriesThatIsOnlyRenewedBetweenTwoFailOvers() {
		JdbcDatabase server = server("a");
		JdbcKeySpaceStore store = keySpaces(server);
		RecycledSettings settings = new RecycledSettings(10_000, 1_000_000_000);
		TestSeries series = TestSeries.open(NAME, settings, store, new JdbcSlotStore(server), LEASE);
		series.reserve(10_000);
		series.reserve(100);
		simulateFailOver("update ids_key_space set next_slot = 1, incarnation = 'before'",
				"delete from ids_slot where slot > 0");
		series.renew();
		simulateFailOver("update ids_key_space set incarnation = 'before'");
		assertThat(series.reserve(100).start()).isGreaterThanOrEqualTo(3 * 10_000);
	}

	/**
	 * The fail-over lost more than the margin, so another instance claimed the series and
	 * issued its ids again.
	 */
	@Test
	void recycledGeneratorStopsWhenAnotherInstanceOwnsItsUsedUpSeries() {
		try (BlockIdGenerator ids = recycled(server("a", 10_000), 10_000, 1_000_000_000)) {
			ids.nextLongs(25_000);
			simulateFailOver("update ids_key_space set next_slot = 1, incarnation = 'before'",
					"delete from ids_slot where slot > 0", "update ids_slot set owner = 'other'");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> ids.nextLongs(25_000))
				.withMessageContaining("series 0 belongs to another instance");
		}
	}

	@Test
	void detectsTheLossOfASeriesWithAHigherNumberThanTheSkippedOnes() {
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		this.jdbc.update("update ids_key_space set next_slot = 10");
		Slot slot = claim(store, owner);
		this.jdbc.update("delete from ids_slot");
		this.jdbc.update("update ids_key_space set next_slot = 0");
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> replica.advance(NAME, SERIES, slot, owner, slot.position() + 100, TestStores.deadline()));
	}

	@Test
	void detectsARestoredBackupAfterAFailOver() {
		SlotOwner owner = SlotOwner.random(LEASE);
		claim(slots("a"), owner);
		JdbcSlotStore store = new JdbcSlotStore(server("b"));
		Slot slot = claim(store, owner);
		this.jdbc.update("delete from ids_slot where slot = " + slot.number());
		this.jdbc.update("update ids_key_space set next_slot = " + slot.number());
		assertThat(store.read(NAME, slot.number(), TestStores.deadline())).isEmpty();
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> store.advance(NAME, SERIES, slot, owner, slot.position() + 100, TestStores.deadline()));
	}

	@Test
	void recycledGeneratorStopsWhenItHasStartedMoreSeriesThanWereSkipped() {
		JdbcDatabase server = server("a", 1_000_000);
		try (BlockIdGenerator ids = recycled(server, 1_000, 50_000)) {
			ids.nextLongs(5_500);
			simulateFailOver("update ids_key_space set next_slot = 1, incarnation = 'before'",
					"delete from ids_slot where slot > 0", "update ids_slot set next_position = 1000");
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> ids.nextLongs(8_000));
		}
	}

	@Test
	void recycledGeneratorContinuesWhenTheEndOfASeriesIsLost() {
		JdbcDatabase server = server("a", 10_000);
		try (BlockIdGenerator ids = recycled(server, 1_000, 1_000_000)) {
			long[] before = ids.nextLongs(2_500);
			simulateFailOver("update ids_key_space set next_slot = 1, incarnation = 'before'",
					"delete from ids_slot where slot > 0", "update ids_slot set next_position = 300");
			long[] after = ids.nextLongs(8_000);
			assertThat(LongStream.concat(LongStream.of(before), LongStream.of(after)).distinct().count())
				.isEqualTo(10_500);
		}
	}

	private static BlockIdGenerator recycled(JdbcDatabase server, long seriesSize, long capacity) {
		return BlockIdGenerator
			.recycled(NAME, new RecycledSettings(seriesSize, capacity), new SeriesSettings(1, LEASE), keySpaces(server),
					new JdbcSlotStore(server))
			.blockSettings(new BlockSettings(1_000, 5_000_000, Duration.ofMinutes(1), Duration.ZERO))
			.open();
	}

	@Test
	void ownerRetainsItsNodeWhileOthersWaitForAllReservedTimesToPass() {
		SlotOwner owner = SlotOwner.random(LEASE);
		SlotOwner killedOwner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		slot = store.advance(NAME, NODES, slot, owner, 1_000_000, TestStores.deadline()).slot();
		store.claim(NAME, NODES, killedOwner, TestStores.deadline());
		// the replica lacks the last renewal by the owner, and the token of this renewal
		this.jdbc.update("update ids_slot set next_position = 900000, token = 'earlier' where slot = 0");
		this.jdbc.update("update ids_slot set lease_until = 1 where slot = 1");
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		StoredSlot moved = replica.advance(NAME, NODES, slot, owner, 1_000_100, TestStores.deadline());
		assertThat(moved.owner()).isEqualTo(owner.id());
		assertThat(owner.isCloned(moved)).isFalse();
		assertThat(moved.slot().position()).isEqualTo(5_000_000);
		SlotOwner other = SlotOwner.random(LEASE);
		JdbcSlotStore earlyStore = slotsLater(Duration.ZERO);
		assertClaimFails(() -> earlyStore.claim(NAME, NODES, other, TestStores.deadline()));
		JdbcSlotStore storeAfterALease = slotsLater(LEASE.plusMinutes(1));
		assertClaimFails(() -> storeAfterALease.claim(NAME, NODES, other, TestStores.deadline()));
		assertClaimFails(() -> storeAfterALease.claim(NAME, 1, NODES, killedOwner, TestStores.deadline()));
		assertClaimFails(() -> storeAfterALease.claim(NAME, 7, NODES, killedOwner, TestStores.deadline()));
		assertThat(storeAfterALease.claim(NAME, 0, NODES, other, TestStores.deadline()).owner()).as("node in use")
			.isEqualTo(owner.id());
		JdbcSlotStore lateStore = slotsLater(WAITING_TIME.plusMinutes(1));
		assertThat(lateStore.claim(NAME, 1, NODES, other, TestStores.deadline()).slot())
			.isEqualTo(new Slot(1, 5_000_000, Long.MAX_VALUE));
		assertThat(lateStore.claim(NAME, 7, NODES, killedOwner, TestStores.deadline()).owner())
			.isEqualTo(killedOwner.id());
	}

	/**
	 * The length of a lease limits how far ahead of the clock its owner may have reserved
	 * times.
	 */
	@Test
	void nodesAreMovedAsFarAsTheLongestUnexpiredLeaseRequires() {
		SlotOwner longLeaseOwner = SlotOwner.random(LONG_LEASE);
		SlotOwner formerOwner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, longLeaseOwner, TestStores.deadline()).orElseThrow().slot();
		slot = store.advance(NAME, NODES, slot, longLeaseOwner, 5_900_000, TestStores.deadline()).slot();
		Slot other = store.claim(NAME, NODES, formerOwner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, other, formerOwner, other.position(), TestStores.deadline());
		this.jdbc.update("update ids_slot set next_position = 5100000 where slot = 0");
		long leaseUntil = queryNumber("lease_until", "ids_slot where slot = 0");
		assertClaimFails(() -> slotsLater(Duration.ZERO).claim(NAME, NODES, formerOwner, TestStores.deadline()));
		assertThat(queryNumber("lease_until", "ids_slot where slot = 0")).isGreaterThanOrEqualTo(leaseUntil);
		assertThat(queryNumber("min(next_position)", "ids_slot")).isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
		assertClaimFails(() -> slotsLater(WAITING_TIME.plusMinutes(1)).claim(NAME, NODES, SlotOwner.random(LEASE),
				TestStores.deadline()));
		assertClaimFails(() -> slotsLater(WAITING_TIME.plusMinutes(1)).claim(NAME, 7, NODES, formerOwner,
				TestStores.deadline()));
		StoredSlot found = slotsLater(WAITING_TIME.plusMinutes(1)).advance(NAME, NODES, slot, longLeaseOwner, 6_000_000,
				TestStores.deadline());
		assertThat(found.owner()).isEqualTo(longLeaseOwner.id());
		assertThat(found.slot().position()).isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
		assertThat(slotsLater(WAITING_TIME.plus(LEASE_DIFFERENCE).plusMinutes(1))
			.claim(NAME, 1, NODES, formerOwner, TestStores.deadline())
			.owner()).isEqualTo(formerOwner.id());
	}

	/**
	 * The lease seems to have expired, but the fail-over may have lost a renewal.
	 */
	@Test
	void nodeWithAnExpiredLongLeaseIsMovedFurtherAndIsAvailableLater() {
		SlotOwner longLeaseOwner = SlotOwner.random(LONG_LEASE);
		SlotOwner other = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		store.claim(NAME, NODES, longLeaseOwner, TestStores.deadline());
		store.claim(NAME, 1, NODES, other, TestStores.deadline());
		long passed = LONG_LEASE.plusMinutes(30).toMillis();
		this.jdbc.update("update ids_slot set leased_at = leased_at - " + passed + ", lease_until = lease_until - "
				+ passed + " where slot = 0");
		assertClaimFails(
				() -> slotsLater(Duration.ZERO).claim(NAME, 7, NODES, SlotOwner.random(LEASE), TestStores.deadline()));
		assertThat(queryNumber("next_position", "ids_slot where slot = 0"))
			.isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
		assertThat(queryNumber("next_position", "ids_slot where slot = 1")).isEqualTo(5_000_000);
		JdbcSlotStore earlyStore = slotsLater(WAITING_TIME.plusMinutes(1));
		assertThat(earlyStore.claim(NAME, 7, NODES, SlotOwner.random(LEASE), TestStores.deadline()).slot().number())
			.isEqualTo(7);
		assertClaimFails(() -> earlyStore.claim(NAME, 0, NODES, SlotOwner.random(LEASE), TestStores.deadline()));
		assertThat(slotsLater(WAITING_TIME.plus(LEASE_DIFFERENCE).plusMinutes(1))
			.claim(NAME, 0, NODES, SlotOwner.random(LEASE), TestStores.deadline())
			.slot()
			.position()).isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
	}

	@Test
	void laterFailOverDoesNotShortenTheWait() {
		SlotOwner longLeaseOwner = SlotOwner.random(LONG_LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, longLeaseOwner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, slot, longLeaseOwner, slot.position(), TestStores.deadline());
		SlotSpace longLeaseNodes = TestSlots.nodes(10,
				new Horizon(5_000_000 + LEASE_DIFFERENCE.toMillis(), WAITING_TIME.plus(LEASE_DIFFERENCE)));
		assertClaimFails(
				() -> slotsLater(Duration.ZERO).claim(NAME, longLeaseNodes, longLeaseOwner, TestStores.deadline()));
		long until = queryNumber("fenced_until", "ids_key_space");
		assertThat(queryNumber("lease_until", "ids_slot")).isEqualTo(until);
		assertClaimFails(() -> new JdbcSlotStore(server("c")).claim(NAME, NODES, SlotOwner.random(LEASE),
				TestStores.deadline()));
		assertThat(incarnation()).isEqualTo("c");
		assertThat(queryNumber("fenced_until", "ids_key_space")).isEqualTo(until);
		assertThat(queryNumber("lease_until", "ids_slot")).isEqualTo(until);
	}

	/**
	 * An instance whose clock is ahead would move all nodes too far. An instance whose
	 * clock is behind would not move the nodes far enough, so times whose reservations
	 * were lost could be reserved again.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 2, -2 })
	void doesNotMoveNodesWhenTheLocalClockIsWrongAtStartup(int hours) {
		timeGenerator(server("a"), Duration.ZERO).open().close();
		List<Map<String, Object>> before = this.jdbc.queryForList("select * from ids_slot");
		assertThatExceptionOfType(ClockException.class)
			.isThrownBy(() -> timeGenerator(server("b"), Duration.ofHours(hours)).open())
			.withMessageMatching("The clock of this machine is (2h|1[12]\\dm) .*")
			.withMessageContaining((hours > 0) ? "ahead of the clock of the store" : "behind the clock of");
		assertThat(incarnation()).isEqualTo("a");
		assertThat(this.jdbc.queryForList("select * from ids_slot")).isEqualTo(before);
		assertThatExceptionOfType(IdStoreUnavailableException.class).as("correct clock")
			.isThrownBy(() -> timeGenerator(server("b"), Duration.ZERO).open());
		assertThat(incarnation()).isEqualTo("b");
	}

	private static TimeIdGenerator.Builder timeGenerator(JdbcDatabase server, Duration clockOffset) {
		TimeSource system = TimeSource.system();
		return TimeIdGenerator.builder(NAME, Preset.STANDARD.settings().scheme())
			.store(keySpaces(server), new JdbcSlotStore(server))
			.timeSource(new TimeSource() {

				@Override
				public long nanoTime() {
					return system.nanoTime();
				}

				@Override
				public Instant instant() {
					return system.instant().plus(clockOffset);
				}

			});
	}

	private static void assertClaimFails(ThrowingCallable claim) {
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(claim)
			.withMessageContaining(
					"After a fail-over of the database, no instance can claim a node of key space 'test' for another");
	}

	/**
	 * Return a store on the promoted server, whose clock is ahead by the given time.
	 */
	private JdbcSlotStore slotsLater(Duration time) {
		return new JdbcSlotStore(server("b"), (millis) -> millis + time.toMillis());
	}

	/**
	 * No node has an owner, so no lease is renewed.
	 */
	@Test
	void waitingForNodesEndsEvenIfAllClaimsFail() {
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, slot, owner, slot.position(), TestStores.deadline());
		assertClaimFails(() -> slotsLater(Duration.ZERO).claim(NAME, NODES, owner, TestStores.deadline()));
		assertThat(incarnation()).isEqualTo("b");
		assertClaimFails(
				() -> slotsLater(WAITING_TIME.minusMinutes(1)).claim(NAME, NODES, owner, TestStores.deadline()));
		assertThat(slotsLater(WAITING_TIME.plusMinutes(1)).claim(NAME, NODES, owner, TestStores.deadline()))
			.isPresent();
	}

	/**
	 * A warning reports leases that are too short for the number of slots with owners. If
	 * waiting slots had owners, the warning would count all slots that were ever used.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void slotsThatWaitAfterAFailOverHaveNoOwner(boolean nodes) {
		SlotSpace space = nodes ? NODES : SERIES;
		SlotOwner owner = SlotOwner.random(LEASE);
		SlotOwner formerOwner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, space, owner, TestStores.deadline()).orElseThrow().slot();
		Slot released = store.claim(NAME, space, formerOwner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, released, formerOwner, released.position(), TestStores.deadline());
		assertThat(store.countOwned(NAME, TestStores.deadline())).isOne();
		JdbcSlotStore replica = slots("b");
		// a node keeps its owner, and a series loses it
		replica.renew(NAME, space, slot, owner, TestStores.deadline());
		assertThat(replica.countOwned(NAME, TestStores.deadline())).isEqualTo(nodes ? 1 : 0);
		assertThat(replica.list(NAME, TestStores.deadline()).slots()).filteredOn(StoredSlot::isLeased)
			.extracting(StoredSlot::owner)
			.isEqualTo(nodes ? List.of(owner.id()) : List.of());
	}

	@Test
	void ownerLosesANodeThatItDoesNotRenewWithinALease() {
		SlotOwner owner = SlotOwner.random(LEASE);
		Slot slot = slots("a").claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		StoredSlot found = slotsLater(LEASE.plusMinutes(1)).advance(NAME, NODES, slot, owner, 1_000,
				TestStores.deadline());
		assertThat(found.owner()).as("another instance may have taken over the node on the lost server")
			.isNotEqualTo(owner.id());
	}

	@Test
	void ownerLosesANodeThatWasClaimedOnTheLostServer() {
		SlotOwner owner = SlotOwner.random(LEASE);
		Slot slot = slots("a").claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		this.jdbc.update("delete from ids_slot");
		this.jdbc.update("update ids_key_space set next_slot = 0");
		StoredSlot found = slotsLater(Duration.ZERO).advance(NAME, NODES, slot, owner, 1_000, TestStores.deadline());
		assertThat(found.owner()).isNull();
		assertThatExceptionOfType(KeySpaceRegressionException.class).as("long after the fail-over")
			.isThrownBy(() -> slotsLater(WAITING_TIME.plusMinutes(1)).advance(NAME, NODES, slot, owner, 1_000,
					TestStores.deadline()));
	}

	private JdbcSlotStore slots(String server) {
		return slots(server(server));
	}

	private static JdbcSlotStore slots(JdbcDatabase server) {
		keySpaces(server).create(NAME, "definition", 10_000_000, TestStores.deadline());
		return new JdbcSlotStore(server);
	}

	private static Slot claim(JdbcSlotStore store, SlotOwner owner) {
		return store.claim(NAME, SERIES, owner, TestStores.deadline()).orElseThrow().slot();
	}

	/**
	 * A database that the test can switch to another server. This class also records the
	 * warnings that are logged.
	 */
	private final class SwitchableServer extends Handler implements AutoCloseable {

		private final Logger logger = Logger.getLogger(FailoverFence.class.getName());

		private final List<String> warnings = new CopyOnWriteArrayList<>();

		private final JdbcDatabase database;

		SwitchableServer() {
			TestDatabase.execute(FailoverFenceTests.this.pool, "create table switchable (server varchar(10))",
					"insert into switchable values ('a')");
			this.database = another();
			this.logger.addHandler(this);
		}

		JdbcDatabase another() {
			JdbcDatabase another = FailoverFenceTests.this.server("a");
			another.setIncarnation("(select max(server) from switchable)");
			return another;
		}

		void server(String name) {
			TestDatabase.execute(FailoverFenceTests.this.pool, "update switchable set server = '" + name + "'");
		}

		List<String> warnings() {
			return this.warnings;
		}

		@Override
		public void publish(LogRecord entry) {
			this.warnings.add(entry.getMessage());
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
			this.logger.removeHandler(this);
			TestDatabase.execute(FailoverFenceTests.this.pool, "drop table switchable");
		}

	}

}
