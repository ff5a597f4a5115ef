package dev.idspring.jdbc;

import java.util.stream.Stream;

import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReservationSql}.
 */
class ReservationSqlTests {

	private static final long BURST = 50_000_000;

	private static final FenceLine LINE = new FenceLine(1, 2, 3, 4, 5, 6);

	private final ReservationSql sqlWithoutFence = sql(new PostgresqlDialect(), null);

	private final ReservationSql sqlWithFence = sql(new PostgresqlDialect(), "server()");

	private static ReservationSql sql(Dialect dialect, String incarnation) {
		return new ReservationSql(new TableNames("ids_"), dialect, incarnation, BURST);
	}

	@Test
	void omitsTheFenceWithoutServerIdentities() {
		Sql sql = this.sqlWithoutFence.reserve("orders", "a definition", null, "a token", 5, 100, "").whole();
		assertThat(sql.text())
			.isEqualTo("update ids_key_space set reservation = ?, next_ordinal = next_ordinal + ? where name = ?"
					+ " and next_ordinal <= ? and bridge is null and definition = ?");
		assertThat(sql.values()).containsExactly("a token", 5L, "orders", 95L, "a definition");
	}

	@Test
	void requiresTheServerAndAReadySession() {
		Sql sql = this.sqlWithFence.reserve("orders", "a definition", "here", "a token", 5, 100, "ready()").whole();
		assertThat(sql.text()).contains(" and incarnation = ? and incarnation = server() and ")
			.endsWith(" + 50000000 and ready()");
		assertThat(sql.values()).containsExactly("a token", 5_000_000L, 5L, "orders", 95L, "a definition", "here",
				5_000_000L);
	}

	@Test
	void usesTheIntegerDivisionOfTheDatabase() {
		assertThat(this.sqlWithFence.giveBack("orders", "a", "b", "c", 1, 2).head().text())
			.contains("line_time - ? / line_raised_rate");
		assertThat(sql(new MysqlDialect("mysql"), "server()").giveBack("orders", "a", "b", "c", 1, 2).head().text())
			.contains("line_time - ? div line_raised_rate");
	}

	@ParameterizedTest
	@ValueSource(strings = { "name", "definition", "server", "token", "count", "last", "cost" })
	void doesNotReplacePlaceholdersInValues(String name) {
		String definition = ":" + name + " {" + name + "} $1";
		assertThat(this.sqlWithFence.reserve(name, definition, name, name, 5, 100, "").whole().values())
			.containsExactly(name, 5_000_000L, 5L, name, 95L, definition, name, 5_000_000L);
	}

	@Test
	void expressionForTheServerIdentityCanContainColons() {
		Sql sql = sql(new PostgresqlDialect(), "concat(a, ':', b, ':c')").nextNode("orders", 9).whole();
		assertThat(sql.text()).endsWith(" and incarnation = concat(a, ':', b, ':c')");
		assertThat(sql.values()).containsExactly(1L, "orders", 9L);
	}

	@Test
	void doesNotComputeTheCostWithoutAFence() {
		assertThat(this.sqlWithoutFence.reserve("orders", "a", null, "b", Long.MAX_VALUE - 1, Long.MAX_VALUE, "")
			.whole()
			.values()).contains(Long.MAX_VALUE - 1);
	}

	@Test
	void comparesAMissingWriterWithNullInsteadOfAnEmptyString() {
		Sql sql = this.sqlWithFence.takeOver("orders", "next_ordinal", 1, null, "b", LINE).where();
		assertThat(sql.text()).contains(" and incarnation is null and ");
		assertThat(sql.values()).containsExactly("orders", 1L, "b");
	}

	@Test
	void bindsAValueForEachParameter() {
		for (ReservationSql sql : new ReservationSql[] { this.sqlWithoutFence, this.sqlWithFence }) {
			assertThat(allUpdates(sql)).allSatisfy((update) -> assertThat(update.whole().values())
				.hasSize((int) update.whole().text().chars().filter((c) -> c == '?').count())
				.doesNotContainNull());
		}
	}

	private static Stream<Update> allUpdates(ReservationSql sql) {
		return Stream.of(sql.reserve("orders", "a", "b", "c", 5, 100, "1 = 1"),
				sql.reserveDrawn("orders", "a", "b", "c", 1, 2, 3, "1 = 1"),
				sql.giveBack("orders", "a", "b", "c", 1, 2), sql.nextSeries("orders", 9, 7), sql.nextNode("orders", 9),
				sql.takeOver("orders", "next_ordinal", 1, null, "b", LINE),
				sql.changeRate("orders", new FenceState("a", "a", LINE, 0), LINE), sql.startRaise("orders", LINE, 7),
				sql.followClock("orders", new FenceState("a", "a", LINE, 0), LINE, 7));
	}

}
