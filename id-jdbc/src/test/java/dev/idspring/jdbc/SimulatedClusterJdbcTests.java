package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.SimulatedCluster.TrueTime;
import dev.idspring.time.SimulatedCluster;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates 64 instances on real databases. The clocks of the databases show the
 * simulated time. The property {@code test.ids.seed} sets the seed, to repeat a run, and
 * {@code test.ids.simulated-minutes} sets the length of the run.
 */
class SimulatedClusterJdbcTests {

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("test.ids.simulated-minutes", 20));

	@Test
	void noIdIsIssuedTwice() {
		Stream
			.of(new Case(TestDatabase.h2(), Tail.ROLLING), new Case(TestDatabase.postgresql(), Tail.SEQUENCE),
					new Case(TestDatabase.mariadb(), Tail.RANDOM))
			.map((each) -> CompletableFuture.runAsync(() -> run(each), (task) -> new Thread(task).start()))
			.toList()
			.forEach(CompletableFuture::join);
	}

	private static void run(Case each) {
		try (HikariDataSource pool = each.database.pool(1)) {
			TestStores.initialize(pool, each.database, "ids_");
			JdbcDatabase database = TestStores.database(pool, "ids_");
			TrueTime trueTime = new TrueTime();
			SimulatedCluster cluster = new SimulatedCluster(
					new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 6, 2, each.tail).scheme(),
					Duration.ofMinutes(5), SEED, trueTime, new JdbcKeySpaceStore(database),
					new JdbcSlotStore(database, (millis) -> trueTime.millis()));
			long start = System.nanoTime();
			cluster.run(64, LENGTH);
			String situation = each.database.platform() + ", " + cluster + ", seed " + SEED;
			System.out.println(situation + ", " + Duration.ofNanos(System.nanoTime() - start));
			assertThat(cluster.duplicate()).as(situation).isEqualTo(-1);
			assertThat(cluster.isEventful(LENGTH)).as(situation).isTrue();
		}
	}

	private record Case(TestDatabase database, Tail tail) {

	}

}
