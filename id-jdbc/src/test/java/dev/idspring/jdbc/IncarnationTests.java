package dev.idspring.jdbc;

import java.util.List;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how the store identifies servers. The column {@code incarnation} contains the
 * identity of the server that last wrote the row of a key space, if servers have one.
 */
@Tag("mysql")
class IncarnationTests {

	private static final String NAME = "test";

	@Test
	void postgresqlHasTheSameIdentityAfterItIsKilled() {
		try (DatabaseProcess server = DatabaseProcess.postgresql()) {
			assertIdentityIsTheSameAfterRestart(server, server.server(), DatabaseProcess::kill);
		}
	}

	@Test
	@Tag("wide")
	void mariadbHasTheSameIdentityAfterARestart() {
		try (DatabaseProcess server = DatabaseProcess.mariadb()) {
			server.server().execute("create database ids");
			assertIdentityIsTheSameAfterRestart(server, server.server().withUrlSuffix("ids"), DatabaseProcess::stop);
		}
	}

	private static void assertIdentityIsTheSameAfterRestart(DatabaseProcess server, TestDatabase database,
			Consumer<DatabaseProcess> end) {
		assertThat(reserve(database)).isEqualTo(new OrdinalRange(0, 10));
		String before = incarnation(database);
		end.accept(server);
		server.start();
		assertThat(reserve(database)).isEqualTo(new OrdinalRange(10, 20));
		assertThat(incarnation(database)).isEqualTo(before).isNotBlank();
	}

	private static OrdinalRange reserve(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			JdbcKeySpaceStore store = TestStores.keySpaces(pool);
			store.create(NAME, "definition", 1_000, TestStores.deadline());
			return store.reserve(NAME, 10, 1_000, TestStores.deadline());
		}
	}

	private static String incarnation(TestDatabase database) {
		try (HikariDataSource pool = database.pool(1)) {
			return new JdbcTemplate(pool).queryForObject("select incarnation from ids_key_space", String.class);
		}
	}

	@ParameterizedTest
	@Databases
	void identifiesServersOfDatabasesThatCanHaveSeveralServers(Kind kind) {
		TestDatabase database = kind.create();
		reserve(database);
		boolean canHaveSeveralServers = List.of("postgresql", "mariadb", "mysql").contains(database.platform());
		assertThat(incarnation(database) != null).isEqualTo(canHaveSeveralServers);
	}

	@Test
	void postgresqlIdentityConsistsOfSystemAndTimeline() {
		TestDatabase database = TestDatabase.postgresql();
		reserve(database);
		assertThat(incarnation(database)).matches("\\d+/00000001");
	}

	@Test
	void readsTheIdentityOfPostgresqlWithoutSpecialPrivileges() {
		TestDatabase database = TestDatabase.postgresql();
		String user = "u" + database.url().substring(database.url().lastIndexOf('/') + 1);
		try (HikariDataSource admin = database.pool(1)) {
			TestStores.initialize(admin, database, "ids_");
			TestDatabase.execute(admin, "create role " + user + " login",
					"grant select, insert, update on ids_key_space, ids_slot, ids_gapless to " + user);
			assertThat(reserve(new TestDatabase(database.url(), user, "", "postgresql")).size()).isEqualTo(10);
			assertThat(incarnation(database)).isNotBlank();
		}
	}

	@Test
	void warnsWhenTheServerIdentityCannotBeRead() {
		TestDatabase database = TestDatabase.postgresql();
		String user = "w" + database.url().substring(database.url().lastIndexOf('/') + 1);
		try (HikariDataSource admin = database.pool(1)) {
			TestStores.initialize(admin, database, "ids_");
			TestDatabase.execute(admin, "create role " + user + " login",
					"grant select, insert, update on ids_key_space, ids_slot to " + user,
					"revoke execute on function pg_control_system() from public");
			try (HikariDataSource pool = new TestDatabase(database.url(), user, "", "postgresql").pool(1)) {
				assertThat(TestStores.keySpaces(pool).describe().warnings()).singleElement()
					.asString()
					.contains("fail-over")
					.contains("pg_control_system");
			}
		}
		assertThat(reserve(database).size()).isEqualTo(10);
	}

}
