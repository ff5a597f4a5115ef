package dev.idspring.jdbc;

import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.FenceLine;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the series of a key space with recycled ids: how many series the
 * {@link FailoverFence} skips after a fail-over, how it limits the number of new series,
 * and which losses of series it detects.
 */
abstract class FailoverFenceSeriesTests extends FailoverFenceNodeTests {

	FailoverFenceSeriesTests(Kind kind) {
		super(kind);
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

	@ParameterizedTest
	@CsvSource({ "1,100", "60,5000", "120,5000", "999,5000", "1000,3000", "1000,60000", "9999,600000" })
	void firstSeriesIsClaimedWithAnyMarginAndLag(long margin, long lagMillis) {
		JdbcSlotStore store = slots(server("a", margin, Duration.ofMillis(lagMillis)));
		assertThat(claim(store, SlotOwner.random(LEASE)).number()).isZero();
	}

	@Test
	void rateOfNewSeriesIsRaisedWhenManyAreClaimed() {
		JdbcSlotStore store = slots("a");
		long raised = queryNumber("line_raised_rate", "ids_key_space");
		repeatUntilTheRateIsRaised(() -> claim(store, SlotOwner.random(LEASE)));
		assertThat(queryNumber("line_raised_rate", "ids_key_space")).isBetween(raised + 1,
				raised * FenceLine.RAISE_FACTOR);
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

	private static BlockIdGenerator recycled(JdbcDatabase server, long seriesSize, long capacity) {
		return BlockIdGenerator
			.recycled(NAME, new RecycledSettings(seriesSize, capacity), new SeriesSettings(1, LEASE), keySpaces(server),
					new JdbcSlotStore(server))
			.blockSettings(new BlockSettings(1_000, 5_000_000, Duration.ofMinutes(1), Duration.ZERO))
			.open();
	}

}
