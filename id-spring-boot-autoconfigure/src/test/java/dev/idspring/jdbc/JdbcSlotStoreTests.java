package dev.idspring.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.slot.AbstractSlotStoreTests;
import dev.idspring.slot.Slot;
import dev.idspring.slot.SlotOwner;
import dev.idspring.slot.SlotStore;
import dev.idspring.slot.StoredSlot;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JdbcSlotStore} on every database.
 */
@ParameterizedClass
@EnumSource(Kind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcSlotStoreTests extends AbstractSlotStoreTests {

	@Parameter
	private Kind kind;

	private TestDatabase database;

	private HikariDataSource pool;

	private final List<HikariDataSource> others = new ArrayList<>();

	@BeforeParameterizedClassInvocation
	void createTables() {
		this.database = this.kind.create();
		this.pool = this.database.pool(2);
		TestStores.initialize(this.pool, this.database, "ids_");
	}

	@AfterEach
	void empty() {
		this.others.forEach(HikariDataSource::close);
		this.others.clear();
		TestDatabase.execute(this.pool, "delete from ids_slot", "delete from ids_key_space");
	}

	@AfterParameterizedClassInvocation
	void close() {
		this.pool.close();
	}

	@Override
	protected SlotStore instance() {
		return instance(Duration.ZERO);
	}

	@Override
	protected SlotStore instance(Duration clockOffset) {
		HikariDataSource dataSource = this.database.pool(1);
		this.others.add(dataSource);
		return new JdbcSlotStore(TestStores.database(dataSource, "ids_"), clockOffset);
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
		claim(instance(), owner());
		Long leasedAt = new JdbcTemplate(this.pool).queryForObject("select leased_at from ids_slot", Long.class);
		// the servers of the tests run on this machine
		assertThat(leasedAt).isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
	}

	@Test
	void claimThatIsNotCommittedLeavesNothingBehind() {
		createKeySpace(NAME);
		FaultyDataSource faulty = new FaultyDataSource(this.pool);
		SlotStore store = new JdbcSlotStore(TestStores.database(faulty, "ids_"));
		faulty.begin((index, call) -> call.equals("commit") ? Outcome.failsBefore("XX000") : Outcome.SUCCEEDS);
		assertThat(catchUnavailable(() -> claim(store, owner()))).isTrue();
		faulty.begin((index, call) -> Outcome.SUCCEEDS);
		assertThat(claim(store, owner()).number()).isZero();
	}

	/**
	 * Whatever fails, and whether or not it took effect: what was confirmed is not
	 * confirmed to another owner, and nothing is lost but what is in doubt.
	 */
	@Test
	void failureAtEveryCallOfAnAdvance() {
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
			StoredSlot stored = store.advance(NAME, slot, owner, 1_000, deadline());
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
		SlotOwner other = owner();
		Slot adopted = claim(instanceLater(), other);
		assertThat(adopted).isEqualTo(found.slot());
		return hit[0];
	}

	private SlotStore instanceLater() {
		return new JdbcSlotStore(TestStores.database(this.pool, "ids_"), LEASE.plusSeconds(5));
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
