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
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link JdbcSlotStore} on every database.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcSlotStoreTests extends SlotStoreContract {

	private final Kind kind;

	private TestDatabase database;

	private HikariDataSource pool;

	private final List<HikariDataSource> others = new ArrayList<>();

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
		this.others.forEach(HikariDataSource::close);
		this.others.clear();
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
	void clockOfTheDatabaseIsRead() {
		createKeySpace(NAME);
		claim(newStore(), owner());
		Long leasedAt = new JdbcTemplate(this.pool).queryForObject("select leased_at from ids_slot", Long.class);
		// the servers of the tests run on this machine
		assertThat(leasedAt).isCloseTo(System.currentTimeMillis(), Offset.offset(600_000L));
	}

	@Test
	void clockIsTheSameInEveryTimeZoneOfTheSession() {
		for (String zone : TimeZones.ofSession(this.kind)) {
			HikariDataSource session = this.database.pool(1);
			session.setConnectionInitSql(zone);
			this.others.add(session);
			assertThat(new JdbcSlotStore(TestStores.database(session, "ids_")).time(deadline())).as(zone)
				.isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES));
		}
	}

	/**
	 * Drivers that do not count rows which are updated to what they were.
	 */
	@Test
	void worksWithDriversThatCountOnlyChangedRows() {
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		createKeySpace(NAME);
		String url = this.database.url() + (this.database.url().contains("?") ? "&" : "?") + "useAffectedRows=true";
		HikariDataSource affected = new TestDatabase(url, this.database.username(), this.database.password(),
				this.database.platform())
			.pool(1);
		this.others.add(affected);
		SlotStore store = new JdbcSlotStore(TestStores.database(affected, "ids_"), (millis) -> 1_000_000);
		SlotOwner owner = owner();
		StoredSlot slot = store.claim(NAME, 7, SPACE, owner, deadline());
		assertThat(slot.owner()).isEqualTo(owner.id());
		// nothing changes, as the clock stands still
		assertThat(store.renew(NAME, SPACE, slot.slot(), owner, deadline()).owner()).isEqualTo(owner.id());
		assertThat(store.claim(NAME, 7, SPACE, owner, deadline()).owner()).isEqualTo(owner.id());
		assertThat(claim(store, owner).number()).isEqualTo(7);
		store.skip(NAME, 0, 0, deadline());
		store.skip(NAME, 0, 0, deadline());
	}

	@Test
	void usesTheClockOfTheDatabaseInsteadOfTheMachine() {
		// the only ones whose clock can be set, for a session
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		createKeySpace(NAME);
		HikariDataSource ahead = this.database.pool(1);
		ahead.setConnectionInitSql("set timestamp = unix_timestamp() + 7200");
		this.others.add(ahead);
		claim(new JdbcSlotStore(TestStores.database(ahead, "ids_")), owner());
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
	void uncommittedClaimLeavesNothingBehind() {
		createKeySpace(NAME);
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		SlotStore store = new JdbcSlotStore(TestStores.database(faulty, "ids_"));
		faulty.begin((index, call) -> call.equals("commit") ? Outcome.failsBefore("XX000") : Outcome.SUCCEEDS);
		assertThat(catchUnavailable(() -> claim(store, owner()))).isTrue();
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
		assertThat(catchUnavailable(() -> store.skip(NAME, 100, 3, deadline()))).isTrue();
		faulty.begin((index, call) -> Outcome.SUCCEEDS);
		assertThat(store.read(NAME, 0, deadline()).orElseThrow().slot()).isEqualTo(slot.at(slot.position() + 100));
		assertThat(store.list(NAME, deadline()).next()).isEqualTo(4);
	}

	/**
	 * Whatever fails, and whether or not it took effect: what was confirmed is not
	 * confirmed to another owner, and nothing is lost but what is in doubt.
	 */
	@Test
	void confirmedPositionSurvivesAFailureAtAnyCallOfAnAdvance() {
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		SlotStore store = new JdbcSlotStore(TestStores.database(faulty, "ids_"));
		for (boolean takesEffect : new boolean[] { false, true }) {
			for (String state : new String[] { "08006", "40001", "XX000" }) {
				int index = 1;
				boolean failed = true;
				while (failed) {
					failed = failsOnce(faulty, store, index++,
							takesEffect ? Outcome.failsAfter(state) : Outcome.failsBefore(state));
				}
				assertThat(index).as("calls of an advance").isGreaterThan(8);
			}
		}
	}

	private boolean failsOnce(FaultyDataSource faulty, SlotStore store, int failing, Outcome failure) {
		empty();
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(store, owner);
		boolean[] hit = new boolean[1];
		faulty.begin((index, call) -> {
			if (index == failing) {
				hit[0] = true;
				return failure;
			}
			return Outcome.SUCCEEDS;
		});
		long confirmed = 0;
		try {
			StoredSlot stored = store.advance(NAME, SPACE, slot, owner, 1_000, deadline());
			assertThat(stored.owner()).isEqualTo(owner.id());
			confirmed = stored.slot().position();
			assertThat(confirmed).isEqualTo(1_000);
		}
		catch (IdStoreUnavailableException ex) {
			assertThat(hit[0]).isTrue();
		}
		faulty.begin((index, call) -> Outcome.SUCCEEDS);
		StoredSlot found = store.read(NAME, 0, deadline()).orElseThrow();
		assertThat(found.slot().position()).isIn(0L, 1_000L).isGreaterThanOrEqualTo(confirmed);
		assertThat(owner.owns(found)).as("owned after an attempt with unknown outcome").isTrue();
		SlotOwner other = owner();
		Slot adopted = claim(newStore(LEASE.plusMinutes(2)), other);
		assertThat(adopted).isEqualTo(found.slot());
		return hit[0];
	}

	/**
	 * For one of them every lease has run out, for another one none ever does. Beside
	 * those that come and go, and are killed as often as stopped, each has one that is
	 * frozen now and then.
	 */
	@Test
	void instancesWithClocksAnHourApartNeverRepeatAnId() {
		Set<Long> ids = ConcurrentHashMap.newKeySet();
		List<CompletableFuture<Integer>> runs = Stream.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1))
			.map((offset) -> CompletableFuture.supplyAsync(() -> comeAndGo(offset, ids),
					(task) -> new Thread(task).start()))
			.toList();
		int issued = runs.stream().mapToInt(CompletableFuture::join).sum();
		assertThat(ids).hasSize(issued);
	}

	private int comeAndGo(Duration clockOffset, Set<Long> ids) {
		JdbcDatabase database = TestStores.database(this.pool, "ids_");
		SlotStore slots = new JdbcSlotStore(database, (millis) -> millis + clockOffset.toMillis());
		KeySpaceStore keySpaces = new JdbcKeySpaceStore(database);
		List<BlockIdGenerator> killed = new ArrayList<>();
		int issued = 0;
		try (BlockIdGenerator frozen = generator(keySpaces, slots)) {
			for (int i = 0; i < 8; i++) {
				issued += issue(frozen, 35, ids);
				BlockIdGenerator other = generator(keySpaces, slots);
				issued += issue(other, 150, ids);
				if (i % 2 == 0) {
					other.close();
				}
				else {
					killed.add(other);
				}
			}
		}
		killed.forEach(BlockIdGenerator::close);
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

	private static boolean catchUnavailable(Runnable task) {
		try {
			task.run();
			return false;
		}
		catch (IdStoreUnavailableException ex) {
			return true;
		}
	}

}
