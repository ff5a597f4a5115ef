package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.SnowflakeSettings.Preset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for database functions that create time-based ids, on real servers. MySQL's
 * function is tested on MySQL if the environment names a server, and otherwise on MariaDB
 * with MySQL's driver. This class tests sessions, their transactions and their locks. The
 * classes that it extends test the other topics.
 */
abstract class TimeFunctionTests extends TimeFunctionScriptTests {

	TimeFunctionTests(Kind kind) {
		super(kind);
	}

	@Test
	void rollbackDoesNotGiveIdsBack() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW, Duration.ofHours(2), FIVE_SECONDS));
		// the last id is far ahead of the clock, so the clock alone cannot prevent
		// duplicates
		ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
		List<Long> drawn = new ArrayList<>();
		try (Connection connection = ids.pool.getConnection()) {
			for (int i = 0; i < 5; i++) {
				connection.setAutoCommit(false);
				drawn.addAll(ids.draw(connection, 50));
				connection.rollback();
				DatabaseIds.execute(connection, "savepoint s1");
				drawn.addAll(ids.draw(connection, 3));
				DatabaseIds.execute(connection, "rollback to savepoint s1");
				drawn.addAll(ids.draw(connection, 3));
				connection.commit();
			}
		}
		assertThat(drawn).hasSize(5 * 56).doesNotHaveDuplicates().isSorted();
	}

	@Test
	void openTransactionDoesNotBlockOthers() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		try (Connection first = ids.pool.getConnection(); Connection second = ids.pool.getConnection()) {
			first.setAutoCommit(false);
			second.setAutoCommit(false);
			List<Long> drawn = ids.draw(first, 20);
			if (ids.isPostgresql()) {
				DatabaseIds.execute(second, "set local lock_timeout = '2s'");
			}
			else {
				DatabaseIds.execute(second, "set session innodb_lock_wait_timeout = 2");
			}
			drawn.addAll(ids.draw(second, 20));
			drawn.addAll(ids.draw(first, 20));
			drawn.addAll(ids.draw(second, 20));
			assertThat(drawn).doesNotHaveDuplicates().isSorted();
			first.rollback();
			second.rollback();
		}
	}

	/**
	 * The function must release its lock when a statement is canceled or a session is
	 * killed.
	 */
	@Test
	void canceledStatementAndKilledSessionDoNotBlockOthers() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(Preset.STANDARD.settings()));
		List<Long> drawn = new ArrayList<>();
		try (Connection connection = ids.pool.getConnection(); Connection other = ids.pool.getConnection()) {
			for (int i = 0; i < 3; i++) {
				ids.draw(other, 1);
				try (Statement statement = connection.createStatement()) {
					CompletableFuture<?> running = CompletableFuture
						.runAsync(() -> run(statement, "select count(next_id()) from " + ids.rows(2_000_000)));
					awaitDrawInAnotherSession(ids, other);
					statement.cancel();
					assertThatExceptionOfType(CompletionException.class).isThrownBy(running::join);
				}
				drawn.addAll(ids.draw(connection, 10));
				drawn.addAll(ids.draw(other, 10));
			}
			long session = DatabaseIds
				.query(connection, ids.isPostgresql() ? "select pg_backend_pid()" : "select connection_id()")
				.get(0);
			try (Statement statement = connection.createStatement()) {
				ids.draw(other, 1);
				CompletableFuture<?> running = CompletableFuture
					.runAsync(() -> run(statement, "select count(next_id()) from " + ids.rows(2_000_000)));
				awaitDrawInAnotherSession(ids, other);
				DatabaseIds.execute(other,
						ids.isPostgresql() ? "select pg_terminate_backend(" + session + ")" : "kill " + session);
				assertThatExceptionOfType(CompletionException.class).isThrownBy(running::join);
			}
			drawn.addAll(ids.draw(other, 10));
		}
		assertThat(drawn).doesNotHaveDuplicates();
	}

	private static void run(Statement statement, String sql) {
		try {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Wait until another session draws.
	 */
	private static void awaitDrawInAnotherSession(DatabaseIds ids, Connection connection) {
		String drawingSessions = ids.isPostgresql()
				? "select count(*) from pg_stat_activity where state = 'active' and query like 'select count(next_id())%'"
				: "select count(*) from information_schema.processlist where info like 'select count(next\\_id())%'";
		Awaitility.await().until(() -> !DatabaseIds.query(connection, drawingSessions).contains(0L));
	}

	@Test
	void holdingTheAdvisoryLockOnlyDelaysOthers() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		assumeThat(ids.isPostgresql()).isTrue();
		String lock = "(1768190832::bigint << 32) | 'public.next_id_position'::regclass::oid::bigint";
		try (Connection holder = ids.pool.getConnection(); Connection other = ids.pool.getConnection()) {
			DatabaseIds.execute(other, "set lock_timeout = '200ms'");
			DatabaseIds.execute(holder, "select pg_advisory_lock(" + lock + ")");
			List<Long> drawn = ids.draw(holder, 50);
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ids.draw(other, 1))
				.withMessageContaining("lock timeout");
			DatabaseIds.execute(holder, "select pg_advisory_unlock(" + lock + ")");
			drawn.addAll(ids.draw(other, 50));
			drawn.addAll(ids.draw(holder, 50));
			assertThat(drawn).doesNotHaveDuplicates().isSorted();
			DatabaseIds.execute(other, "reset lock_timeout");
		}
	}

	@Test
	void keepsTheLastInsertIdOfTheSession() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		try (Connection connection = ids.pool.getConnection()) {
			String last = ids.isPostgresql() ? "select lastval()" : "select last_insert_id()";
			DatabaseIds.execute(connection,
					ids.isPostgresql() ? "create table orders (id bigserial primary key, place bigint)"
							: "create table orders (id bigint auto_increment primary key, place bigint)");
			DatabaseIds.execute(connection, "insert into orders (place) values (1)");
			assertThat(DatabaseIds.query(connection, last)).containsExactly(1L);
			// a millisecond has fewer than 100 ids, so some positions come from the clock
			// and others follow the last position
			ids.draw(connection, 100);
			assertThat(DatabaseIds.query(connection, last)).containsExactly(1L);
		}
	}

	@Test
	void sessionCannotChooseThePosition() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW, Duration.ofHours(2), FIVE_SECONDS));
		assumeThat(ids.isPostgresql()).isFalse();
		ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
		List<Long> drawn = ids.draw(10);
		try (Connection connection = ids.pool.getConnection()) {
			long tails = ids.function.scheme().layout().tails();
			long last = ids.tick(ids.time(drawn.get(9))) * tails + drawn.get(9) % tails;
			for (long position : new long[] { 1, last - 1, last + 1_000 }) {
				DatabaseIds.execute(connection, "set insert_id = " + position);
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ids.draw(connection, 1))
					.withMessageContaining("insert_id is set in this session");
				DatabaseIds.execute(connection, "set insert_id = 0");
				try {
					drawn.addAll(ids.draw(connection, 1));
				}
				catch (SQLException ex) {
					assertThat(ex.getMessage()).contains("the counter was not advanced");
				}
			}
		}
		drawn.addAll(ids.draw(10));
		assertThat(drawn).doesNotHaveDuplicates().isSorted();
	}

}
