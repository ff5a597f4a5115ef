package dev.idspring.jdbc;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestSlots;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class of tests for {@link FailoverFence} on the databases that have server
 * identities, and on H2. One database simulates several servers: the tests change the
 * identity that the database reports. To simulate lost commits, they set rows back.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractFailoverFenceTests {

	static final String NAME = "test";

	static final long MARGIN = 1_000;

	static final Duration LAG = Duration.ofMillis(100);

	static final Duration LEASE = Duration.ofMinutes(10);

	static final SlotSpace SERIES = TestSlots.series(1_000, 10_000);

	/**
	 * The time after a fail-over during which no instance can claim a node. It is longer
	 * than a lease.
	 */
	static final Duration WAITING_TIME = Duration.ofMinutes(12);

	static final SlotSpace NODES = TestSlots.nodes(10, new Horizon(5_000_000, WAITING_TIME));

	private final Kind kind;

	HikariDataSource pool;

	JdbcTemplate jdbc;

	AbstractFailoverFenceTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTables() {
		TestDatabase database = this.kind.create();
		this.pool = database.pool(20);
		this.jdbc = new JdbcTemplate(this.pool);
		TestStores.initialize(this.pool, database, "ids_");
	}

	@AfterEach
	void empty() {
		TestDatabase.execute(this.pool, "delete from ids_slot", "delete from ids_key_space");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	final JdbcDatabase server(String name) {
		return server(name, MARGIN);
	}

	final JdbcDatabase server(String name, long margin) {
		return server(name, margin, LAG);
	}

	final JdbcDatabase server(String name, long margin, Duration lag) {
		JdbcDatabase server = JdbcDatabase.open(this.pool, TestStores.settings(margin, lag), TestStores.deadline());
		server.setIncarnation("'" + name + "'");
		return server;
	}

	static JdbcKeySpaceStore keySpaces(JdbcDatabase server) {
		return new JdbcKeySpaceStore(server);
	}

	final JdbcKeySpaceStore createKeySpace(String server) {
		JdbcKeySpaceStore store = keySpaces(server(server));
		store.create(NAME, "definition", 1L << 40, TestStores.deadline());
		return store;
	}

	static OrdinalRange reserve(JdbcKeySpaceStore store, long count) {
		return store.reserve(NAME, count, 1L << 40, TestStores.deadline());
	}

	final JdbcSlotStore slots(String server) {
		return slots(server(server));
	}

	static JdbcSlotStore slots(JdbcDatabase server) {
		keySpaces(server).create(NAME, "definition", 10_000_000, TestStores.deadline());
		return new JdbcSlotStore(server);
	}

	static Slot claim(JdbcSlotStore store, SlotOwner owner) {
		return store.claim(NAME, SERIES, owner, TestStores.deadline()).orElseThrow().slot();
	}

	final String incarnation() {
		return this.jdbc.queryForObject("select incarnation from ids_key_space", String.class);
	}

	final long queryNumber(String column, String table) {
		return this.jdbc.queryForObject("select " + column + " from " + table, Long.class);
	}

	final void repeatUntilTheRateIsRaised(Runnable reservation) {
		long before = queryNumber("line_raised_rate", "ids_key_space");
		int reservations = 0;
		while (queryNumber("line_raised_rate", "ids_key_space") == before && reservations < 5_000) {
			reservation.run();
			reservations++;
		}
		assertThat(reservations).as("reservations until the rate is raised").isLessThan(5_000);
	}

	/**
	 * Simulate a fail-over. All statements run in one transaction, because generators
	 * also reserve in the background.
	 */
	final void simulateFailOver(String... sql) {
		new TransactionTemplate(new DataSourceTransactionManager(this.pool))
			.executeWithoutResult((status) -> List.of(sql).forEach(this.jdbc::update));
	}

}
