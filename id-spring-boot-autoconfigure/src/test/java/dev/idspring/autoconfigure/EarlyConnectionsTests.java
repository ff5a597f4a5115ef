package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.autoconfigure.IdsConnectionSource.DedicatedDataSource;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.jdbc.TestStores;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.testsupport.CountingProxy;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EarlyConnections} on PostgreSQL: until the login of the store's
 * dedicated connection has succeeded or failed, a suitable pool of the application may
 * lend idle connections to the store. A proxy can hold back this login.
 */
@ExtendWith(OutputCaptureExtension.class)
class EarlyConnectionsTests {

	private static final String KEY_SPACE = "orders";

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final String SESSION_QUERY = "select pg_backend_pid() || ' ' || current_user || ' '"
			+ " || string_agg(name || '=' || setting, ' ' order by name) from pg_settings where name in ('search_path',"
			+ " 'synchronous_commit', 'idle_in_transaction_session_timeout', 'transaction_read_only',"
			+ " 'transaction_isolation')";

	private final TestDatabase database = TestDatabase.postgresql();

	private final CountingProxy proxy = new CountingProxy(this.database);

	private final HikariDataSource pool = this.proxy.database().pool(1);

	private volatile DedicatedDataSource dedicated;

	@BeforeEach
	void createTables() {
		try (HikariDataSource directPool = this.database.pool(1)) {
			TestStores.initialize(directPool, this.database, "ids_");
		}
	}

	@AfterEach
	void close() {
		this.proxy.admit();
		if (this.dedicated != null) {
			this.dedicated.close();
		}
		this.proxy.close();
		this.pool.close();
	}

	@Test
	void firstIdIsIssuedBeforeTheLoginCompletes() {
		assertThat(new JdbcTemplate(this.pool).queryForObject("select 1", Integer.class)).isOne();
		this.proxy.hold();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
			.withBean(HikariDataSource.class, () -> this.pool)
			.withPropertyValues("ids.strategy=sequential")
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextLong()).isOne();
				this.proxy.admit();
			});
	}

	@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5's PostgreSQL driver takes more round trips")
	@Test
	void firstReservationOfANewKeySpaceTakesFourRoundTrips() throws SQLException {
		openPoolConnection();
		this.proxy.hold();
		long tripsBefore = this.proxy.trips();
		assertThat(createAndReserve(openStore(TIMEOUT))).isEqualTo(new OrdinalRange(0, 10));
		assertThat(this.proxy.trips() - tripsBefore).isEqualTo(4);
	}

	@Test
	void readsAndChangesTheKeySpaceBeforeTheLogin() throws SQLException {
		openPoolConnection();
		this.proxy.hold();
		JdbcKeySpaceStore store = openStore(TIMEOUT);
		createAndReserve(store);
		store.raiseCapacity(KEY_SPACE, 2_000, deadline(TIMEOUT));
		assertThat(store.read(KEY_SPACE, deadline(TIMEOUT)))
			.hasValue(new StoredKeySpace(KEY_SPACE, "definition", 2_000, 10));
		assertThat(this.dedicated.unwrap(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections()).isZero();
	}

	@Test
	void usesTheDedicatedConnectionAfterTheLogin() throws SQLException {
		openPoolConnection();
		this.proxy.hold();
		JdbcKeySpaceStore store = openStore(TIMEOUT);
		createAndReserve(store);
		this.proxy.admit();
		HikariDataSource dedicatedPool = this.dedicated.unwrap(HikariDataSource.class);
		Awaitility.await().until(() -> dedicatedPool.getHikariPoolMXBean().getIdleConnections() == 1);
		try (Connection connection = this.pool.getConnection()) {
			assertThat(createAndReserve(store)).isEqualTo(new OrdinalRange(10, 20));
			assertThat(connection.isValid(0)).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void returnsTheConnectionToThePoolUnchanged(boolean autoCommit) throws SQLException {
		this.database.execute("do $$ begin execute format('alter database %I set synchronous_commit = off',"
				+ " current_database()); end $$");
		this.pool.setAutoCommit(autoCommit);
		String sessionBefore = new JdbcTemplate(this.pool).queryForObject(SESSION_QUERY, String.class);
		int timeoutBefore = networkTimeout();
		this.proxy.hold();
		assertThat(createAndReserve(openStore(TIMEOUT))).isEqualTo(new OrdinalRange(0, 10));
		assertThat(new JdbcTemplate(this.pool).queryForObject(SESSION_QUERY, String.class)).isEqualTo(sessionBefore)
			.contains("synchronous_commit=off");
		assertThat(networkTimeout()).isEqualTo(timeoutBefore);
		try (Connection connection = this.pool.getConnection()) {
			assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
		}
	}

	private int networkTimeout() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			return connection.getNetworkTimeout();
		}
	}

	/**
	 * In each of these sessions, reservations would use the tables of another schema, be
	 * less durable, or fail.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "set search_path = other", "set role other", "set session authorization other",
			"create temporary table ids_key_space (like public.ids_key_space including all)",
			"set synchronous_commit = local", "set default_transaction_read_only = on" })
	void doesNotUseAChangedSession(String change) {
		this.database.execute(
				"do $$ begin create role other superuser; exception when duplicate_object then null;" + " end $$",
				"create schema other authorization other",
				"create table other.ids_key_space (like public.ids_key_space including all)",
				"create table other.ids_slot (like public.ids_slot including all)",
				"create table other.ids_gapless (like public.ids_gapless including all)");
		TestDatabase.execute(this.pool, change);
		this.proxy.hold();
		assertReservesAfterTheLogin(() -> createAndReserve(openStore(TIMEOUT)));
		try (HikariDataSource directPool = this.database.pool(1)) {
			JdbcTemplate jdbc = new JdbcTemplate(directPool);
			assertThat(jdbc.queryForObject("select next_ordinal from public.ids_key_space", Long.class)).isEqualTo(10);
			assertThat(jdbc.queryForObject("select count(*) from other.ids_key_space", Long.class)).isZero();
		}
	}

	/**
	 * The settings of the session change after the store has been opened.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void verifiesTheSessionInEachTransaction(boolean keySpaceExists) {
		this.database.execute("create schema other",
				"create table other.ids_key_space (like public.ids_key_space including all)",
				"create table other.ids_slot (like public.ids_slot including all)");
		TestDatabase.execute(this.pool, "select 1");
		this.proxy.hold();
		JdbcKeySpaceStore store = openStore(TIMEOUT);
		if (keySpaceExists) {
			store.create(KEY_SPACE, "definition", 1_000, deadline(TIMEOUT));
			this.database.execute("insert into other.ids_key_space select * from public.ids_key_space");
		}
		TestDatabase.execute(this.pool, "set search_path = other");
		assertReservesAfterTheLogin(() -> keySpaceExists ? store.reserve(KEY_SPACE, 10, 1_000, deadline(TIMEOUT))
				: createAndReserve(store));
		try (HikariDataSource directPool = this.database.pool(1)) {
			JdbcTemplate jdbc = new JdbcTemplate(directPool);
			assertThat(jdbc.queryForObject("select next_ordinal from public.ids_key_space", Long.class)).isEqualTo(10);
			assertThat(
					jdbc.queryForObject("select coalesce(sum(next_ordinal), 0) from other.ids_key_space", Long.class))
				.isZero();
		}
	}

	private void assertReservesAfterTheLogin(Supplier<OrdinalRange> reservation) {
		CompletableFuture<OrdinalRange> reserved = CompletableFuture.supplyAsync(reservation,
				(task) -> new Thread(task).start());
		Awaitility.await().until(() -> reserved.isDone() || isWaitingForTheLogin());
		assertThat(reserved).isNotDone();
		this.proxy.admit();
		assertThat(reserved.join()).isEqualTo(new OrdinalRange(0, 10));
	}

	/**
	 * Return whether two threads are waiting for a connection: the thread that logs in,
	 * and the thread that reserves ids.
	 */
	private boolean isWaitingForTheLogin() throws SQLException {
		DedicatedDataSource dedicated = this.dedicated;
		HikariDataSource dedicatedPool = (dedicated != null) ? dedicated.unwrap(HikariDataSource.class) : null;
		return dedicatedPool != null && dedicatedPool.isRunning()
				&& dedicatedPool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 2;
	}

	@ParameterizedTest
	@EnumSource(UnsuitableDataSource.class)
	void firstConnectionIsDedicatedForUnsuitableDataSources(UnsuitableDataSource unsuitable) throws SQLException {
		try (HikariDataSource pool = unsuitable.create(this.proxy.database())) {
			DataSource wrapped = unsuitable.wrapper.apply(pool);
			this.dedicated = IdsConnectionSource.createDedicated(wrapped, TIMEOUT);
			try (Connection connection = this.dedicated.getConnection()) {
				assertThat(this.dedicated.mustVerifySession(connection)).isFalse();
				assertThat(this.dedicated.unwrap(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections())
					.isOne();
			}
		}
	}

	@Test
	void warnsIfTheLoginIsRejected(CapturedOutput output) throws SQLException {
		String role = createRoleForPool("superuser login");
		openPoolConnection();
		this.database.execute("alter role " + role + " nologin");
		JdbcKeySpaceStore store = openStore(Duration.ofSeconds(1));
		assertThat(createAndReserve(store)).isEqualTo(new OrdinalRange(0, 10));
		Awaitility.await()
			.untilAsserted(() -> assertThat(output)
				.containsOnlyOnce("The database rejects the user or the password of the connection for ids"));
		assertThat(this.dedicated.isShared()).isTrue();
		assertThat(createAndReserve(store)).isEqualTo(new OrdinalRange(10, 20));
		assertThat(output).doesNotContain("cannot be opened");
	}

	@Test
	void warnsIfTheConnectionLimitIsReached(CapturedOutput output) throws SQLException {
		String role = createRoleForPool("login connection limit 1");
		openPoolConnection();
		JdbcKeySpaceStore store = openStore(Duration.ofSeconds(1));
		assertThat(createAndReserve(store)).isEqualTo(new OrdinalRange(0, 10));
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).containsOnlyOnce("The connection for ids cannot be opened: ")
				.contains("Further reservations fail until the connection for ids is open."));
		assertThatExceptionOfType(IdStoreUnavailableException.class)
			.isThrownBy(() -> store.reserve(KEY_SPACE, 10, 1_000, deadline(Duration.ofMillis(500))));
		this.database.execute("alter role " + role + " connection limit 2");
		assertThat(createAndReserve(store)).isEqualTo(new OrdinalRange(10, 20));
		assertThat(this.dedicated.isShared()).isFalse();
	}

	private String createRoleForPool(String options) {
		String role = "role" + System.nanoTime();
		this.database.execute("create role " + role + " " + options,
				"grant all on all tables in schema public to " + role, "grant pg_monitor to " + role);
		this.pool.setUsername(role);
		return role;
	}

	@Test
	void doesNotUseAConnectionOfAFormerUser() throws SQLException {
		openPoolConnection();
		createRoleForPool("superuser login");
		this.proxy.hold();
		assertReservesAfterTheLogin(() -> createAndReserve(openStore(TIMEOUT)));
	}

	@Test
	void doesNotWarnIfThePoolIsClosedDuringTheLogin(CapturedOutput output) throws SQLException {
		Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();
		openPoolConnection();
		this.proxy.hold();
		createAndReserve(openStore(Duration.ofSeconds(1)));
		this.dedicated.close();
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals("ids-first-login") && !threadsBefore.contains(thread)));
		assertThat(output).doesNotContain("cannot be opened");
	}

	private void openPoolConnection() throws SQLException {
		this.pool.getConnection().close();
	}

	private JdbcKeySpaceStore openStore(Duration timeout) {
		this.dedicated = IdsConnectionSource.createDedicated(this.pool, timeout);
		JdbcSettings defaults = JdbcSettings.defaults("ids_");
		return new JdbcKeySpaceStore(
				JdbcDatabase.open(
						this.dedicated, new JdbcSettings("ids_", null, defaults.failoverMargin(),
								defaults.failoverLag(), null, false, !this.dedicated.isAutoCommit()),
						deadline(timeout)));
	}

	private static OrdinalRange createAndReserve(JdbcKeySpaceStore store) {
		store.create(KEY_SPACE, "definition", 1_000, deadline(TIMEOUT));
		return store.reserve(KEY_SPACE, 10, 1_000, deadline(TIMEOUT));
	}

	private static Deadline deadline(Duration timeout) {
		return Deadline.after(TimeSource.system(), timeout);
	}

	/**
	 * DataSources whose connections must not be used before the login.
	 */
	private enum UnsuitableDataSource {

		PROXY(DelegatingDataSource::new), LAZY(LazyConnectionDataSourceProxy::new),
		TRANSACTION_AWARE(TransactionAwareDataSourceProxy::new), ROUTING(UnsuitableDataSource::routing),
		SUBCLASS((pool) -> pool), READ_ONLY((pool) -> pool), NOT_STARTED((pool) -> pool),
		NO_IDLE_CONNECTION((pool) -> pool), SEVERAL_HOSTS((pool) -> pool), INNER_DATA_SOURCE((pool) -> pool),
		OTHER_DATABASE((pool) -> pool);

		private final Function<HikariDataSource, DataSource> wrapper;

		UnsuitableDataSource(Function<HikariDataSource, DataSource> wrapper) {
			this.wrapper = wrapper;
		}

		private static DataSource routing(HikariDataSource pool) {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return "one";
				}

			};
			routing.setTargetDataSources(Map.of("one", pool));
			routing.afterPropertiesSet();
			return routing;
		}

		HikariDataSource create(TestDatabase postgresql) throws SQLException {
			TestDatabase database = (this == OTHER_DATABASE) ? TestDatabase.h2() : postgresql;
			HikariDataSource pool = (this == SUBCLASS) ? new HikariDataSource() {
			} : new HikariDataSource();
			database.pool(1).copyStateTo(pool);
			pool.setReadOnly(this == READ_ONLY);
			if (this == SEVERAL_HOSTS) {
				pool.setJdbcUrl(database.url().replaceFirst("//([^/]+)/", "//$1,$1/"));
			}
			if (this == INNER_DATA_SOURCE) {
				pool.setDataSource(
						new DriverManagerDataSource(database.url(), database.username(), database.password()));
			}
			if (this != NOT_STARTED) {
				Connection connection = pool.getConnection();
				if (this != NO_IDLE_CONNECTION) {
					connection.close();
				}
			}
			return pool;
		}

	}

}
