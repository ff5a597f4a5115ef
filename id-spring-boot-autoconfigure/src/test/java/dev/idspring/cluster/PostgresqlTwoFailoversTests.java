package dev.idspring.cluster;

import java.time.Duration;

import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.testsupport.RealServers;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Two servers fail one after the other. The second replica to be promoted never followed
 * the first.
 */
@RealServers
class PostgresqlTwoFailoversTests {

	private static final int AT_A = 20_000;

	private static final int AT_B = 60_000;

	private static final int AT_C = 50_000;

	/** How long the first replica serves at least. */
	private static final Duration SERVICE = Duration.ofSeconds(17);

	@Test
	void secondFailoverToAReplicaOfTheFirstPrimaryCausesNoDuplicates() throws Exception {
		Draws draws = new Draws();
		try (PostgresqlCluster cluster = PostgresqlCluster.start(2)) {
			try (Instances instances = new Instances(cluster.database())) {
				ConfigurableApplicationContext instance = instances.start(Draws.properties());
				draws.draw(instance, AT_A);
				cluster.catchUp();
				try (Instances more = new Instances(cluster.database());
						Outage outage = new Outage("PostgreSQL, fail-over",
								more.start(Draws.properties(Outage.PROPERTIES)))) {
					cluster.catchUp();
					cluster.kill(0);
					cluster.promote(1);
					outage.over();
				}
				long end = System.nanoTime() + SERVICE.toNanos();
				for (int drawn = 0; drawn < AT_B || System.nanoTime() < end;) {
					drawn += draws.draw(instance, 1_000);
				}
				cluster.kill(1);
			}
			cluster.promote(2);
			try (Instances instances = new Instances(cluster.database())) {
				draws.draw(instances.start(Draws.properties()), AT_C);
			}
		}
		draws.assertNoneCameTwice("PostgreSQL, two fail-overs");
	}

}
