package dev.idspring.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances reserve from a server that is killed, frozen, cut off, and replaced by a
 * replica that lacks the latest. Others take over their leases while they go on. A seed
 * decides what happens in which order, and whether they count ordinals or own series.
 * {@code test.ids.redis-seed} is the first seed, {@code test.ids.redis-runs} how many
 * there are.
 */
@RequiresValkey
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSeededFaultsTests {

	private static final int RUNS = Integer.getInteger("test.ids.redis-runs", 20);

	private static final int FIRST = Integer.getInteger("test.ids.redis-seed", 0);

	private static final int UNGUARDED_RUNS = 10;

	private static final int STEPS = 5;

	private static final int SERIES = 1_000;

	private static final RedisSettings GUARDED = RedisSettings.defaults()
		.withInitialize(true)
		.withFailover(1_000_000, Duration.ofMillis(200));

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static final Executor THREADS = (task) -> new Thread(task).start();

	private ValkeyServer master;

	private ValkeyServer replica;

	private TestProxy proxy;

	private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

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
		for (int seed = FIRST; seed < FIRST + RUNS; seed++) {
			assertThat(repeated(seed, GUARDED)).as("seed %d", seed).isEmpty();
		}
		System.out.println("seeds " + FIRST + " to " + (FIRST + RUNS - 1) + ": " + this.counts);
	}

	@Test
	void ordinalsAreReservedTwiceWithoutTheGuard() throws Exception {
		List<OrdinalRange> repeated = new ArrayList<>();
		for (int seed = 0; seed < UNGUARDED_RUNS; seed++) {
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
			// the first boolean of a Random is the same for all small seeds
			boolean counts = seed % 2 == 0;
			List<Instance> instances = new ArrayList<>(
					List.of(instance(one, name, counts, Duration.ZERO), instance(other, name, counts, Duration.ZERO)));
			for (int step = 1; step <= STEPS; step++) {
				List<CompletableFuture<OrdinalRange>> underWay = instances.stream()
					.map((instance) -> CompletableFuture.supplyAsync(() -> instance.reserve(1 + random(seed)), THREADS))
					.toList();
				Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
				this.counts.merge(fault, 1, Integer::sum);
				if (fault == Fault.LEASES_TAKEN_OVER) {
					// to this one the leases of all others have ended
					Duration ahead = LEASE.multipliedBy(2L * step);
					instances.add(instance(other, name, counts, ahead));
				}
				else {
					happen(fault, random, instances, reserved);
				}
				for (CompletableFuture<OrdinalRange> range : underWay) {
					reserved.add(range.get(2, TimeUnit.MINUTES));
				}
			}
			instances.forEach((instance) -> reserved.add(instance.reserve(10)));
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

	private static Instance instance(RedisDatabase database, String name, boolean counts, Duration ahead) {
		RedisKeySpaceStore store = new RedisKeySpaceStore(database);
		Instance instance;
		if (counts) {
			store.create(name, "a", Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(30)));
			instance = (count) -> store.reserve(name, count, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(30)));
		}
		else {
			TestSeries series = TestSeries.open(name, new RecycledSettings(SERIES, 1L << 50), store,
					new RedisSlotStore(database, ahead), LEASE);
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

	private void happen(Fault fault, Random random, List<Instance> instances, List<OrdinalRange> reserved)
			throws Exception {
		switch (fault) {
			case KILLED -> {
				this.master.kill();
				this.master.start();
			}
			case FROZEN -> {
				this.master.signal("STOP");
				// what was sent before the server goes on is done, but not answered
				this.proxy.cut();
				this.master.signal("CONT");
			}
			case CUT -> this.proxy.cut();
			case SCRIPTS_FLUSHED -> this.master.command("SCRIPT", "FLUSH");
			case REPLACED -> {
				isolateReplica();
				for (Instance instance : instances) {
					reserved.add(instance.reserve(1 + random.nextInt(500)));
				}
				this.master.kill();
				promote();
				this.proxy.cut();
				this.replica.start();
			}
			case REPLACED_WHILE_FROZEN -> {
				isolateReplica();
				List<CompletableFuture<OrdinalRange>> onBoth = new ArrayList<>();
				this.master.signal("STOP");
				promote();
				this.replica.signal("CONT");
				// on connections to the earlier server, which does not know
				for (Instance instance : instances) {
					onBoth.add(CompletableFuture.supplyAsync(() -> instance.reserve(1 + random.nextInt(500)), THREADS));
				}
				for (CompletableFuture<OrdinalRange> range : onBoth) {
					reserved.add(range.get(2, TimeUnit.MINUTES));
				}
				this.proxy.cut();
			}
			default -> throw new IllegalStateException(fault.name());
		}
	}

	/**
	 * Let the replica have what there is, and nothing that comes now.
	 */
	private void isolateReplica() throws IOException {
		follow();
		this.replica.command("REPLICAOF", "127.0.0.1", "1");
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
			LockSupport.parkNanos(2_000_000);
		}
	}

	private boolean isFollowing() throws IOException {
		return this.replica.command("INFO", "replication").contains("master_link_status:up");
	}

	private void promote() throws IOException {
		ValkeyServer old = this.master;
		this.replica.command("REPLICAOF", "NO", "ONE");
		this.proxy.lead(this.replica.port());
		this.master = this.replica;
		this.replica = old;
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

	private enum Fault {

		KILLED, FROZEN, CUT, SCRIPTS_FLUSHED, REPLACED, REPLACED_WHILE_FROZEN, LEASES_TAKEN_OVER

	}

	private interface Instance {

		OrdinalRange reserve(long count);

	}

}
