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
 * Three processes with wrong clocks insert rows into one table. The layout of their ids
 * has four nodes. The processes are killed, frozen, stopped and started again at random.
 * {@code dev.idspring.lab.WorkerFaultsTests} does the same to entire applications, but
 * does not change their clocks.
 * <p>
 * {@code test.ids.nodes-seconds} sets the minimum duration, 2 by default. The test
 * continues until a node has been taken over. {@code test.ids.seed} repeats a sequence of
 * events, as far as the timing of the machine permits.
 */
@Tag("wide")
class NodesKilledProcessesTests {

	private static final Duration MIN_DURATION = Duration.ofSeconds(Integer.getInteger("test.ids.nodes-seconds", 2));

	private static final long MIN_ROWS = 1_000;

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	@Test
	void noIdIsIssuedTwiceAndNodesAreTakenOver() {
		Stream.of(Kind.POSTGRESQL, Kind.MARIADB)
			.map(Kind::create)
			.map((database) -> CompletableFuture.runAsync(() -> run(database), (task) -> new Thread(task).start()))
			.toList()
			.forEach(CompletableFuture::join);
	}

	private static void run(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			TestDatabase.execute(pool, "create table events (id bigint not null primary key, node int not null,"
					+ " worker varchar(36) not null)");
			Fleet fleet = new Fleet(database, NodeWorker.class, 3, NodeWorker.LEASE, true);
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			fleet.run(new Random(SEED), MIN_DURATION,
					() -> rows(jdbc) > MIN_ROWS && fleet.kills() > 0 && nodesWithSeveralOwners(jdbc) > 0);
			long rows = rows(jdbc);
			long takenOverNodes = nodesWithSeveralOwners(jdbc);
			long clockErrors = fleet.output().lines().filter("CLOCK ERROR"::equals).count();
			String situation = database.platform() + ", seed " + SEED;
			System.out.printf(
					"%s: %d kills, %d normal stops, %d freezes, %d rows, %d nodes with several owners,"
							+ " %d clock errors%n",
					situation, fleet.kills(), fleet.stops(), fleet.freezes(), rows, takenOverNodes, clockErrors);
			assertThat(fleet.output()).as(situation).doesNotContain("DUPLICATE", "FAILED");
			assertThat(fleet.kills()).as(situation).isPositive();
			assertThat(takenOverNodes).as(situation).isPositive();
			assertThat(rows).as(situation).isGreaterThan(MIN_ROWS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static long rows(JdbcTemplate jdbc) {
		return jdbc.queryForObject("select count(*) from events", Long.class);
	}

	private static long nodesWithSeveralOwners(JdbcTemplate jdbc) {
		return jdbc.queryForObject("select count(*) from (select 1 as one from events group by node"
				+ " having count(distinct worker) > 1) shared", Long.class);
	}

}
