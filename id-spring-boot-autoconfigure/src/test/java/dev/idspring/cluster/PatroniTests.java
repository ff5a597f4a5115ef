package dev.idspring.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.testsupport.Figures;
import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.PatroniCluster;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests two instances on three PostgreSQL servers that Patroni manages. Each instance
 * draws up to 5,000 ids per second with each strategy.
 */
@RealServers(GivenServer.PATRONI)
@ParameterizedClass
@MethodSource("commands")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PatroniTests {

	private static final int IDS_PER_DRAW = 100;

	private static final Duration PERIOD = Duration.ofMillis(20);

	/** Blocks of the size of a draw, so that each draw needs a block. */
	private static final String[] PROPERTIES = Draws.properties("ids.block.size=" + IDS_PER_DRAW,
			"ids.block.max-size=" + IDS_PER_DRAW);

	/** The minimum number of draws of each side before and after a fail-over. */
	private static final int DRAWS = 250;

	/** The smallest number of ids that a fail-over skips. */
	private static final long MIN_SKIPPED = 100_001;

	private static final Duration FREEZE_TIME = Duration.ofSeconds(30);

	/**
	 * How much later than the application's pool the generators may recover. This
	 * includes the pause of five seconds after a fail-over.
	 */
	private static final int SECONDS_AFTER_POOL = 5 + 2;

	/** The additional delay in seconds that a busy machine may cause. */
	private static final int STALL_SECONDS = 20;

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	@Parameter
	String command;

	private PatroniCluster cluster;

	private String patroni;

	private String database;

	static Stream<String> commands() {
		return Stream.of(GivenServer.PATRONI.location().split(","));
	}

	@BeforeParameterizedClassInvocation
	void startServers() {
		long start = System.nanoTime();
		this.cluster = new PatroniCluster(this.command);
		this.patroni = "Patroni " + this.cluster.version();
		Figures.add("%s: started in %.1f s", this.patroni, (System.nanoTime() - start) / 1e9);
	}

	@BeforeEach
	void createDatabase(TestInfo test) {
		this.cluster.awaitReplicas();
		this.database = "ids" + Integer.toHexString(test.getDisplayName().hashCode());
		this.cluster.create(this.database);
	}

	@AfterParameterizedClassInvocation
	void stopServers() {
		this.cluster.close();
	}

	@Test
	void switchOverCausesNoDuplicates() {
		observe("switch-over", (leader, old, other) -> this.cluster.switchOver());
	}

	@Test
	void killedLeaderCausesNoDuplicates() {
		int killed = this.cluster.leader();
		try {
			observe("leader killed", (leader, old, other) -> this.cluster.kill(leader));
		}
		finally {
			this.cluster.restart(killed);
		}
	}

	/**
	 * Both the old and the new leader accept writes until the frozen Patroni continues.
	 * In versions before 3.0.3, this Patroni may then take the leader lock back from the
	 * new leader, whose writes are lost.
	 */
	@Test
	void leaderWithAFrozenPatroniCausesNoDuplicates() {
		observe("Patroni of the leader frozen", (leader, old, other) -> {
			long end = System.nanoTime() + FREEZE_TIME.toNanos();
			this.cluster.freeze(leader);
			try {
				this.cluster.awaitLeaderOtherThan(leader);
				this.cluster.disconnect(leader, other.name);
				long drawnOnOld = old.count();
				long drawnOnNew = other.count();
				other.awaitMore(DRAWS);
				LockSupport.parkNanos(end - System.nanoTime());
				Figures.add(
						"%s: with two leaders, %d ids of each strategy were drawn on the old one, %d on the new one",
						this.patroni, (old.count() - drawnOnOld) * IDS_PER_DRAW,
						(other.count() - drawnOnNew) * IDS_PER_DRAW);
				assertThat(old.count()).isGreaterThan(drawnOnOld + DRAWS);
			}
			finally {
				this.cluster.thaw(leader);
			}
			this.cluster.awaitReplicas();
			if (this.cluster.leader() == leader) {
				other.awaitRegression();
				Figures.add("%s: the old leader has taken the lock back, and instances on the new leader stop",
						this.patroni);
			}
		});
	}

	private void observe(String event, Event action) {
		String scenario = this.patroni + ", " + event;
		Draws draws = new Draws();
		int leader = this.cluster.leader();
		try (Side old = new Side("old", this.cluster.startingAt(this.database, leader), draws);
				Side other = new Side("other", this.cluster.startingAt(this.database, leader + 1), draws)) {
			List<Side> sides = List.of(old, other);
			sides.forEach((side) -> side.awaitMore(DRAWS));
			sides.forEach(Side::reset);
			action.happen(leader, old, other);
			old.awaitMore(DRAWS);
			old.report(scenario);
			if (this.cluster.leader() != leader) {
				other.awaitMore(DRAWS);
				other.report(scenario);
			}
		}
		assertThat(draws.skipped()).isGreaterThanOrEqualTo(MIN_SKIPPED);
		draws.assertNoDuplicates(scenario);
	}

	private interface Event {

		void happen(int leader, Side old, Side other);

	}

	/**
	 * An application that writes to a table and draws ids with each strategy.
	 */
	private static final class Side implements AutoCloseable {

		private final String name;

		private final Instances instances;

		private final Pulse writePulse = new Pulse();

		private final Map<String, Pulse> drawPulses = new TreeMap<>();

		private volatile boolean stopped;

		Side(String name, TestDatabase database, Draws draws) {
			this.name = name;
			this.instances = new Instances(database.withUrlSuffix("?ApplicationName=" + name));
			ConfigurableApplicationContext instance = this.instances.start(PROPERTIES);
			JdbcTemplate jdbc = instance.getBean(JdbcTemplate.class);
			jdbc.execute("create table " + name + " (written bigint)");
			jdbc.update("insert into " + name + " values (0)");
			beat(this.writePulse, () -> jdbc.update("update " + name + " set written = written + 1"));
			IdGenerators generators = instance.getBean(IdGenerators.class);
			Draws.GENERATOR_NAMES.forEach((strategy) -> {
				Pulse pulse = new Pulse();
				this.drawPulses.put(strategy, pulse);
				beat(pulse, () -> draws.drawOnce(generators.get(strategy), IDS_PER_DRAW));
			});
		}

		private void beat(Pulse pulse, Runnable work) {
			Thread thread = new Thread(() -> {
				for (long next = System.nanoTime(); !this.stopped; next = Math.max(System.nanoTime(),
						next + PERIOD.toNanos())) {
					LockSupport.parkNanos(next - System.nanoTime());
					pulse.beat(work);
				}
			});
			thread.setDaemon(true);
			thread.start();
		}

		/**
		 * Return how many draws the generator with the fewest draws has made.
		 */
		long count() {
			return this.drawPulses.values().stream().mapToLong(Pulse::count).min().orElseThrow();
		}

		/**
		 * Wait until the given number of further writes, and of further draws with each
		 * strategy, have succeeded.
		 */
		void awaitMore(int count) {
			List<Pulse> pulses = Stream.concat(Stream.of(this.writePulse), this.drawPulses.values().stream()).toList();
			List<Long> aims = pulses.stream().map((pulse) -> pulse.count() + count).toList();
			Awaitility.await()
				.atMost(TIMEOUT)
				.untilAsserted(() -> assertThat(pulses).zipSatisfy(aims,
						(pulse, aim) -> assertThat(pulse.count()).as("%s: %s", this.name, pulse.failure())
							.isGreaterThanOrEqualTo(aim)));
		}

		/**
		 * Wait until all generators have noticed that the store went backwards.
		 */
		void awaitRegression() {
			Awaitility.await()
				.atMost(TIMEOUT)
				.untilAsserted(() -> assertThat(this.drawPulses.values()).extracting(Pulse::failure)
					.hasOnlyElementsOfType(KeySpaceRegressionException.class));
		}

		void reset() {
			this.writePulse.reset();
			this.drawPulses.values().forEach(Pulse::reset);
		}

		/**
		 * Record how long the writes and the draws failed. Assert that the draws
		 * succeeded again soon after the writes did.
		 */
		void report(String scenario) {
			Map<String, String> outages = new TreeMap<>();
			this.drawPulses
				.forEach((strategy, pulse) -> outages.put(strategy, "%.1f s".formatted(pulse.longestSeconds())));
			Figures.add("%s, %s side: the application's pool recovered after %.1f s, the generators after %s", scenario,
					this.name, this.writePulse.longestSeconds(), outages);
			this.drawPulses.forEach((strategy, pulse) -> assertThat(pulse.longestSeconds())
				.as("%s, %s: %s", scenario, this.name, strategy)
				.isLessThanOrEqualTo(this.writePulse.longestSeconds() + SECONDS_AFTER_POOL + STALL_SECONDS));
		}

		@Override
		public void close() {
			this.stopped = true;
			this.instances.close();
		}

	}

}
