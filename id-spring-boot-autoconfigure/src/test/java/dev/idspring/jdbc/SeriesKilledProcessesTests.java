package dev.idspring.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.ChildProcess;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three processes with four series each insert into one table, are killed and started
 * again at random. On PostgreSQL and on MariaDB, at the same time.
 * <p>
 * {@code ids.test.kill-seconds} sets for how long (120 unless told),
 * {@code ids.test.seed} repeats a sequence of kills as far as the machine allows.
 */
class SeriesKilledProcessesTests {

	private static final int WORKERS = 3;

	/** What a statement may take that was under way when its process was killed. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("ids.test.kill-seconds", 120));

	private static final long SEED = Long.getLong("ids.test.seed", System.nanoTime());

	@Test
	void noIdRepeatsAndAbandonedSeriesAreTakenUp() {
		Stream.of(TestDatabase.postgresql(), TestDatabase.mariadb())
			.map((database) -> CompletableFuture.runAsync(() -> run(database), (task) -> new Thread(task).start()))
			.toList()
			.forEach(CompletableFuture::join);
	}

	private static void run(TestDatabase database) {
		try (HikariDataSource pool = database.pool(2)) {
			TestStores.initialize(pool, database, "ids_");
			TestDatabase.execute(pool,
					"create table orders (id bigint not null primary key, worker varchar(36) not null)");
			Fleet fleet = new Fleet(database);
			fleet.run(new Random(SEED));
			fleet.stop();
			String situation = database.platform() + ", seed " + SEED;
			assertThat(Files.readString(fleet.output)).as(situation).doesNotContain("DUPLICATE");
			verify(new JdbcTemplate(pool), fleet, situation);
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void verify(JdbcTemplate jdbc, Fleet fleet, String situation) {
		long begun = jdbc.queryForObject("select next_slot from ids_key_space", Long.class);
		long usedUp = jdbc.queryForObject("select count(*) from ids_slot where next_position >= end_position",
				Long.class);
		long rows = jdbc.queryForObject("select count(*) from orders", Long.class);
		long reserved = begun * SeriesWorker.SERIES_SIZE
				- jdbc.queryForObject("select sum(end_position - next_position) from ids_slot", Long.class);
		long sharedSeries = jdbc
			.queryForObject("select count(*) from (select 1 as one from orders group by floor((id - 1) / "
					+ SeriesWorker.SERIES_SIZE + ") having count(distinct worker) > 1) shared", Long.class);
		System.out.printf(
				"%s: %d kills, %d orderly stops, %d rows, %d ids lost, %d series begun, %d used up, %d at once,"
						+ " %d taken up by others%n",
				situation, fleet.kills, fleet.stops, rows, reserved - rows, begun, usedUp, fleet.mostAtOnce(),
				sharedSeries);
		assertThat(fleet.kills).as(situation).isPositive();
		assertThat(rows).as(situation).isGreaterThan(1_000);
		assertThat(sharedSeries).as(situation).isPositive();
		assertThat(begun).as(situation).isLessThanOrEqualTo(fleet.mostAtOnce() + usedUp);
		assertThat(reserved - rows).as(situation)
			.isBetween(0L, (long) fleet.kills * SeriesWorker.SERIES * (SeriesWorker.WINDOW + 1)
					+ fleet.stops * SeriesWorker.SERIES);
	}

	/**
	 * The processes, and when each of them could hold series.
	 */
	private static final class Fleet {

		private final TestDatabase database;

		private final List<Life> lives = new ArrayList<>();

		private final List<Life> alive = new ArrayList<>();

		private final Path output = Files.createTempFile(Path.of("target"), "series-worker", ".out");

		private int kills;

		private int stops;

		Fleet(TestDatabase database) throws IOException {
			this.database = database;
		}

		void run(Random random) throws IOException, InterruptedException {
			for (int i = 0; i < WORKERS; i++) {
				start();
			}
			long end = System.nanoTime() + LENGTH.toNanos();
			while (System.nanoTime() < end) {
				TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(2_000));
				Life victim = this.alive.remove(random.nextInt(this.alive.size()));
				if (random.nextInt(4) == 0) {
					stop(victim);
				}
				else {
					kill(victim);
				}
				// sooner or later than the lease runs out
				TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
				start();
			}
		}

		private void start() throws IOException {
			Process process = ChildProcess
				.of(SeriesWorker.class, this.database.url(), this.database.username(), this.database.password(),
						this.database.platform())
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.output.toFile()))
				.redirectError(ProcessBuilder.Redirect
					.appendTo(new File("target/series-worker-" + this.database.platform() + ".log")))
				.start();
			Life life = new Life(process, System.nanoTime());
			this.lives.add(life);
			this.alive.add(life);
		}

		private void kill(Life life) throws IOException, InterruptedException {
			life.process.destroyForcibly().waitFor();
			life.end = System.nanoTime() + SeriesWorker.LEASE.plus(SLACK).toNanos();
			this.kills++;
		}

		private void stop(Life life) throws IOException, InterruptedException {
			try (OutputStream input = life.process.getOutputStream()) {
				input.write('\n');
			}
			assertThat(life.process.waitFor(60, TimeUnit.SECONDS)).as("stops in time").isTrue();
			life.end = System.nanoTime();
			this.stops++;
			assertThat(Files.readString(this.output)).as("see target/series-worker-*.log").endsWith("STOPPED\n");
		}

		void stop() throws IOException, InterruptedException {
			for (Life life : this.alive) {
				stop(life);
			}
		}

		/**
		 * Return how many series were held at once at most: those of processes that were
		 * alive, or whose leases had not run out yet.
		 */
		long mostAtOnce() {
			return this.lives.stream()
				.mapToLong((life) -> this.lives.stream()
					.filter((other) -> other.start <= life.start && life.start <= other.end)
					.count() * SeriesWorker.SERIES)
				.max()
				.orElse(0);
		}

	}

	private static final class Life {

		private final Process process;

		private final long start;

		private long end = Long.MAX_VALUE;

		Life(Process process, long start) {
			this.process = process;
			this.start = start;
		}

	}

}
