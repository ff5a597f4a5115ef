package dev.idspring.jdbc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for fail-backs: an earlier server returns, with or without the writes of the
 * servers that have replaced it. The {@link FailoverFence} warns about lost writes.
 */
abstract class FailoverFenceFailBackTests extends FailoverFenceSeriesTests {

	FailoverFenceFailBackTests(Kind kind) {
		super(kind);
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

	/**
	 * A database that the test can switch to another server. This class also records the
	 * warnings that are logged.
	 */
	private final class SwitchableServer extends Handler implements AutoCloseable {

		private final Logger logger = Logger.getLogger(FailoverFence.class.getName());

		private final List<String> warnings = new CopyOnWriteArrayList<>();

		private final JdbcDatabase database;

		SwitchableServer() {
			TestDatabase.execute(FailoverFenceFailBackTests.this.pool, "create table switchable (server varchar(10))",
					"insert into switchable values ('a')");
			this.database = another();
			this.logger.addHandler(this);
		}

		JdbcDatabase another() {
			JdbcDatabase another = FailoverFenceFailBackTests.this.server("a");
			another.setIncarnation("(select max(server) from switchable)");
			return another;
		}

		void server(String name) {
			TestDatabase.execute(FailoverFenceFailBackTests.this.pool, "update switchable set server = '" + name + "'");
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
			TestDatabase.execute(FailoverFenceFailBackTests.this.pool, "drop table switchable");
		}

	}

}
