package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of how a database function for time-based ids uses the clock: when a millisecond
 * is full, when the clock is behind the last id, and in another time zone.
 */
abstract class TimeFunctionClockTests extends TimeFunctionLayoutTests {

	TimeFunctionClockTests(Kind kind) {
		super(kind);
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

}
