package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application can reserve ids after its database user or password has
 * changed, regardless of how its pool obtains the password.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChangedCredentialsTests {

	private static DatabaseProcess postgresql;

	@BeforeAll
	static void startPostgresqlThatRequiresPasswords() {
		postgresql = DatabaseProcess.postgresql();
		postgresql.server()
			.execute("do $$ begin execute format('copy (select unnest(array[''host all app all scram-sha-256'',"
					+ " ''host all all all trust'', ''local all all trust''])) to %L', current_setting('hba_file'));"
					+ " end $$", "select pg_reload_conf()");
	}

	@AfterAll
	static void stopPostgresql() {
		postgresql.close();
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(Server.class)
	void continuesWithAPasswordSetOnTheRunningPool(Server server, CapturedOutput output) {
		try (Account account = new Account(server)) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			runner(pool).run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(25);
				account.changePassword("two");
				pool.getHikariConfigMXBean().setPassword("two");
				account.endSessions();
				pool.getHikariPoolMXBean().softEvictConnections();
				assertIdsCanBeReserved(context);
				assertThat(output).doesNotContain("application's pool");
			});
		}
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(Server.class)
	void continuesWithAPasswordComputedByASubclass(Server server, CapturedOutput output) {
		try (Account account = new Account(server)) {
			runner(account.pool(new ComputedPassword(() -> Credentials.of("app", account.password)))).run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(25);
				account.changePassword("two");
				account.endSessions();
				assertIdsCanBeReserved(context);
				assertThat(output).doesNotContain("application's pool");
			});
		}
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(Server.class)
	void continuesWithAPasswordFromACredentialsProvider(Server server, CapturedOutput output) {
		try (Account account = new Account(server)) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			pool.setPassword(null);
			pool.setCredentialsProvider(() -> Credentials.of("app", account.password));
			runner(pool).run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(25);
				account.changePassword("two");
				account.endSessions();
				assertIdsCanBeReserved(context);
				assertThat(output).doesNotContain("application's pool");
			});
		}
	}

	/**
	 * Connections that the application's pool opened before the password changed still
	 * work.
	 */
	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(Server.class)
	void usesTheApplicationsPoolWhileThePasswordIsRejected(Server server, CapturedOutput output) {
		try (Account account = new Account(server)) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			runner(pool).withPropertyValues("ids.block.wait-timeout=1s").run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(25);
				try (Connection connection = pool.getConnection()) {
					account.changePassword("two");
					account.endSessions(connection);
				}
				assertIdsCanBeReserved(context);
				assertIdsCanBeReserved(context);
				assertThat(output).containsOnlyOnce("ids are reserved through connections from the application's pool")
					.doesNotContain("again. Ids are again reserved through that connection");
				try (Connection connection = pool.getConnection()) {
					assertThat(connection.getAutoCommit()).isTrue();
				}
				pool.getHikariConfigMXBean().setPassword("two");
				assertIdsCanBeReserved(context);
				assertThat(output).containsOnlyOnce("again. Ids are again reserved through that connection");
				try (Connection first = pool.getConnection(); Connection second = pool.getConnection()) {
					assertThat(first).isNotSameAs(second);
					assertIdsCanBeReserved(context);
				}
			});
		}
	}

	/**
	 * Only the pool itself knows the password; a copy of its configuration contains a
	 * wrong one. Nothing has used the pool when the store connects.
	 */
	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(Server.class)
	void usesTheApplicationsPoolWhenOnlyThePoolKnowsThePassword(Server server) {
		try (Account account = new Account(server)) {
			runner(account.pool(new HikariDataSource())).run((context) -> assertIdsCanBeReserved(context));
			HikariDataSource pool = account.pool(new HiddenPassword("one"));
			runner(pool).withPropertyValues("ids.jdbc.initialize-schema=never", "ids.block.wait-timeout=1s")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertIdsCanBeReserved(context);
				});
		}
	}

	/**
	 * The former user remains connected but has lost its privileges.
	 */
	@Test
	void continuesWithAnotherUserWhenTheFormerUserLosesItsPrivileges() {
		try (Account account = new Account(Server.POSTGRESQL)) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			runner(pool).run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(25);
				account.execute("reassign owned by app to " + account.database.username(),
						"alter role app nosuperuser");
				pool.getHikariConfigMXBean()
					.setCredentials(Credentials.of(account.database.username(), account.database.password()));
				assertIdsCanBeReserved(context);
			});
		}
	}

	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(Server.class)
	void usesThePasswordOfTheDataSourceInsideThePool(Server server, CapturedOutput output) {
		try (Account account = new Account(server)) {
			DataSource innerDataSource = DataSourceBuilder.derivedFrom(account.pool(new HikariDataSource()))
				.type(SimpleDriverDataSource.class)
				.build();
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSource(innerDataSource);
			runner(pool).run((context) -> {
				assertIdsCanBeReserved(context);
				assertThat(output).doesNotContain("application's pool");
			});
		}
	}

	/**
	 * Assert that ids can be reserved. The first attempts may use a connection that the
	 * database has closed.
	 */
	private static void assertIdsCanBeReserved(ApplicationContext context) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(600))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(context.getBean(IdGenerator.class).nextLongs(25)).doesNotHaveDuplicates());
		HealthDescriptor health = context.getBean(HealthEndpoint.class).healthForPath("ids");
		assertThat(health).isNotNull().extracting(HealthDescriptor::getStatus).isEqualTo(Status.UP);
	}

	private static ApplicationContextRunner runner(HikariDataSource pool) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class,
					IdsEndpointAutoConfiguration.class, IdsHealthContributorAutoConfiguration.class,
					HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class,
					HealthEndpointAutoConfiguration.class))
			.withBean(HikariDataSource.class, () -> pool)
			.withPropertyValues("ids.jdbc.initialize-schema=always", "ids.block.size=10", "ids.block.max-size=10");
	}

	/**
	 * The statements that create a user {@code app}, change its password, and list and
	 * end its sessions on each server.
	 */
	private enum Server {

		H2("create user app password 'one' admin", "set lock_timeout 1000", "alter user app set password '%s'",
				"select session_id from information_schema.sessions where user_name = 'APP'", "select session_id()",
				"select abort_session(%d)"),

		MARIADB("create or replace user app@localhost identified by 'one'", "grant all on *.* to app@localhost",
				"alter user app@localhost identified by '%s'",
				"select id from information_schema.processlist where user = 'app'", "select connection_id()",
				"kill %d"),

		POSTGRESQL("drop role if exists app", "create role app superuser login password 'one'",
				"alter role app password '%s'", "select pid from pg_stat_activity where usename = 'app'",
				"select pg_backend_pid()", "select pg_terminate_backend(%d)");

		private final String[] creation;

		private final String passwordChange;

		private final String sessionQuery;

		private final String ownSessionQuery;

		private final String sessionEnd;

		Server(String first, String second, String passwordChange, String sessionQuery, String ownSessionQuery,
				String sessionEnd) {
			this.creation = new String[] { first, second };
			this.passwordChange = passwordChange;
			this.sessionQuery = sessionQuery;
			this.ownSessionQuery = ownSessionQuery;
			this.sessionEnd = sessionEnd;
		}

		TestDatabase create() {
			return (this == POSTGRESQL) ? TestDatabase.createOn(postgresql.server()) : Kind.valueOf(name()).create();
		}

	}

	/**
	 * A user of a database, whose password can be changed.
	 */
	private static final class Account implements AutoCloseable {

		private final Server server;

		private final TestDatabase database;

		private final HikariDataSource administrator;

		private volatile String password = "one";

		Account(Server server) {
			this.server = server;
			this.database = server.create();
			this.administrator = this.database.pool(1);
			execute(server.creation);
		}

		<T extends HikariDataSource> T pool(T pool) {
			pool.setJdbcUrl(this.database.url());
			pool.setUsername("app");
			pool.setPassword(this.password);
			pool.setMaximumPoolSize(2);
			return pool;
		}

		void changePassword(String password) {
			execute(this.server.passwordChange.formatted(password));
			this.password = password;
		}

		/**
		 * End the user's sessions, except those of the given connections. First wait
		 * until the connection for ids has logged in: if the first connection of a pool
		 * is closed while HikariCP reads its isolation level, HikariCP never opens
		 * another one.
		 */
		void endSessions(Connection... retained) throws SQLException {
			Awaitility.await()
				.until(() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((thread) -> thread.getName().equals("ids-first-login")));
			List<Long> sessions = new ArrayList<>();
			try (Connection connection = this.administrator.getConnection()) {
				sessions.addAll(queryNumbers(connection, this.server.sessionQuery));
			}
			for (Connection connection : retained) {
				sessions.removeAll(queryNumbers(connection, this.server.ownSessionQuery));
			}
			sessions.forEach((session) -> execute(this.server.sessionEnd.formatted(session)));
		}

		private static List<Long> queryNumbers(Connection connection, String sql) throws SQLException {
			List<Long> numbers = new ArrayList<>();
			try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
				while (rows.next()) {
					numbers.add(rows.getLong(1));
				}
			}
			return numbers;
		}

		private void execute(String... sql) {
			TestDatabase.execute(this.administrator, sql);
		}

		@Override
		public void close() {
			this.administrator.close();
			if (this.server == Server.POSTGRESQL) {
				this.database.drop();
			}
		}

	}

	/**
	 * A pool that computes its credentials.
	 */
	private static final class ComputedPassword extends HikariDataSource {

		private final Supplier<Credentials> credentials;

		ComputedPassword(Supplier<Credentials> credentials) {
			this.credentials = credentials;
		}

		@Override
		public Credentials getCredentials() {
			return this.credentials.get();
		}

	}

	/**
	 * A pool that returns a wrong password to the code that copies its configuration.
	 */
	private static final class HiddenPassword extends HikariDataSource {

		private final String password;

		HiddenPassword(String password) {
			this.password = password;
		}

		@Override
		public Credentials getCredentials() {
			boolean copied = StackWalker.getInstance()
				.walk((frames) -> frames.skip(1)
					.limit(1)
					.anyMatch((caller) -> caller.getClassName().contains("DedicatedPool")));
			return Credentials.of("app", copied ? "wrong" : this.password);
		}

	}

}
