package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdDescription;
import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.time.TimeScheme;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for database functions that create time-based ids, on real servers. MySQL's
 * function is tested on MySQL if the environment names a server, and otherwise on MariaDB
 * with MySQL's driver.
 */
@Tag("mysql")
abstract class TimeFunctionTests {

	private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

	private static final String LAYOUT = "snowflake epoch=2024-01-01T00:00:00Z time-bits=41 node-bits=10 tail-bits=4";

	private final Kind kind;

	private DatabaseIds database;

	TimeFunctionTests(Kind kind) {
		this.kind = kind;
	}

	private DatabaseIds create(TimeFunction function) {
		this.database = new DatabaseIds(this.kind.create(), function);
		return this.database;
	}

	@AfterEach
	void close() {
		if (this.database != null) {
			this.database.close();
		}
	}

	static Stream<TimeScheme> schemes() {
		Instant epoch = Instant.parse("2011-01-01T00:00:00Z");
		SnowflakeSettings allTails = new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 0, 22,
				Tail.RANDOM);
		SnowflakeSettings noTail = new SnowflakeSettings(epoch, 42, 21, 0, Tail.SEQUENCE);
		return Stream.concat(Stream.of(Preset.values()).map((preset) -> preset.settings().scheme()),
				Stream.of(new DecimalUidSettings(epoch, 6, 1, true).scheme(),
						new DecimalUidSettings(epoch, 5, 2, true).scheme(), allTails.scheme(), noTail.scheme()));
	}

	/**
	 * The generator must be able to decode the ids of the database.
	 */
	@ParameterizedTest
	@MethodSource("schemes")
	void functionUsesTheLayoutOfTheGenerator(TimeScheme scheme) throws Exception {
		long node = scheme.layout().nodes() - 1;
		Duration maxAhead = Duration.ofSeconds(1);
		DatabaseIds ids = create(new TimeFunction(scheme, node, maxAhead, FIVE_SECONDS));
		Instant before = Instant.now();
		List<Long> drawn = ids.draw(300);
		drawn.addAll(ids.draw(300));
		Instant after = Instant.now();
		assertThat(drawn).doesNotHaveDuplicates();
		List<Instant> times = new ArrayList<>();
		for (long id : drawn) {
			IdDescription description = scheme.describe(id);
			assertThat(description.node()).isEqualTo(node);
			assertThat(scheme.parse(scheme.format(id))).isEqualTo(id);
			times.add(description.time());
		}
		assertThat(times).isSorted()
			.allSatisfy((time) -> assertThat(time).isBetween(before.minusMillis(1), after.plus(maxAhead)));
		if (scheme.tail() != Tail.RANDOM) {
			assertThat(drawn).isSorted();
		}
	}

	/**
	 * A tail distinguishes the ids of a millisecond. Random tails come from the whole
	 * range. Rolling tails do not always begin at 0, so that ids are spread over shards
	 * even if each millisecond has only one id.
	 */
	@Test
	void functionAppliesRandomAndRollingTails() throws Exception {
		DatabaseIds random = create(
				new TimeFunction(new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, true).scheme(), 3,
						FIVE_SECONDS, FIVE_SECONDS));
		List<Long> tails = random.draw(400).stream().map((id) -> random.function.scheme().describe(id).tail()).toList();
		assertThat(tails).anyMatch((tail) -> tail < 250_000)
			.anyMatch((tail) -> tail >= 250_000 && tail < 500_000)
			.anyMatch((tail) -> tail >= 500_000 && tail < 750_000)
			.anyMatch((tail) -> tail >= 750_000);
		close();
		DatabaseIds rolling = create(DatabaseIds.function(Preset.STANDARD.settings()));
		List<Long> drawnOneByOne = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			drawnOneByOne.addAll(rolling.draw(1));
		}
		assertThat(drawnOneByOne.stream().map((id) -> id % 4)).contains(0L, 1L, 2L, 3L);
	}

	/**
	 * Several sessions draw more ids than a millisecond has, one by one and in bulk.
	 */
	@Test
	void usesTheNextMillisecondWhenOneIsFull() {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		Instant before = Instant.now();
		List<Long> drawn = ids.sideBySide(8, (connection) -> {
			List<Long> drawnBySession = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				drawnBySession.addAll(ids.draw(connection, 100));
				drawnBySession.addAll(ids.draw(connection, 1));
			}
			return drawnBySession;
		});
		Instant after = Instant.now();
		assertThat(drawn).hasSize(8 * 20 * 101).doesNotHaveDuplicates();
		assertThat(drawn.stream().map(ids::time))
			.allSatisfy((time) -> assertThat(time).isBetween(before.minusMillis(1), after.plusSeconds(1)));
	}

	/**
	 * A millisecond has only 16 ids, so a statement with more rows needs further
	 * milliseconds.
	 */
	@Test
	void oneStatementCanUseIdsOfManyMilliseconds() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		try (Connection connection = ids.pool.getConnection()) {
			DatabaseIds.execute(connection, "create table orders (id bigint primary key, place int)");
			DatabaseIds.execute(connection,
					"insert into orders (id, place) select next_id(), 1 from " + ids.rows(20_000));
			assertThat(DatabaseIds.query(connection, "select count(*) from orders")).containsExactly(20_000L);
			List<Long> all = DatabaseIds.query(connection, "select id from orders");
			// compared with the start of the statement, the last ids are further ahead
			// than max-ahead permits, so the function must read the current time for each
			// id
			assertThat(Duration.between(ids.time(Collections.min(all)), ids.time(Collections.max(all))))
				.isGreaterThanOrEqualTo(Duration.ofMillis(20_000 / 16 - 1));
		}
	}

	@Test
	void clockIsReadForEachId() throws Exception {
		DatabaseIds ids = create(DatabaseIds
			.function(new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 5, 17, Tail.SEQUENCE)));
		// a millisecond has more than 5,000 ids, but drawing 5,000 takes longer than a
		// millisecond
		assertThat(ids.draw(5_000).stream().map(ids::time).distinct().count()).isGreaterThan(1);
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

	@Test
	void continuesAheadOfAClockThatWasSetBack() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW, Duration.ofHours(2), FIVE_SECONDS));
		List<Long> drawn = ids.draw(10);
		Instant ahead = Instant.now().plus(Duration.ofHours(1));
		ids.moveLastIdTo(ahead);
		drawn.addAll(ids.draw(100));
		drawn.addAll(ids.sideBySide(4, (connection) -> ids.draw(connection, 100)));
		assertThat(drawn).doesNotHaveDuplicates();
		assertThat(drawn.subList(10, drawn.size()).stream().map(ids::time))
			.allSatisfy((time) -> assertThat(time).isBetween(ahead.minusMillis(1), ahead.plusSeconds(60)));
	}

	@Test
	void failsWhenTheClockWasSetBackTooFar() throws Exception {
		DatabaseIds ids = create(
				DatabaseIds.function(DatabaseIds.NARROW, Duration.ofSeconds(1), Duration.ofMillis(200)));
		ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ids.draw(1))
			.withMessageContaining("the clock is 3")
			.withMessageContaining("ms behind the last id");
	}

	/**
	 * Callers wait if the clock catches up within the timeout.
	 */
	@Test
	void waitsUntilTheClockCatchesUp() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW, Duration.ofMillis(100), FIVE_SECONDS));
		Instant ahead = Instant.now().plusMillis(600);
		ids.moveLastIdTo(ahead);
		List<Long> drawn = ids.draw(20);
		assertThat(drawn).doesNotHaveDuplicates();
		assertThat(ids.time(drawn.get(0))).isAfterOrEqualTo(ahead.minusMillis(1));
		assertThat(ids.time(drawn.get(19))).isBefore(Instant.now().plusMillis(101));
	}

	@Test
	void failsOutsideTheRangeOfTheLayout() {
		SnowflakeSettings endedSettings = new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 30, 10, 4,
				Tail.SEQUENCE);
		DatabaseIds ended = create(DatabaseIds.function(endedSettings));
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ended.draw(1))
			.withMessageContaining("there are no ids of this layout after 2024-01-13T10:15:41.823Z");
		close();
		SnowflakeSettings futureSettings = new SnowflakeSettings(Instant.parse("2124-01-01T00:00:00Z"), 41, 10, 4,
				Tail.SEQUENCE);
		DatabaseIds future = create(DatabaseIds.function(futureSettings));
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> future.draw(1))
			.withMessageContaining("the clock shows a time before 2124-01-01T00:00:00Z");
	}

	@Test
	void failsAfterTheLastPosition() {
		Instant epoch = Instant.parse("2024-01-01T00:00:00Z");
		SnowflakeSettings settings = new SnowflakeSettings(epoch, 41, 10, 2, Tail.SEQUENCE);
		DatabaseIds ids = create(DatabaseIds.function(settings, Duration.ofDays(40_000), FIVE_SECONDS));
		ids.moveLastIdTo(settings.scheme().layout().lastInstant());
		List<Long> drawn = new ArrayList<>();
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> {
			for (int i = 0; i < 5; i++) {
				drawn.addAll(ids.draw(1));
			}
		}).withMessageContaining("there are no ids of this layout after 2093-09-06T15:47:35.551Z");
		assertThat(drawn).isNotEmpty().doesNotHaveDuplicates().allMatch((id) -> id > 0);
		assertThat(ids.time(drawn.get(drawn.size() - 1))).isEqualTo("2093-09-06T15:47:35.551Z");
	}

	@Test
	void ignoresTimeZoneAndTimestampOfTheSession() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(Preset.STANDARD.settings()));
		try (Connection connection = ids.pool.getConnection()) {
			String zone = ids.isPostgresql() ? "show timezone" : "select @@session.time_zone";
			DatabaseIds.execute(connection,
					ids.isPostgresql() ? "set timezone to 'Asia/Kathmandu'" : "set time_zone = '+05:45'");
			if (!ids.isPostgresql()) {
				DatabaseIds.execute(connection, "set timestamp = 1000000000");
			}
			Instant before = Instant.now();
			List<Long> drawn = ids.draw(connection, 1);
			assertThat(ids.time(drawn.get(0))).isBetween(before.minusMillis(1), Instant.now().plusMillis(1));
			try (Statement statement = connection.createStatement(); var row = statement.executeQuery(zone)) {
				assertThat(row.next()).isTrue();
				assertThat(row.getString(1)).isEqualTo(ids.isPostgresql() ? "Asia/Kathmandu" : "+05:45");
			}
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

	/**
	 * The user has no privileges on the objects that the function uses.
	 */
	@Test
	void insertRequiresNoPrivilegeExceptOnTheFunction() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(Preset.STANDARD.settings()));
		String user = "u" + Long.toString(System.nanoTime(), 36);
		try (Connection owner = ids.pool.getConnection()) {
			String schema = ids.isPostgresql() ? "public" : owner.getCatalog();
			DatabaseIds.execute(owner, "create user " + user
					+ (ids.isPostgresql() ? " password 'secret'" : "@localhost identified by 'secret'"));
			String grantee = ids.isPostgresql() ? user : user + "@localhost";
			if (ids.isPostgresql()) {
				DatabaseIds.execute(owner, "grant usage on schema public to " + user);
				DatabaseIds.execute(owner, "set role " + user);
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ids.draw(owner, 1))
					.withMessageContaining("permission denied for function next_id");
				DatabaseIds.execute(owner, "reset role");
				DatabaseIds.execute(owner, "grant execute on function public.next_id() to " + user);
				DatabaseIds.execute(owner, "set role " + user);
				assertThat(ids.draw(owner, 2)).doesNotHaveDuplicates();
				assertThatExceptionOfType(SQLException.class)
					.isThrownBy(() -> DatabaseIds.query(owner, "select setval('public.next_id_position', 1)"));
				// the function must not call functions from the caller's search path
				DatabaseIds.execute(owner, "reset role");
				DatabaseIds.execute(owner, "create schema evil");
				DatabaseIds.execute(owner,
						"create function evil.floor(numeric) returns numeric language sql as 'select 0::numeric'");
				DatabaseIds.execute(owner, "set search_path = evil, pg_catalog, public");
				assertThat(ids.time(ids.draw(owner, 1).get(0))).isAfter("2025-01-01T00:00:00Z");
				DatabaseIds.execute(owner, "reset search_path");
			}
			else {
				DatabaseIds.execute(owner, "grant execute on function " + schema + ".next_id to " + grantee);
				try (Connection connection = DriverManager.getConnection(ids.pool.getJdbcUrl(), user, "secret")) {
					assertThat(DatabaseIds.query(connection, "select next_id()")).hasSize(1);
					assertThatExceptionOfType(SQLException.class)
						.isThrownBy(() -> DatabaseIds.query(connection, "select place from next_id_position"));
				}
			}
		}
	}

	/**
	 * Except on MySQL, the application can still insert rows after the script has run
	 * again. MySQL's script says that the rights must be granted again.
	 */
	@Test
	void runningTheScriptAgainKeepsGrantsExceptOnMysql() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(Preset.STANDARD.settings()));
		IdDdl ddl = IdDdl.on(ids.target).withFunction(ids.function);
		if (ids.target.platform() == DdlPlatform.MYSQL) {
			assertThat(ddl.script()).contains("-- If the script runs again, grant the rights again");
			return;
		}
		String user = "u" + Long.toString(System.nanoTime(), 36);
		try (Connection owner = ids.pool.getConnection()) {
			DatabaseIds.execute(owner, "create user " + user
					+ (ids.isPostgresql() ? " password 'secret'" : "@localhost identified by 'secret'"));
			if (ids.isPostgresql()) {
				DatabaseIds.execute(owner, "grant usage on schema public to " + user);
			}
			DatabaseIds.execute(owner, "grant execute on function " + ids.target.name()
					+ (ids.isPostgresql() ? "()" : "") + " to " + user + (ids.isPostgresql() ? "" : "@localhost"));
			DatabaseIds.create(ids.pool, ddl);
		}
		try (Connection connection = DriverManager.getConnection(ids.pool.getJdbcUrl(), user, "secret")) {
			assertThat(DatabaseIds.query(connection, "select " + ids.target.name() + "()")).hasSize(1);
		}
	}

	/**
	 * The last id is an hour ahead of the clock, so that the clock cannot hide a lost
	 * position.
	 */
	@Test
	void runningTheScriptAgainKeepsThePosition() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW, Duration.ofHours(2), FIVE_SECONDS));
		ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
		List<Long> drawn = ids.draw(20);
		for (int i = 0; i < 3; i++) {
			DatabaseIds.create(ids.pool, IdDdl.on(ids.target).withFunction(ids.function));
			drawn.addAll(ids.draw(20));
		}
		assertThat(drawn).hasSize(80).doesNotHaveDuplicates().isSorted();
		assertThat(ids.time(drawn.get(79))).isBefore(ids.time(drawn.get(0)).plusSeconds(60));
	}

	static Stream<SnowflakeSettings> otherLayouts() {
		return Stream.of(settings("2024-01-01T00:00:00Z", 41, 11, 3, Tail.SEQUENCE),
				settings("2024-01-01T00:00:00Z", 40, 10, 5, Tail.SEQUENCE),
				settings("2023-01-01T00:00:00Z", 41, 10, 4, Tail.SEQUENCE),
				settings("2024-01-01T00:00:00Z", 41, 10, 4, Tail.RANDOM));
	}

	private static SnowflakeSettings settings(String epoch, int timeBits, int nodeBits, int tailBits, Tail tail) {
		return new SnowflakeSettings(Instant.parse(epoch), timeBits, nodeBits, tailBits, tail);
	}

	/**
	 * The script detects the other layout even if it does not reserve a node in a store.
	 */
	@ParameterizedTest
	@MethodSource("otherLayouts")
	void rejectsAScriptForAnotherLayout(SnowflakeSettings other) throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW, Duration.ofHours(2), FIVE_SECONDS));
		ids.moveLastIdTo(Instant.now().plus(Duration.ofHours(1)));
		List<Long> drawn = ids.draw(20);
		IdDdl ddl = IdDdl.on(ids.target).withFunction(DatabaseIds.function(other));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> DatabaseIds.create(ids.pool, ddl))
			.havingCause()
			.withMessageContaining(ids.isPostgresql() ? "next_id_position has counted positions of " + LAYOUT + " but "
					: "Subquery returns more than 1 row");
		assertThat(ddl.script()).contains(ids.isPostgresql() ? "Give the function another name"
				: "set ids.ddl.function to another name, and choose another node");
		drawn.addAll(ids.draw(20));
		assertThat(drawn).doesNotHaveDuplicates().isSorted();
		assertThat(drawn.stream().map((id) -> ids.function.scheme().describe(id).node()))
			.containsOnly(DatabaseIds.NODE);
	}

	@Test
	void acceptsAScriptWithAnotherNodeOrACompatibleTail() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		SnowflakeSettings rolling = settings("2024-01-01T00:00:00Z", 41, 10, 4, Tail.ROLLING);
		DatabaseIds.create(ids.pool,
				IdDdl.on(ids.target).withFunction(new TimeFunction(rolling.scheme(), 6, FIVE_SECONDS, FIVE_SECONDS)));
		assertThat(ids.draw(20).stream().map((id) -> rolling.scheme().describe(id).node())).containsOnly(6L);
	}

	@Test
	void holdingTheAdvisoryLockOnlyDelaysOthers() throws Exception {
		DatabaseIds ids = create(DatabaseIds.function(DatabaseIds.NARROW));
		if (!ids.isPostgresql()) {
			return;
		}
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

	/**
	 * Only MariaDB and MySQL have a type for unsigned numbers.
	 */
	@Test
	void supportsUnsignedIds() throws Exception {
		Instant epoch = Instant.parse("1990-01-01T00:00:00Z");
		TimeScheme scheme = new DecimalUidSettings(epoch, 6, 1, false).scheme();
		TimeFunction function = new TimeFunction(scheme, 7, FIVE_SECONDS, FIVE_SECONDS);
		if (this.kind == Kind.POSTGRESQL) {
			return;
		}
		DatabaseIds ids = create(function);
		try (Connection connection = ids.pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("create table orders (id bigint unsigned default 0 primary key, place int)");
			statement.execute("create trigger orders_id before insert on orders for each row"
					+ " set new.id = if(new.id = 0, next_id(), new.id)");
			Instant before = Instant.now();
			statement.execute("insert into orders (place) select 1 from " + ids.rows(300));
			List<String> written = new ArrayList<>();
			try (var rows = statement.executeQuery("select id from orders order by id")) {
				while (rows.next()) {
					written.add(rows.getString(1));
				}
			}
			assertThat(written).hasSize(300);
			for (String text : written) {
				long id = Long.parseUnsignedLong(text);
				assertThat(id).isNegative();
				IdDescription description = scheme.describe(id);
				assertThat(description.node()).isEqualTo(7);
				assertThat(description.time()).isBetween(before.minusMillis(1), Instant.now().plus(FIVE_SECONDS));
			}
		}
	}

	/**
	 * The error messages, which contain the names, must not exceed the maximum length of
	 * a message.
	 */
	@Test
	void supportsTheLongestNames() throws Exception {
		TestDatabase server = this.kind.create();
		String schema = ("s" + UUID.randomUUID().toString().replace("-", "") + "aaaaaaa").substring(0, 40);
		DdlTarget target = new DdlTarget(DatabaseIds.target(server).platform(), schema, "f".repeat(40));
		if (this.kind != Kind.POSTGRESQL) {
			server.execute("create database " + schema);
		}
		try (HikariDataSource pool = server.pool(2); Connection connection = pool.getConnection()) {
			IdDdl ddl = IdDdl.on(target).withFunction(DatabaseIds.function(DatabaseIds.NARROW));
			DatabaseIds.create(pool, ddl);
			// the limit of MySQL, which is lower than that of MariaDB
			assertThat(Pattern.compile("message_text = '([^']*)'").matcher(ddl.script()).results())
				.allSatisfy((message) -> assertThat(message.group(1)).hasSizeLessThanOrEqualTo(128));
			assertThat(DatabaseIds.query(connection, "select " + target.name() + "()")).hasSize(1);
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
		if (ids.isPostgresql()) {
			return;
		}
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
