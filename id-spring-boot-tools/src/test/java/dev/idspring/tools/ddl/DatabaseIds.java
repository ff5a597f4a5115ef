package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme.Tail;

/**
 * A database with a function that creates ids.
 */
final class DatabaseIds implements AutoCloseable {

	/**
	 * A layout with only 16 ids per millisecond, so that any session can use up a
	 * millisecond.
	 */
	static final SnowflakeSettings NARROW = new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 10, 4,
			Tail.SEQUENCE);

	static final long NODE = 5;

	final TimeFunction function;

	final DdlTarget target;

	final HikariDataSource pool;

	DatabaseIds(TestDatabase database, TimeFunction function) {
		this.function = function;
		this.target = target(database);
		this.pool = database.pool(20);
		create(this.pool, IdDdl.on(this.target).withFunction(function));
	}

	static DdlTarget target(TestDatabase database) {
		return new DdlTarget(DdlPlatform.valueOf(database.platform().toUpperCase(Locale.ROOT)), null, "next_id");
	}

	static TimeFunction function(SnowflakeSettings settings, Duration maxAhead, Duration waitTimeout) {
		return new TimeFunction(settings.scheme(), NODE, maxAhead, waitTimeout);
	}

	static TimeFunction function(SnowflakeSettings settings) {
		return function(settings, Duration.ofSeconds(1), Duration.ofSeconds(5));
	}

	static void create(HikariDataSource pool, IdDdl ddl) {
		TestDatabase.execute(pool, ddl.statements().toArray(String[]::new));
	}

	boolean isPostgresql() {
		return this.target.platform() == DdlPlatform.POSTGRESQL;
	}

	String rows(int count) {
		return rows(this.target.platform(), count);
	}

	/**
	 * Return an SQL table expression with the given number of rows. MySQL has neither a
	 * function nor an engine for this purpose.
	 */
	static String rows(DdlPlatform platform, int count) {
		return switch (platform) {
			case POSTGRESQL -> "generate_series(1, " + count + ")";
			case MARIADB -> "seq_1_to_" + count;
			default -> "json_table('[0" + ",0".repeat(count - 1) + "]', '$[*]' columns (n for ordinality)) series";
		};
	}

	List<Long> draw(int count) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			return draw(connection, count);
		}
	}

	List<Long> draw(Connection connection, int count) throws SQLException {
		return query(connection, "select " + this.target.name() + "() from " + rows(count));
	}

	static List<Long> query(Connection connection, String sql) throws SQLException {
		List<Long> values = new ArrayList<>();
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			while (rows.next()) {
				values.add(rows.getLong(1));
			}
		}
		return values;
	}

	static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/**
	 * Run the same work in several sessions concurrently.
	 */
	List<Long> sideBySide(int sessions, SessionWork work) {
		@SuppressWarnings("unchecked")
		Callable<List<Long>>[] tasks = IntStream.range(0, sessions).mapToObj((i) -> (Callable<List<Long>>) () -> {
			try (Connection connection = this.pool.getConnection()) {
				return work.run(connection);
			}
		}).toArray(Callable[]::new);
		return Instances.sideBySide(tasks).stream().flatMap(List::stream).toList();
	}

	/**
	 * Set the time of the last id. The effect is the same as if the clock had been set by
	 * the same distance in the opposite direction.
	 */
	void moveLastIdTo(Instant time) {
		moveLastIdTo(this.pool, time);
	}

	void moveLastIdTo(HikariDataSource pool, Instant time) {
		long position = tick(time) * this.function.scheme().layout().tails();
		if (isPostgresql()) {
			TestDatabase.execute(pool, "select setval('" + this.target.name() + "_position', " + position + ")");
		}
		else {
			String table = this.target.name() + "_position";
			TestDatabase.execute(pool, "insert into " + table + " (place, holder) values (" + position + ", 0)",
					"delete from " + table + " where holder = 0");
		}
	}

	long tick(Instant time) {
		return this.function.scheme().layout().time(time);
	}

	Instant time(long id) {
		return this.function.scheme().describe(id).time();
	}

	@Override
	public void close() {
		this.pool.close();
	}

	/**
	 * The work of a session.
	 */
	interface SessionWork {

		List<Long> run(Connection connection) throws Exception;

	}

}
