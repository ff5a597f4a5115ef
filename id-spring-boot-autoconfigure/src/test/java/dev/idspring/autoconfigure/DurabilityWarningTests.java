package dev.idspring.autoconfigure;

import java.util.Map;

import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import dev.idspring.testsupport.DatabaseProcess;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that operators get a warning about untested databases and about server settings
 * that may lose acknowledged commits, and that {@code ids.jdbc.synchronous-commit} is
 * accepted only on PostgreSQL.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurabilityWarningTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
				IdsAutoConfiguration.class, IdsEndpointAutoConfiguration.class,
				IdsHealthContributorAutoConfiguration.class))
		.withPropertyValues("ids.jdbc.initialize-schema=always", "management.endpoints.web.exposure.include=ids");

	@Test
	void warnsWhenMariadbDoesNotFlushOnCommit(CapturedOutput output) {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("set global innodb_flush_log_at_trx_commit = 0");
		try {
			assertWarns(database, "The server may lose acknowledged commits when it crashes:"
					+ " innodb_flush_log_at_trx_commit is 0 instead of 1", output);
		}
		finally {
			database.execute("set global innodb_flush_log_at_trx_commit = 1");
		}
	}

	@Test
	void warnsWhenPostgresqlDoesNotFlushOnCommit(CapturedOutput output) {
		try (DatabaseProcess server = DatabaseProcess.postgresql(Map.of("fsync", "off"))) {
			assertWarns(server.server(), "PostgreSQL may lose acknowledged commits when it crashes: fsync is off",
					output);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "sqlserver", "oracle", "db2" })
	void warnsWhenTheDatabaseIsUntested(String platform, CapturedOutput output) {
		TestDatabase database = TestDatabase.h2();
		// create the tables with the H2 script
		on(database).run((context) -> assertThat(context).hasNotFailed());
		assertWarns(database,
				"The id store is untested on H2 with the dialect of " + platform
						+ ": test the application on this database before you rely on its ids",
				output, "ids.jdbc.platform=" + platform);
	}

	@Test
	void warnsWhenRemoteApplyHasNoStandbys(CapturedOutput output) {
		assertWarns(TestDatabase.postgresql(),
				"ids.jdbc.synchronous-commit is remote-apply, but commits wait for no other server:"
						+ " synchronous_standby_names is empty",
				output, "ids.jdbc.synchronous-commit=remote_apply");
	}

	@Test
	void warnsWhenSynchronousCommitIsOnWithoutStandbys(CapturedOutput output) {
		assertWarns(TestDatabase.postgresql(),
				"ids.jdbc.synchronous-commit is on, but commits wait for no other server:"
						+ " synchronous_standby_names is empty",
				output, "ids.jdbc.synchronous-commit=on");
	}

	@Test
	void doesNotWarnWhenMariadbFlushesMoreOftenThanOnCommit() {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("set global innodb_flush_log_at_trx_commit = 3");
		try {
			on(database)
				.run((context) -> assertThat(context.getBean(IdsEndpoint.class).ids().store().warnings()).isEmpty());
		}
		finally {
			database.execute("set global innodb_flush_log_at_trx_commit = 1");
		}
	}

	private void assertWarns(TestDatabase database, String warning, CapturedOutput output, String... properties) {
		on(database).withPropertyValues(properties).run((context) -> {
			assertThat(output).containsOnlyOnce(warning);
			assertThat(context.getBean(IdsEndpoint.class).ids().store().warnings()).containsExactly(warning);
		});
	}

	@Test
	void synchronousCommitIsRejectedOnDatabasesOtherThanPostgresql() {
		on(TestDatabase.h2()).withPropertyValues("ids.jdbc.synchronous-commit=on").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new IdSetupFailureAnalyzer(new StandardEnvironment())
				.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription())
				.startsWith("ids.jdbc.synchronous-commit is 'on' but must be unset, because the database is H2");
		});
	}

	/**
	 * YAML parses {@code off} as {@code false}.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "off", "false" })
	void synchronousCommitCannotBeDisabled(String off) {
		on(TestDatabase.postgresql()).withPropertyValues("ids.jdbc.synchronous-commit=" + off)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("ids.jdbc.synchronous-commit"));
	}

	private ApplicationContextRunner on(TestDatabase database) {
		return this.contextRunner.withPropertyValues("spring.datasource.url=" + database.url(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password());
	}

}
