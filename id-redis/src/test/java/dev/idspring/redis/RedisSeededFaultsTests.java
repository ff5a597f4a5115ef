package dev.idspring.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdGenerationException;
import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.TestProxy;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances reserve from a server that is killed, frozen, cut off, and replaced by a
 * replica that lacks the latest. A seed decides what happens in which order, and whether
 * they count ordinals or own series.
 */
@EnabledIfEnvironmentVariable(named = ValkeyServer.VARIABLE, matches = ".+")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSeededFaultsTests {

	private static final int RUNS = Integer.getInteger("test.ids.redis-runs", 20);

	private static final int STEPS = 5;

	private static final int SERIES = 1_000;

	private static final RedisSettings GUARDED = RedisSettings.defaults()
		.withInitialize(true)
		.withFailover(1_000_000, Duration.ofMillis(200));

	private static final Executor THREADS = (task) -> new Thread(task).start();

	private ValkeyServer master;

	private ValkeyServer replica;

	private TestProxy proxy;

	@BeforeAll
	void start() throws Exception {
		this.master = new ValkeyServer();
		this.replica = new ValkeyServer();
		this.proxy = new TestProxy("127.0.0.1", this.master.port());
		follow();
	}

	@AfterAll
	void stop() throws Exception {
		this.proxy.close();
		this.master.close();
		this.replica.close();
	}

	@Test
	void noOrdinalIsReservedTwice() throws Exception {
		for (int seed = 0; seed < RUNS; seed++) {
			assertThat(repeated(seed, GUARDED)).as("seed %d", seed).isEmpty();
		}
	}

	@Test
	void ordinalsAreReservedTwiceWithoutTheGuard() throws Exception {
		List<OrdinalRange> repeated = new ArrayList<>();
		for (int seed = 0; seed < 10; seed++) {
			repeated.addAll(repeated(seed, GUARDED.withFailover(0, Duration.ofMillis(200))));
		}
		assertThat(repeated).isNotEmpty();
	}

	/**
	 * Return what was reserved that had been reserved before.
	 */
	private List<OrdinalRange> repeated(int seed, RedisSettings settings) throws Exception {
		Random random = new Random(seed);
		String name = (settings.failoverMargin() > 0 ? "guarded" : "unguarded") + seed;
		List<OrdinalRange> reserved = new ArrayList<>();
		try (RedisDatabase one = open(settings); RedisDatabase other = open(settings)) {
			boolean counts = random.nextBoolean();
			List<Instance> instances = List.of(instance(one, name, counts), instance(other, name, counts));
			for (int step = 0; step < STEPS; step++) {
				List<CompletableFuture<OrdinalRange>> underWay = instances.stream()
					.map((instance) -> CompletableFuture.supplyAsync(() -> instance.reserve(1 + random(seed)), THREADS))
					.toList();
				fault(random, instances, reserved);
				for (CompletableFuture<OrdinalRange> range : underWay) {
					reserved.add(range.get(2, TimeUnit.MINUTES));
				}
			}
		}
		return repeated(reserved);
	}

	private static int random(int seed) {
		return new Random(seed).nextInt(100);
	}

	private RedisDatabase open(RedisSettings settings) {
		return RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", this.proxy.port()), settings,
				Deadline.in(Duration.ofSeconds(30)));
	}

	private static Instance instance(RedisDatabase database, String name, boolean counts) {
		RedisKeySpaceStore store = new RedisKeySpaceStore(database);
		Instance instance;
		if (counts) {
			store.create(name, "a", Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(30)));
			instance = (count) -> store.reserve(name, count, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(30)));
		}
		else {
			TestSeries series = TestSeries.open(name, new RecycledSettings(SERIES, 1L << 50), store,
					new RedisSlotStore(database), Duration.ofMinutes(1));
			instance = series::reserve;
		}
		return (count) -> {
			try {
				return instance.reserve(count);
			}
			catch (IdGenerationException ex) {
				// nothing is known to be reserved
				return new OrdinalRange(0, 0);
			}
		};
	}

	private void fault(Random random, List<Instance> instances, List<OrdinalRange> reserved) throws Exception {
		switch (random.nextInt(5)) {
			case 0 -> {
				this.master.kill();
				this.master.start();
			}
			case 1 -> {
				this.master.signal("STOP");
				this.master.signal("CONT");
			}
			case 2 -> this.proxy.cut();
			case 3 -> this.master.command("SCRIPT", "FLUSH");
			default -> {
				follow();
				// what comes now it does not receive
				this.replica.command("REPLICAOF", "127.0.0.1", "1");
				for (Instance instance : instances) {
					reserved.add(instance.reserve(1 + random.nextInt(500)));
				}
				promote();
			}
		}
	}

	/**
	 * Let the replica receive what the master has.
	 */
	private void follow() throws IOException {
		if (!isFollowing()) {
			// a replica tries again by itself, but only once a second
			this.replica.command("REPLICAOF", "NO", "ONE");
			this.replica.command("REPLICAOF", "127.0.0.1", Integer.toString(this.master.port()));
		}
		while (!isFollowing()) {
			Thread.onSpinWait();
		}
	}

	private boolean isFollowing() throws IOException {
		return this.replica.command("INFO", "replication").contains("master_link_status:up");
	}

	private void promote() throws Exception {
		ValkeyServer old = this.master;
		old.kill();
		this.replica.command("REPLICAOF", "NO", "ONE");
		this.proxy.lead(this.replica.port());
		this.proxy.cut();
		this.master = this.replica;
		this.replica = old;
		old.start();
	}

	private static List<OrdinalRange> repeated(List<OrdinalRange> ranges) {
		List<OrdinalRange> sorted = ranges.stream()
			.filter((range) -> !range.isEmpty())
			.sorted(Comparator.comparingLong(OrdinalRange::start))
			.toList();
		List<OrdinalRange> repeated = new ArrayList<>();
		long end = 0;
		for (OrdinalRange range : sorted) {
			if (range.start() < end) {
				repeated.add(range);
			}
			end = Math.max(end, range.end());
		}
		return repeated;
	}

	private interface Instance {

		OrdinalRange reserve(long count);

	}

}
