package dev.idspring.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.InvalidSettingException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestSlots;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that names reach the database only as bound values. The table prefix becomes part
 * of the SQL, so unsuitable prefixes must be rejected.
 */
class HostileNamesTests {

	private static final List<String> NAMES = List.of("'; drop table ids_key_space; --", "' or '1'='1", "\"", "\\", "?",
			"%", "${x}", "*/ x /*", ":name", "{fn now()}", "a'||'b");

	/**
	 * The SQL is the same for all names, and names are read back unchanged.
	 */
	@ParameterizedTest
	@Databases
	void namesAreBoundAsValues(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(2)) {
			TestStores.initialize(pool, database, "ids_");
			RecordingDataSource recording = new RecordingDataSource(pool);
			JdbcDatabase opened = TestStores.database(recording, "ids_");
			JdbcGaplessStore gapless = new JdbcGaplessStore(recording, opened);
			gapless.open(TestStores.deadline());
			Set<Set<String>> statements = new HashSet<>();
			for (String name : NAMES) {
				recording.sql.clear();
				useKeySpace(new JdbcKeySpaceStore(opened), name);
				useSlots(new JdbcSlotStore(opened), name);
				useSequence(gapless, new TransactionTemplate(new JdbcTransactionManager(recording)), name);
				// the store executes this statement once per connection, not for each
				// name
				recording.sql.removeIf((sql) -> sql.contains("pg_backend_pid"));
				statements.add(Set.copyOf(recording.sql));
			}
			assertThat(statements).hasSize(1);
			assertThat(statements.iterator().next()).hasSizeGreaterThan(15)
				.anyMatch((sql) -> sql.startsWith("insert into ids_slot"));
		}
	}

	private static void useKeySpace(JdbcKeySpaceStore store, String name) {
		store.create(name, name, 1_000, TestStores.deadline());
		store.raiseCapacity(name, 2_000, TestStores.deadline());
		assertThat(store.reserve(name, 10, 2_000, TestStores.deadline())).isEqualTo(new OrdinalRange(0, 10));
		assertThat(store.giveBack(name, new OrdinalRange(0, 10), TestStores.deadline())).isTrue();
		assertThat(store.readHistory(name, TestStores.deadline())).isPresent();
		assertThat(store.read(name, TestStores.deadline())).hasValueSatisfying((stored) -> {
			assertThat(stored.name()).isEqualTo(name);
			assertThat(stored.definition()).isEqualTo(name);
			assertThat(stored.capacity()).isEqualTo(2_000);
			assertThat(stored.nextOrdinal()).isZero();
		});
	}

	private static void useSlots(JdbcSlotStore store, String name) {
		SlotOwner owner = new SlotOwner(name, Duration.ofMinutes(1));
		StoredSlot slot = store.claim(name, TestSlots.series(10, 100), owner, TestStores.deadline()).orElseThrow();
		assertThat(slot.owner()).isEqualTo(name);
		assertThat(store.list(name, TestStores.deadline()).slots()).hasSize(1);
		assertThat(store.release(name, slot.slot(), owner, slot.slot().position(), TestStores.deadline())).isTrue();
	}

	private static void useSequence(JdbcGaplessStore store, TransactionTemplate transaction, String name) {
		store.create(name, 5, TestStores.deadline());
		assertThat(transaction.execute((status) -> store.draw(name, 1, 100, TestStores.deadline())).first())
			.isEqualTo(5);
	}

	@Test
	void recordsStatementsOfEachKind() throws SQLException {
		try (HikariDataSource pool = TestDatabase.h2().pool(1)) {
			RecordingDataSource recording = new RecordingDataSource(pool);
			try (Connection connection = recording.getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute("select 1");
				statement.executeQuery("select 2").close();
				statement.addBatch("call 3");
				connection.prepareCall("call 4").close();
				connection.prepareStatement("select 5").close();
			}
			assertThat(recording.sql).containsExactlyInAnyOrder("select 1", "select 2", "call 3", "call 4", "select 5");
		}
	}

	/**
	 * Apart from a dot after the name of a schema, accepted prefixes contain only
	 * characters that identifiers may contain on every database.
	 */
	@Test
	void prefixThatIsNotAnIdentifierIsRejected() {
		Random random = new Random(4711);
		int accepted = 0;
		for (int i = 0; i < 200_000; i++) {
			StringBuilder prefix = new StringBuilder();
			for (int length = random.nextInt(6); length >= 0; length--) {
				prefix.appendCodePoint(switch (random.nextInt(4)) {
					case 0 -> random.nextInt(Character.MAX_CODE_POINT + 1);
					case 1 -> random.nextInt(0x250);
					default -> "ids_.9aZ\u0131\u212A".charAt(random.nextInt(10));
				});
			}
			if (accepts(prefix.toString())) {
				accepted++;
				assertThat(prefix.chars())
					.allMatch((character) -> "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
						.indexOf(character) >= 0);
			}
		}
		assertThat(accepted).isPositive();
		for (String prefix : List.of("ids_\n", "ids_;", "ids_--", "ids_/**/", "\"ids_\"", "ids_'", "`ids_`", "[ids_]",
				"\u0456ds_", "ids\u00A0", "ids_\0", "app..ids_", ".ids_", "ids_ x", "$1", "\\ids")) {
			assertThat(accepts(prefix)).as(prefix).isFalse();
		}
	}

	private static boolean accepts(String prefix) {
		try {
			assertThat(new TableNames(prefix).keySpace()).isEqualTo(prefix + "key_space");
			return true;
		}
		catch (InvalidSettingException ex) {
			return false;
		}
	}

	/**
	 * Records all SQL, prepared or not.
	 */
	private static final class RecordingDataSource extends DelegatingDataSource {

		private final Set<String> sql = new HashSet<>();

		RecordingDataSource(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			return recordingProxy(Connection.class, super.getConnection());
		}

		private <T> T recordingProxy(Class<T> type, T target) {
			return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						if (arguments != null && arguments[0] instanceof String sql
								&& method.getName().matches("(prepare|execute|addBatch|nativeSQL).*")) {
							this.sql.add(sql);
						}
						Object result = method.invoke(target, arguments);
						return (method.getReturnType() == Statement.class && result != null)
								? recordingProxy(Statement.class, (Statement) result) : result;
					}));
		}

	}

}
