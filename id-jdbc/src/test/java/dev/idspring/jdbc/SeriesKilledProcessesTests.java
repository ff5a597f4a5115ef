package dev.idspring.jdbc;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three processes, with four series each, insert rows into one table. The processes are
 * killed and started again at random. {@code dev.idspring.lab.WorkerFaultsTests}, in the
 * module with the auto-configurations, kills entire applications in the same way.
 * <p>
 * {@code test.ids.kill-seconds} sets the minimum duration, 2 by default. The test
 * continues until a series has been taken over. {@code test.ids.seed} repeats a sequence
 * of kills, as far as the timing of the machine permits.
 */
@Tag("wide")
class SeriesKilledProcessesTests {

	private static final Duration MIN_DURATION = Duration.ofSeconds(Integer.getInteger("test.ids.kill-seconds", 2));

	private static final long MIN_ROWS = 1_000;

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	@Test
	void noIdIsIssuedTwiceAndAbandonedSeriesAreTakenOver() {
		Stream.of(Kind.POSTGRESQL, Kind.MARIADB)
			.map(Kind::create)
			.map((database) -> CompletableFuture.runAsync(() -> run(database), (task) -> new Thread(task).start()))
			.toList()
			.forEach(CompletableFuture::join);
	}

	private static void run(TestDatabase database) {
		try (HikariDataSource pool = database.pool(2)) {
			TestStores.initialize(pool, database, "ids_");
			TestDatabase.execute(pool,
					"create table orders (id bigint not null primary key, worker varchar(36) not null)");
			Fleet fleet = new Fleet(database, SeriesWorker.class, 3, SeriesWorker.LEASE, false);
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			fleet.run(new Random(SEED), MIN_DURATION,
					() -> rows(jdbc) > MIN_ROWS && fleet.kills() > 0 && sharedSeries(jdbc) > 0);
			String situation = database.platform() + ", seed " + SEED;
			assertThat(fleet.output()).as(situation).doesNotContain("DUPLICATE", "FAILED");
			verify(jdbc, fleet, situation);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static long rows(JdbcTemplate jdbc) {
		return jdbc.queryForObject("select count(*) from orders", Long.class);
	}

	private static long sharedSeries(JdbcTemplate jdbc) {
		return jdbc.queryForObject("select count(*) from (select 1 as one from orders group by floor((id - 1) / "
				+ SeriesWorker.SERIES_SIZE + ") having count(distinct worker) > 1) shared", Long.class);
	}

	private static void verify(JdbcTemplate jdbc, Fleet fleet, String situation) {
		long started = jdbc.queryForObject("select next_slot from ids_key_space", Long.class);
		long usedUp = jdbc.queryForObject("select count(*) from ids_slot where next_position >= end_position",
				Long.class);
		long rows = rows(jdbc);
		long reserved = started * SeriesWorker.SERIES_SIZE
				- jdbc.queryForObject("select sum(end_position - next_position) from ids_slot", Long.class);
		long sharedSeries = sharedSeries(jdbc);
		long maxOwnedSeries = fleet.maxConcurrent() * SeriesWorker.SERIES;
		System.out.printf(
				"%s: %d kills, %d normal stops, %d rows, %d ids lost, %d series started, %d used up, at most %d owned,"
						+ " %d taken over%n",
				situation, fleet.kills(), fleet.stops(), rows, reserved - rows, started, usedUp, maxOwnedSeries,
				sharedSeries);
		assertThat(fleet.kills()).as(situation).isPositive();
		assertThat(rows).as(situation).isGreaterThan(MIN_ROWS);
		assertThat(sharedSeries).as(situation).isPositive();
		assertThat(started).as(situation).isLessThanOrEqualTo(maxOwnedSeries + usedUp);
		assertThat(reserved - rows).as(situation)
			.isBetween(0L, (long) fleet.kills() * SeriesWorker.SERIES * (SeriesWorker.WINDOW + 1)
					+ fleet.stops() * SeriesWorker.SERIES);
	}

}
