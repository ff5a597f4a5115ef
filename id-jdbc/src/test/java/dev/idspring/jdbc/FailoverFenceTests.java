package dev.idspring.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.rules.FenceState;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.ConnectionCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the counter of a key space: how the {@link FailoverFence} limits
 * reservations, and how far it moves the counter after a fail-over. {@link FenceLine}
 * explains the terms line, rate and burst. The superclasses contain the tests for nodes,
 * series and fail-backs.
 */
abstract class FailoverFenceTests extends FailoverFenceFailBackTests {

	FailoverFenceTests(Kind kind) {
		super(kind);
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
	void raiseIsStoredAndStarted() {
		JdbcKeySpaceStore store = createKeySpace("a");
		repeatUntilTheRateIsRaised(() -> reserve(store, 500));
		// the raise is larger if more than line_rate ids were reserved in a second
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

	private static BlockIdGenerator sequential(JdbcDatabase server) {
		return BlockIdGenerator.sequential(NAME, new SequentialSettings(1, 1L << 40), keySpaces(server)).open();
	}

}
