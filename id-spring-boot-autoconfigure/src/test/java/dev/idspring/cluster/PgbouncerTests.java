package dev.idspring.cluster;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcGaplessStore;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.Figures;
import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.Pgbouncer;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests a pooler whose clients share sessions. By default, the pooler runs in transaction
 * mode, and URLs do not contain {@code prepareThreshold=0}. Some tests use another mode
 * or URL.
 */
@RealServers(GivenServer.PGBOUNCER)
class PgbouncerTests {

	private static final int SESSIONS = 40;

	private static final int STARTS = 29;

	private static final int INSTANCES = 6;

	private static final int DRAWS = 2_500;

	private static final int GAPLESS_DRAWS = 100;

	private static final int FAILING_STARTS = 10;

	private static final int OPENINGS = 100;

	private DatabaseProcess server;

	private Pgbouncer pooler;

	private Instances instances;

	@BeforeEach
	void startServers() {
		this.server = DatabaseProcess
			.postgresql(Map.of("default_transaction_isolation", "serializable", "synchronous_commit", "off"));
		this.pooler = new Pgbouncer(this.server, SESSIONS);
		TestDatabase database = this.pooler.database();
		this.instances = new Instances(database);
	}

	@AfterEach
	void stopServers() {
		this.instances.close();
		this.pooler.close();
		this.server.close();
	}

	@Test
	void everyStartupSucceedsAndCausesNoDuplicates() throws Exception {
		Map<String, Integer> failures = new TreeMap<>();
		Draws draws = new Draws();
		for (int i = 0; i < STARTS; i++) {
			// another client uses the same sessions
			try (Connection open = open(); ConfigurableApplicationContext instance = start()) {
				query(open, "select 1");
				draws.draw(instance, 100);
			}
			catch (RuntimeException ex) {
				failures.merge(rootMessage(ex), 1, Integer::sum);
			}
		}
		Figures.add("pgbouncer: %d of %d starts failed: %s",
				failures.values().stream().mapToInt(Integer::intValue).sum(), STARTS, failures);
		assertThat(failures).isEmpty();
		draws.assertNoDuplicates("pgbouncer, one start after the other");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?prepareThreshold=0" })
	void concurrentInstancesIssueNoDuplicatesAndLeaveSessionSettingsUnchanged(String parameters) throws Exception {
		Draws draws = new Draws();
		try (Instances concurrentInstances = new Instances(this.pooler.database().withUrlSuffix(parameters))) {
			List<Callable<Integer>> work = IntStream.range(0, INSTANCES)
				.mapToObj((i) -> concurrentInstances.start(Draws.properties()))
				.map((instance) -> (Callable<Integer>) () -> draws.draw(instance, DRAWS))
				.toList();
			Instances.sideBySide(work);
		}
		assertSessionSettingsAreUnchanged();
		draws.assertNoDuplicates("pgbouncer, six instances " + parameters);
	}

	/**
	 * Callers draw on their own connections, on which the driver would prepare statements
	 * on the server by default. Since transactions are serializable, callers retry those
	 * that conflict.
	 */
	@Test
	void gaplessNumbersAreUniqueWithoutServerSidePreparedStatements() throws Exception {
		TestDatabase database = this.pooler.database().withUrlSuffix("?prepareThreshold=0");
		GaplessDraws draws = new GaplessDraws();
		try (Instances callers = new Instances(database)) {
			List<Callable<Integer>> work = IntStream.range(0, INSTANCES)
				.mapToObj((i) -> callers.start(GaplessDraws.GENERATOR_PROPERTY))
				.map((caller) -> (Callable<Integer>) () -> draws.draw(caller, GAPLESS_DRAWS))
				.toList();
			Instances.sideBySide(work);
		}
		draws.assertNoDuplicatesAndNoGaps("pgbouncer, gapless");
		assertSessionSettingsAreUnchanged();
	}

	/**
	 * Starts instances one after the other, while other clients cause the pooler to
	 * switch between sessions.
	 */
	@Test
	void gaplessGeneratorFailsToStartWhenThePoolerLosesPreparedStatements() throws Exception {
		Draws loadDraws = new Draws();
		AtomicBoolean finished = new AtomicBoolean();
		ConfigurableApplicationContext loadInstance = this.instances.start(Draws.properties());
		CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
			while (!finished.get()) {
				loadDraws.draw(loadInstance, 100);
			}
		}, (task) -> new Thread(task).start());
		try {
			for (int i = 0; i < FAILING_STARTS; i++) {
				assertThatException().isThrownBy(() -> this.instances.start(GaplessDraws.GENERATOR_PROPERTY))
					.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex)).isInstanceOfSatisfying(
							IdSetupException.class,
							(setupException) -> assertThat(setupException.getRemedy()).contains("prepareThreshold=0",
									"spring.datasource.hikari.data-source-properties.prepareThreshold")));
			}
		}
		finally {
			finished.set(true);
			load.join();
		}
		assertSessionSettingsAreUnchanged();
	}

	@ParameterizedTest
	@CsvSource({ "session, 0", "transaction, 200" })
	void gaplessNumbersAreUniqueWhenThePoolerSupportsPreparedStatements(String mode, int maxPreparedStatements)
			throws Exception {
		try (Pgbouncer pooler = new Pgbouncer(this.server, SESSIONS, mode, maxPreparedStatements);
				Instances callers = new Instances(pooler.database())) {
			GaplessDraws draws = new GaplessDraws();
			List<ConfigurableApplicationContext> contexts = IntStream.range(0, 3)
				.mapToObj((i) -> callers.start(GaplessDraws.GENERATOR_PROPERTY))
				.toList();
			Instances.sideBySide(contexts.stream()
				.map((caller) -> (Callable<Integer>) () -> draws.draw(caller, GAPLESS_DRAWS))
				.toList());
			draws.assertNoDuplicatesAndNoGaps("pgbouncer, gapless, " + mode + ", " + maxPreparedStatements);
			DataSource dataSource = contexts.get(0).getBean(DataSource.class);
			JdbcDatabase database = contexts.get(0).getBean(JdbcDatabase.class);
			try (HikariDataSource direct = this.server.server().pool(2);
					HikariDataSource unprepared = pooler.database().withUrlSuffix("?prepareThreshold=0").pool(2)) {
				Figures.add(
						"pgbouncer, %s, %d: gapless opened in %.1f ms, without a pooler in %.1f ms, with prepareThreshold=0 in %.1f ms",
						mode, maxPreparedStatements, millisToOpen(dataSource, database), millisToOpen(direct, database),
						millisToOpen(unprepared, database));
			}
		}
	}

	private static double millisToOpen(DataSource callers, JdbcDatabase database) {
		JdbcGaplessStore store = new JdbcGaplessStore(callers, database);
		for (int i = 0; i < OPENINGS; i++) {
			store.open(deadline());
		}
		long start = System.nanoTime();
		for (int i = 0; i < OPENINGS; i++) {
			store.open(deadline());
		}
		return (System.nanoTime() - start) / 1e6 / OPENINGS;
	}

	/**
	 * Uses the gapless store directly, because an application would fail to start.
	 */
	@Test
	void sessionSettingsAreUnchangedWhenDrawsWithPreparedStatementsFail() throws Exception {
		TestDatabase database = this.pooler.database();
		List<HikariDataSource> pools = IntStream.range(0, 4).mapToObj((i) -> database.pool(4)).toList();
		Map<String, Integer> failures = new ConcurrentHashMap<>();
		try (Instances unprepared = new Instances(database.withUrlSuffix("?prepareThreshold=0"))) {
			JdbcDatabase storeDatabase = unprepared.start(Draws.properties()).getBean(JdbcDatabase.class);
			List<Callable<Integer>> work = new ArrayList<>();
			for (HikariDataSource pool : pools) {
				JdbcGaplessStore store = new JdbcGaplessStore(pool, storeDatabase);
				store.create("invoices", 1, deadline());
				TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
				for (int thread = 0; thread < 2; thread++) {
					work.add(() -> {
						for (int i = 0; i < GAPLESS_DRAWS; i++) {
							try {
								transaction.execute((status) -> store.draw("invoices", 1, 1_000_000, deadline()));
							}
							catch (RuntimeException ex) {
								failures.merge(ex.getClass().getSimpleName(), 1, Integer::sum);
							}
						}
						return 0;
					});
				}
			}
			Instances.sideBySide(work);
			assertSessionSettingsAreUnchanged();
		}
		finally {
			pools.forEach(HikariDataSource::close);
		}
		Figures.add("pgbouncer: failures of %d draws with prepared statements: %s", 8 * GAPLESS_DRAWS, failures);
		assertThat(failures).isNotEmpty();
	}

	private static Deadline deadline() {
		return Deadline.in(Duration.ofSeconds(30));
	}

	private ConfigurableApplicationContext start() {
		return this.instances.start(Draws.properties());
	}

	private static String rootMessage(RuntimeException ex) {
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage())
			.lines()
			.findFirst()
			.orElse("");
	}

	/**
	 * Assert that other clients get sessions with unchanged settings. Each client holds a
	 * session while its transaction is open.
	 */
	private void assertSessionSettingsAreUnchanged() throws SQLException {
		Map<String, Integer> sessionCounts = new TreeMap<>();
		List<Connection> clients = new ArrayList<>();
		try {
			for (int i = 0; i < SESSIONS; i++) {
				Connection client = open();
				clients.add(client);
				client.setAutoCommit(false);
				String settings = query(client, "select current_setting('default_transaction_isolation') || ', now '"
						+ " || current_setting('transaction_isolation') || ', ' || current_setting('search_path')"
						+ " || ', lock timeout ' || current_setting('lock_timeout')"
						+ " || ', statement timeout ' || current_setting('statement_timeout')"
						+ " || ', idle timeout ' || current_setting('idle_in_transaction_session_timeout')"
						+ " || ', synchronous commit ' || current_setting('synchronous_commit')");
				sessionCounts.merge(settings, 1, Integer::sum);
			}
		}
		finally {
			for (Connection client : clients) {
				client.close();
			}
		}
		Figures.add("pgbouncer: settings of %d sessions: %s", clients.size(), sessionCounts);
		assertThat(sessionCounts)
			.containsOnlyKeys("serializable, now serializable, \"$user\", public, lock timeout 0, statement timeout 0,"
					+ " idle timeout 0, synchronous commit off");
	}

	private Connection open() throws SQLException {
		TestDatabase database = this.pooler.database();
		return DriverManager.getConnection(database.url() + "?prepareThreshold=0", database.username(),
				database.password());
	}

	private static String query(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

}
