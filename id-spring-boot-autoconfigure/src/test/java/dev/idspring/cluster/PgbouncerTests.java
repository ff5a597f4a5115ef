package dev.idspring.cluster;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.Figures;
import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.Pgbouncer;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A pooler in transaction mode whose sessions other clients use as well. URLs do not say
 * {@code prepareThreshold=0}.
 */
@RealServers(GivenServer.PGBOUNCER)
class PgbouncerTests {

	private static final int SESSIONS = 40;

	private static final int STARTS = 29;

	private static final int INSTANCES = 6;

	private static final int DRAWS = 2_500;

	private static final int GAPLESS_DRAWS = 100;

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
	void applicationStartsEachTimeAndNoIdComesTwice() throws Exception {
		Map<String, Integer> failures = new TreeMap<>();
		Draws draws = new Draws();
		for (int i = 0; i < STARTS; i++) {
			// sessions change hands when several transactions are under way
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
		draws.assertNoneCameTwice("pgbouncer, one start after the other");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?prepareThreshold=0" })
	void instancesSideBySideRepeatNothingAndLeaveNoSettingBehind(String parameters) throws Exception {
		Draws draws = new Draws();
		try (Instances several = new Instances(this.pooler.database().withUrlSuffix(parameters))) {
			List<Callable<Integer>> work = IntStream.range(0, INSTANCES)
				.mapToObj((i) -> several.start(Draws.properties()))
				.map((instance) -> (Callable<Integer>) () -> draws.draw(instance, DRAWS))
				.toList();
			Instances.sideBySide(work);
		}
		assertSessionsAreSerializable();
		draws.assertNoneCameTwice("pgbouncer, six instances " + parameters);
	}

	/**
	 * Callers draw on connections of their own, whose statements the driver prepares on
	 * the server unless it is told otherwise. Where transactions are serializable,
	 * callers repeat those that conflict.
	 */
	@Test
	void gaplessNumbersOfCallersThatPrepareNothingOnTheServerComeOnce() throws Exception {
		TestDatabase database = this.pooler.database().withUrlSuffix("?prepareThreshold=0");
		GaplessDraws draws = new GaplessDraws();
		try (Instances callers = new Instances(database)) {
			List<Callable<Integer>> work = IntStream.range(0, INSTANCES)
				.mapToObj((i) -> callers.start(GaplessDraws.PROPERTIES))
				.map((caller) -> (Callable<Integer>) () -> draws.draw(caller, GAPLESS_DRAWS))
				.toList();
			Instances.sideBySide(work);
		}
		draws.assertNoneCameTwiceNorIsMissing("pgbouncer, gapless");
		assertSessionsAreSerializable();
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
	 * What other clients are given. Each holds a session as long as its transaction
	 * lasts.
	 */
	private void assertSessionsAreSerializable() throws SQLException {
		Map<String, Integer> found = new TreeMap<>();
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
				found.merge(settings, 1, Integer::sum);
			}
		}
		finally {
			for (Connection client : clients) {
				client.close();
			}
		}
		Figures.add("pgbouncer: settings of %d sessions: %s", clients.size(), found);
		assertThat(found)
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
