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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import dev.idspring.redis.TestReserver.Kind;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.TestProxy;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances reserve ordinals from a server that is killed, frozen or disconnected, or
 * that loses power. A replica that lacks the latest reservations may replace the server.
 * New instances take over leases while the previous owners continue. A seed determines
 * which faults occur, and in which order. In {@link #nothingIsReservedTwice}, it also
 * determines the {@linkplain Kind kind} of the instances. The property
 * {@code test.ids.redis-seed} sets the first seed of that test, and
 * {@code test.ids.redis-runs} sets the number of seeds.
 */
@RequiresValkey
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSeededFaultsTests {

	private static final int RUNS = Integer.getInteger("test.ids.redis-runs", 15);

	private static final int FIRST_SEED = Integer.getInteger("test.ids.redis-seed", 0);

	private static final int STEPS = 5;

	private static final Duration LAG = Duration.ofMillis(200);

	private static final RedisSettings WITH_FENCE = RedisSettings.defaults()
		.withInitialize(true)
		.withFailover(1_000_000, LAG);

	private static final RedisSettings WITHOUT_FENCE = WITH_FENCE.withFailover(0, LAG);

	private static final RedisSettings WITHOUT_CONFIRMATION = WITHOUT_FENCE.withAcceptDataLoss(true)
		.withConfirmations(0, 0);

	private static final Executor THREADS = (task) -> new Thread(task).start();

	private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

	/** How far the clocks of the instances are ahead. */
	private final AtomicReference<Duration> clockOffset = new AtomicReference<>();

	private ValkeyServer master;

	private ValkeyServer replica;

	private TestProxy proxy;

	private int runs;

	/** Whether a replaced server remained reachable for longer than {@link #LAG}. */
	private boolean stalled;

	@BeforeAll
	void start() throws Exception {
		this.master = new ValkeyServer();
		this.replica = new ValkeyServer();
		this.proxy = new TestProxy("127.0.0.1", this.master.port());
		connectReplica();
	}

	@AfterAll
	void stop() throws Exception {
		this.proxy.close();
		this.master.close();
		this.replica.close();
	}

	@Test
	void nothingIsReservedTwice() throws Exception {
		for (int seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
			Kind kind = Kind.values()[seed % Kind.values().length];
			assertNothingRepeated(kind, seed, WITH_FENCE, Fault.values());
		}
		System.out.println("seeds " + FIRST_SEED + " to " + (FIRST_SEED + RUNS - 1) + ": " + this.counts);
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsReservedTwiceOnOneServerEvenWithoutTheFence(Kind kind) throws Exception {
		for (int seed = 0; seed < 4; seed++) {
			assertNothingRepeated(kind, seed, WITHOUT_FENCE, Fault.OF_ONE_SERVER);
		}
	}

	@ParameterizedTest
	@EnumSource
	void reservationsAreRepeatedWithoutTheFence(Kind kind) throws Exception {
		assertSomethingRepeated(kind, WITHOUT_FENCE, Fault.values());
	}

	@ParameterizedTest
	@EnumSource
	void reservationsAreRepeatedWithoutConfirmations(Kind kind) throws Exception {
		assertSomethingRepeated(kind, WITHOUT_CONFIRMATION, Fault.OF_ONE_SERVER);
	}

	private void assertNothingRepeated(Kind kind, int seed, RedisSettings settings, Fault... faults) throws Exception {
		int attempts = 0;
		List<OrdinalRange> repeated = repeatedRanges(kind, seed, settings, faults);
		while (this.stalled) {
			System.out
				.println("seed " + seed + ": this machine stalled, so the run is inconclusive. Repeated: " + repeated);
			assertThat(++attempts).as("inconclusive runs").isLessThan(5);
			repeated = repeatedRanges(kind, seed, settings, faults);
		}
		assertThat(repeated).as("seed %d", seed).isEmpty();
	}

	private void assertSomethingRepeated(Kind kind, RedisSettings settings, Fault... faults) throws Exception {
		int seed = 0;
		while (repeatedRanges(kind, seed, settings, faults).isEmpty()) {
			assertThat(++seed).as("runs in which nothing was repeated").isLessThan(20);
		}
	}

	/**
	 * Run one seed, and return the ranges that overlap with other reserved ranges.
	 */
	private List<OrdinalRange> repeatedRanges(Kind kind, int seed, RedisSettings settings, Fault... faults)
			throws Exception {
		Random random = new Random(seed);
		String name = "run" + this.runs++;
		this.clockOffset.set(Duration.ZERO);
		this.stalled = false;
		List<OrdinalRange> reserved = new ArrayList<>();
		try (RedisDatabase one = open(settings); RedisDatabase other = open(settings)) {
			List<TestReserver> instances = new ArrayList<>(List.of(kind.open(one, name, this.clockOffset::get),
					kind.open(other, name, this.clockOffset::get)));
			for (int step = 1; step <= STEPS; step++) {
				int count = 1 + random.nextInt(100);
				List<CompletableFuture<OrdinalRange>> pending = start(instances, count);
				Fault fault = faults[random.nextInt(faults.length)];
				this.counts.merge(fault, 1, Integer::sum);
				if (fault == Fault.LEASES_TAKEN_OVER) {
					join(pending, reserved);
					pending = List.of();
					this.clockOffset.updateAndGet((offset) -> offset.plus(TestReserver.LEASE.multipliedBy(2)));
				}
				else {
					cause(fault, settings.local() > 0, instances, kind.open(one, name, this.clockOffset::get),
							reserved);
				}
				instances.add(kind.open(other, name, this.clockOffset::get));
				join(pending, reserved);
			}
			join(start(instances, 10), reserved);
		}
		return repeatedRanges(reserved);
	}

	private static List<CompletableFuture<OrdinalRange>> start(List<TestReserver> instances, int count) {
		return instances.stream()
			.map((instance) -> CompletableFuture.supplyAsync(() -> instance.reserve(count), THREADS))
			.toList();
	}

	private static void join(List<CompletableFuture<OrdinalRange>> pending, List<OrdinalRange> reserved)
			throws Exception {
		for (CompletableFuture<OrdinalRange> range : pending) {
			reserved.add(range.get(2, TimeUnit.MINUTES));
		}
	}

	private RedisDatabase open(RedisSettings settings) {
		return RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", this.proxy.port()), settings,
				Deadline.in(Duration.ofSeconds(30)));
	}

	/**
	 * Cause a fault.
	 * @param confirmed whether the server's disk must confirm reservations
	 * @param newcomer an instance whose first reservation may be lost
	 */
	private void cause(Fault fault, boolean confirmed, List<TestReserver> instances, TestReserver newcomer,
			List<OrdinalRange> reserved) throws Exception {
		List<TestReserver> all = new ArrayList<>(instances);
		all.add(newcomer);
		switch (fault) {
			case SERVER_KILLED -> {
				this.master.kill();
				this.master.start();
			}
			case SERVER_FROZEN -> {
				this.master.signal("STOP");
				// when the server continues, it executes the commands that were sent to
				// it, but its replies are lost
				this.proxy.cut();
				this.master.signal("CONT");
			}
			case CONNECTIONS_CUT -> this.proxy.cut();
			case SCRIPTS_FLUSHED -> this.master.command("SCRIPT", "FLUSH");
			case POWER_LOST -> {
				this.master.keepWritesInMemory();
				List<CompletableFuture<OrdinalRange>> rangesInMemory = start(all, 500);
				if (confirmed) {
					while (!this.master.hasWritesInMemory()) {
						LockSupport.parkNanos(2_000_000);
					}
					this.master.losePower();
					join(rangesInMemory, reserved);
				}
				else {
					join(rangesInMemory, reserved);
					this.master.losePower();
				}
			}
			case SERVER_REPLACED -> {
				isolateReplica();
				join(start(all, 500), reserved);
				this.master.kill();
				promote();
				this.proxy.cut();
				this.replica.start();
			}
			case SERVER_REPLACED_WHILE_FROZEN -> {
				isolateReplica();
				this.master.signal("STOP");
				Deadline lag = Deadline.in(LAG);
				promote();
				this.replica.signal("CONT");
				// existing connections lead to the replaced server, which does not know
				// that it was replaced; new connections lead to the new master
				List<CompletableFuture<OrdinalRange>> rangesOfBoth = start(all, 500);
				LockSupport.parkNanos(lag.remaining().toNanos() * 3 / 4);
				this.proxy.cut();
				this.stalled |= lag.hasPassed();
				join(rangesOfBoth, reserved);
			}
			default -> throw new IllegalStateException(fault.name());
		}
	}

	/**
	 * Connect the replica to the master, and disconnect it, so that it lacks all later
	 * writes.
	 */
	private void isolateReplica() throws IOException {
		connectReplica();
		this.replica.command("REPLICAOF", "127.0.0.1", "1");
	}

	/**
	 * Connect the replica to the master, unless it is connected.
	 */
	private void connectReplica() throws IOException {
		if (!isFollowing()) {
			// a replica also reconnects by itself, but only once a second
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
		ValkeyServer replacedMaster = this.master;
		this.replica.command("REPLICAOF", "NO", "ONE");
		this.proxy.redirectTo(this.replica.port());
		this.master = this.replica;
		this.replica = replacedMaster;
	}

	private static List<OrdinalRange> repeatedRanges(List<OrdinalRange> ranges) {
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

		SERVER_KILLED, SERVER_FROZEN, CONNECTIONS_CUT, SCRIPTS_FLUSHED, LEASES_TAKEN_OVER, POWER_LOST, SERVER_REPLACED,
		SERVER_REPLACED_WHILE_FROZEN;

		private static final Fault[] OF_ONE_SERVER = { SERVER_KILLED, SERVER_FROZEN, CONNECTIONS_CUT, SCRIPTS_FLUSHED,
				LEASES_TAKEN_OVER, POWER_LOST };

	}

}
