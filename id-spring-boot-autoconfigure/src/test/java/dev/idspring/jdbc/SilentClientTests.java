package dev.idspring.jdbc;

import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.block.OrdinalRange;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that is frozen in the middle of a reservation holds the row of the key space:
 * servers that can be told to do not let the others wait for it.
 */
class SilentClientTests {

	private static final String NAME = "orders";

	private static final long CAPACITY = 1_000_000;

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.INCLUDE, names = { "POSTGRESQL", "MARIADB" })
	void othersReserveWhileOneIsSilentBeforeItsCommit(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(2)) {
			TestStores.initialize(pool, database, "ids_");
			FaultyDataSource silent = new FaultyDataSource(pool);
			JdbcKeySpaceStore store = TestStores.keySpaces(silent);
			JdbcKeySpaceStore others = TestStores.keySpaces(pool);
			store.create(NAME, "definition", CAPACITY, TestStores.deadline());
			List<OrdinalRange> reserved = new ArrayList<>();
			silent.begin((index, call) -> {
				if (call.equals("commit") && reserved.isEmpty()) {
					reserved.add(others.reserve(NAME, 10, CAPACITY, TestStores.deadline()));
				}
				return Outcome.SUCCEEDS;
			});
			reserved.add(store.reserve(NAME, 10, CAPACITY, TestStores.deadline()));
			assertThat(reserved).containsExactly(new OrdinalRange(0, 10), new OrdinalRange(10, 20));
		}
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL,0,3s", "POSTGRESQL,2s,2s", "POSTGRESQL,1min,3s", "MARIADB,0,3", "MARIADB,2,2",
			"MARIADB,60,3" })
	void limitHoldsForTheTransactionAndIsNeverRaised(Kind kind, String before, String during) {
		TestDatabase database = kind.create();
		boolean postgresql = kind == Kind.POSTGRESQL;
		String show = postgresql ? "show idle_in_transaction_session_timeout"
				: "select @@session.idle_transaction_timeout";
		try (HikariDataSource pool = database
			.withUrlSuffix(postgresql ? "?options=-cidle_in_transaction_session_timeout=" + before
					: "?sessionVariables=idle_transaction_timeout=" + before)
			.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			String seen = TestStores.database(pool, "ids_")
				.transactions()
				.repeat("look",
						(connection, timeout) -> JdbcDatabase
							.queryOne(connection, timeout, (row) -> row.getString(1), show)
							.orElseThrow(),
						TestStores.deadline());
			assertThat(seen).isEqualTo(during);
			assertThat(new JdbcTemplate(pool).queryForObject(show, String.class)).isEqualTo(before);
		}
	}

}
