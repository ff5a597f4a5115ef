package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the script that creates a database function for time-based ids: its names, the
 * rights that callers need, and what happens if a script runs again.
 */
abstract class TimeFunctionScriptTests extends TimeFunctionClockTests {

	private static final String LAYOUT = "snowflake epoch=2024-01-01T00:00:00Z time-bits=41 node-bits=10 tail-bits=4";

	TimeFunctionScriptTests(Kind kind) {
		super(kind);
	}

	/**
	 * The error messages, which contain the names, must not exceed the maximum length of
	 * a message.
	 */
	@Test
	void supportsTheLongestNames() throws Exception {
		TestDatabase server = kind().create();
		String schema = ("s" + UUID.randomUUID().toString().replace("-", "") + "aaaaaaa").substring(0, 40);
		DdlTarget target = new DdlTarget(DatabaseIds.target(server).platform(), schema, "f".repeat(40));
		if (kind() != Kind.POSTGRESQL) {
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
	void callerNeedsNoPrivilegeOnTheObjectsThatTheFunctionUses() throws Exception {
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
	 * Except on MySQL, the user can still draw ids after the script has run again.
	 * MySQL's script says that the rights must be granted again.
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

}
