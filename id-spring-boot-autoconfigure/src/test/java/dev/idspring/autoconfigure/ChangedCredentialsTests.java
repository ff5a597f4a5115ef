package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that ids go on when the password of the database changes while the application
 * runs, and when the application computes it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChangedCredentialsTests {

	@ParameterizedTest
	@EnumSource(names = { "H2", "MARIADB" })
	void passwordThatIsSetWhileTheApplicationRuns(Kind kind, CapturedOutput output) {
		try (Account account = new Account(kind.create())) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			runner(pool).run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				ids.nextLongs(25);
				account.change("two");
				pool.getHikariConfigMXBean().setPassword("two");
				account.endSessions();
				assertIdsGoOn(ids);
				assertThat(output).doesNotContain("application's pool");
			});
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "MARIADB" })
	void passwordThatASubclassComputes(Kind kind, CapturedOutput output) {
		try (Account account = new Account(kind.create())) {
			runner(account.pool(new ComputedPassword(() -> Credentials.of("app", account.password)))).run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				ids.nextLongs(25);
				account.change("two");
				account.endSessions();
				assertIdsGoOn(ids);
				assertThat(output).doesNotContain("application's pool");
			});
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "MARIADB" })
	void passwordThatAProviderComputes(Kind kind) {
		try (Account account = new Account(kind.create())) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			pool.setPassword(null);
			pool.setCredentialsProvider(() -> Credentials.of("app", account.password));
			runner(pool).run((context) -> {
				context.getBean(IdGenerator.class).nextLongs(25);
				account.change("two");
				account.endSessions();
				assertIdsGoOn(context.getBean(IdGenerator.class));
			});
		}
	}

	/**
	 * The connections from before the change are good for a while.
	 */
	@ParameterizedTest
	@EnumSource(names = { "H2", "MARIADB" })
	void passwordThatNobodyHasSetYet(Kind kind, CapturedOutput output) {
		try (Account account = new Account(kind.create())) {
			HikariDataSource pool = account.pool(new HikariDataSource());
			runner(pool).withPropertyValues("ids.block.wait-timeout=1s").run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				ids.nextLongs(25);
				try (Connection connection = pool.getConnection()) {
					account.change("two");
					account.endSessions(connection);
				}
				assertIdsGoOn(ids);
				assertIdsGoOn(ids);
				assertThat(output)
					.containsOnlyOnce("From now on ids are reserved over connections from the" + " application's pool");
				try (Connection connection = pool.getConnection()) {
					assertThat(connection.getAutoCommit()).isTrue();
				}
			});
		}
	}

	/**
	 * A way in that only {@code getConnection} knows.
	 */
	@ParameterizedTest
	@EnumSource(names = { "H2", "MARIADB" })
	void passwordThatTheStoreNeverLearns(Kind kind) {
		try (Account account = new Account(kind.create())) {
			HikariDataSource pool = account.pool(new HiddenPassword("one"));
			runner(pool).withPropertyValues("ids.block.wait-timeout=1s").run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(IdGenerators.class).get("default").nextLongs(25)).doesNotHaveDuplicates();
			});
		}
	}

	/**
	 * The first attempt may meet a connection that the database has closed.
	 */
	private static void assertIdsGoOn(IdGenerator ids) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(600))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(ids.nextLongs(25)).doesNotHaveDuplicates());
	}

	private static ApplicationContextRunner runner(HikariDataSource pool) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
			.withBean(HikariDataSource.class, () -> pool)
			.withPropertyValues("ids.jdbc.initialize-schema=always", "ids.block.size=10", "ids.block.max-size=10");
	}

	/**
	 * A user of a database, whose password can be changed.
	 */
	private static final class Account implements AutoCloseable {

		private final TestDatabase database;

		private final HikariDataSource administrator;

		private final boolean h2;

		private volatile String password = "one";

		Account(TestDatabase database) {
			this.database = database;
			this.administrator = database.pool(1);
			this.h2 = database.platform().equals("h2");
			execute(this.h2 ? "create user app password 'one' admin"
					: "create or replace user app@localhost identified by 'one'",
					this.h2 ? "set lock_timeout 1000" : "grant all on *.* to app@localhost");
		}

		<T extends HikariDataSource> T pool(T pool) {
			pool.setJdbcUrl(this.database.url());
			pool.setUsername("app");
			pool.setPassword(this.password);
			pool.setMaximumPoolSize(2);
			return pool;
		}

		void change(String password) {
			execute(this.h2 ? "alter user app set password '" + password + "'"
					: "alter user app@localhost identified by '" + password + "'");
			this.password = password;
		}

		/**
		 * End the user's sessions, but for those that are given.
		 */
		void endSessions(Connection... kept) throws SQLException {
			List<Long> sessions = new ArrayList<>(numbers(this.administrator.getConnection(), true,
					this.h2 ? "select session_id from information_schema.sessions where user_name = 'APP'"
							: "select id from information_schema.processlist where user = 'app'"));
			for (Connection connection : kept) {
				sessions
					.removeAll(numbers(connection, false, this.h2 ? "select session_id()" : "select connection_id()"));
			}
			for (long session : sessions) {
				execute(this.h2 ? "select abort_session(" + session + ")" : "kill " + session);
			}
		}

		private static List<Long> numbers(Connection connection, boolean close, String sql) throws SQLException {
			List<Long> numbers = new ArrayList<>();
			try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
				while (rows.next()) {
					numbers.add(rows.getLong(1));
				}
			}
			finally {
				if (close) {
					connection.close();
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
		}

	}

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

	private static final class HiddenPassword extends HikariDataSource {

		private final String hidden;

		HiddenPassword(String hidden) {
			this.hidden = hidden;
		}

		@Override
		public Credentials getCredentials() {
			boolean own = StackWalker.getInstance()
				.walk((frames) -> frames.noneMatch((frame) -> frame.getClassName().contains("idspring")
						&& frame.getClassName().contains("OwnPool")));
			return Credentials.of("app", own ? this.hidden : "wrong");
		}

	}

}
