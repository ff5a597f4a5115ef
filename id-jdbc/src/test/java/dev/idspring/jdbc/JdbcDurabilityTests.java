package dev.idspring.jdbc;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.testsupport.ChildProcess;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a confirmed reservation is on disk, even if the database delays writes by
 * default. If the store cannot ensure this, it must warn or refuse to open.
 */
class JdbcDurabilityTests {

	@Test
	void h2RetainsConfirmedReservationsWhenTheProcessHalts() throws Exception {
		assertRetainsConfirmedReservations(TestDatabase.h2File());
	}

	@Test
	@Tag("wide")
	void hsqldbRetainsConfirmedReservationsWhenTheProcessHalts() throws Exception {
		assertRetainsConfirmedReservations(TestDatabase.hsqldbFile());
	}

	private static void assertRetainsConfirmedReservations(TestDatabase database) throws Exception {
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			if (database.platform().equals("hsqldb")) {
				// H2 shuts down by itself when its last connection is closed
				TestDatabase.execute(dataSource, "SHUTDOWN");
			}
		}
		Process process = ChildProcess.of(HaltedProcess.class, database.url(), database.platform())
			.redirectError(new File("target/halted-process.log"))
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		long confirmed = output.lines()
			.filter((line) -> line.startsWith("CONFIRMED "))
			.mapToLong((line) -> Long.parseLong(line.substring("CONFIRMED ".length())))
			.max()
			.orElseThrow(() -> new AssertionError("no reservation was confirmed, see target/halted-process.log"));
		try (HikariDataSource dataSource = database.pool(1)) {
			assertThat(
					new JdbcTemplate(dataSource).queryForObject("select next_ordinal from ids_key_space", Long.class))
				.isEqualTo(confirmed);
		}
	}

	@Test
	void remedyForAnUnloggedTableNamesItsSchema() {
		TestDatabase database = TestDatabase.postgresql();
		try (HikariDataSource dataSource = database.pool(1)) {
			TestDatabase.execute(dataSource, "create schema shop");
			new JdbcSchema(dataSource, "shop.ids_").create();
			TestDatabase.execute(dataSource, "alter table shop.ids_slot set unlogged");
			assertThatExceptionOfType(IdSetupException.class)
				.isThrownBy(() -> TestStores.database(dataSource, "shop.ids_"))
				.withMessageContaining("run 'alter table shop.ids_slot set logged'");
		}
	}

	@Test
	void temporaryTableThatHidesThePermanentOneIsReported() {
		TestDatabase database = TestDatabase.postgresql();
		try (HikariDataSource permanent = database.pool(1); HikariDataSource dataSource = database.pool(1)) {
			new JdbcSchema(permanent, "ids_").create();
			dataSource.setConnectionInitSql("create temporary table ids_slot (like ids_slot including all)");
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> TestStores.database(dataSource, "ids_"))
				.withMessageContaining("ids_slot is a temporary table of this session and hides the permanent one")
				.withMessageNotContaining("alter table");
		}
	}

	/**
	 * Each case consists of the setting of the session, the value of the property, and
	 * the setting that the reservation uses.
	 */
	@ParameterizedTest
	@CsvSource({ "off,,on", "on,,on", "local,,local", "remote_write,,remote_write", "remote_apply,,remote_apply",
			"off,LOCAL,local", "local,LOCAL,local", "on,LOCAL,on", "off,REMOTE_WRITE,remote_write",
			"local,REMOTE_WRITE,remote_write", "on,REMOTE_WRITE,on", "remote_write,ON,on",
			"remote_apply,ON,remote_apply", "off,REMOTE_APPLY,remote_apply", "local,REMOTE_APPLY,remote_apply",
			"remote_write,REMOTE_APPLY,remote_apply", "on,REMOTE_APPLY,remote_apply",
			"remote_apply,REMOTE_APPLY,remote_apply" })
	@FewInvocations(6)
	void postgresqlCommitIsAtLeastAsStrictAsRequested(String setting, SynchronousCommit requested, String expected) {
		TestDatabase database = TestDatabase.postgresql().withUrlSuffix("?options=-csynchronous_commit=" + setting);
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			TestDatabase.execute(dataSource, "create table seen (setting text)", """
					create function see() returns trigger language plpgsql as $$
					begin
						insert into seen values (current_setting('synchronous_commit'));
						return new;
					end $$""", "create trigger see before update on ids_key_space for each row execute function see()",
					"create trigger see before insert on ids_slot for each row execute function see()");
			JdbcDatabase opened = JdbcDatabase.open(dataSource, TestStores.settings(requested), deadline());
			JdbcKeySpaceStore store = new JdbcKeySpaceStore(opened);
			store.create("test", "definition", 1_000, deadline());
			OrdinalRange range = store.reserve("test", 10, 1_000, deadline());
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			assertThat(range.size()).isEqualTo(10);
			assertThat(jdbc.queryForList("select setting from seen", String.class)).isEqualTo(List.of(expected));
			new JdbcSlotStore(opened).claim("test", 5, TestSlots.series(10, 100),
					SlotOwner.random(Duration.ofSeconds(10)), deadline());
			assertThat(jdbc.queryForList("select distinct setting from seen", String.class))
				.as("setting of slot statements")
				.isEqualTo(List.of(expected));
			assertThat(jdbc.queryForObject("select current_setting('synchronous_commit')", String.class))
				.as("setting of the session is unchanged")
				.isEqualTo(setting);
		}
	}

	/**
	 * A short statement timeout makes no difference, because it does not end the wait of
	 * a commit.
	 */
	@Test
	void postgresqlConfirmsNoReservationWithoutItsStandby() {
		try (DatabaseProcess server = DatabaseProcess
			.postgresql(Map.of("synchronous_standby_names", "nobody", "synchronous_commit", "local"))) {
			try (HikariDataSource dataSource = server.server().pool(2)) {
				TestStores.initialize(dataSource, server.server(), "ids_");
				JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
				store.create("test", "definition", 1_000, deadline());
				store.create("other", "definition", 1_000, deadline());
			}
			TestDatabase withShortTimeout = server.server().withUrlSuffix("?options=-cstatement_timeout=2000");
			try (HikariDataSource dataSource = withShortTimeout.pool(2)) {
				JdbcDatabase database = JdbcDatabase.open(dataSource,
						TestStores.settings(SynchronousCommit.REMOTE_APPLY), deadline());
				assertThat(database.describe().warnings()).isEmpty();
				JdbcKeySpaceStore store = new JdbcKeySpaceStore(database);
				assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> store.reserve("test", 10,
						1_000, Deadline.after(TimeSource.system(), Duration.ofSeconds(4))));
				assertThat(TestStores.keySpaces(dataSource).reserve("other", 10, 1_000, deadline()).size())
					.as("the size of a reservation with the default settings, which do not wait for a standby")
					.isEqualTo(10);
			}
		}
	}

	@Test
	void warnsWhenNoSynchronousStandbyIsConfigured() {
		TestDatabase database = TestDatabase.postgresql();
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			JdbcDatabase opened = JdbcDatabase.open(dataSource, TestStores.settings(SynchronousCommit.REMOTE_WRITE),
					deadline());
			assertThat(opened.describe().warnings()).singleElement()
				.asString()
				.isEqualTo("ids.jdbc.synchronous-commit is remote-write, but commits wait for no other server:"
						+ " synchronous_standby_names is empty");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2 })
	void warnsWhenMariadbDoesNotFlush(int setting) {
		TestDatabase database = TestDatabase.mariadb();
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			TestDatabase.execute(dataSource, "set global innodb_flush_log_at_trx_commit = " + setting);
			JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
			assertThat(store.describe().warnings()).singleElement()
				.asString()
				.contains("innodb_flush_log_at_trx_commit is " + setting);
		}
		finally {
			database.execute("set global innodb_flush_log_at_trx_commit = 1");
		}
	}

	@Test
	void warnsWhenSqliteDoesNotSynchronize() {
		TestDatabase database = TestDatabase.sqlite().withUrlSuffix("?synchronous=NORMAL");
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
			assertThat(store.describe().warnings()).singleElement().asString().contains("PRAGMA synchronous");
		}
	}

	@Test
	void warnsWhenTheH2UserCannotSetTheWriteDelay() {
		TestDatabase database = TestDatabase.h2File();
		try (HikariDataSource admin = database.pool(1)) {
			TestStores.initialize(admin, database, "ids_");
			TestDatabase.execute(admin, "create user plain password 'x'",
					"grant select, insert, update on ids_key_space to plain",
					"grant select, insert, update on ids_slot to plain");
			try (HikariDataSource plain = new TestDatabase(database.url(), "plain", "x", "h2").pool(1)) {
				JdbcKeySpaceStore store = TestStores.keySpaces(plain);
				assertThat(store.describe().warnings()).singleElement().asString().contains("WRITE_DELAY");
				store.create("test", "definition", 1_000, deadline());
				assertThat(store.reserve("test", 10, 1_000, deadline()).size())
					.as("the size of a reservation with minimal privileges")
					.isEqualTo(10);
			}
		}
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(30));
	}

}
