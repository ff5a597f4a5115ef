package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TimeZone;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TimeZones;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the clock of each {@link Dialect}. All databases run on this machine, so
 * their clocks must show about the same time.
 */
@Tag("mysql")
class DatabaseClockTests {

	private static final int TIMEOUT = 60;

	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	@ParameterizedTest
	@Databases
	void clockIsCorrectInEverySessionTimeZone(Kind kind) throws SQLException {
		try (Clock clock = new Clock(kind)) {
			clock.verify("time zone of a new session");
			for (String statement : TimeZones.sessionStatements(kind)) {
				clock.executeInSession(statement);
				clock.verify(statement);
			}
		}
	}

	@ParameterizedTest
	@Databases
	void clockIsCorrectWhenTheMachineTimeZoneChanges(Kind kind) throws SQLException {
		try (Clock earlierSession = new Clock(kind)) {
			for (TimeZone zone : TimeZones.REAL_ZONES) {
				TimeZones.runIn(zone, () -> {
					earlierSession.verify("session that was opened before the machine changed to " + zone.getID());
					try (Clock clock = earlierSession.openAnotherSession()) {
						clock.verify("session that was opened in " + zone.getID());
					}
				});
			}
		}
	}

	@ParameterizedTest
	@Databases(except = { Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER })
	void clockIsCorrectWhileSummerTimeBeginsOrEnds(Kind kind) throws SQLException {
		try (Clock earlierSession = new Clock(kind)) {
			for (TimeZone zone : TimeZones.withNearbyTransition()) {
				TimeZones.runIn(zone, () -> {
					earlierSession.verify("session that was opened before the machine changed to " + zone);
					try (Clock clock = earlierSession.openAnotherSession()) {
						clock.verify("session that was opened in " + zone);
					}
				});
			}
		}
	}

	/**
	 * The clock of a database, read in one session.
	 */
	private static final class Clock implements AutoCloseable {

		private final TestDatabase database;

		private final Dialect dialect;

		private final HikariDataSource pool;

		Clock(Kind kind) {
			this(kind.create());
			TestDatabase.execute(this.pool, "create table counter (n integer not null)",
					"insert into counter values (0)");
		}

		private Clock(TestDatabase database) {
			this.database = database;
			this.dialect = Dialects.ofPlatform(database.platform()).orElseThrow();
			this.pool = database.pool(1);
		}

		Clock openAnotherSession() {
			return new Clock(this.database);
		}

		void executeInSession(String statement) {
			TestDatabase.execute(this.pool, statement);
		}

		void verify(String description) {
			try (Connection connection = this.pool.getConnection()) {
				Instant now = Instant.now();
				assertThat(Instant.ofEpochMilli(this.dialect.currentMillis(connection, TIMEOUT))).as(description)
					.isBetween(now.minus(TOLERANCE), now.plus(TOLERANCE));
				if (this.dialect.serverIdentity() != null || this.dialect instanceof H2Dialect) {
					long micros = SqlStatements
						.queryOne(connection, TIMEOUT, (row) -> row.getLong(1), "select " + this.dialect.clockMicros())
						.orElseThrow();
					assertThat(Instant.ofEpochMilli(micros / 1_000)).as(description)
						.isBetween(now.minus(TOLERANCE), now.plus(TOLERANCE));
				}
				for (int minutes : List.of(-150, -75, -30, -15)) {
					assertThat(isDuring(connection, now, minutes, 10))
						.as("%s: from %d minutes ago to 10 minutes from now", description, -minutes)
						.isTrue();
					assertThat(isDuring(connection, now, -10, -minutes))
						.as("%s: from 10 minutes ago to %d minutes from now", description, -minutes)
						.isTrue();
					assertThat(isDuring(connection, now, minutes, -10))
						.as("%s: from %d to 10 minutes ago", description, -minutes)
						.isFalse();
					assertThat(isDuring(connection, now, 10, -minutes))
						.as("%s: from 10 to %d minutes from now", description, -minutes)
						.isFalse();
				}
			}
			catch (SQLException ex) {
				throw new IllegalStateException(description, ex);
			}
		}

		private boolean isDuring(Connection connection, Instant now, int fromMinutes, int toMinutes)
				throws SQLException {
			Sql during = this.dialect.clockDuring(
					new Interval(now.plus(Duration.ofMinutes(fromMinutes)), now.plus(Duration.ofMinutes(toMinutes))));
			return SqlStatements.update(connection, TIMEOUT,
					"update counter set n = n + 1 where n >= 0" + during.text(), during.values()) == 1;
		}

		@Override
		public void close() {
			this.pool.close();
		}

	}

}
