package dev.idspring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.testsupport.TestProxy;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisConnections}.
 */
class RedisConnectionsTests {

	private static final String NAME = "test";

	private static final RedisSettings SETTINGS = RedisSettings.defaults()
		.withInitialize(true)
		.withFailover(100_000_000, Duration.ofMillis(100));

	private static final int RESERVATIONS = Integer.getInteger("test.ids.redis-reservations", 1_000);

	private static Deadline deadline() {
		return Deadline.in(Duration.ofSeconds(30));
	}

	private static RedisDatabase open(TestProxy proxy) {
		return RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", proxy.port()), SETTINGS, deadline());
	}

	private static RedisKeySpaceStore createStore(RedisDatabase database) {
		RedisKeySpaceStore store = new RedisKeySpaceStore(database);
		store.create(NAME, "a", Long.MAX_VALUE, deadline());
		return store;
	}

	@Test
	void staticAddressesOfAMasterAndReplicasAreRejected() {
		RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration("192.0.2.1");
		assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> RedisDatabase.open(new LettuceConnectionFactory(servers), SETTINGS, deadline()))
			.withMessageContaining("RedisStaticMasterReplicaConfiguration")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("spring.data.redis.sentinel"));
	}

	@Test
	void serverBehindASocketIsNamedByThePathOfTheSocket() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisSocketConfiguration("/missing/valkey.sock"));
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> RedisDatabase.open(factory, SETTINGS, Deadline.in(Duration.ofMillis(500))))
			.withMessageContaining("cannot connect to /missing/valkey.sock");
	}

	@Test
	@RequiresValkey
	void timeToCreateAClientDoesNotCountAgainstTheDeadline() throws Exception {
		TestTimeSource clock = new TestTimeSource();
		try (ValkeyServer server = new ValkeyServer()) {
			LettuceConnectionFactory slowFactory = new LettuceConnectionFactory("127.0.0.1", server.port()) {

				@Override
				public LettuceClientConfiguration getClientConfiguration() {
					// simulates a machine that takes a long time to load the
					// classes of the client
					clock.advance(Duration.ofHours(1));
					return super.getClientConfiguration();
				}

			};
			try (RedisDatabase database = RedisDatabase.open(slowFactory, SETTINGS,
					Deadline.after(clock, Duration.ofMinutes(1)))) {
				assertThat(createStore(database).reserve(NAME, 1, Long.MAX_VALUE, deadline()).size()).isOne();
			}
		}
	}

	@Test
	@RequiresValkey
	void reservationTakesOneRoundTrip() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				TestProxy proxy = new TestProxy("127.0.0.1", server.port());
				RedisDatabase database = open(proxy)) {
			RedisKeySpaceStore store = createStore(database);
			store.reserve(NAME, 1, Long.MAX_VALUE, deadline());
			long tripsBefore = proxy.trips();
			long end = 0;
			for (int i = 0; i < RESERVATIONS; i++) {
				end = store.reserve(NAME, 1, Long.MAX_VALUE, deadline()).end();
			}
			assertThat(end).isEqualTo(RESERVATIONS + 1);
			long trips = proxy.trips() - tripsBefore;
			System.out.println(trips + " round trips for " + RESERVATIONS + " reservations");
			// allow a few more round trips: a request in two parts may be counted twice,
			// and a check of the rate takes another one
			assertThat(trips).isLessThanOrEqualTo(RESERVATIONS + RESERVATIONS / 100);
		}
	}

	@Test
	@RequiresValkey
	void slotIsAdvancedInOneRoundTripAndCanBeAdvancedAfterAScriptFlush() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				TestProxy proxy = new TestProxy("127.0.0.1", server.port());
				RedisDatabase database = open(proxy)) {
			new RedisKeySpaceStore(database).create(NAME, "a", 1_000, deadline());
			RedisSlotStore store = new RedisSlotStore(database);
			SlotSpace space = TestSlots.series(10, 100);
			SlotOwner owner = SlotOwner.random(Duration.ofMinutes(1));
			Slot slot = store.claim(NAME, space, owner, deadline()).orElseThrow().slot();
			server.command("CONFIG", "RESETSTAT");
			long tripsBefore = proxy.trips();
			Slot moved = store.advance(NAME, space, slot, owner, 10, deadline()).slot();
			assertThat(moved.position()).isEqualTo(10);
			assertThat(proxy.trips() - tripsBefore).isOne();
			assertThat(server.command("INFO", "commandstats")).contains("cmdstat_evalsha:calls=1,",
					"cmdstat_waitaof:calls=1,");
			server.command("SCRIPT", "FLUSH");
			assertThat(store.advance(NAME, space, moved, owner, 20, deadline()).slot().position()).isEqualTo(20);
		}
	}

	@Test
	@RequiresValkey
	void onlyTheFirstAttemptFailsWhenConnectionsGoSilent() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				TestProxy proxy = new TestProxy("127.0.0.1", server.port());
				RedisDatabase database = open(proxy)) {
			RedisKeySpaceStore store = createStore(database);
			openAllConnections(store);
			proxy.silence();
			// the first attempt takes half of the time; the second one uses a new
			// connection
			OrdinalRange range = store.reserve(NAME, 1, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(12)));
			assertThat(range.size()).isOne();
		}
	}

	/**
	 * Use as many connections as the store may open.
	 */
	private static void openAllConnections(RedisKeySpaceStore store) {
		List<CompletableFuture<OrdinalRange>> ranges = IntStream.range(0, 64)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> store.reserve(NAME, 1, Long.MAX_VALUE, deadline()),
					(task) -> new Thread(task).start()))
			.toList();
		ranges.forEach(CompletableFuture::join);
	}

	@Test
	@RequiresValkey
	void nonDurableServerIsRejectedAfterAReconnect() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				ValkeyServer nonDurableServer = new ValkeyServer("--appendonly", "no");
				TestProxy proxy = new TestProxy("127.0.0.1", server.port());
				RedisDatabase database = open(proxy)) {
			RedisKeySpaceStore store = createStore(database);
			store.reserve(NAME, 1, Long.MAX_VALUE, deadline());
			proxy.redirectTo(nonDurableServer.port());
			proxy.cut();
			assertThatExceptionOfType(IdStoreUnavailableException.class)
				.isThrownBy(() -> store.reserve(NAME, 1, Long.MAX_VALUE, deadline()))
				.withMessageContaining("no append-only file")
				.withMessageContaining("ids.redis.accept-data-loss");
			proxy.redirectTo(server.port());
			store.reserve(NAME, 1, Long.MAX_VALUE, deadline());
		}
	}

}
