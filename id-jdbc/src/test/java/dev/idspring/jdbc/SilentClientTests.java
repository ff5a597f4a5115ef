package dev.idspring.jdbc;

import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests what happens if a process is frozen during a reservation, and keeps the row of
 * the key space locked. On servers that limit the idle time of a transaction, other
 * instances need not wait for that process.
 */
@Tag("mysql")
class SilentClientTests {

	private static final String NAME = "orders";

	private static final long CAPACITY = 1_000_000;

	private static final String MARIADB_LIMITS = "select concat(@@session.idle_transaction_timeout, ' ',"
			+ " @@session.idle_write_transaction_timeout)";

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL,", "MARIADB,", "MARIADB,?sessionVariables=idle_write_transaction_timeout=600",
			"MYSQL_DRIVER," })
	@FewInvocations(2)
	void otherInstancesReserveWhileAClientStallsBeforeItsCommit(Kind kind, String suffix) {
		TestDatabase database = kind.create().withUrlSuffix((suffix != null) ? suffix : "");
		try (HikariDataSource pool = database.pool(2)) {
			assumeThat(kind == Kind.MYSQL_DRIVER
					&& new JdbcTemplate(pool).queryForList("show variables like 'idle_write_transaction_timeout'")
						.isEmpty())
				.as("MySQL has no such limit")
				.isFalse();
			TestStores.initialize(pool, database, "ids_");
			FaultyDataSource stalling = new FaultyDataSource(pool);
			JdbcKeySpaceStore store = TestStores.keySpaces(stalling);
			JdbcKeySpaceStore otherStore = TestStores.keySpaces(pool);
			store.create(NAME, "definition", CAPACITY, TestStores.deadline());
			List<OrdinalRange> reserved = new ArrayList<>();
			stalling.begin((index, call) -> {
				if (call.equals("commit") && reserved.isEmpty()) {
					reserved.add(otherStore.reserve(NAME, 10, CAPACITY, TestStores.deadline()));
				}
				return Outcome.SUCCEEDS;
			});
			reserved.add(store.reserve(NAME, 10, CAPACITY, TestStores.deadline()));
			assertThat(reserved).containsExactly(new OrdinalRange(0, 10), new OrdinalRange(10, 20));
		}
	}

	@ParameterizedTest
	@CsvSource({ "0,3s", "2s,2s", "1min,3s" })
	void idleLimitAppliesToTheTransactionAndIsNeverRaised(String before, String during) {
		TestDatabase database = TestDatabase.postgresql();
		String show = "show idle_in_transaction_session_timeout";
		try (HikariDataSource pool = database.withUrlSuffix("?options=-cidle_in_transaction_session_timeout=" + before)
			.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			assertThat(readInTransaction(TestStores.database(pool, "ids_"), show)).isEqualTo(during);
			assertThat(new JdbcTemplate(pool).queryForObject(show, String.class)).isEqualTo(before);
		}
	}

	@ParameterizedTest
	@CsvSource({ "0,3", "2,2", "60,3" })
	void idleLimitAppliesToTheTransactionAndIsNeverRaisedOnMariadb(String before, String during) {
		TestDatabase database = TestDatabase.mariadb();
		try (HikariDataSource pool = database
			.withUrlSuffix("?sessionVariables=idle_transaction_timeout=" + before + ",idle_write_transaction_timeout="
					+ before)
			.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			assertThat(readInTransaction(TestStores.database(pool, "ids_"), MARIADB_LIMITS))
				.isEqualTo(during + " " + during);
			assertThat(new JdbcTemplate(pool).queryForObject(MARIADB_LIMITS, String.class))
				.isEqualTo(before + " " + before);
		}
	}

	/**
	 * A call that fails may have taken effect. In any case, the connection returns to the
	 * pool with its original limits.
	 */
	@Test
	void idleLimitIsResetWhicheverCallFails() {
		TestDatabase database = TestDatabase.mariadb();
		try (HikariDataSource pool = database
			.withUrlSuffix("?sessionVariables=idle_transaction_timeout=60,idle_write_transaction_timeout=70")
			.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			FaultyDataSource faulty = new FaultyDataSource(pool);
			JdbcKeySpaceStore store = TestStores.keySpaces(faulty);
			store.create(NAME, "definition", CAPACITY, TestStores.deadline());
			int calls = faulty.failEachCall(Outcome.failsAfter("42000"), (index) -> {
				try {
					store.reserve(NAME, 10, CAPACITY, TestStores.deadline());
				}
				catch (IdStoreUnavailableException ex) {
					// expected, unless the failed call has no effect on the reservation
				}
				assertThat(new JdbcTemplate(pool).queryForObject(MARIADB_LIMITS, String.class)).as("call %d", index)
					.isEqualTo("60 70");
			});
			assertThat(calls).isGreaterThan(10);
		}
	}

	private static String readInTransaction(JdbcDatabase database, String show) {
		return database.transactions()
			.repeat("read",
					(connection, timeout) -> SqlStatements
						.queryOne(connection, timeout, (row) -> row.getString(1), show)
						.orElseThrow(),
					TestStores.deadline());
	}

}
