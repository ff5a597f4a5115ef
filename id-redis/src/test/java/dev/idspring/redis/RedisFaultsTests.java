package dev.idspring.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.testsupport.Figures;
import dev.idspring.testsupport.TestProxy;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for failures and settings that may make Valkey lose data.
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

	private static RedisKeySpaceStore createStore(RedisDatabase database) {
		RedisKeySpaceStore store = new RedisKeySpaceStore(database);
		store.create(NAME, "a", Long.MAX_VALUE, deadline());
		return store;
	}

	@Test
	void killedServerLosesNoConfirmedReservation() throws Exception {
		try (ValkeyServer server = new ValkeyServer("--appendfsync", "everysec");
				RedisDatabase database = server.open(SETTINGS.withFailover(0, Duration.ofMillis(100)))) {
			RedisKeySpaceStore store = createStore(database);
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
	void asManyIdsAsTheFailoverMarginAreReservedInOneStep() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				RedisDatabase database = server.open(RedisSettings.defaults().withInitialize(true))) {
			assertThat(createStore(database).reserve(NAME, 1_000_000, Long.MAX_VALUE, deadline()).size())
				.isEqualTo(1_000_000);
		}
	}

	@Test
	void promotedReplicaThatLacksReservationsSkipsThem() throws Exception {
		assertThat(repeatsReservationsAfterAPromotion(SETTINGS)).isFalse();
	}

	@Test
	void promotedReplicaRepeatsReservationsWithoutTheFence() throws Exception {
		assertThat(repeatsReservationsAfterAPromotion(SETTINGS.withFailover(0, Duration.ofMillis(100)))).isTrue();
	}

	private static boolean repeatsReservationsAfterAPromotion(RedisSettings settings) throws Exception {
		try (ValkeyServer master = new ValkeyServer();
				ValkeyServer replica = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				RedisDatabase before = master.open(settings)) {
			RedisKeySpaceStore store = createStore(before);
			store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			while (!replica.command("HGET", "{ids}:space:" + NAME, "next").contains("10")) {
				Thread.onSpinWait();
			}
			// from here on, the replica receives nothing
			replica.command("REPLICAOF", "127.0.0.1", "1");
			OrdinalRange lost = store.reserve(NAME, 500, Long.MAX_VALUE, deadline());
			master.kill();
			replica.command("REPLICAOF", "NO", "ONE");
			try (RedisDatabase after = replica.open(settings)) {
				OrdinalRange next = createStore(after).reserve(NAME, 10, Long.MAX_VALUE, deadline());
				return next.start() < lost.end();
			}
		}
	}

	@Test
	void takeOverDoesNotWaitForConfirmationsOfReplicas() throws Exception {
		RedisSettings strictSettings = SETTINGS.withConfirmations(1, 1);
		SlotSpace space = TestSlots.series(100, 1_000);
		SlotOwner owner = SlotOwner.random(Duration.ofMinutes(1));
		try (ValkeyServer master = new ValkeyServer();
				ValkeyServer promoted = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				TestProxy proxy = new TestProxy("127.0.0.1", master.port());
				RedisDatabase database = RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", proxy.port()),
						strictSettings, deadline());
				Warnings warnings = new Warnings()) {
			RedisKeySpaceStore store = createStore(database);
			RedisSlotStore slots = new RedisSlotStore(database);
			store.create("series", "a", 100_000, deadline());
			OrdinalRange last = store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			Slot slot = slots.claim("series", space, owner, deadline()).orElseThrow().slot();
			String before = replicationId(master);
			master.kill();
			promoted.command("REPLICAOF", "NO", "ONE");
			proxy.redirectTo(promoted.port());
			proxy.cut();
			assertUnconfirmed(() -> store.reserve(NAME, 10, Long.MAX_VALUE, inASecond()));
			assertUnconfirmed(() -> slots.advance("series", space, slot, owner, 10, inASecond()));
			assertThat(writer(promoted, NAME)).isEqualTo(replicationId(promoted)).isNotEqualTo(before);
			assertThat(writer(promoted, "series")).isEqualTo(replicationId(promoted));
			assertThat(warnings.messages).filteredOn((warning) -> !warning.contains("the slots of"))
				.singleElement()
				.asString()
				.contains("now on another server", "'" + NAME + "' skipped");
			try (ValkeyServer replica = new ValkeyServer("--replicaof", "127.0.0.1 " + promoted.port())) {
				OrdinalRange next = store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
				assertThat(next.start()).isGreaterThanOrEqualTo(last.end());
				assertThat(slots.claim("series", space, owner, deadline()).orElseThrow().slot().number())
					.isGreaterThan(slot.number());
			}
		}
	}

	@Test
	void takeOverIsLoggedEvenIfItsAnswerIsLost() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				TestProxy proxy = new TestProxy("127.0.0.1", server.port());
				RedisDatabase database = RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", proxy.port()),
						SETTINGS, deadline());
				Warnings warnings = new Warnings()) {
			RedisKeySpaceStore store = createStore(database);
			store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			server.command("HSET", "{ids}:space:" + NAME, "incarnation", "0".repeat(40));
			proxy.loseAnswerTo("set\r\n$11\r\nincarnation");
			OrdinalRange next = Awaitility.await()
				.ignoreExceptionsInstanceOf(IdStoreUnavailableException.class)
				.until(() -> store.reserve(NAME, 10, Long.MAX_VALUE, inASecond()), (range) -> true);
			assertThat(next.start()).isGreaterThan(10);
			assertThat(warnings.messages).singleElement()
				.asString()
				.contains("now on another server", "'" + NAME + "' skipped " + (next.start() - 10) + " ids");
		}
	}

	private static Deadline inASecond() {
		return Deadline.in(Duration.ofSeconds(1));
	}

	private static void assertUnconfirmed(ThrowingCallable call) {
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(call);
	}

	/**
	 * Return the replication id of the server that wrote a key space last.
	 */
	private static String writer(ValkeyServer server, String keySpace) throws IOException {
		return server.command("HGET", "{ids}:space:" + keySpace, "incarnation").split("\r\n")[1];
	}

	private static String replicationId(ValkeyServer server) throws IOException {
		return server.command("INFO", "replication")
			.lines()
			.filter((line) -> line.startsWith("master_replid:"))
			.map((line) -> line.substring("master_replid:".length()).strip())
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Measures how long no ids are available after a fail-over if the second replica is
	 * frozen or missing for a while. Reservations can resume once {@code failover-lag}
	 * has passed and the second replica follows the new master. The replica then confirms
	 * immediately, because a client waits for the confirmation.
	 */
	@ParameterizedTest
	@CsvSource({ "3, frozen", "13, missing" })
	@Tag("clusters")
	void reservationsResumeOnceTheLagIsOverAndTheReplicaHasReturned(int seconds, String state) throws Exception {
		RedisSettings strictSettings = RedisSettings.defaults().withInitialize(true).withConfirmations(1, 1);
		try (ValkeyServer master = new ValkeyServer();
				ValkeyServer promoted = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				ValkeyServer other = new ValkeyServer("--replicaof", "127.0.0.1 " + master.port());
				TestProxy proxy = new TestProxy("127.0.0.1", master.port());
				RedisDatabase database = RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", proxy.port()),
						strictSettings, deadline())) {
			RedisKeySpaceStore store = createStore(database);
			OrdinalRange last = store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			boolean frozen = state.equals("frozen");
			if (frozen) {
				other.signal("STOP");
			}
			else {
				other.kill();
			}
			master.kill();
			promoted.command("REPLICAOF", "NO", "ONE");
			proxy.redirectTo(promoted.port());
			proxy.cut();
			long start = System.nanoTime();
			CompletableFuture<Long> followedAt = CompletableFuture.supplyAsync(() -> follow(other, promoted, frozen),
					CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS));
			OrdinalRange next = reserveWithRetries(store);
			long end = System.nanoTime();
			assertThat(next.start()).isGreaterThanOrEqualTo(last.end());
			Figures.add(
					"valkey, replicas=1, failover-lag 5 s, second replica %s for %d s: first id after %.1f s,"
							+ " %.1f s after the replica followed the new master",
					state, seconds, (end - start) / 1e9, (end - followedAt.join()) / 1e9);
		}
	}

	private static long follow(ValkeyServer replica, ValkeyServer master, boolean frozen) {
		try {
			if (frozen) {
				replica.signal("CONT");
			}
			else {
				replica.start();
			}
			replica.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
			while (!replica.command("INFO", "replication").contains("master_link_status:up")) {
				LockSupport.parkNanos(2_000_000);
			}
			return System.nanoTime();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Reserve as generators do: try again until an attempt succeeds.
	 */
	private static OrdinalRange reserveWithRetries(RedisKeySpaceStore store) {
		Deadline deadline = deadline();
		while (true) {
			try {
				return store.reserve(NAME, 10, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(5)));
			}
			catch (IdStoreUnavailableException ex) {
				if (deadline.hasPassed()) {
					throw ex;
				}
			}
		}
	}

	@Test
	void promotedReplicaThatLacksAClaimSkipsTheClaimedSeries() throws Exception {
		assertThat(repeatsASeriesAfterAPromotion(SETTINGS)).isFalse();
	}

	@Test
	void promotedReplicaReassignsTheSeriesWithoutTheFence() throws Exception {
		assertThat(repeatsASeriesAfterAPromotion(SETTINGS.withFailover(0, Duration.ofMillis(100)))).isTrue();
	}

	/**
	 * Promote a replica that lacks the last claim of a series. Return whether an instance
	 * then reserves ordinals of that series again.
	 */
	private static boolean repeatsASeriesAfterAPromotion(RedisSettings settings) throws Exception {
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
	void eachReservationIsConfirmedSeparately() throws Exception {
		try (ValkeyServer server = new ValkeyServer("--appendfsync", "everysec");
				RedisDatabase database = server.open(SETTINGS.withFailover(0, Duration.ofMillis(100)))) {
			RedisKeySpaceStore store = createStore(database);
			server.command("CONFIG", "RESETSTAT");
			for (int i = 0; i < 3; i++) {
				store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			}
			assertThat(server.command("INFO", "commandstats")).contains("cmdstat_evalsha:calls=3,",
					"cmdstat_waitaof:calls=3,");
		}
	}

	@Test
	void reservationFailsIfTooFewReplicaDisksConfirmIt() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				RedisDatabase database = server.open(SETTINGS);
				RedisDatabase strictDatabase = server.open(SETTINGS.withConfirmations(1, 1))) {
			createStore(database);
			RedisKeySpaceStore store = new RedisKeySpaceStore(strictDatabase);
			assertThat(repeatUntilDisksAreNamed(
					() -> store.reserve(NAME, 10, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(3)))))
				.contains("0 of 1 replica disks", "ids.redis.replicas");
			OrdinalRange next = new RedisKeySpaceStore(database).reserve(NAME, 10, Long.MAX_VALUE, deadline());
			assertThat(next.start()).isGreaterThanOrEqualTo(10);
		}
	}

	@Test
	void reservationFailsIfTheLocalDiskDoesNotConfirmIt() throws Exception {
		try (ValkeyServer server = new ValkeyServer("--appendfsync", "no");
				RedisDatabase database = server.open(SETTINGS)) {
			RedisKeySpaceStore store = new RedisKeySpaceStore(database);
			assertThat(repeatUntilDisksAreNamed(() -> {
				store.create(NAME, "a", Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(2)));
				store.reserve(NAME, 10, Long.MAX_VALUE, Deadline.in(Duration.ofSeconds(2)));
			})).contains("0 of 1 local disks", "appendfsync");
		}
	}

	/**
	 * Repeat a call, which must fail, until the message of its exception names the disks.
	 * The server replies shortly before the deadline. On a busy machine, the reply may be
	 * too late.
	 */
	private static String repeatUntilDisksAreNamed(ThrowingCallable call) {
		return Awaitility.await().until(() -> {
			IdStoreUnavailableException ex = catchThrowableOfType(IdStoreUnavailableException.class, call);
			assertThat(ex).isNotNull();
			return ex.getMessage();
		}, (message) -> message.contains(" disks"));
	}

	@Test
	void reservationFailsWhileTheServerIsFrozen() throws Exception {
		try (ValkeyServer server = new ValkeyServer(); RedisDatabase database = server.open(SETTINGS)) {
			RedisKeySpaceStore store = createStore(database);
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
	void flushedKeySpaceDoesNotStartAtZeroAgain() throws Exception {
		try (ValkeyServer server = new ValkeyServer();
				RedisDatabase database = server.open(SETTINGS);
				RedisDatabase restarted = server.open(SETTINGS.withInitialize(false))) {
			RedisKeySpaceStore store = createStore(database);
			store.reserve(NAME, 10, Long.MAX_VALUE, deadline());
			server.command("FLUSHALL");
			assertThatExceptionOfType(KeySpaceRegressionException.class)
				.isThrownBy(() -> store.reserve(NAME, 10, Long.MAX_VALUE, deadline()))
				.satisfies((ex) -> assertThat(ex.getMessage()).containsSubsequence("Stop all instances. Start one with",
						"Remove this setting", "--ids.command=skip-ahead"));
			assertThatExceptionOfType(KeySpaceRegressionException.class)
				.isThrownBy(() -> store.create(NAME, "a", Long.MAX_VALUE, deadline()));
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> createStore(restarted))
				.satisfies((ex) -> assertThat(ex.getRemedy()).contains("ids.redis.initialize=always"));
		}
	}

	@Test
	void nonDurableServersAreRejectedUnlessDataLossIsAccepted() throws Exception {
		assertRejected("no append-only file", "--appendonly", "no");
		assertRejected("may evict any key", "--maxmemory-policy", "allkeys-lru");
		try (ValkeyServer server = new ValkeyServer("--appendonly", "no");
				RedisDatabase database = server.open(SETTINGS.withAcceptDataLoss(true))) {
			assertThat(database.describe().warnings()).hasSize(1);
			assertThat(createStore(database).reserve(NAME, 10, Long.MAX_VALUE, deadline()).size()).isEqualTo(10);
		}
	}

	private static void assertRejected(String problem, String... options) throws Exception {
		try (ValkeyServer server = new ValkeyServer(options)) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> server.open(SETTINGS))
				.withMessageContaining(problem)
				.satisfies((ex) -> assertThat(ex.getRemedy()).contains("ids.redis.accept-data-loss"));
		}
	}

	@Test
	void reservationsAreExactUpToTheLargestLong() throws Exception {
		try (ValkeyServer server = new ValkeyServer(); RedisDatabase database = server.open(SETTINGS)) {
			RedisKeySpaceStore store = createStore(database);
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

	/**
	 * Collects the log messages of the fence.
	 */
	private static final class Warnings extends Handler implements AutoCloseable {

		private final List<String> messages = new CopyOnWriteArrayList<>();

		private final Logger logger = Logger.getLogger(FenceRules.class.getName());

		Warnings() {
			this.logger.addHandler(this);
		}

		@Override
		public void publish(LogRecord entry) {
			this.messages.add(entry.getMessage());
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
			this.logger.removeHandler(this);
		}

	}

}
