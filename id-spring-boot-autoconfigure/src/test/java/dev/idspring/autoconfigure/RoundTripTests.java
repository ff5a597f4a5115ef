package dev.idspring.autoconfigure;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsConnectionSource.DedicatedDataSource;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.jdbc.TestStores;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.testsupport.CountingProxy;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the database round trips of startup and of reservations. The tests create
 * connections in the same way as the auto-configuration.
 */
@Tag("mysql")
class RoundTripTests {

	private static final String NAME = "orders";

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	/**
	 * The number of reservations. The test of round trips to Redis uses the same
	 * property.
	 */
	private static final int RESERVATIONS = Integer.getInteger("test.ids.redis-reservations", 1_000);

	/**
	 * The number of starts. Of the counts of round trips, the smallest is used, because
	 * two things can increase a count under load. First, a pool validates a connection
	 * that was idle for half a second. Second, the PostgreSQL driver of Spring Boot 3.5
	 * sends a separate packet with {@code BEGIN}, and does not wait for the response. If
	 * the response arrives before the next packet is sent, the proxy counts two round
	 * trips. This happens in about one start in three.
	 */
	private static final int STARTS = 12;

	@ParameterizedTest
	@Databases({ Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER })
	void startupTakesAtMostThreeRoundTripsUntilTheFirstId(Kind kind) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			try (BlockIdGenerator creator = generator(new JdbcKeySpaceStore(open(pool, false)))) {
				creator.nextLong();
			}
		}
		List<Trips> starts = IntStream.range(0, STARTS).mapToObj((i) -> start(database)).toList();
		assertThat(min(starts, Trips::untilFirstId)).as("round trips until the first id of an existing generator")
			.isLessThanOrEqualTo(3);
		assertThat(min(starts, Trips::furtherReservation)).as("round trips of a further reservation")
			.isLessThanOrEqualTo(2);
	}

	@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5's PostgreSQL driver takes more than two")
	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "MARIADB" })
	void reservationTakesAtMostTwoRoundTrips(Kind kind) {
		withCountingProxy(kind, (proxy, jdbcDatabase) -> {
			JdbcKeySpaceStore store = new JdbcKeySpaceStore(jdbcDatabase);
			store.create(NAME, "a", Long.MAX_VALUE, deadline());
			store.reserve(NAME, 1, Long.MAX_VALUE, deadline());
			long trips = countTrips(proxy, () -> {
				for (int i = 0; i < RESERVATIONS; i++) {
					store.reserve(NAME, 1, Long.MAX_VALUE, deadline());
				}
			});
			System.out.println(kind + ": " + trips + " round trips for " + RESERVATIONS + " reservations");
			assertThat(trips).isBetween((long) RESERVATIONS, 2L * RESERVATIONS + RESERVATIONS / 50);
		});
	}

	/**
	 * Run a task with a new database whose round trips are counted.
	 */
	private static void withCountingProxy(Kind kind, BiConsumer<CountingProxy, JdbcDatabase> work) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
		}
		try (CountingProxy proxy = new CountingProxy(database); HikariDataSource pool = proxy.database().pool(1)) {
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(pool, TIMEOUT);
			try {
				work.accept(proxy, open(dedicated, !dedicated.isAutoCommit()));
			}
			finally {
				dedicated.close();
			}
		}
	}

	private static long countTrips(CountingProxy proxy, Runnable work) {
		long tripsBefore = proxy.trips();
		work.run();
		return proxy.trips() - tripsBefore;
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), TIMEOUT);
	}

	private static long min(List<Trips> starts, ToLongFunction<Trips> trips) {
		return starts.stream().mapToLong(trips).min().orElseThrow();
	}

	private static Trips start(TestDatabase database) {
		try (CountingProxy proxy = new CountingProxy(database); HikariDataSource pool = proxy.database().pool(1)) {
			DedicatedDataSource dedicated = IdsConnectionSource.createDedicated(pool, TIMEOUT);
			try {
				dedicated.getConnection().close();
				long tripsAfterConnecting = proxy.trips();
				JdbcDatabase jdbcDatabase = open(dedicated, !dedicated.isAutoCommit());
				long tripsAfterOpening = proxy.trips();
				List<Long> tripsAfterReservations = new CopyOnWriteArrayList<>();
				JdbcKeySpaceStore store = new JdbcKeySpaceStore(jdbcDatabase);
				try (BlockIdGenerator ids = generator(recordingTrips(store, proxy, tripsAfterReservations))) {
					ids.nextLong();
				}
				long tripsBefore = proxy.trips();
				store.reserve(NAME, 10, 1_000_000, Deadline.after(TimeSource.system(), TIMEOUT));
				return new Trips(tripsAfterConnecting, tripsAfterOpening - tripsAfterConnecting,
						tripsAfterReservations.get(0) - tripsAfterConnecting, proxy.trips() - tripsBefore);
			}
			finally {
				dedicated.close();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static JdbcDatabase open(DataSource dataSource, boolean prepared) {
		JdbcSettings defaults = JdbcSettings.defaults("ids_");
		return JdbcDatabase.open(dataSource, new JdbcSettings("ids_", null, defaults.failoverMargin(),
				defaults.failoverLag(), null, false, prepared), Deadline.after(TimeSource.system(), TIMEOUT));
	}

	private static BlockIdGenerator generator(KeySpaceStore store) {
		return BlockIdGenerator.coprime(NAME, new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store).open();
	}

	/**
	 * Return a store that records the number of round trips after each reservation. A
	 * count at the end would include reservations that the generator makes in the
	 * background.
	 */
	private static KeySpaceStore recordingTrips(KeySpaceStore store, CountingProxy proxy,
			List<Long> tripsAfterReservations) {
		return (KeySpaceStore) Proxy.newProxyInstance(RoundTripTests.class.getClassLoader(),
				new Class<?>[] { KeySpaceStore.class }, (self, method, arguments) -> {
					Object result = method.invoke(store, arguments);
					if (method.getName().equals("reserve")) {
						tripsAfterReservations.add(proxy.trips());
					}
					return result;
				});
	}

	/**
	 * The numbers of round trips that are necessary for each purpose.
	 *
	 * @param connecting to open the connection
	 * @param opening to open the store
	 * @param untilFirstId to open the store and a generator, and to reserve its first ids
	 * @param furtherReservation to reserve ids once more
	 */
	private record Trips(long connecting, long opening, long untilFirstId, long furtherReservation) {

	}

}
