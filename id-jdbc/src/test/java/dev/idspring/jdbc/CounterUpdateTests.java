package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.CounterUpdate.Update;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link CounterUpdate}, with a subclass for each database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CounterUpdateTests {

	private static final int TIMEOUT = 30;

	private static final Sql WHERE = new Sql("name = ?", "a");

	private final Kind kind;

	private TestDatabase database;

	private Dialect dialect;

	private HikariDataSource pool;

	CounterUpdateTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTable() {
		this.database = this.kind.create();
		this.dialect = Dialects.ofConfigured(this.database.platform());
		this.pool = this.database.pool(8);
		TestDatabase.execute(this.pool, "create table counter (name varchar(10) not null primary key,"
				+ " value_ bigint not null, before_ bigint, note varchar(20))");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	@BeforeEach
	void fill() {
		TestDatabase.execute(this.pool, "delete from counter",
				"insert into counter (name, value_, before_, note) values ('a', 1000, 0, 'old')",
				"insert into counter (name, value_, before_, note) values ('b', 1, 0, 'old')");
	}

	private OptionalLong advance(Connection connection, long amount, Sql set, Sql where) throws SQLException {
		Sql counter = new Sql((set.text().isEmpty() ? "" : ", ") + "value_ = value_ + ?", amount);
		return CounterUpdate.advance(connection, TIMEOUT, this.dialect, "", "counter", "value_",
				new Update(new Sql("update counter set ").append(set).append(counter), where));
	}

	private OptionalLong advanceAndCommit(long amount, Sql set, Sql where) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.setAutoCommit(false);
			OptionalLong newValue = advance(connection, amount, set, where);
			connection.commit();
			return newValue;
		}
	}

	private <T> T value(String column, Class<T> type) {
		return new JdbcTemplate(this.pool).queryForObject("select " + column + " from counter where name = 'a'", type);
	}

	@Test
	void returnsTheNewValue() throws SQLException {
		assertThat(advanceAndCommit(5, Sql.NONE, WHERE)).hasValue(1005);
		assertThat(advanceAndCommit(1, Sql.NONE, WHERE)).hasValue(1006);
		assertThat(value("value_", Long.class)).isEqualTo(1006);
	}

	@Test
	void returnsTheLargestLong() throws SQLException {
		assertThat(advanceAndCommit(Long.MAX_VALUE - 1000, Sql.NONE, WHERE)).hasValue(Long.MAX_VALUE);
	}

	@Test
	void rowThatDoesNotMatchIsUnchanged() throws SQLException {
		assertThat(advanceAndCommit(5, Sql.NONE, new Sql("name = ?", "c"))).isEmpty();
		assertThat(advanceAndCommit(5, Sql.NONE, new Sql("name = ? and value_ <= ?", "a", 999L))).isEmpty();
		assertThat(value("value_", Long.class)).isEqualTo(1000);
	}

	@Test
	void otherAssignmentsUseTheOldValueOfTheCounter() throws SQLException {
		Sql set = new Sql("before_ = value_ - ?, note = ?", 1L, "new");
		assertThat(advanceAndCommit(5, set, new Sql("name = ? and note = ?", "a", "old"))).hasValue(1005);
		assertThat(value("before_", Long.class)).isEqualTo(999);
		assertThat(value("note", String.class)).isEqualTo("new");
	}

	@Test
	void nullCanBeAssigned() throws SQLException {
		assertThat(advanceAndCommit(5, new Sql("note = ?", (Object) null), WHERE)).hasValue(1005);
		assertThat(value("note", String.class)).isNull();
	}

	@Test
	void rollbackUndoesTheUpdate() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.setAutoCommit(false);
			assertThat(advance(connection, 5, Sql.NONE, WHERE)).hasValue(1005);
			connection.rollback();
		}
		assertThat(value("value_", Long.class)).isEqualTo(1000);
	}

	@Test
	void returnsNoValueTwiceWithoutTransactions() {
		assertThat(inParallel(4, (thread) -> advanceWithoutTransactions())).doesNotHaveDuplicates();
	}

	@Test
	void returnsNoValueTwiceOnAnEngineWithoutTransactions() {
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		TestDatabase.execute(this.pool, "alter table counter engine = MyISAM");
		try {
			assertThat(inParallel(4, (thread) -> advanceWithoutTransactions())).doesNotHaveDuplicates();
		}
		finally {
			TestDatabase.execute(this.pool, "alter table counter engine = InnoDB");
		}
	}

	private List<Long> advanceWithoutTransactions() {
		List<Long> values = new ArrayList<>();
		try (Connection connection = this.pool.getConnection()) {
			connection.setAutoCommit(true);
			for (int i = 0; i < 200; i++) {
				try {
					values.add(advance(connection, 1, Sql.NONE, WHERE).orElseThrow());
				}
				catch (SQLException ex) {
					// another thread has changed or locked the row
					assertThat(this.dialect.isRepeatable(ex.getSQLState(), ex.getErrorCode())).as(ex.toString())
						.isTrue();
				}
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return values;
	}

	private static List<Long> inParallel(int threads, IntFunction<List<Long>> work) {
		List<CompletableFuture<List<Long>>> futures = IntStream.range(0, threads)
			.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> work.apply(thread),
					(task) -> new Thread(task).start()))
			.toList();
		List<Long> allValues = futures.stream().map(CompletableFuture::join).flatMap(List::stream).toList();
		assertThat(allValues).hasSizeGreaterThan(threads);
		return allValues;
	}

	@Test
	void generatedKeysOfOtherStatementsAreNotAffected() throws SQLException {
		assumeThat(this.kind).isIn(Kind.MARIADB, Kind.MYSQL_DRIVER);
		TestDatabase.execute(this.pool,
				"create or replace table line (id bigint not null auto_increment primary key, text varchar(10))");
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection.prepareStatement("insert into line (text) values ('x')",
						Statement.RETURN_GENERATED_KEYS)) {
			connection.setAutoCommit(false);
			insert.executeUpdate();
			assertThat(advance(connection, 5, Sql.NONE, WHERE)).hasValue(1005);
			try (ResultSet keys = insert.getGeneratedKeys()) {
				assertThat(keys.next()).isTrue();
				assertThat(keys.getLong(1)).as("generated key read after the update of the counter").isEqualTo(1);
			}
			assertThat(lastInsertId(connection)).as("result of last_insert_id()").isEqualTo(1005);
			insert.executeUpdate();
			assertThat(lastInsertId(connection)).isEqualTo(2);
			connection.commit();
		}
	}

	private static long lastInsertId(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select last_insert_id()")) {
			row.next();
			return row.getLong(1);
		}
	}

}
