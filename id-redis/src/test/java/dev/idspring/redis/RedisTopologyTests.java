package dev.idspring.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for stores with Sentinels or with a cluster. The Sentinels or the cluster decide
 * which server is the master.
 */
@RequiresValkey
class RedisTopologyTests {

	private static final String NAME = "test";

	private static final RedisSettings SETTINGS = RedisSettings.defaults()
		.withInitialize(true)
		.withFailover(1_000_000, Duration.ofMillis(200));

	private static final int HASH_SLOT_COUNT = SlotHash.SLOT_COUNT;

	/** The hash slot of all keys of the store. */
	private static final String HASH_SLOT = Integer.toString(SlotHash.getSlot("{ids}"));

	private static Deadline deadline() {
		return Deadline.in(Duration.ofMinutes(1));
	}

	private static OrdinalRange reserve(RedisKeySpaceStore store) {
		return store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofSeconds(50)).pollInterval(Duration.ofMillis(50)).until(condition);
	}

	@Test
	void nothingIsReservedTwiceWhenSentinelsPromoteAReplica() throws Exception {
		try (ValkeyServer master = new ValkeyServer();
				ValkeyServer replica = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				ValkeyServer one = ValkeyServer.sentinel(master.port());
				ValkeyServer two = ValkeyServer.sentinel(master.port());
				ValkeyServer three = ValkeyServer.sentinel(master.port())) {
			Set<String> sentinels = new HashSet<>();
			for (ValkeyServer sentinel : List.of(one, two, three)) {
				sentinels.add("127.0.0.1:" + sentinel.port());
				await(() -> sentinel.command("SENTINEL", "MASTER", "ids").contains("num-other-sentinels\r\n$1\r\n2")
						&& sentinel.command("SENTINEL", "REPLICAS", "ids").contains(Integer.toString(replica.port())));
			}
			await(() -> isConnectedToItsMaster(replica));
			assertNothingIsReservedTwice(new LettuceConnectionFactory(new RedisSentinelConfiguration("ids", sentinels)),
					master::kill);
			assertThat(replica.command("INFO", "replication")).contains("role:master");
		}
	}

	@Test
	void nothingIsReservedTwiceWhenAClusterPromotesAReplica() throws Exception {
		try (Cluster cluster = new Cluster()) {
			assertNothingIsReservedTwice(cluster.factory(), cluster.owner()::kill);
			assertThat(cluster.replica.command("INFO", "replication")).contains("role:master");
		}
	}

	@Test
	void nothingIsReservedTwiceWhenTheKeysOfAClusterMoveToAnotherServer() throws Exception {
		try (Cluster cluster = new Cluster()) {
			assertNothingIsReservedTwice(cluster.factory(), cluster::moveKeys);
		}
	}

	private static boolean isConnectedToItsMaster(ValkeyServer replica) throws IOException {
		return replica.command("INFO", "replication").contains("master_link_status:up");
	}

	private static void assertNothingIsReservedTwice(LettuceConnectionFactory factory, Event event) throws Exception {
		try (RedisDatabase database = RedisDatabase.open(factory, SETTINGS, deadline())) {
			RedisKeySpaceStore store = new RedisKeySpaceStore(database);
			store.create(NAME, "a", Long.MAX_VALUE, deadline());
			TestSeries series = TestSeries.open("series", new RecycledSettings(1_000, 1L << 50), store,
					new RedisSlotStore(database), Duration.ofMinutes(1));
			OrdinalRange last = reserve(store);
			OrdinalRange lastOfSeries = series.reserve(10);
			CompletableFuture<OrdinalRange> duringTheEvent = CompletableFuture.supplyAsync(() -> reserve(store),
					(task) -> new Thread(task).start());
			event.happen();
			List<OrdinalRange> ranges = new ArrayList<>(List.of(last, duringTheEvent.join(), reserve(store)));
			ranges.sort(Comparator.comparingLong(OrdinalRange::start));
			assertThat(ranges.get(1).start()).isGreaterThanOrEqualTo(ranges.get(0).end());
			assertThat(ranges.get(2).start()).isGreaterThanOrEqualTo(ranges.get(1).end());
			assertThat(series.reserve(10).start()).isGreaterThanOrEqualTo(lastOfSeries.end());
		}
	}

	private interface Event {

		void happen() throws Exception;

	}

	/**
	 * Three masters that share the hash slots, and a replica of the master that owns the
	 * keys.
	 */
	private static final class Cluster implements AutoCloseable {

		private final List<ValkeyServer> masters = List.of(ValkeyServer.ofCluster(), ValkeyServer.ofCluster(),
				ValkeyServer.ofCluster());

		private final ValkeyServer replica = ValkeyServer.ofCluster();

		Cluster() throws IOException {
			for (int i = 0; i < this.masters.size(); i++) {
				this.masters.get(i)
					.command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(HASH_SLOT_COUNT * i / 3),
							Integer.toString(HASH_SLOT_COUNT * (i + 1) / 3 - 1));
			}
			for (ValkeyServer other : List.of(this.masters.get(1), this.masters.get(2), this.replica)) {
				String busPort = other.command("CONFIG", "GET", "cluster-port").split("\r\n")[4];
				this.masters.get(0).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), busPort);
			}
			for (ValkeyServer server : List.of(this.masters.get(0), this.masters.get(1), this.masters.get(2),
					this.replica)) {
				await(() -> server.command("CLUSTER", "INFO").contains("cluster_state:ok")
						&& server.command("CLUSTER", "INFO").contains("cluster_known_nodes:4"));
			}
			await(() -> this.replica.command("CLUSTER", "REPLICATE", nodeId(owner())).startsWith("+OK"));
			await(() -> isConnectedToItsMaster(this.replica));
			await(() -> owner().command("CLUSTER", "NODES").contains("slave"));
		}

		private static String nodeId(ValkeyServer server) throws IOException {
			return server.command("CLUSTER", "MYID").split("\r\n")[1];
		}

		ValkeyServer owner() {
			return this.masters.get(Integer.parseInt(HASH_SLOT) * 3 / HASH_SLOT_COUNT);
		}

		LettuceConnectionFactory factory() {
			return new LettuceConnectionFactory(new RedisClusterConfiguration(
					this.masters.stream().map((server) -> "127.0.0.1:" + server.port()).toList()));
		}

		/**
		 * Move the hash slot with its keys to another server, key by key.
		 */
		void moveKeys() throws IOException {
			ValkeyServer from = owner();
			ValkeyServer to = this.masters.get((this.masters.indexOf(from) + 1) % 3);
			to.command("CLUSTER", "SETSLOT", HASH_SLOT, "IMPORTING", nodeId(from));
			from.command("CLUSTER", "SETSLOT", HASH_SLOT, "MIGRATING", nodeId(to));
			List<String> keys = from.command("CLUSTER", "GETKEYSINSLOT", HASH_SLOT, "100")
				.lines()
				.filter((line) -> line.startsWith("{ids}"))
				.toList();
			assertThat(keys).isNotEmpty();
			for (String key : keys) {
				assertThat(from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000"))
					.startsWith("+OK");
			}
			for (ValkeyServer server : List.of(to, from)) {
				assertThat(server.command("CLUSTER", "SETSLOT", HASH_SLOT, "NODE", nodeId(to))).startsWith("+OK");
			}
		}

		@Override
		public void close() throws Exception {
			for (ValkeyServer master : this.masters) {
				master.close();
			}
			this.replica.close();
		}

	}

}
