package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills database servers that generate ids. Each test first moves the last id an hour
 * ahead of the clock. Otherwise a server that lost the last id in a crash would continue
 * with the current time, and still repeat no id. {@code test.ids.crashes} specifies how
 * many times each test kills its server. The default is 1.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("wide")
class TimeFunctionCrashTests {

	private static final int CRASHES = Integer.getInteger("test.ids.crashes", 1);

	private static final int WRITERS = 4;

	private static final TimeFunction FUNCTION = DatabaseIds.function(DatabaseIds.NARROW, Duration.ofHours(2),
			Duration.ofSeconds(5));

	private DatabaseProcess postgresql;

	private DatabaseProcess mariadb;

	@BeforeAll
	void start() {
		this.postgresql = DatabaseProcess.postgresql(Map.of("synchronous_commit", "on"));
		this.mariadb = DatabaseProcess.mariadb();
	}

	@AfterAll
	void stop() {
		this.mariadb.close();
		this.postgresql.close();
	}

	@Test
	void postgresqlRepeatsNoIdsAfterACrash() throws Exception {
		crashAndContinue(this.postgresql, true, true);
	}

	/**
	 * The callers insert no rows. The commit of a row would also write the last id to
	 * disk.
	 */
	@Test
	void postgresqlRepeatsNoIdsAfterACrashWhenCallersOnlyDraw() throws Exception {
		crashAndContinue(this.postgresql, true, false);
	}

	@Test
	void mariadbRepeatsNoIdsAfterACrashWhenCallersOnlyDraw() throws Exception {
		crashAndContinue(this.mariadb, true, false);
	}

	/**
	 * The ids of one session must not depend on the commit of another session, which drew
	 * first and whose transaction is still open.
	 */
	@Test
	void postgresqlRepeatsNoIdsAfterACrashDuringAnOpenTransaction() throws Exception {
		TestDatabase server = this.postgresql.server();
		server.execute("alter system set wal_writer_delay = '10s'", "select pg_reload_conf()");
		try (AutoCloseable reset = () -> server.execute("alter system reset wal_writer_delay",
				"select pg_reload_conf()")) {
			drawWhileATransactionIsOpen(this.postgresql);
		}
	}

	@Test
	void mariadbRepeatsNoIdsAfterACrashDuringAnOpenTransaction() throws Exception {
		drawWhileATransactionIsOpen(this.mariadb);
	}

	private static void drawWhileATransactionIsOpen(DatabaseProcess server) throws Exception {
		TestDatabase database = database(server);
		try (DatabaseIds ids = new DatabaseIds(database, FUNCTION)) {
			ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
		}
		List<Long> drawn = new ArrayList<>();
		for (int round = 0; round < CRASHES; round++) {
			HikariDataSource pool = database.pool(2);
			try (Connection open = pool.getConnection(); Connection other = pool.getConnection()) {
				open.setAutoCommit(false);
				DatabaseIds.query(open, "select next_id()");
				for (int i = 0; i < 5; i++) {
					drawn.addAll(DatabaseIds.query(other, "select next_id()"));
				}
				server.kill();
			}
			catch (SQLException ex) {
				// the server is gone, so the rollback fails
			}
			pool.close();
			server.start();
		}
		try (HikariDataSource pool = database.pool(1); Connection connection = pool.getConnection()) {
			drawn.addAll(DatabaseIds.query(connection, "select next_id()"));
		}
		assertThat(drawn).hasSize(5 * CRASHES + 1).doesNotHaveDuplicates();
	}

	@Test
	void postgresqlRepeatsNoStoredIdsAfterACrashWithoutFlush() throws Exception {
		crashAndContinue(this.postgresql, false, true);
	}

	@Test
	void mariadbRepeatsNoIdsAfterACrash() throws Exception {
		crashAndContinue(this.mariadb, true, true);
	}

	@Test
	void mariadbRepeatsNoStoredIdsAfterACrashWithoutFlush() throws Exception {
		crashAndContinue(this.mariadb, false, true);
	}

	/**
	 * Kill a server while callers draw ids, and verify that later ids do not repeat.
	 * @param durable whether a commit is on disk before it is acknowledged; otherwise,
	 * only ids in stored rows must not repeat
	 * @param store whether the callers insert a row with each id
	 */
	private static void crashAndContinue(DatabaseProcess server, boolean durable, boolean store) throws Exception {
		TestDatabase database = database(server);
		try (DatabaseIds ids = new DatabaseIds(database, FUNCTION)) {
			TestDatabase.execute(ids.pool, "create table orders (id bigint primary key)");
			ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
			if (!durable && ids.isPostgresql()) {
				TestDatabase.execute(ids.pool, "do $$ begin execute format('alter database %I set synchronous_commit"
						+ " = off', current_database()); end $$");
			}
		}
		Set<Long> acknowledged = new HashSet<>();
		for (int round = 0; round < CRASHES; round++) {
			if (!durable && database.platform().equals("mariadb")) {
				// the server resets this setting when it starts
				database.execute("set global innodb_flush_log_at_trx_commit = 0");
			}
			ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
			List<CompletableFuture<?>> writers = new ArrayList<>();
			HikariDataSource pool = database.pool(WRITERS);
			IntStream.range(0, WRITERS)
				.forEach((i) -> writers.add(CompletableFuture.runAsync(() -> write(pool, committed, store),
						(task) -> new Thread(task).start())));
			Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> committed.size() > 2_000);
			server.kill();
			writers.forEach(CompletableFuture::join);
			pool.close();
			server.start();
			acknowledged.addAll(committed);
			try (HikariDataSource after = database.pool(1); Connection connection = after.getConnection()) {
				Set<Long> stored = new HashSet<>(DatabaseIds.query(connection, "select id from orders"));
				List<Long> drawn = DatabaseIds.query(connection, "select next_id() from "
						+ (database.platform().equals("postgresql") ? "generate_series(1, 200)" : "seq_1_to_200"));
				assertThat(drawn).doesNotHaveDuplicates().noneMatch(stored::contains);
				if (durable) {
					if (store) {
						assertThat(stored).containsAll(committed);
					}
					assertThat(drawn).noneMatch(acknowledged::contains);
				}
				assertThat(FUNCTION.scheme().describe(drawn.get(0)).time())
					.isAfter(Instant.now().plus(Duration.ofMinutes(50)));
			}
		}
	}

	private static TestDatabase database(DatabaseProcess server) {
		return TestDatabase.createOn(server.server());
	}

	/**
	 * Draw ids until the server is killed.
	 * @param store whether to insert a row with each id
	 */
	private static void write(HikariDataSource pool, ConcurrentLinkedQueue<Long> committed, boolean store) {
		try (Connection connection = pool.getConnection()) {
			connection.setAutoCommit(!store);
			while (true) {
				long id = DatabaseIds.query(connection, "select next_id()").get(0);
				if (store) {
					DatabaseIds.execute(connection, "insert into orders (id) values (" + id + ")");
					connection.commit();
				}
				committed.add(id);
			}
		}
		catch (SQLException ex) {
			// expected, because the server was killed
		}
	}

}
