package dev.idspring.cluster;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.Figures;
import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.MysqlGroup;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import com.zaxxer.hikari.HikariDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests instances on a MySQL group of three members. A change of the primary within the
 * group does not count as a fail-over.
 */
@RealServers(GivenServer.MYSQLD)
class MysqlGroupTests {

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	/** The smallest number of ids that a fail-over skips. */
	private static final long MIN_SKIPPED = 100_001;

	/** Small blocks, for many reservations. */
	private static final String[] PROPERTIES = Draws.properties("ids.block.size=20", "ids.block.max-size=20");

	private static final int DRAWS = 4_000;

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void primaryChangesCauseNoDuplicatesAndDoNotCountAsFailovers(boolean singlePrimary) throws Exception {
		String mode = "MySQL group, " + (singlePrimary ? "single-primary" : "multi-primary");
		// with several primaries, a read must see all changes that another primary has
		// committed
		String parameters = singlePrimary ? "" : "?sessionVariables=group_replication_consistency='BEFORE'";
		try (MysqlGroup group = new MysqlGroup(singlePrimary);
				Load load = new Load(group.create("ids").withUrlSuffix(parameters))) {
			load.awaitMore(DRAWS);
			load.measureRecovery(mode + ", planned switch", () -> group.changePrimary(1));
			assertThat(group.primary()).isEqualTo(1);
			load.measureRecovery(mode + ", killed primary", () -> group.kill(1));
			assertThat(group.primary()).isNotEqualTo(1);
			load.finish(mode);
			assertThat(load.draws.skipped()).isLessThan(MIN_SKIPPED);
		}
	}

	/**
	 * In a group with a single primary, the new primary rejects changes until it has
	 * applied its backlog. In a group with several primaries, changes that conflict with
	 * the backlog are rolled back.
	 */
	@ParameterizedTest
	@CsvSource({ "true, '', 1290", "false, ?sessionVariables=group_replication_consistency='BEFORE', 3101" })
	void newPrimaryWithABacklogCausesNoDuplicates(boolean singlePrimary, String parameters, int errorCode)
			throws Exception {
		String mode = singlePrimary ? "single-primary" : "multi-primary";
		// members apply transactions one by one, and by default, reads do not wait for
		// the backlog
		try (MysqlGroup group = new MysqlGroup(singlePrimary, "--loose-group_replication_consistency=EVENTUAL",
				"--replica-parallel-workers=1"); Load load = new Load(group.create("ids").withUrlSuffix(parameters))) {
			load.awaitMore(100);
			group.execute(0, "create table ids.gate (n int primary key)");
			try (Gate secondGate = new Gate(group.on("ids", 1)); Gate thirdGate = new Gate(group.on("ids", 2))) {
				group.execute(0, "insert into ids.gate values (1)");
				load.awaitMore(DRAWS);
				long confirmedIds = load.draws.count();
				group.kill(0);
				Awaitility.await().atMost(TIMEOUT).until(() -> group.primary() != 0);
				TestDatabase newPrimary = group.on("ids", group.primary());
				assertThat(nextOrdinal(newPrimary)).as("the new primary has a backlog").isLessThan(confirmedIds);
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> reserve(newPrimary))
					.satisfies((failure) -> assertThat(failure.getErrorCode()).isEqualTo(errorCode));
			}
			load.awaitMore(DRAWS);
			load.finish("MySQL group, " + mode + ", killed primary, and a backlog on the new one");
			assertThat(load.draws.skipped()).isLessThan(MIN_SKIPPED);
		}
	}

	private static void reserve(TestDatabase database) throws SQLException {
		try (Connection connection = DriverManager.getConnection(database.url(), "root", "");
				Statement statement = connection.createStatement()) {
			statement
				.executeUpdate("update ids_key_space set next_ordinal = next_ordinal + 1 where name = 'sequential'");
		}
	}

	private static long nextOrdinal(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			return new JdbcTemplate(pool)
				.queryForObject("select next_ordinal from ids_key_space where name = 'sequential'", Long.class);
		}
	}

	@Test
	void noDuplicatesWhenAMemberThatLeftTheGroupTakesOver() throws Exception {
		Draws draws = new Draws();
		try (MysqlGroup group = new MysqlGroup(true)) {
			TestDatabase database = group.create("ids");
			try (Instances instances = new Instances(database)) {
				ConfigurableApplicationContext instance = instances.start(PROPERTIES);
				draws.draw(instance, 100);
				group.execute(2, "stop group_replication");
				draws.draw(instance, DRAWS);
			}
			group.kill(0);
			group.kill(1);
			group.execute(2, "set global super_read_only = off", "set global read_only = off");
			try (Instances instances = new Instances(group.on("ids", 2))) {
				draws.draw(instances.start(PROPERTIES), DRAWS);
			}
			assertThat(draws.skipped()).isGreaterThanOrEqualTo(MIN_SKIPPED);
			group.bootstrap(2);
			try (Instances instances = new Instances(group.on("ids", 2))) {
				draws.draw(instances.start(PROPERTIES), DRAWS);
			}
		}
		draws.assertNoDuplicates("MySQL group, a member that left the group takes over");
	}

	@Test
	void userWithoutAccessToTheGroupStateCannotReserveOnceAnotherInstanceHasAccess() {
		try (MysqlGroup group = new MysqlGroup(true)) {
			TestDatabase database = group.create("ids");
			group.execute(0, "create user app@'%' identified by ''", "grant all on ids.* to app@'%'");
			TestDatabase databaseAsUser = new TestDatabase(database.url(), "app", "", "mysql");
			try (HikariDataSource userPool = databaseAsUser.pool(2); HikariDataSource rootPool = database.pool(2)) {
				new Instances(database).start("ids.strategy=sequential").close();
				group.execute(0, "delete from ids.ids_key_space");
				JdbcDatabase userDatabase = open(userPool);
				assertThat(userDatabase.describe().warnings()).singleElement()
					.asString()
					.contains("each change of its primary counts as a fail-over",
							"grant select on performance_schema.replication_group_members and"
									+ " performance_schema.replication_group_member_stats");
				assertThat(reserve(userDatabase)).isEqualTo(new OrdinalRange(0, 10));
				JdbcDatabase rootDatabase = open(rootPool);
				assertThat(rootDatabase.describe().warnings()).isEmpty();
				assertThat(reserve(rootDatabase).start()).isGreaterThan(10);
				assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> reserve(userDatabase))
					.withMessageContaining("Other instances may read the state of the MySQL group")
					.withMessageContaining("Grant select on performance_schema.replication_group_members");
				group.execute(0, "grant select on performance_schema.replication_group_members to app@'%'",
						"grant select on performance_schema.replication_group_member_stats to app@'%'");
				JdbcDatabase grantedDatabase = open(userPool);
				assertThat(grantedDatabase.describe().warnings()).isEmpty();
				assertThat(reserve(grantedDatabase).start()).isEqualTo(reserve(rootDatabase).start() - 10);
				assertReservationFailsOnWritableSecondary(group);
			}
		}
	}

	/**
	 * A secondary that an operator made writable does not detect conflicts, so the store
	 * must not reserve ids on it.
	 */
	private void assertReservationFailsOnWritableSecondary(MysqlGroup group) {
		group.execute(1, "set global super_read_only = off", "set global read_only = off");
		try (HikariDataSource pool = group.on("ids", 1).pool(2)) {
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> reserve(open(pool)))
				.withMessageContaining("standby that has not been promoted yet");
		}
	}

	private static JdbcDatabase open(HikariDataSource pool) {
		return JdbcDatabase.open(pool, JdbcSettings.defaults("ids_"), deadline(30));
	}

	private static OrdinalRange reserve(JdbcDatabase database) {
		JdbcKeySpaceStore store = new JdbcKeySpaceStore(database);
		store.create("test", "definition", 1L << 40, deadline(5));
		return store.reserve("test", 10, 1L << 40, deadline(10));
	}

	private static Deadline deadline(int seconds) {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(seconds));
	}

	/**
	 * Blocks the single thread that applies changes on a member, by locking a table.
	 */
	private static final class Gate implements AutoCloseable {

		private final Connection connection;

		Gate(TestDatabase database) throws SQLException {
			this.connection = DriverManager.getConnection(database.url(), "root", "");
			try (Statement statement = this.connection.createStatement()) {
				Awaitility.await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
					statement.execute("lock tables gate read");
					return true;
				});
			}
		}

		@Override
		public void close() throws SQLException {
			this.connection.close();
		}

	}

	/**
	 * Continuous load. Two threads draw ids, one writes to a table, and one reserves
	 * single ids. The interruptions of the writes and of the single reservations are
	 * measured.
	 */
	private static final class Load implements AutoCloseable {

		private final Draws draws = new Draws();

		private final Instances instances;

		private final List<Thread> threads = new ArrayList<>();

		private final Pulse applicationPulse = new Pulse();

		private final Pulse storePulse = new Pulse();

		private volatile boolean stopped;

		private volatile Throwable failure;

		Load(TestDatabase database) {
			this.instances = new Instances(database);
			ConfigurableApplicationContext application = this.instances.start("ids.strategy=sequential",
					"ids.key-space=pulse", "ids.block.size=1", "ids.block.max-size=1",
					"spring.datasource.hikari.connection-timeout=1000");
			JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
			jdbc.execute("create table work (id int primary key, done bigint)");
			jdbc.execute("insert into work values (1, 0)");
			IdGenerator ids = application.getBean(IdGenerator.class);
			List<ConfigurableApplicationContext> drawingInstances = List.of(this.instances.start(PROPERTIES),
					this.instances.start(PROPERTIES));
			drawingInstances.forEach((instance) -> run(() -> this.draws.draw(instance, 20)));
			run(() -> this.applicationPulse.beat(() -> jdbc.update("update work set done = done + 1")));
			run(() -> this.storePulse.beat(ids::nextLong));
		}

		private void run(Runnable work) {
			Thread thread = new Thread(() -> {
				try {
					while (!this.stopped) {
						work.run();
					}
				}
				catch (RuntimeException ex) {
					this.failure = ex;
				}
			});
			this.threads.add(thread);
			thread.start();
		}

		/**
		 * Cause an event, wait until the application and the store have recovered, and
		 * record how long each was unavailable.
		 */
		void measureRecovery(String scenario, Runnable event) {
			this.applicationPulse.reset();
			this.storePulse.reset();
			long skipped = this.draws.skipped();
			event.run();
			awaitMore(DRAWS);
			Figures.add("%s: application recovered after %.2f s, store after %.2f s, %d ids skipped", scenario,
					this.applicationPulse.longestSeconds(), this.storePulse.longestSeconds(),
					this.draws.skipped() - skipped);
		}

		void awaitMore(int count) {
			int targetIds = this.draws.count() + count;
			long targetReservations = this.storePulse.count() + 10;
			long targetWrites = this.applicationPulse.count() + 10;
			Awaitility.await()
				.atMost(TIMEOUT)
				.until(() -> this.failure != null
						|| this.draws.count() >= targetIds && this.storePulse.count() >= targetReservations
								&& this.applicationPulse.count() >= targetWrites);
			assertThat(this.failure).isNull();
		}

		void finish(String scenario) throws InterruptedException {
			this.stopped = true;
			for (Thread thread : this.threads) {
				thread.join();
			}
			assertThat(this.failure).isNull();
			this.draws.assertNoDuplicates(scenario);
		}

		@Override
		public void close() {
			this.stopped = true;
			this.instances.close();
		}

	}

}
