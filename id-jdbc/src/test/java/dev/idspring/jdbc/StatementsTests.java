package dev.idspring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/database.md} shows the statements of a reservation as PostgreSQL
 * receives them, and that all updates of a key space find their row by its primary key.
 */
@Tag("mysql")
class StatementsTests {

	private static final String NAME = "orders";

	private static final String DEFINITION = "a definition";

	private static final long CAPACITY = 1_000_000;

	/** The name and the text of a part of an example. */
	private static final Pattern PART = Pattern.compile("-- (\\w+): (.*)");

	private final List<String> sentStatements = Collections.synchronizedList(new ArrayList<>());

	@Test
	void documentationShowsTheStatementsSent() {
		try (HikariDataSource pool = poolAfterReservations(TestDatabase.postgresql())) {
			List<String> documentedStatements = Documentation.examples(Documentation.page("database"), "sql")
				.stream()
				.filter((example) -> example.contains("-- server: "))
				.map(StatementsTests::expandParts)
				.toList();
			assertThat(documentedStatements).hasSize(2)
				.allSatisfy((statement) -> assertThat(this.sentStatements).contains(statement));
		}
	}

	/**
	 * Replace the names of parts in an example with their text.
	 */
	private static String expandParts(String example) {
		Map<String, String> parts = new LinkedHashMap<>();
		PART.matcher(example).results().forEach((part) -> parts.put(part.group(1), part.group(2)));
		String statement = PART.matcher(example).replaceAll("").strip().replaceAll("\\s+", " ");
		List<String> names = new ArrayList<>(parts.keySet());
		Collections.reverse(names);
		for (String name : names) {
			// a part may contain parts that precede it
			statement = statement.replace("{" + name + "}", parts.get(name));
		}
		return statement;
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.INCLUDE, names = { "POSTGRESQL", "MARIADB", "MYSQL_DRIVER" })
	void statementsFindTheRowByItsPrimaryKey(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = poolAfterReservations(database)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			jdbc.batchUpdate(
					"insert into ids_key_space (name, definition, capacity, next_ordinal, next_slot, usage_history)"
							+ " values (?, 'another', 1, 0, 0, '')",
					IntStream.range(0, 2_000).mapToObj((i) -> new Object[] { "other" + i }).toList());
			jdbc.execute(((kind == Kind.POSTGRESQL) ? "analyze " : "analyze table ") + "ids_key_space");
			String explain = (kind == Kind.POSTGRESQL) ? "explain " : "explain format=traditional ";
			statements(jdbc).map(Update::whole)
				.forEach((statement) -> assertThat(
						jdbc.queryForList(explain + statement.text(), statement.values()).toString())
					.as(statement.text())
					.containsPattern((kind == Kind.POSTGRESQL) ? "(?i)index scan using ids_key_space_pkey .* rows=1 "
							: "(?i)key=PRIMARY.*rows=1\\b"));
		}
	}

	private static Stream<Update> statements(JdbcTemplate jdbc) {
		JdbcKeySpaceStore store = TestStores.keySpaces(jdbc.getDataSource());
		store.create(NAME, DEFINITION, CAPACITY, TestStores.deadline());
		String server = jdbc.queryForObject("select incarnation from ids_key_space where name = ?", String.class, NAME);
		ReservationSql sql = store.database().fence().sql();
		FenceLine line = FenceLine.first(10, 1_000, 1_000, 0);
		return Stream.of(sql.reserve(NAME, DEFINITION, server, "token", 1, CAPACITY, ""),
				sql.reserveDrawn(NAME, DEFINITION, server, "token", 10, 20, 10, ""),
				sql.giveBack(NAME, DEFINITION, server, "token", 10, 20), sql.nextSeries(NAME, 10, 1_000),
				sql.nextNode(NAME, 10), sql.takeOver(NAME, "next_ordinal", 10, server, server, line),
				sql.changeRate(NAME, new FenceState("a", "a", line, 0), line), sql.startRaise(NAME, line, 1),
				sql.followClock(NAME, new FenceState("a", "a", line, 1L << 60), line, 1));
	}

	/**
	 * Reserve twice, and give back the second range. The first reservation is not
	 * recorded, because it may need other statements.
	 * @return the pool
	 */
	private HikariDataSource poolAfterReservations(TestDatabase database) {
		HikariDataSource pool = database.pool(2);
		TestStores.initialize(pool, database, "ids_");
		JdbcKeySpaceStore store = TestStores.keySpaces(recording(pool));
		store.create(NAME, DEFINITION, CAPACITY, TestStores.deadline());
		store.reserve(NAME, 10, CAPACITY, TestStores.deadline());
		this.sentStatements.clear();
		OrdinalRange range = store.reserve(NAME, 10, CAPACITY, TestStores.deadline());
		assertThat(store.giveBack(NAME, range, TestStores.deadline())).isTrue();
		return pool;
	}

	/**
	 * Record each update of a key space, without the statements that precede it in the
	 * same round trip.
	 */
	private DataSource recording(DataSource target) {
		return new DelegatingDataSource(target) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							if (method.getName().equals("prepareStatement")) {
								String sql = (String) arguments[0];
								StatementsTests.this.sentStatements
									.add(sql.substring(Math.max(0, sql.indexOf("update ids_key_space"))));
							}
							try {
								return method.invoke(connection, arguments);
							}
							catch (InvocationTargetException ex) {
								throw ex.getCause();
							}
						});
			}

		};
	}

}
