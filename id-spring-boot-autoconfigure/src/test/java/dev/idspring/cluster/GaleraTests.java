package dev.idspring.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import dev.idspring.IdGenerator;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.GaleraCluster;
import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests instances on a Galera cluster of three nodes.
 */
@RealServers(GivenServer.GALERA)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GaleraTests {

	private static final int INSTANCES = 6;

	private static final int DRAWS = 3_000;

	private static final int GAPLESS_DRAWS = 200;

	private static final Duration OUTAGE = Duration.ofSeconds(10);

	/** Small blocks, so that instances often conflict. */
	private static final String[] PROPERTIES = Draws.properties("ids.block.size=10", "ids.block.max-size=10");

	private final List<Instances> instances = new ArrayList<>();

	private GaleraCluster cluster;

	private String database;

	@BeforeAll
	void startServers() {
		this.cluster = startCluster();
	}

	private static GaleraCluster startCluster() {
		// the server retries auto-committed statements
		return new GaleraCluster("--wsrep-retry-autocommit=4");
	}

	@BeforeEach
	void createDatabase(TestInfo test) {
		this.database = "ids" + Integer.toHexString(test.getDisplayName().hashCode());
		this.cluster.create(this.database);
	}

	@AfterEach
	void stopInstances() {
		this.instances.forEach(Instances::close);
		this.instances.clear();
	}

	@AfterAll
	void stopServers() {
		this.cluster.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "select 1", "set autocommit=1", "set autocommit=0" })
	void instancesIssueNoDuplicates(String initSql) {
		Draws draws = new Draws();
		Instances.sideBySide(IntStream.range(0, INSTANCES)
			.mapToObj((i) -> start(this.cluster.on(this.database, i),
					"spring.datasource.hikari.connection-init-sql=" + initSql))
			.map((instance) -> (Callable<Integer>) () -> draws.draw(instance, DRAWS))
			.toList());
		draws.assertNoDuplicates("Galera, " + initSql);
	}

	@Test
	void noDuplicatesWhenANodeIsKilled() {
		Draws draws = new Draws();
		try (GaleraCluster testCluster = startCluster()) {
			testCluster.create("ids");
			List<Callable<Integer>> work = new ArrayList<>();
			IntStream.range(0, INSTANCES)
				.mapToObj((i) -> start(testCluster.startingAt("ids", i)))
				.forEach((instance) -> work.add(() -> draws.draw(instance, DRAWS)));
			work.add(() -> {
				Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> draws.count() > DRAWS);
				testCluster.kill(1);
				return 0;
			});
			Instances.sideBySide(work);
			stopInstances();
		}
		draws.assertNoDuplicates("Galera, a node is killed");
	}

	/**
	 * The URL names two servers. After a node or the quorum is lost, the driver considers
	 * both servers unavailable, and must find the available one again.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "sequential", "loadbalance" })
	void storeRecoversAfterNodeAndQuorumLoss(String mode) {
		try (GaleraCluster testCluster = startCluster()) {
			testCluster.create("ids");
			ConfigurableApplicationContext instance = start(testCluster.onTwo(mode, "ids"));
			try (RecoveryTimer timer = new RecoveryTimer("Galera, " + mode + ", a node dies", instance)) {
				testCluster.kill(0);
				timer.awaitRecovery();
			}
			testCluster.awaitSize(1, 2);
			try (RecoveryTimer timer = new RecoveryTimer(
					"Galera, " + mode + ", no quorum for " + OUTAGE.toSeconds() + " s", instance)) {
				testCluster.freeze(2);
				Awaitility.await().pollDelay(OUTAGE).timeout(OUTAGE.multipliedBy(2)).until(() -> true);
				testCluster.thaw(2);
				timer.awaitRecovery();
			}
			stopInstances();
		}
	}

	@ParameterizedTest
	@CsvSource({ "'', true", "?sessionVariables=wsrep_sync_wait=7, false" })
	void regressionErrorMentionsLaggingNodesUnlessReadsWaitForReplication(String suffix, boolean mentionsLag) {
		TestDatabase database = this.cluster.on(this.database, 0);
		ConfigurableApplicationContext instance = start(database.withUrlSuffix(suffix));
		ManagedIdGenerator ids = (ManagedIdGenerator) instance.getBean(IdGenerator.class);
		ids.nextLongs(100);
		// the value that a lagging node shows
		database.execute("update ids_key_space set next_ordinal = 1");
		ids.refresh(Duration.ofSeconds(10)).join();
		String[] messageParts = { "A backup was restored", "If no backup was restored", "Galera cluster",
				"set wsrep_sync_wait to 7 by adding ?sessionVariables=wsrep_sync_wait=7" };
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(ids::nextLong)
			.satisfies((failure) -> assertThat(failure.getMessage().contains("wsrep_sync_wait")).isEqualTo(mentionsLag))
			.withMessageContainingAll(mentionsLag ? messageParts : new String[] { messageParts[0] });
	}

	@Test
	void gaplessNumbersHaveNoGapWhenCallersRetryConflicts() {
		GaplessDraws draws = new GaplessDraws();
		Instances.sideBySide(IntStream.range(0, INSTANCES)
			.mapToObj((i) -> start(this.cluster.on(this.database, i), GaplessDraws.GENERATOR_PROPERTY))
			.map((caller) -> (Callable<Integer>) () -> draws.draw(caller, GAPLESS_DRAWS))
			.toList());
		draws.assertNoDuplicatesAndNoGaps("Galera, gapless");
	}

	private ConfigurableApplicationContext start(TestDatabase database, String... additional) {
		Instances startedInstances = new Instances(database);
		this.instances.add(startedInstances);
		List<String> properties = new ArrayList<>(List.of(PROPERTIES));
		properties.addAll(List.of(additional));
		return startedInstances.start(properties.toArray(String[]::new));
	}

}
