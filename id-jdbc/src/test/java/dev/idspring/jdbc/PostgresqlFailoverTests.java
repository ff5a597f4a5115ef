package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.idspring.IdGenerator;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.Alphabet;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A PostgreSQL primary is killed while its replica lags, and the replica is promoted. All
 * scenarios share one fail-over, and each scenario has its own tables. In each scenario,
 * two instances issue ids of four strategies. In some scenarios, the second instance
 * pauses while the replica lags, so that it has not seen the lost reservations. The
 * scenarios also differ in which instance reconnects first.
 * <p>
 * {@code test.ids.failovers} sets the number of fail-overs, 1 by default. Each fail-over
 * has a different lag.
 */
@ParameterizedClass
@MethodSource("lags")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresqlFailoverTests {

	private static final int FAILOVERS = Integer.getInteger("test.ids.failovers", 1);

	private static final int MAX_LAG = 3_000;

	private static final Duration LEASE = Duration.ofSeconds(2);

	/** How many ids of each strategy an instance issues while the replica lags. */
	@Parameter
	int lag;

	private Scenario withoutFence;

	private Scenario lossesSeenByBoth;

	private Scenario lossesUnseenByFirstToReconnect;

	private Scenario lossesUnseenBySecondToReconnect;

	private List<Scenario> scenarios;

	static IntStream lags() {
		return new Random(FAILOVERS).ints(FAILOVERS, MAX_LAG / 3, MAX_LAG);
	}

	@BeforeParameterizedClassInvocation
	void failOver() throws Exception {
		this.withoutFence = new Scenario("unfenced_", 0, false, 1);
		this.lossesSeenByBoth = new Scenario("seen_", 1_000_000, true, 0);
		this.lossesUnseenByFirstToReconnect = new Scenario("first_unseen_", 1_000_000, false, 1);
		this.lossesUnseenBySecondToReconnect = new Scenario("second_unseen_", 1_000_000, false, 0);
		this.scenarios = List.of(this.withoutFence, this.lossesSeenByBoth, this.lossesUnseenByFirstToReconnect,
				this.lossesUnseenBySecondToReconnect);
		try (PostgresqlCluster cluster = PostgresqlCluster.start()) {
			this.scenarios.forEach((scenario) -> scenario.begin(cluster.database()));
			awaitGoal(300, workers((scenario) -> scenario.workers));
			this.scenarios.forEach(Scenario::pauseOneUnlessBothSeeLosses);
			cluster.catchUp();
			cluster.cutReplica();
			awaitGoal(this.lag, workers(Scenario::drawingDuringTheLag));
			this.scenarios.forEach(Scenario::holdTheInstanceThatReconnectsSecond);
			cluster.killPrimary();
			cluster.promoteReplica();
			List<Worker> first = workers((scenario) -> List.of(scenario.firstToReconnect()));
			first.forEach(Worker::release);
			awaitGoal(this.lag / 2, first);
			List<Worker> allWorkers = workers((scenario) -> scenario.workers);
			allWorkers.forEach(Worker::release);
			awaitGoal(this.lag / 2, allWorkers);
			for (Worker worker : allWorkers) {
				worker.stop();
			}
			this.scenarios.forEach(Scenario::close);
		}
		this.scenarios.forEach(System.out::println);
	}

	@AfterParameterizedClassInvocation
	void allThreadsHaveEnded() {
		assertThat(this.scenarios)
			.allMatch((scenario) -> scenario.workers.stream().noneMatch((worker) -> worker.thread.isAlive()));
	}

	private List<Worker> workers(Function<Scenario, List<Worker>> selector) {
		return this.scenarios.stream().flatMap((scenario) -> selector.apply(scenario).stream()).toList();
	}

	/**
	 * Wait until each worker has issued the given number of further ids of each strategy
	 * that has not failed.
	 */
	private static void awaitGoal(int rounds, List<Worker> workers) throws InterruptedException {
		workers.forEach((worker) -> worker.setGoal(rounds));
		for (Worker worker : workers) {
			worker.awaitGoal();
		}
	}

	@Test
	void idsAreIssuedTwiceWithoutTheFence() {
		assertThat(this.withoutFence.countRepeated("coprime")).isGreaterThan(100);
		assertThat(this.withoutFence.countRepeated("sequential")).isGreaterThan(100);
		assertThat(this.withoutFence.countRepeated("recycled")).isGreaterThan(100);
	}

	@Test
	void noIdIsIssuedTwiceIfTheFirstInstanceToReconnectHasSeenTheLostReservations() {
		assertNoRepeatsAndNoFailures(this.lossesSeenByBoth);
		assertNoRepeatsAndNoFailures(this.lossesUnseenBySecondToReconnect);
	}

	@Test
	void noIdIsIssuedTwiceIfTheFirstInstanceToReconnectHasNotSeenTheLostReservations() {
		assertNoRepeatsAndNoFailures(this.lossesUnseenByFirstToReconnect);
	}

	private static void assertNoRepeatsAndNoFailures(Scenario scenario) {
		assertThat(scenario.repeatedIds).as(scenario.toString()).isEmpty();
		assertThat(scenario.workers).allSatisfy((worker) -> assertThat(worker.failures).isEmpty());
	}

	/**
	 * Two instances, and the tables that they share.
	 */
	private static final class Scenario {

		private final String prefix;

		private final long margin;

		private final boolean bothSeeLosses;

		private final int firstToReconnect;

		private final Map<String, Set<Long>> issued = new ConcurrentHashMap<>();

		private final Map<String, AtomicInteger> repeatedIds = new ConcurrentHashMap<>();

		private final List<Worker> workers = new ArrayList<>();

		Scenario(String prefix, long margin, boolean bothSeeLosses, int firstToReconnect) {
			this.prefix = prefix;
			this.margin = margin;
			this.bothSeeLosses = bothSeeLosses;
			this.firstToReconnect = firstToReconnect;
		}

		void begin(TestDatabase database) {
			try (HikariDataSource pool = database.pool(1)) {
				TestStores.initialize(pool, database, this.prefix);
			}
			for (int i = 0; i < 2; i++) {
				Worker worker = new Worker(this, database);
				this.workers.add(worker);
				worker.thread.start();
			}
		}

		List<Worker> drawingDuringTheLag() {
			return this.workers.subList(0, this.bothSeeLosses ? 2 : 1);
		}

		Worker firstToReconnect() {
			return this.workers.get(this.firstToReconnect);
		}

		void pauseOneUnlessBothSeeLosses() {
			if (!this.bothSeeLosses) {
				this.workers.get(1).pause();
			}
		}

		void holdTheInstanceThatReconnectsSecond() {
			this.workers.get(1 - this.firstToReconnect).hold();
		}

		void record(String strategy, long id) {
			if (!this.issued.computeIfAbsent(strategy, (name) -> ConcurrentHashMap.newKeySet()).add(id)) {
				this.repeatedIds.computeIfAbsent(strategy, (name) -> new AtomicInteger()).incrementAndGet();
			}
		}

		int countRepeated(String strategy) {
			AtomicInteger count = this.repeatedIds.get(strategy);
			return (count != null) ? count.get() : 0;
		}

		void close() {
			this.workers.forEach(Worker::close);
		}

		@Override
		public String toString() {
			return this.prefix + ": repeated " + this.repeatedIds + ", failures "
					+ this.workers.stream().map((worker) -> worker.failures).toList();
		}

	}

	/**
	 * An instance that issues one id of each strategy in turn.
	 */
	private static final class Worker {

		private final Scenario scenario;

		private final HikariDataSource pool;

		private final Map<String, IdGenerator> generators = new LinkedHashMap<>();

		private final List<AutoCloseable> closeables = new ArrayList<>();

		private final Map<String, RuntimeException> failures = new ConcurrentHashMap<>();

		private final Thread thread = new Thread(this::run);

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile CountDownLatch goal = new CountDownLatch(0);

		private volatile boolean stopped;

		Worker(Scenario scenario, TestDatabase database) {
			this.scenario = scenario;
			this.pool = database.pool(3);
			this.pool.setConnectionTimeout(2_000);
			JdbcDatabase ids = JdbcDatabase.open(this.pool, new JdbcSettings(scenario.prefix, null, scenario.margin,
					Duration.ofMillis(500), null, false, false),
					Deadline.after(TimeSource.system(), Duration.ofSeconds(30)));
			JdbcKeySpaceStore keySpaces = new JdbcKeySpaceStore(ids);
			JdbcSlotStore slots = new JdbcSlotStore(ids);
			BlockSettings blockSettings = new BlockSettings(10, 10, Duration.ofSeconds(60), Duration.ZERO);
			add(BlockIdGenerator
				.coprime("coprime", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), keySpaces)
				.blockSettings(blockSettings)
				.open());
			add(BlockIdGenerator.sequential("sequential", new SequentialSettings(1, 1L << 40), keySpaces)
				.blockSettings(blockSettings)
				.open());
			add(BlockIdGenerator
				.recycled("recycled", new RecycledSettings(1_000, 1_000_000_000), new SeriesSettings(1, LEASE),
						keySpaces, slots)
				.blockSettings(blockSettings)
				.open());
			add(TimeIdGenerator
				.builder("snowflake",
						new SnowflakeSettings(Instant.parse("2024-01-01T00:00:00Z"), 41, 10, 12, Tail.ROLLING).scheme())
				.store(keySpaces, slots)
				.node(NodeSettings.lease(LEASE))
				.clock(new ClockSettings(Duration.ofSeconds(1), Duration.ofSeconds(1)))
				.waitTimeout(Duration.ofSeconds(60))
				.open());
		}

		private <G extends IdGenerator & AutoCloseable> void add(G generator) {
			this.generators.put(generator.name(), generator);
			this.closeables.add(generator);
		}

		private void run() {
			try {
				while (!this.stopped) {
					this.gate.await();
					this.generators.forEach(this::issue);
					this.goal.countDown();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private void issue(String strategy, IdGenerator generator) {
			if (this.failures.containsKey(strategy)) {
				return;
			}
			try {
				this.scenario.record(strategy, generator.nextLong());
			}
			catch (RuntimeException ex) {
				this.failures.put(strategy, ex);
			}
		}

		void hold() {
			if (this.gate.getCount() == 0) {
				this.gate = new CountDownLatch(1);
			}
		}

		/**
		 * Pause, and wait until no reservation is running.
		 */
		void pause() {
			hold();
			HikariPoolMXBean connections = this.pool.getHikariPoolMXBean();
			Awaitility.await()
				.until(() -> this.thread.getState() == Thread.State.WAITING && connections.getActiveConnections() == 0);
		}

		void release() {
			this.gate.countDown();
		}

		void setGoal(int rounds) {
			this.goal = new CountDownLatch(rounds);
		}

		void awaitGoal() throws InterruptedException {
			assertThat(this.goal.await(3, TimeUnit.MINUTES)).as("%s issues further ids", this.scenario).isTrue();
		}

		void stop() throws InterruptedException {
			this.stopped = true;
			this.thread.join();
		}

		void close() {
			try {
				for (AutoCloseable closeable : this.closeables) {
					closeable.close();
				}
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			this.pool.close();
		}

	}

}
