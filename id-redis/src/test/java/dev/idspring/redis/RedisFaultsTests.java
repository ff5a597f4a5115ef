package dev.idspring.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for what Valkey may lose.
 */
@RequiresValkey
class RedisFaultsTests {

	private static final String NAME = "test";

	private static final RedisSettings SETTINGS = RedisSettings.defaults()
		.withInitialize(true)
		.withFailover(1_000_000, Duration.ofMillis(100));

	private static Deadline deadline() {
		return Deadline.in(Duration.ofSeconds(30));
	}

	private static RedisKeySpaceStore created(RedisDatabase database) {
		RedisKeySpaceStore store = new RedisKeySpaceStore(database);
		store.create(NAME, "a", Long.MAX_VALUE, deadline());
		return store;
	}

	@Test
	void nothingConfirmedIsForgottenByAKilledServer() throws Exception {
		try (ValkeyServer server = new ValkeyServer("--appendfsync", "everysec");
				RedisDatabase database = server.open(SETTINGS.withFailover(0, Duration.ofMillis(100)))) {
			RedisKeySpaceStore store = created(database);
			long end = 0;
			for (int i = 0; i < 3; i++) {
				end = store.reserve(NAME, 10, Long.MAX_VALUE, deadline()).end();
				server.kill();
				server.start();
				OrdinalRange next = store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
				assertThat(next.start()).isGreaterThanOrEqualTo(end);
			}
		}
	}

	@Test
	void wholeMarginIsReservedAtOnce() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				RedisDatabase database = server.open(RedisSettings.defaults().withInitialize(true))) {
			assertThat(created(database).reserve(NAME, 1_000_000, Long.MAX_VALUE, deadline()).size())
				.isEqualTo(1_000_000);
		}
	}

	@Test
	void promotedReplicaThatLacksReservationsSkipsThem() throws Exception {
		assertThat(promotedWithLag(SETTINGS)).isFalse();
	}

	@Test
	void promotedReplicaRepeatsThemWithoutTheFence() throws Exception {
		assertThat(promotedWithLag(SETTINGS.withFailover(0, Duration.ofMillis(100)))).isTrue();
	}

	private static boolean promotedWithLag(RedisSettings settings) throws Exception {
		try (ValkeyServer master = new ValkeyServer();
				ValkeyServer replica = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				RedisDatabase before = master.open(settings)) {
			RedisKeySpaceStore store = created(before);
			store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			while (!replica.command("HGET", "{ids}:space:" + NAME, "next").contains("10")) {
				Thread.onSpinWait();
			}
			// what comes now it does not receive
			replica.command("REPLICAOF", "127.0.0.1", "1");
			OrdinalRange lost = store.reserve(NAME, 500, Long.MAX_VALUE, deadline());
			master.kill();
			replica.command("REPLICAOF", "NO", "ONE");
			try (RedisDatabase after = replica.open(settings)) {
				OrdinalRange next = created(after).reserve(NAME, 10, Long.MAX_VALUE, deadline());
				return next.start() < lost.end();
			}
		}
	}

	@Test
	void promotedReplicaThatLacksAClaimPassesOverItsSeries() throws Exception {
		assertThat(seriesOfPromotedWithLag(SETTINGS)).isFalse();
	}

	@Test
	void promotedReplicaGivesTheSeriesAwayAgainWithoutTheFence() throws Exception {
		assertThat(seriesOfPromotedWithLag(SETTINGS.withFailover(0, Duration.ofMillis(100)))).isTrue();
	}

	/**
	 * Return whether an instance reserves on a promoted replica what another one has
	 * reserved from a series that the replica does not know.
	 */
	private static boolean seriesOfPromotedWithLag(RedisSettings settings) throws Exception {
		try (ValkeyServer master = new ValkeyServer();
				ValkeyServer replica = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				RedisDatabase before = master.open(settings)) {
			series(before).reserve(10);
			while (!replica.command("HGET", "{ids}:space:" + NAME, "next_slot").contains("\n1\r")) {
				Thread.onSpinWait();
			}
			replica.command("REPLICAOF", "127.0.0.1", "1");
			OrdinalRange lost = series(before).reserve(500);
			assertThat(lost.size()).isEqualTo(500);
			master.kill();
			replica.command("REPLICAOF", "NO", "ONE");
			try (RedisDatabase after = replica.open(settings)) {
				OrdinalRange next = series(after).reserve(10);
				return next.start() < lost.end() && lost.start() < next.end();
			}
		}
	}

	private static TestSeries series(RedisDatabase database) {
		return TestSeries.open(NAME, new RecycledSettings(1_000, 1L << 50), new RedisKeySpaceStore(database),
				new RedisSlotStore(database), Duration.ofMinutes(1));
	}

	@Test
	void eachReservationIsConfirmedOnItsOwn() throws Exception {
		try (ValkeyServer server = new ValkeyServer("--appendfsync", "everysec");
				RedisDatabase database = server.open(SETTINGS.withFailover(0, Duration.ofMillis(100)))) {
			RedisKeySpaceStore store = created(database);
			server.command("CONFIG", "RESETSTAT");
			for (int i = 0; i < 3; i++) {
				store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			}
			assertThat(server.command("INFO", "commandstats")).contains("cmdstat_evalsha:calls=3,",
					"cmdstat_waitaof:calls=3,");
		}
	}

	@Test
	void nothingIsReservedThatTooFewDisksConfirm() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				RedisDatabase database = server.open(SETTINGS);
				RedisDatabase strict = server.open(SETTINGS.withConfirmations(1, 1))) {
			created(database);
			RedisKeySpaceStore store = new RedisKeySpaceStore(strict);
			assertThat(untilDisksAreCounted(
					() -> store.reserve(NAME, 10, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(3)))))
				.contains("0 of 1 disks of replicas", "ids.redis.replicas");
			OrdinalRange next = new RedisKeySpaceStore(database).reserve(NAME, 10, Long.MAX_VALUE, deadline());
			assertThat(next.start()).isGreaterThanOrEqualTo(10);
		}
	}

	@Test
	void nothingIsReservedThatTheDiskDoesNotConfirm() throws Exception {
		try (ValkeyServer server = new ValkeyServer("--appendfsync", "no");
				RedisDatabase database = server.open(SETTINGS)) {
			RedisKeySpaceStore store = new RedisKeySpaceStore(database);
			assertThat(untilDisksAreCounted(() -> {
				store.create(NAME, "a", Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(2)));
				store.reserve(NAME, 10, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(2)));
			})).contains("0 of 1 local disks", "appendfsync");
		}
	}

	/**
	 * Repeat what must fail until the server says why: it does so a little before the
	 * deadline, and on a busy machine too late.
	 */
	private static String untilDisksAreCounted(ThrowingCallable call) {
		return Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
			IdStoreUnavailableException ex = catchThrowableOfType(IdStoreUnavailableException.class, call);
			assertThat(ex).isNotNull();
			return ex.getMessage();
		}, (message) -> message.contains(" disks"));
	}

	@Test
	void frozenServerIsNotWaitedForBeyondTheDeadline() throws Exception {
		try (ValkeyServer server = new ValkeyServer(); RedisDatabase database = server.open(SETTINGS)) {
			RedisKeySpaceStore store = created(database);
			server.signal("STOP");
			CompletableFuture<OrdinalRange> reserved = CompletableFuture
				.supplyAsync(() -> store.reserve(NAME, 10, Long.MAX_VALUE, Deadline.in(Duration.ofMillis(300))));
			assertThat(reserved.handle((range, failure) -> failure.getCause()).get())
				.isInstanceOf(IdStoreUnavailableException.class);
			server.signal("CONT");
			store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
		}
	}

	@Test
	void keySpaceThatWasFlushedDoesNotBeginAgain() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				RedisDatabase database = server.open(SETTINGS);
				RedisDatabase restarted = server.open(SETTINGS.withInitialize(false))) {
			RedisKeySpaceStore store = created(database);
			store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			server.command("FLUSHALL");
			assertThatExceptionOfType(KeySpaceRegressionException.class)
				.isThrownBy(() -> store.reserve(NAME, 10, Long.MAX_VALUE, deadline()));
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> created(database(store)));
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> created(restarted))
				.satisfies((ex) -> assertThat(ex.getRemedy()).contains("ids.redis.initialize=always"));
		}
	}

	private static RedisDatabase database(RedisKeySpaceStore store) {
		store.create(NAME, "a", Long.MAX_VALUE, deadline());
		return store.database();
	}

	@Test
	void serversThatForgetAreRefused() throws Exception {
		assertRefused("no append-only file", "--appendonly", "no");
		assertRefused("may drop any key", "--maxmemory-policy", "allkeys-lru");
		try (ValkeyServer server = new ValkeyServer("--appendonly", "no");
				RedisDatabase database = server.open(SETTINGS.withAcceptDataLoss(true))) {
			assertThat(database.describe().warnings()).hasSize(1);
			assertThat(created(database).reserve(NAME, 10, Long.MAX_VALUE, deadline()).size()).isEqualTo(10);
		}
	}

	private static void assertRefused(String problem, String... options) throws Exception {
		try (ValkeyServer server = new ValkeyServer(options)) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> server.open(SETTINGS))
				.withMessageContaining(problem)
				.satisfies((ex) -> assertThat(ex.getRemedy()).contains("ids.redis.accept-data-loss"));
		}
	}

	@Test
	void numbersAreExactToTheLast() throws Exception {
		try (ValkeyServer server = new ValkeyServer(); RedisDatabase database = server.open(SETTINGS)) {
			RedisKeySpaceStore store = created(database);
			long first = Long.MAX_VALUE - 10;
			server.command("HSET", "{ids}:space:" + NAME, "next", Long.toString(first));
			assertThat(store.reserve(NAME, 3, Long.MAX_VALUE, deadline()))
				.isEqualTo(new OrdinalRange(first, first + 3));
			assertThat(store.reserve(NAME, 30, Long.MAX_VALUE, deadline()))
				.isEqualTo(new OrdinalRange(first + 3, Long.MAX_VALUE));
			assertThat(store.reserve(NAME, 1, Long.MAX_VALUE, deadline()).isEmpty()).isTrue();
			server.command("HSET", "{ids}:space:" + NAME, "next", Long.toString((1L << 53) + 1));
			assertThat(store.reserve(NAME, 1, Long.MAX_VALUE, deadline()).start()).isEqualTo((1L << 53) + 1);
		}
	}

}
