package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.SlotStore;
import dev.idspring.test.SlotStoreContract;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TimeZones;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link JdbcSlotStore}. There is a subclass for each database.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcSlotStoreTests extends SlotStoreContract {

	private final Kind kind;

	private TestDatabase database;

	private HikariDataSource pool;

	private final List<HikariDataSource> otherPools = new ArrayList<>();

	JdbcSlotStoreTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTables() {
		this.database = this.kind.create();
		this.pool = this.database.pool(20);
		TestStores.initialize(this.pool, this.database, "ids_");
	}

	@AfterEach
	void empty() {
		this.otherPools.forEach(HikariDataSource::close);
		this.otherPools.clear();
		TestDatabase.execute(this.pool, "delete from ids_slot", "delete from ids_key_space");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	@Override
	protected SlotStore newStore() {
		return newStore(Duration.ZERO);
	}

	@Override
	protected SlotStore newStore(Duration clockOffset) {
		return new JdbcSlotStore(TestStores.database(this.pool, "ids_"), (millis) -> millis + clockOffset.toMillis());
	}

	@Override
	protected void createKeySpace(String name) {
		new JdbcKeySpaceStore(TestStores.database(this.pool, "ids_")).create(name, "definition", 1L << 40, deadline());
	}

	@Override
	protected void forget(Slot slot) {
		TestDatabase.execute(this.pool, "delete from ids_slot where slot = " + slot.number());
	}

	@Test
	void readsTheClockOfTheDatabase() {
		createKeySpace(NAME);
		claim(newStore(), owner());
		Long leasedAt = new JdbcTemplate(this.pool).queryForObject("select leased_at from ids_slot", Long.class);
		// the database servers of the tests run on this machine
		assertThat(leasedAt).isCloseTo(System.currentTimeMillis(), Offset.offset(600_000L));
	}

	@Test
	void timeDoesNotDependOnTheTimeZoneOfTheSession() {
		for (String zone : TimeZones.sessionStatements(this.kind)) {
			HikariDataSource session = this.database.pool(1);
			session.setConnectionInitSql(zone);
			this.otherPools.add(session);
			assertThat(new JdbcSlotStore(TestStores.database(session, "ids_")).time(deadline())).as(zone)
				.isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES));
		}
	}

	@Test
	void changesSucceedIfTheDatabaseTreatsEmptyStringsAsNull() {
		assumeThat(this.kind).isIn(Kind.H2, Kind.MARIADB);
		TestDatabase emptyIsNull = this.kind.create()
			.withUrlSuffix(
					(this.kind == Kind.H2) ? ";MODE=Oracle" : "?sessionVariables=sql_mode='EMPTY_STRING_IS_NULL'");
		HikariDataSource dataSource = emptyIsNull.pool(2);
		this.otherPools.add(dataSource);
		TestStores.initialize(dataSource, emptyIsNull, "ids_");
		// without a fence, the row has no writer, so that the next change takes it over
		JdbcSettings withoutFence = TestStores.settings(0, FailoverFence.DEFAULT_LAG);
		new JdbcKeySpaceStore(JdbcDatabase.open(dataSource, withoutFence, deadline())).create(NAME, "definition",
				1L << 40, deadline());
		SlotStore store = new JdbcSlotStore(TestStores.database(dataSource, "ids_"));
		SlotOwner owner = owner();
		Slot slot = claim(store, owner);
		store.release(NAME, slot, owner, slot.position(), deadline());
		Slot skippedByAll = claim(store, owner());
		store.skip(NAME, 100, 3, deadline());
		store.skip(NAME, 100, 0, deadline());
		assertThat(store.read(NAME, skippedByAll.number(), deadline()).orElseThrow().slot().position())
			.isEqualTo(skippedByAll.position() + 200);
	}

	/**
	 * With {@code useAffectedRows}, the drivers do not count a row that an update leaves
	 * unchanged.
	 */
	@Test
	void changesSucceedIfTheDriverCountsOnlyChangedRows() {
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		createKeySpace(NAME);
		String url = this.database.url() + (this.database.url().contains("?") ? "&" : "?") + "useAffectedRows=true";
		HikariDataSource countingChanges = new TestDatabase(url, this.database.username(), this.database.password(),
				this.database.platform())
			.pool(1);
		this.otherPools.add(countingChanges);
		SlotStore store = new JdbcSlotStore(TestStores.database(countingChanges, "ids_"), (millis) -> 1_000_000);
		SlotOwner owner = owner();
		StoredSlot slot = store.claim(NAME, 7, SPACE, owner, deadline());
		assertThat(slot.owner()).isEqualTo(owner.id());
		assertThat(store.renew(NAME, SPACE, slot.slot(), owner, deadline()).owner()).isEqualTo(owner.id());
		assertThat(store.claim(NAME, 7, SPACE, owner, deadline()).owner()).isEqualTo(owner.id());
		assertThat(claim(store, owner).number()).isEqualTo(7);
		// a skip by 0 leaves the row unchanged
		store.skip(NAME, 0, 0, deadline());
		store.skip(NAME, 0, 0, deadline());
	}

	@Test
	void usesTheClockOfTheDatabaseInsteadOfTheClockOfTheMachine() {
		// only these databases let a session change its clock
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		createKeySpace(NAME);
		HikariDataSource poolWithClockAhead = this.database.pool(1);
		poolWithClockAhead.setConnectionInitSql("set timestamp = unix_timestamp() + 7200");
		this.otherPools.add(poolWithClockAhead);
		claim(new JdbcSlotStore(TestStores.database(poolWithClockAhead, "ids_")), owner());
		Long leasedAt = new JdbcTemplate(this.pool).queryForObject("select leased_at from ids_slot", Long.class);
		assertThat(leasedAt).isCloseTo(System.currentTimeMillis() + 7_200_000, Offset.offset(600_000L));
		assertThat(claim(newStore(Duration.ofHours(1)), owner()).number()).isEqualTo(1);
	}

	@Test
	void usedUpSlotHasALeaseThatNeverExpires() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		newStore().advance(NAME, SPACE, slot, owner, slot.end(), deadline());
		assertThat(new JdbcTemplate(this.pool).queryForObject("select lease_until from ids_slot", Long.class))
			.isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void claimWhoseCommitFailsIsNotStored() {
		createKeySpace(NAME);
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		SlotStore store = new JdbcSlotStore(TestStores.database(faulty, "ids_"));
		faulty.begin((index, call) -> call.equals("commit") ? Outcome.failsBefore("XX000") : Outcome.SUCCEEDS);
		assertThat(throwsUnavailable(() -> claim(store, owner()))).isTrue();
		faulty.begin((index, call) -> Outcome.SUCCEEDS);
		assertThat(claim(store, owner()).number()).isZero();
	}

	@Test
	void skipIsNotRepeatedAfterAnUnknownOutcome() {
		createKeySpace(NAME);
		Slot slot = claim(newStore(), owner());
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		SlotStore store = new JdbcSlotStore(TestStores.database(faulty, "ids_"));
		faulty.begin((index, call) -> call.equals("commit") ? Outcome.failsAfter("08006") : Outcome.SUCCEEDS);
		assertThat(throwsUnavailable(() -> store.skip(NAME, 100, 3, deadline()))).isTrue();
		faulty.begin((index, call) -> Outcome.SUCCEEDS);
		assertThat(store.read(NAME, 0, deadline()).orElseThrow().slot()).isEqualTo(slot.at(slot.position() + 100));
		assertThat(store.list(NAME, deadline()).next()).isEqualTo(4);
	}

	/**
	 * An advance stores a new position of a slot. Each of its database calls fails in
	 * turn, before or after the call takes effect. The stored position is never below the
	 * confirmed position, and the next owner continues at the stored position.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "08006", "40001", "XX000" })
	@FewInvocations(1)
	void confirmedPositionIsStoredEvenIfACallOfAnAdvanceFails(String state) {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		SlotStore store = new JdbcSlotStore(TestStores.database(faulty, "ids_"));
		for (boolean takesEffect : new boolean[] { false, true }) {
			int index = 1;
			boolean failed = true;
			while (failed) {
				failed = advanceFailingAtCall(faulty, store, index++,
						takesEffect ? Outcome.failsAfter(state) : Outcome.failsBefore(state));
			}
			assertThat(index).as("calls of an advance").isGreaterThan(8);
		}
	}

	private boolean advanceFailingAtCall(FaultyDataSource faulty, SlotStore store, int failingCall, Outcome failure) {
		empty();
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(store, owner);
		boolean[] reached = new boolean[1];
		faulty.begin((index, call) -> {
			if (index == failingCall) {
				reached[0] = true;
				return failure;
			}
			return Outcome.SUCCEEDS;
		});
		long confirmedPosition = 0;
		try {
			StoredSlot stored = store.advance(NAME, SPACE, slot, owner, 1_000, deadline());
			assertThat(stored.owner()).isEqualTo(owner.id());
			confirmedPosition = stored.slot().position();
			assertThat(confirmedPosition).isEqualTo(1_000);
		}
		catch (IdStoreUnavailableException ex) {
			assertThat(reached[0]).isTrue();
		}
		faulty.begin((index, call) -> Outcome.SUCCEEDS);
		StoredSlot found = store.read(NAME, 0, deadline()).orElseThrow();
		assertThat(found.slot().position()).isIn(0L, 1_000L).isGreaterThanOrEqualTo(confirmedPosition);
		assertThat(owner.owns(found)).as("owned after an attempt with unknown outcome").isTrue();
		SlotOwner other = owner();
		Slot adoptedSlot = claim(newStore(LEASE.plusMinutes(2)), other);
		assertThat(adoptedSlot).isEqualTo(found.slot());
		return reached[0];
	}

	/**
	 * The instances use three clocks: one is right, one is an hour ahead, and one is an
	 * hour behind. Instances whose clock is ahead regard the leases of all instances with
	 * other clocks as expired. Instances whose clock is behind see no lease expire during
	 * the test. For each clock, a thread draws alternately from one generator and from
	 * eight others, which it opens one after another. It closes four of the eight as soon
	 * as it has drawn from them. The other four remain open until the end.
	 */
	@Test
	void instancesWithClocksAnHourApartNeverRepeatAnId() {
		Set<Long> ids = ConcurrentHashMap.newKeySet();
		List<CompletableFuture<Integer>> runs = Stream.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1))
			.map((offset) -> CompletableFuture.supplyAsync(() -> drawWithManyInstances(offset, ids),
					(task) -> new Thread(task).start()))
			.toList();
		int issued = runs.stream().mapToInt(CompletableFuture::join).sum();
		assertThat(ids).hasSize(issued);
	}

	private int drawWithManyInstances(Duration clockOffset, Set<Long> ids) {
		JdbcDatabase database = TestStores.database(this.pool, "ids_");
		SlotStore slots = new JdbcSlotStore(database, (millis) -> millis + clockOffset.toMillis());
		KeySpaceStore keySpaces = new JdbcKeySpaceStore(database);
		List<BlockIdGenerator> openUntilTheEnd = new ArrayList<>();
		int issued = 0;
		try (BlockIdGenerator pausing = generator(keySpaces, slots)) {
			for (int i = 0; i < 8; i++) {
				issued += issue(pausing, 35, ids);
				BlockIdGenerator other = generator(keySpaces, slots);
				issued += issue(other, 150, ids);
				if (i % 2 == 0) {
					other.close();
				}
				else {
					openUntilTheEnd.add(other);
				}
			}
		}
		openUntilTheEnd.forEach(BlockIdGenerator::close);
		return issued;
	}

	private static int issue(BlockIdGenerator generator, int count, Set<Long> ids) {
		for (int i = 0; i < count; i++) {
			ids.add(generator.nextLong());
		}
		return count;
	}

	private static BlockIdGenerator generator(KeySpaceStore keySpaces, SlotStore slots) {
		return BlockIdGenerator
			.recycled("orders", new RecycledSettings(200, 1_000_000), new SeriesSettings(1, LEASE), keySpaces, slots)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(60), Duration.ZERO))
			.open();
	}

	private static boolean throwsUnavailable(Runnable task) {
		try {
			task.run();
			return false;
		}
		catch (IdStoreUnavailableException ex) {
			return true;
		}
	}

}
