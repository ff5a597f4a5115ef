package dev.idspring.cluster;

import java.time.Duration;

import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.testsupport.RealServers;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests two fail-overs. The replica that is promoted second has replicated from the
 * original primary, but never from the replica that was promoted first.
 */
@RealServers
class PostgresqlTwoFailoversTests {

	private static final int IDS_ON_FIRST_PRIMARY = 20_000;

	private static final int IDS_ON_SECOND_PRIMARY = 60_000;

	private static final int IDS_ON_THIRD_PRIMARY = 50_000;

	/** The minimum time for which the first promoted replica is the primary. */
	private static final Duration MIN_TIME_AS_PRIMARY = Duration.ofSeconds(17);

	@Test
	void secondFailoverToAReplicaOfTheFirstPrimaryCausesNoDuplicates() throws Exception {
		Draws draws = new Draws();
		try (PostgresqlCluster cluster = PostgresqlCluster.start(2)) {
			try (Instances instances = new Instances(cluster.database())) {
				ConfigurableApplicationContext instance = instances.start(Draws.properties());
				draws.draw(instance, IDS_ON_FIRST_PRIMARY);
				cluster.catchUp();
				try (Instances outageInstances = new Instances(cluster.database());
						RecoveryTimer timer = new RecoveryTimer("PostgreSQL, fail-over",
								outageInstances.start(Draws.properties(RecoveryTimer.PROPERTIES)))) {
					cluster.catchUp();
					cluster.kill(0);
					cluster.promote(1);
					timer.awaitRecovery();
				}
				long end = System.nanoTime() + MIN_TIME_AS_PRIMARY.toNanos();
				for (int drawn = 0; drawn < IDS_ON_SECOND_PRIMARY || System.nanoTime() < end;) {
					drawn += draws.draw(instance, 1_000);
				}
				cluster.kill(1);
			}
			cluster.promote(2);
			try (Instances instances = new Instances(cluster.database())) {
				draws.draw(instances.start(Draws.properties()), IDS_ON_THIRD_PRIMARY);
			}
		}
		draws.assertNoDuplicates("PostgreSQL, two fail-overs");
	}

}
