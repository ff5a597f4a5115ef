package dev.idspring.jdbc;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.block.OrdinalRange;
import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import dev.idspring.testsupport.ChildProcess;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a confirmed reservation is on disk, where a database would rather not.
 */
class JdbcDurabilityTests {

	@Test
	void h2KeepsWhatItConfirmedWhenTheProcessIsGone() throws Exception {
		assertKeepsWhatItConfirmed(TestDatabase.h2File());
	}

	@Test
	void hsqldbKeepsWhatItConfirmedWhenTheProcessIsGone() throws Exception {
		assertKeepsWhatItConfirmed(TestDatabase.hsqldbFile());
	}

	private static void assertKeepsWhatItConfirmed(TestDatabase database) throws Exception {
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			if (database.platform().equals("hsqldb")) {
				// H2 does so with the last connection
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
			.orElseThrow(() -> new AssertionError("nothing was confirmed, see target/halted-process.log"));
		try (HikariDataSource dataSource = database.pool(1)) {
			assertThat(
					new JdbcTemplate(dataSource).queryForObject("select next_ordinal from ids_key_space", Long.class))
				.isEqualTo(confirmed);
		}
	}

	@ParameterizedTest
	@CsvSource({ "off,on", "on,on", "local,local", "remote_apply,remote_apply" })
	void postgresqlCommitsReservationsSynchronously(String setting, String expected) {
		TestDatabase database = TestDatabase.postgresql().withUrlSuffix("?options=-csynchronous_commit=" + setting);
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			TestDatabase.execute(dataSource, "create table seen (setting text)", """
					create function see() returns trigger language plpgsql as $$
					begin
						insert into seen values (current_setting('synchronous_commit'));
						return new;
					end $$""", "create trigger see before update on ids_key_space for each row execute function see()");
			JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
			store.create("test", "definition", 1_000, deadline());
			OrdinalRange range = store.reserve("test", 10, 1_000, deadline());
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			assertThat(range.size()).isEqualTo(10);
			assertThat(jdbc.queryForList("select setting from seen", String.class)).isEqualTo(List.of(expected));
			assertThat(jdbc.queryForObject("select current_setting('synchronous_commit')", String.class))
				.as("the session is as it was")
				.isEqualTo(setting);
		}
	}

	@Test
	void mariadbThatDoesNotFlushIsWarnedOf() {
		TestDatabase database = TestDatabase.mariadb();
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			TestDatabase.execute(dataSource, "set global innodb_flush_log_at_trx_commit = 2");
			JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
			assertThat(store.describe().warnings()).singleElement()
				.asString()
				.contains("innodb_flush_log_at_trx_commit is 2");
		}
		finally {
			database.execute("set global innodb_flush_log_at_trx_commit = 1");
		}
	}

	@Test
	void sqliteThatDoesNotSynchronizeIsWarnedOf() {
		TestDatabase database = TestDatabase.sqlite().withUrlSuffix("?synchronous=NORMAL");
		try (HikariDataSource dataSource = database.pool(1)) {
			TestStores.initialize(dataSource, database, "ids_");
			JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
			assertThat(store.describe().warnings()).singleElement().asString().contains("PRAGMA synchronous");
		}
	}

	@Test
	void h2WhoseUserMayNotIsWarnedOf() {
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
				assertThat(store.reserve("test", 10, 1_000, deadline()).size()).as("least privilege").isEqualTo(10);
			}
		}
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(30));
	}

}
