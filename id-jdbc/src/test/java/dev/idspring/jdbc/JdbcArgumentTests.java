package dev.idspring.jdbc;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.jdbc.Bridge.Counter;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.ScopedGaplessStore.Draws;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.testsupport.PublicApi;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that null and other invalid arguments cause an IllegalArgumentException that
 * names the parameter.
 */
class JdbcArgumentTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static HikariDataSource pool;

	private static JdbcDatabase database;

	private final PublicApi api = new PublicApi();

	JdbcArgumentTests() {
		this.api.sample(AdoptedKeySpaces.class, () -> new AdoptedKeySpaces(new JdbcKeySpaceStore(database)))
			.sample(Bridge.class, () -> new Bridge(new QualifiedName(null, "s"), null, 1, 0))
			.sample(Charset.class, () -> StandardCharsets.UTF_8)
			.sample(Counter.class, () -> new Counter("c", null, null))
			.sample(DataSource.class, () -> pool)
			.sample(Draws.class, () -> new Draws("sample", 1, 1, 10, 1, null))
			.sample(IdScope.class, () -> IdScope.NONE)
			.sample(Insert.class, () -> new Insert("sample", null, null))
			.sample(JdbcDatabase.class, () -> database)
			.sample(JdbcGaplessStore.class, () -> new JdbcGaplessStore(pool, database))
			.sample(JdbcKeySpaceStore.class, () -> new JdbcKeySpaceStore(database))
			.sample(JdbcSchema.class, () -> new JdbcSchema(pool, "ids_"))
			.sample(JdbcSettings.class, () -> JdbcSettings.defaults("ids_"))
			.sample(JdbcSlotStore.class, () -> new JdbcSlotStore(database))
			.sample(KeySpaceStore.class, () -> new JdbcKeySpaceStore(database))
			.sample(QualifiedName.class, () -> new QualifiedName(null, "t"))
			.sample(OrdinalRange.class, () -> new OrdinalRange(0, 1))
			.sample(Slot.class, () -> new Slot(0, 0, 10))
			.sample(SlotOwner.class, () -> SlotOwner.random(Duration.ofSeconds(5)))
			.sample(StoredKeySpace.class, () -> new StoredKeySpace("sample", "sequential start=1", 10, 0))
			.sample(TransactionManagers.class, TransactionManagers::new)
			.sample(UsageHistory.class, UsageHistory::empty)
			.sample("JdbcSettings.new(tablePrefix)", "ids_");
	}

	@BeforeAll
	static void open() {
		pool = TestDatabase.h2().pool(2);
		new JdbcSchema(pool, "ids_").create();
		database = JdbcDatabase.open(pool, JdbcSettings.defaults("ids_"), DEADLINE);
	}

	@AfterAll
	static void close() {
		pool.close();
	}

	static Stream<Class<?>> types() {
		// SqlFailure is left out, because the description of a failure must not fail
		return PublicApi.types(JdbcDatabase.class, SqlFailure.class).stream();
	}

	@ParameterizedTest
	@MethodSource("types")
	void requiredParametersRejectNull(Class<?> type) {
		assertThat(this.api.violations(type)).isEmpty();
	}

	@Test
	void messageNamesTheInvalidParameter() {
		assertRejected("increment is 0", () -> new Bridge(new QualifiedName(null, "s"), null, 0, 0));
		assertRejected("start is -1", () -> new Bridge(new QualifiedName(null, "s"), null, 1, -1));
		assertRejected("row is null", () -> new Counter("c", "k", null));
		assertRejected("row is 'r'", () -> new Counter("c", null, "r"));
		assertRejected("tablePrefix is ''", () -> new JdbcSchema(pool, ""));
		assertRejected("failoverMargin is -1",
				() -> new JdbcSettings("ids_", null, -1, Duration.ofSeconds(5), null, false, false));
		assertRejected("nextOrdinal is -1", () -> new AdoptedKeySpaces(new JdbcKeySpaceStore(database))
			.adopt(new StoredKeySpace("sample", "sequential start=1", 10, -1), null, DEADLINE));
		assertRejected("capacity is 0", () -> new AdoptedKeySpaces(new JdbcKeySpaceStore(database))
			.adopt(new StoredKeySpace("sample", "sequential start=1", 0, 0), null, DEADLINE));
	}

	@Test
	void gaplessStoreRejectsInvalidArgumentsWithoutChangingASequence() {
		JdbcGaplessStore store = new JdbcGaplessStore(pool, database);
		store.create("sample", 5, DEADLINE);
		Draws draws = new Draws("sample", 1, 1, 10, 10, null);
		IdScope scope = new IdScope(List.of("a"), "-");
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
		transaction.executeWithoutResult((status) -> {
			for (int invalid : new int[] { 0, -1, Integer.MIN_VALUE }) {
				assertRejected("count is " + invalid, () -> store.draw("sample", invalid, 10, DEADLINE));
			}
			assertRejected("last is -1", () -> store.draw("sample", 1, -1, DEADLINE));
			assertRejected("last is 9223372036854775807", () -> store.draw("sample", 1, Long.MAX_VALUE, DEADLINE));
		});
		for (long invalid : new long[] { 0, -1, Long.MIN_VALUE, 11, Long.MAX_VALUE }) {
			assertRejected("start is " + invalid, () -> store.start(draws, scope, invalid, DEADLINE));
		}
		assertRejected("first is -1", () -> store.create("other", -1, DEADLINE));
		assertRejected("count is 0", () -> store.list("sample", "-", null, 0, DEADLINE));
		assertThat(store.next("sample", DEADLINE)).isEqualTo(5);
		assertThat(store.next("sample", scope, DEADLINE)).isEmpty();
	}

	private static void assertRejected(String message, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
	}

}
