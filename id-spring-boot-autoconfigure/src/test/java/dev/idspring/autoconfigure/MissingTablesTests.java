package dev.idspring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.StartupFailures.Application;
import dev.idspring.autoconfigure.StartupFailures.Setup;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.idspring.autoconfigure.StartupFailures.assertAnalysis;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupFails;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupSucceeds;
import static dev.idspring.autoconfigure.StartupFailures.description;
import static dev.idspring.autoconfigure.StartupFailures.failure;
import static dev.idspring.autoconfigure.StartupFailures.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the failure analysis if tables or columns of the id store are missing.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingTablesTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@Databases({ Kind.H2, Kind.HSQLDB, Kind.POSTGRESQL, Kind.MARIADB })
	void missingTableIsReported(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = kind.create();
		Setup failure = failure("Table ids_key_space is missing or cannot be read",
				"Set ids.jdbc.initialize-schema=always to create the table at startup, run the application with"
						+ " --ids.command=schema --ids.schema.confirm=true, or create it with the script"
						+ " dev/idspring/jdbc/schema-" + database.platform() + ".sql")
			.withReported("ids.jdbc.initialize-schema", "never");
		Path file = failure.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		assertThat(description(output)).contains(failure.reported().get(0).expectedText(file, failure.settings()));
	}

	@ParameterizedTest
	@Databases({ Kind.H2, Kind.HSQLDB, Kind.SQLITE, Kind.POSTGRESQL, Kind.MARIADB })
	void missingColumnIsReported(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = kind.create();
		Path file = settings().with("ids.strategy", "coprime").write(this.directory);
		assertStartupSucceeds(file, database);
		execute(database, "alter table ids_key_space drop column usage_history");
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, "Table ids_key_space exists, but cannot be read: usage_history is missing",
				"Otherwise add the missing columns, as defined in the script dev/idspring/jdbc/schema-"
						+ database.platform() + ".sql");
		assertThat(output.toString()).doesNotContain("initialize-schema=always");
		execute(database, "alter table ids_key_space add usage_history varchar(400) default '1' not null");
		assertStartupSucceeds(file, database);
	}

	@Test
	void tableOfAnotherApplicationIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = TestDatabase.h2();
		execute(database, "create table ids_slot (key_space varchar(10), seat integer)");
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), database,
				Application.class);
		assertAnalysis(output, "Table ids_slot exists, but cannot be read: slot, next_position, end_position, owner,",
				"If the table belongs to another application, set ids.jdbc.table-prefix to another prefix");
	}

	@Test
	void tableNotCreatedByTheScriptIsReported(CapturedOutput output) throws Exception {
		Path script = Files.writeString(this.directory.resolve("mine.sql"), "create table mine (name varchar(10));");
		Setup failure = failure("Table ids_key_space is missing or cannot be read",
				"If it is missing and you run a command, first run the application with --ids.command=schema"
						+ " --ids.schema.confirm=true, because no other command creates tables. Otherwise"
						+ " ids.jdbc.initialize-schema=always did not create it: make sure that the script")
			.with("ids.jdbc.schema", "'" + script.toUri() + "'");
		assertStartupFails(failure.write(this.directory), TestDatabase.h2(), Application.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		assertThat(output.toString()).doesNotContain("Set ids.jdbc.initialize-schema=always");
	}

	private static void execute(TestDatabase database, String sql) throws Exception {
		try (HikariDataSource pool = database.pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
