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
 * A PostgreSQL primary is killed while its replica lags behind, and the replica takes
 * over. All scenes go through one and the same fail-over, each with tables of its own:
 * two instances make ids of four strategies; in some the second rests while the replica
 * lags, so that it has not seen what was lost; in each one of the two is the first to
 * reconnect. {@code test.ids.failovers} says how often, once unless told, each time with
 * another lag.
 */
@ParameterizedClass
@MethodSource("lags")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresqlFailoverTests {

	private static final int FAILOVERS = Integer.getInteger("test.ids.failovers", 1);

	private static final int MOST_LAG = 3_000;

	private static final Duration LEASE = Duration.ofSeconds(2);

	/** How many ids of each strategy an instance makes while the replica lags. */
	@Parameter
	int lag;

	private Scene unfenced;

	private Scene knowing;

	private Scene unknowing;

	private Scene restedSecond;

	private List<Scene> scenes;

	static IntStream lags() {
		return new Random(FAILOVERS).ints(FAILOVERS, MOST_LAG / 3, MOST_LAG);
	}

	@BeforeParameterizedClassInvocation
	void failOver() throws Exception {
		this.unfenced = new Scene("unfenced_", 0, false, 1);
		this.knowing = new Scene("knowing_", 1_000_000, true, 0);
		this.unknowing = new Scene("unknowing_", 1_000_000, false, 1);
		this.restedSecond = new Scene("rested_", 1_000_000, false, 0);
		this.scenes = List.of(this.unfenced, this.knowing, this.unknowing, this.restedSecond);
		try (PostgresqlCluster cluster = PostgresqlCluster.start()) {
			this.scenes.forEach((scene) -> scene.begin(cluster.database()));
			reach(300, workers((scene) -> scene.workers));
			this.scenes.forEach(Scene::restWhereTheSecondMustNotKnow);
			cluster.catchUp();
			cluster.cutReplica();
			reach(this.lag, workers(Scene::working));
			this.scenes.forEach(Scene::holdWhoIsNotFirst);
			cluster.killPrimary();
			cluster.promoteReplica();
			List<Worker> first = workers((scene) -> List.of(scene.first()));
			first.forEach(Worker::release);
			reach(this.lag / 2, first);
			List<Worker> all = workers((scene) -> scene.workers);
			all.forEach(Worker::release);
			reach(this.lag / 2, all);
			for (Worker worker : all) {
				worker.stop();
			}
			this.scenes.forEach(Scene::close);
		}
		this.scenes.forEach(System.out::println);
	}

	@AfterParameterizedClassInvocation
	void nothingIsLeft() {
		assertThat(this.scenes)
			.allMatch((scene) -> scene.workers.stream().noneMatch((worker) -> worker.thread.isAlive()));
	}

	private List<Worker> workers(Function<Scene, List<Worker>> some) {
		return this.scenes.stream().flatMap((scene) -> some.apply(scene).stream()).toList();
	}

	/**
	 * Wait until workers have made that many more ids of every strategy that is left.
	 */
	private static void reach(int rounds, List<Worker> workers) throws InterruptedException {
		workers.forEach((worker) -> worker.aim(rounds));
		for (Worker worker : workers) {
			worker.reach();
		}
	}

	@Test
	void idsRepeatWithoutTheFence() {
		assertThat(this.unfenced.repeated("coprime")).isGreaterThan(100);
		assertThat(this.unfenced.repeated("sequential")).isGreaterThan(100);
		assertThat(this.unfenced.repeated("recycled")).isGreaterThan(100);
	}

	@Test
	void noIdRepeatsWhenTheFirstInstanceHasSeenTheLostReservations() {
		assertFlawless(this.knowing);
		assertFlawless(this.restedSecond);
	}

	@Test
	void noIdRepeatsWhenTheFirstInstanceHasNotSeenTheLostReservations() {
		assertFlawless(this.unknowing);
	}

	private static void assertFlawless(Scene scene) {
		assertThat(scene.repeated).as(scene.toString()).isEmpty();
		assertThat(scene.workers).allSatisfy((worker) -> assertThat(worker.failures).isEmpty());
	}

	/**
	 * Two instances with tables of their own.
	 */
	private static final class Scene {

		private final String prefix;

		private final long margin;

		private final boolean bothKnow;

		private final int first;

		private final Map<String, Set<Long>> issued = new ConcurrentHashMap<>();

		private final Map<String, AtomicInteger> repeated = new ConcurrentHashMap<>();

		private final List<Worker> workers = new ArrayList<>();

		Scene(String prefix, long margin, boolean bothKnow, int first) {
			this.prefix = prefix;
			this.margin = margin;
			this.bothKnow = bothKnow;
			this.first = first;
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

		List<Worker> working() {
			return this.workers.subList(0, this.bothKnow ? 2 : 1);
		}

		Worker first() {
			return this.workers.get(this.first);
		}

		void restWhereTheSecondMustNotKnow() {
			if (!this.bothKnow) {
				this.workers.get(1).rest();
			}
		}

		void holdWhoIsNotFirst() {
			this.workers.get(1 - this.first).hold();
		}

		void issued(String strategy, long id) {
			if (!this.issued.computeIfAbsent(strategy, (name) -> ConcurrentHashMap.newKeySet()).add(id)) {
				this.repeated.computeIfAbsent(strategy, (name) -> new AtomicInteger()).incrementAndGet();
			}
		}

		int repeated(String strategy) {
			AtomicInteger count = this.repeated.get(strategy);
			return (count != null) ? count.get() : 0;
		}

		void close() {
			this.workers.forEach(Worker::close);
		}

		@Override
		public String toString() {
			return this.prefix + ": repeated " + this.repeated + ", stopped "
					+ this.workers.stream().map((worker) -> worker.failures).toList();
		}

	}

	/**
	 * An instance that makes one id of each strategy in turn.
	 */
	private static final class Worker {

		private final Scene scene;

		private final HikariDataSource pool;

		private final Map<String, IdGenerator> generators = new LinkedHashMap<>();

		private final List<AutoCloseable> closeables = new ArrayList<>();

		private final Map<String, RuntimeException> failures = new ConcurrentHashMap<>();

		private final Thread thread = new Thread(this::run);

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile CountDownLatch goal = new CountDownLatch(0);

		private volatile boolean stopped;

		Worker(Scene scene, TestDatabase database) {
			this.scene = scene;
			this.pool = database.pool(3);
			this.pool.setConnectionTimeout(2_000);
			JdbcDatabase ids = JdbcDatabase.open(this.pool,
					JdbcSettings.defaults(scene.prefix)
						.withFailoverMargin(scene.margin)
						.withFailoverLag(Duration.ofMillis(500)),
					Deadline.after(TimeSource.system(), Duration.ofSeconds(30)));
			JdbcKeySpaceStore keySpaces = new JdbcKeySpaceStore(ids);
			JdbcSlotStore slots = new JdbcSlotStore(ids);
			BlockSettings blocks = new BlockSettings(10, 10, Duration.ofSeconds(60), Duration.ZERO);
			add(BlockIdGenerator
				.coprime("coprime", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), keySpaces)
				.blockSettings(blocks)
				.open());
			add(BlockIdGenerator.sequential("sequential", new SequentialSettings(1, 1L << 40), keySpaces)
				.blockSettings(blocks)
				.open());
			add(BlockIdGenerator
				.recycled("recycled", new RecycledSettings(1_000, 1_000_000_000), new SeriesSettings(1, LEASE),
						keySpaces, slots)
				.blockSettings(blocks)
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
				this.scene.issued(strategy, generator.nextLong());
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
		 * Wait until nothing more will be reserved.
		 */
		void rest() {
			hold();
			HikariPoolMXBean connections = this.pool.getHikariPoolMXBean();
			Awaitility.await()
				.until(() -> this.thread.getState() == Thread.State.WAITING && connections.getActiveConnections() == 0);
		}

		void release() {
			this.gate.countDown();
		}

		void aim(int rounds) {
			this.goal = new CountDownLatch(rounds);
		}

		void reach() throws InterruptedException {
			assertThat(this.goal.await(3, TimeUnit.MINUTES)).as("%s continues", this.scene).isTrue();
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
