package dev.idspring.autoconfigure;

import dev.idspring.testsupport.FewInvocations;
import org.springframework.beans.factory.InitializingBean;
import dev.idspring.IdGenerator;
import dev.idspring.CompositePrefix;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests the failure analysis of applications with an invalid setup, on real databases and
 * with real configuration files.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdSetupFailureTests {

	@TempDir
	private Path directory;

	static Stream<Setup> failures() {
		return Stream.of(
				// names and key spaces
				failure("'a.b' cannot be the name of an id generator", "beginning with a letter")
					.withReported("ids.generators[a.b].strategy", "coprime"),
				failure("'columns' cannot be the name of an id generator", "Rename the generator")
					.withReported("ids.generators.columns.strategy", "sequential"),
				failure("ids.generators.default is set", "remove ids.generators.default")
					.withReported("ids.generators.default.strategy", "coprime"),
				failure("ids.key-space is 'cl?s' but must be 1 to 100 printable ASCII characters", "Correct the value")
					.withReported("ids.key-space", "clés"),
				failure("'b' (sequential) because of ids.generators.b.key-space", ".key-space to another name")
					.withReported("ids.generators.a.key-space", "same")
					.with("ids.generators.b.strategy", "sequential")
					.withReported("ids.generators.b.key-space", "same"),
				failure("Two id generators use the key space 'default': 'default' (coprime) because of its name,"
						+ " and 'orders' (coprime) because of ids.generators.orders.key-space",
						"or inject generator 'default' instead of 'orders'")
					.withReported("ids.generators.orders.key-space", "default"),
				failure("Two id generators use the key space 'same'",
						".key-space to another name, or inject generator '")
					.with("ids.generators.a.strategy", "gapless")
					.with("ids.generators.b.strategy", "gapless")
					.withReported("ids.generators.a.key-space", "same")
					.withReported("ids.generators.b.key-space", "same"),
				failure("ids.generators.orders is 'sequential', but the settings of an id generator belong under its"
						+ " name", "Set ids.generators.orders.strategy to sequential instead")
					.withReported("ids.generators.orders", "sequential"),
				failure("): 'My Orders!' cannot be the name of an id generator.", "Use up to 64 letters")
					.with("ids.generators.My Orders!.strategy", "sequential"),
				failure("ids.generators is a list, but id generators have names",
						"as in ids.generators.orders.strategy")
					.withReported("ids.generators[0]", "orders"),
				failure("ids.generators is a list, but id generators have names", "under its name")
					.withReported("ids.generators[0].name", "orders")
					.withReported("ids.generators[0].strategy", "sequential"),
				failure("ids.generators.order-items (URL [file:", "rename one of them")
					.with("ids.generators.order-items.strategy", "sequential")
					.with("ids.generators.order_items.block.size", "7"),
				// properties in the wrong place, or without effect
				failure("ids.generators.orders.jdbc.table-prefix is set", "Set ids.jdbc.table-prefix instead")
					.withReported("ids.generators.orders.jdbc.table-prefix", "my_"),
				failure("ids.generators.orders.snowflake.node-bits has no effect: the strategy of id generator 'orders'"
						+ " is coprime", "Remove it, or set ids.generators.orders.strategy to snowflake.")
					.withReported("ids.generators.orders.snowflake.node-bits", "9"),
				failure("ids.coprime.length is set together with ids.coprime.preset, which is park-miller",
						"Remove one of them")
					.withReported("ids.coprime.length", "7")
					.withReported("ids.coprime.preset", "park-miller"),
				// coprime
				failure("ids.coprime.multiplier is 62 but must be coprime with 56800235584, the number of ids with 6"
						+ " characters", "Correct the value")
					.withReported("ids.coprime.multiplier", "62"),
				failure("ids.generators.orders.coprime.multiplier is 2 but must be coprime", "Correct the value")
					.withReported("ids.generators.orders.coprime.multiplier", "2"),
				failure("ids.coprime.length is 11 but with an alphabet of 62 characters there would be more than 2^62"
						+ " keys", "Correct the value")
					.withReported("ids.coprime.length", "11"),
				failure("ids.coprime.max-length is 5 but must be at least ids.coprime.length, which is 6",
						"Correct the value")
					.withReported("ids.coprime.max-length", "5"),
				failure("ids.coprime.alphabet is 'base64' but cannot be used because this value is not the name of a"
						+ " known alphabet: use base62", "Correct the value")
					.withReported("ids.coprime.alphabet", "base64"),
				failure("has 'a' twice", "Correct the value").withReported("ids.coprime.alphabet", "abca"),
				failure("ids.coprime.offset is -1 but", "Correct the value").withReported("ids.coprime.offset", "-1"),
				// numbers
				failure("ids.sequential.end is 4 but must be from ids.sequential.start (5)", "Correct the value")
					.with("ids.strategy", "sequential")
					.withReported("ids.sequential.start", "5")
					.withReported("ids.sequential.end", "4"),
				failure("ids.gapless.start is -1", "Correct the value").with("ids.strategy", "gapless")
					.withReported("ids.gapless.start", "-1"),
				failure("ids.recycled.capacity is 5 but must be from ids.recycled.series-size (10)",
						"Correct the value")
					.with("ids.strategy", "recycled")
					.withReported("ids.recycled.series-size", "10")
					.withReported("ids.recycled.capacity", "5"),
				failure("ids.recycled.series-per-instance is -2", "Correct the value").with("ids.strategy", "recycled")
					.withReported("ids.recycled.series-per-instance", "-2"),
				// values out of range or of another type
				failure("ids.block.size is -5 but must be at least 1", "Correct the value")
					.withReported("ids.block.size", "-5"),
				failure("ids.block.max-size is 5000000 but must be at least ids.block.size, which is 20000000",
						"Correct the value")
					.withReported("ids.block.size", "20000000"),
				failure("ids.block.wait-timeout is 2h but must be from 100ms to 1h", "Correct the value")
					.withReported("ids.block.wait-timeout", "2h"),
				failure("ids.health.low-remaining is 'some' but must be a percentage from 0% to 100%",
						"Correct the value.")
					.withReported("ids.health.low-remaining", "some"),
				failure("ids.block.wait-timeout is 5ms but must be from 100ms to 1h",
						"Correct the value. 5 without a unit means 5ms: write 5s if you mean seconds.")
					.withReported("ids.block.wait-timeout", "5"),
				failure("ids.block.wait-timeout is -5s but must be", "Correct the value")
					.withReported("ids.block.wait-timeout", "-5s"),
				failure("ids.generators.orders.block.wait-timeout is 30ms but must be",
						"30 without a unit means 30ms: write 30s")
					.withReported("ids.generators.orders.block.wait-timeout", "30"),
				failure("ids.block.outage-reserve is 25h but must be from 0s to 1d", "Correct the value")
					.withReported("ids.block.outage-reserve", "25h"),
				failure("ids.health.low-remaining is '0.1' but must be a percentage from 0% to 100%, such as 10%",
						"Correct the value. Write 0.1% if you mean a percentage.")
					.withReported("ids.health.low-remaining", "0.1"),
				failure("ids.health.low-remaining is '15' but must be a percentage from 0% to 100%, such as 10%, with",
						"Write 15% if you mean a percentage.")
					.withReported("ids.health.low-remaining", "15"),
				failure("ids.health.low-remaining is '110%' but must", "Correct the value")
					.withReported("ids.health.low-remaining", "110%"),
				failure("ids.health.low-horizon is -1d but must not be negative", "Correct the value")
					.withReported("ids.health.low-horizon", "-1d"),
				failure("ids.lease is 10ms but must be from 1s to 1d", "Correct the value")
					.with("ids.strategy", "snowflake")
					.withReported("ids.lease", "10ms"),
				failure("ids.lease is 30ms but must be from 1s to 1d", "30 without a unit means 30ms: write 30s")
					.with("ids.generators.orders.strategy", "snowflake")
					.withReported("ids.lease", "30"),
				failure("ids.lease is 'soon', which is not a duration", "Write a number and its unit without a space")
					.withReported("ids.lease", "soon"),
				failure("ids.block.wait-timeout is '5 seconds', which is not a duration",
						"Write a number and its unit without a space: 500ms, 5s")
					.withReported("ids.block.wait-timeout", "5 seconds"),
				failure("ids.block.size is '1k', which is not a whole number in the valid range",
						"Write a whole number in digits, without a unit.")
					.withReported("ids.block.size", "1k"),
				failure("ids.generators.orders.coprime.length is 'six', which is not a whole number in the valid range",
						"Write a whole number in digits")
					.withReported("ids.generators.orders.coprime.length", "six"),
				failure("ids.coprime.multiplier is 3.5 but must be a whole number", "Correct the value.")
					.withReported("ids.coprime.multiplier", "3.5"),
				failure("ids.node.id is '${POD_INDEX}', which is not a whole number",
						"Give the placeholder a value, or set the property to a literal value.")
					.with("ids.strategy", "snowflake")
					.with("ids.node.source", "fixed")
					.withReported("ids.node.id", "${POD_INDEX}"),
				failure("ids.decimal-uid.signed is 'sometimes', which is not true or false", "Write true or false.")
					.with("ids.strategy", "decimal-uid")
					.withReported("ids.decimal-uid.signed", "sometimes"),
				failure("ids.snowflake has a value, but is a group of properties",
						"Set the properties of this group, such as ids.snowflake.preset.")
					.with("ids.strategy", "snowflake")
					.withReported("ids.snowflake", "twitter"),
				failure("ids.columns has a value, but is a group of properties",
						"Set the properties of this group, such as ids.columns.watch.")
					.withReported("ids.columns", "true"),
				failure("ids.output is 'xml', which is not a known value", "Use one of text, json.")
					.withReported("ids.output", "xml"),
				failure("ids.generators.orders.strategy is 'coprim', which is not a known value",
						"Use one of coprime, sequential, recycled, gapless, snowflake, decimal-uid, composite.")
					.withReported("ids.generators.orders.strategy", "coprim"),
				// time
				failure("ids.snowflake.time-bits is 41 but adds up to 74 bits with ids.snowflake.node-bits (21) and",
						"Correct the value")
					.with("ids.strategy", "snowflake")
					.withReported("ids.snowflake.node-bits", "21"),
				failure("Reduce one or more of these settings by 11 in total", "Correct the value")
					.with("ids.strategy", "snowflake")
					.withReported("ids.snowflake.node-bits", "21"),
				failure("Id generator 'events' cannot create ids with ids.generators.events.snowflake.epoch="
						+ "1900-01-01T00:00:00Z and ids.generators.events.snowflake.time-bits",
						"If no ids exist yet, set a later epoch, or reserve more digits or bits for the time. If ids exist,"
								+ " set ids.generators.events.key-space")
					.with("ids.generators.events.strategy", "snowflake")
					.withReported("ids.generators.events.snowflake.epoch", "'1900-01-01T00:00:00Z'"),
				failure("ids.decimal-uid.random-digits, ids.generators.tickets.decimal-uid.node-digits: the last instant that"
						+ " ids can contain was 2013-12", "or reserve more digits or bits for the time")
					.with("ids.generators.tickets.strategy", "decimal-uid")
					.withReported("ids.decimal-uid.random-digits", "7"),
				failure("ids.snowflake.epoch is 2999-01-01T00:00:00Z but must not be in the future",
						"Correct the value")
					.with("ids.strategy", "snowflake")
					.withReported("ids.snowflake.epoch", "'2999-01-01T00:00:00Z'"),
				failure("ids.snowflake.epoch is '1704067200', which is not an instant", "Write date, time and offset")
					.with("ids.strategy", "snowflake")
					.withReported("ids.snowflake.epoch", "'1704067200'"),
				failure("ids.snowflake.epoch is '1704067200000', which is not an instant",
						"Write date, time and offset")
					.with("ids.strategy", "snowflake")
					.withReported("ids.snowflake.epoch", "1704067200000"),
				failure("ids.decimal-uid.epoch is '2024-01-01T00:00:00', which is not an instant",
						"Write date, time and offset, as in 2024-01-01T00:00:00Z")
					.withReported("ids.decimal-uid.epoch", "'2024-01-01T00:00:00'"),
				failure("ids.generators.orders.composite.epoch is 'yesterday', which is not an instant",
						"Write date, time and offset")
					.withReported("ids.generators.orders.composite.epoch", "yesterday"),
				failure("ids.composite.sequence-digits is 8 but adds up to 11 digits with ids.composite.prefix-digits"
						+ " (3)", "Correct the value")
					.with("ids.strategy", "composite")
					.withReported("ids.composite.sequence-digits", "8"),
				failure("ids.node.id is 1024, but the last node of the layout is 1023", "Use a number from 0 to 1023")
					.with("ids.strategy", "snowflake")
					.with("ids.node.source", "fixed")
					.withReported("ids.node.id", "1024"),
				failure("ids.node.source is fixed, but ids.node.id is not set",
						"Set ids.node.id to a number from 0 to 1023")
					.with("ids.strategy", "snowflake")
					.withReported("ids.node.source", "fixed"),
				failure("ids.generators.events.node.source is fixed, but ids.generators.events.node.id is not set",
						"Set ids.generators.events.node.id to a number from 0 to 1023")
					.with("ids.generators.events.strategy", "snowflake")
					.withReported("ids.generators.events.node.source", "fixed"),
				failure("ids.generators.events.node.id is 5, but ids.generators.events.node.source=lease selects",
						"set ids.generators.events.node.source=fixed as well")
					.with("ids.generators.events.strategy", "snowflake")
					.withReported("ids.generators.events.node.id", "5"),
				failure("the name of this host is 'web', which does not end in the ordinal of a StatefulSet's pod",
						"Anywhere else, use ids.node.source=lease.")
					.with("ids.strategy", "snowflake")
					.with("HOSTNAME", "web")
					.withReported("ids.node.source", "hostname"),
				failure("ids.clock.max-skew is 1ms but must be from 1s to 1d", "Correct the value")
					.with("ids.strategy", "snowflake")
					.withReported("ids.clock.max-skew", "1ms"),
				// stores
				failure("ids.node.source is lease, but ids.store is none", "or set ids.node.source=fixed")
					.with("ids.strategy", "snowflake")
					.withReported("ids.store", "none"),
				failure("ids.strategy is recycled, which needs a store, but ids.store is none",
						"Set ids.store to jdbc or redis")
					.withReported("ids.strategy", "recycled")
					.withReported("ids.store", "none"),
				failure("ids.generators.invoices.strategy is gapless, but there is no database whose transactions",
						"Use ids.store=jdbc with a DataSource")
					.withReported("ids.generators.invoices.strategy", "gapless")
					.withReported("ids.store", "memory"),
				failure("ids.jdbc.platform is 'foobase' but must be one of", "Correct the value")
					.with("ids.jdbc.initialize-schema", "never")
					.withReported("ids.jdbc.platform", "foobase"),
				failure("ids.jdbc.platform is 'postgres' but must be one of db2, derby, h2, hsqldb, mariadb",
						"Correct the value")
					.withReported("ids.jdbc.platform", "postgres"),
				failure("The tables of the id store cannot be created in this database, H2, with the script"
						+ " classpath:dev/idspring/jdbc/schema-mysql.sql",
						"to use the script for this database (classpath:dev/idspring/jdbc/schema-h2.sql)")
					.withReported("ids.jdbc.platform", "mysql")
					.withReported("ids.jdbc.initialize-schema", "always"),
				failure("classpath:nope.sql (ids.jdbc.schema), cannot be read", "Correct the location, or remove it")
					.withReported("ids.jdbc.schema", "classpath:nope.sql"),
				failure("ids.jdbc.table-prefix=app.ids_; ids.jdbc.schema and ids.jdbc.platform determine the script):"
						+ " there is no schema with this name",
						"Create schema 'app' if it does not exist, or grant the right to create tables")
					.withReported("ids.jdbc.table-prefix", "app.ids_")
					.withReported("ids.jdbc.initialize-schema", "always"),
				failure("ids.jdbc.initialize-schema is 'create'", "Use one of embedded, always, never")
					.withReported("ids.jdbc.initialize-schema", "create"),
				failure("ids.jdbc.table-prefix is 'x; drop' but must be up to 20 letters", "Correct the value")
					.withReported("ids.jdbc.table-prefix", "x; drop"));
	}

	@ParameterizedTest
	@FewInvocations(40)
	@MethodSource("failures")
	void wrongSettingIsReportedWithItsRemedyAndOrigin(Setup setup, CapturedOutput output) throws Exception {
		Path file = setup.write(this.directory);
		assertStartupFails(file, TestDatabase.h2(), Application.class);
		assertAnalysis(output, setup.problem(), setup.remedy());
		for (Setting setting : setup.reported()) {
			assertThat(description(output)).contains(setting.expectedText(file, setup.settings()));
		}
	}

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

	@ParameterizedTest
	@FewInvocations(2)
	@ValueSource(strings = { "embedded", "never", "platform", "shared" })
	void unreachableDatabaseIsReportedWithoutThePassword(String mode, CapturedOutput output) throws Exception {
		// no process uses this port
		String server = "localhost:1";
		String address = "jdbc:postgresql://" + server + "/links";
		Setup failure = settings().with("spring.datasource.hikari.connection-timeout", "250")
			.with("ids.block.wait-timeout", "2s")
			.with("ids.jdbc.connection", mode.equals("shared") ? "shared" : "dedicated");
		failure = mode.equals("platform") ? failure.with("ids.jdbc.platform", "postgresql")
				: failure.with("ids.jdbc.initialize-schema", mode.equals("embedded") ? "embedded" : "never");
		TestDatabase database = new TestDatabase(address + "?user=me&password=s3cret", "me", "s3cret", "postgresql");
		assertStartupFails(failure.write(this.directory), database, Application.class);
		assertAnalysis(output, "The address of the database comes from spring.datasource.url",
				mode.equals("shared") ? "" : "Start the server, or correct its host and port.");
		// with a shared pool, the message depends on whether the pool or the starter
		// times
		// out first; the starter waits for the wait timeout twice
		assertThat(description(output))
			.containsAnyOf(mode.equals("shared")
					? new String[] { "did not answer within 4000 ms", server + " refuses the connection" }
					: new String[] { server + " refuses the connection" })
			.contains(
					String.format("    Property: spring.datasource.url%n    Value: \"%s?***\"%n    Origin: ", address))
			.doesNotContain("s3cret", ".. The", "The driver rejects");
	}

	@Test
	void unknownHostIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = new TestDatabase("jdbc:mariadb://nonexistent.invalid:3306/links?password=s3cret", "me",
				"s3cret", "mysql");
		assertStartupFails(settings().with("ids.block.wait-timeout", "500ms").write(this.directory), database,
				Application.class);
		assertAnalysis(output, "the host of nonexistent.invalid:3306 is unknown",
				"Correct the host, or make sure that this machine can resolve its name (DNS).");
		assertThat(description(output)).contains("Property: spring.datasource.url").doesNotContain("s3cret");
	}

	@Test
	void unresponsiveServerIsReported(CapturedOutput output) throws Exception {
		try (ServerSocket silent = new ServerSocket(0)) {
			String server = "localhost:" + silent.getLocalPort();
			TestDatabase database = new TestDatabase(
					"jdbc:mysql://" + server + "/links?connectTimeout=300&socketTimeout=300", "me", "s3cret", "mysql");
			assertStartupFails(settings().with("ids.block.wait-timeout", "500ms").write(this.directory), database,
					Application.class);
			assertAnalysis(output, server + " did not answer in time", "that no firewall blocks the connection");
		}
	}

	@Test
	void exhaustedPoolIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.block.wait-timeout", "500ms")
			.with("ids.jdbc.connection", "shared")
			.with("ids.jdbc.initialize-schema", "never")
			.with("spring.datasource.hikari.connection-timeout", "250")
			.with("spring.datasource.hikari.maximum-pool-size", "1")
			.write(this.directory), TestDatabase.h2(), ExhaustedPool.class);
		assertAnalysis(output, "no connection became available within 250ms", "all connections may have been in use");
	}

	@Test
	void databaseFileLockedByAnotherProcessIsReported(CapturedOutput output) throws Exception {
		String url = "jdbc:h2:file:" + this.directory.resolve("links");
		// a separate class loader shares only the file with the application, like another
		// process
		URL[] jar = { org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation() };
		try (URLClassLoader otherProcess = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
			Driver driver = (Driver) otherProcess.loadClass(org.h2.Driver.class.getName())
				.getConstructor()
				.newInstance();
			try (Connection connection = driver.connect(url, new Properties())) {
				assertStartupFails(settings().with("ids.block.wait-timeout", "500ms").write(this.directory),
						new TestDatabase(url, "", "", "h2"), Application.class);
				assertThat(connection.isClosed()).isFalse();
			}
		}
		assertAnalysis(output, "another process has the file of the database open (SQLState 90020, code 90020)",
				"Stop the other process, which may be another instance of this application.");
		assertThat(output).contains("add ;AUTO_SERVER=TRUE to the URL in both, or run a database server")
			// the general advice about databases that cannot be reached
			.doesNotContain("neither a standby");
	}

	@Test
	void urlThatTheDriverRejectsIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = new TestDatabase("jdbc:postgres://localhost/shop", "me", "pw", "postgresql");
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), database,
				Application.class);
		assertAnalysis(output,
				"The driver rejects the address, or the pool rejects a setting."
						+ " The address of the database comes from spring.datasource.url",
				"Start the application with --debug to log the message of the driver.");
		assertThat(description(output)).contains("Value: \"jdbc:postgres://localhost/shop\"");
	}

	@Test
	void idsDataSourceWithoutAUrlIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				IdsDataSourceWithoutUrl.class);
		assertAnalysis(output, "This is the database of the DataSource that is marked with @IdsDataSource.",
				"the properties of that DataSource: for HikariCP, these are jdbc-url, username and password.");
	}

	@Test
	void severalIdsDataSourcesAreReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				SeveralIdsDataSources.class);
		assertAnalysis(output, "Several DataSource beans are marked with @IdsDataSource: [one, other].",
				"Mark only the one for the id store.");
	}

	@Test
	void severalCompositePrefixBeansAreReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "composite").write(this.directory), TestDatabase.h2(),
				SeveralPrefixes.class);
		assertAnalysis(output, "There are several CompositePrefix beans and none of them is primary: [region, tenant].",
				"Mark one of them with @Primary.");
	}

	@Test
	void gaplessNumberDrawnAtStartupIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "gapless").write(this.directory), TestDatabase.h2(),
				DrawingAtStartup.class);
		assertAnalysis(output, "Id generator 'default': No number can be drawn",
				"Draw the number in a transaction that is not read-only");
	}

	@Test
	void parametersOfTheUrlAreHidden(CapturedOutput output) throws Exception {
		TestDatabase database = new TestDatabase("jdbc:h2:mem:x;IFEXISTS=TRUE;CACHE_SIZE=s3cret", "sa", "", "h2");
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), database,
				Application.class);
		assertAnalysis(output, "Cannot connect to the database of the id store: there is no database with this name",
				"Create the database, or correct its name in the address.");
		assertThat(description(output)).contains("Value: \"jdbc:h2:mem:x;***\"").doesNotContain("s3cret");
	}

	@ParameterizedTest
	@EnumSource(value = Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void changedDefinitionIsReported(Kind kind, CapturedOutput output) throws Exception {
		TestDatabase database = kind.create();
		assertStartupSucceeds(settings().with("ids.coprime.length", "6").write(this.directory), database);
		Setup failure = failure(
				"Id generator 'default' cannot use its key space. Key space 'default' was created with"
						+ " length=6, offset=0, but the configuration has length=7, offset=9. ",
				"Restore the previous settings")
			.withReported("ids.coprime.length", "7")
			.withReported("ids.coprime.offset", "9");
		Path file = failure.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		for (Setting setting : failure.reported()) {
			assertThat(description(output)).contains(setting.expectedText(file, failure.settings()));
		}
	}

	@Test
	void keySpaceOfAnotherStrategyIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = TestDatabase.h2();
		assertStartupSucceeds(settings().with("ids.generators.orders.strategy", "recycled").write(this.directory),
				database);
		Setup failure = failure("Key space 'orders' was created with strategy=recycled, but the configuration has"
				+ " strategy=snowflake. ", "give the generator a new key space")
			.withReported("ids.generators.orders.strategy", "snowflake");
		Path file = failure.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		assertThat(description(output)).contains("Check ids.generators.orders.strategy.")
			.contains("The key space may also belong to another application that uses the same tables.")
			.contains(failure.reported().get(0).expectedText(file, failure.settings()));
	}

	@Test
	void keySpaceOfAnotherApplicationIsReported(CapturedOutput output) throws Exception {
		TestDatabase database = TestDatabase.h2();
		assertStartupSucceeds(settings().with("spring.application.name", "shop").write(this.directory), database);
		Path file = settings().with("spring.application.name", "billing")
			.with("ids.strategy", "sequential")
			.write(this.directory);
		assertStartupFails(file, database, Application.class);
		assertAnalysis(output, "The key space may also belong to another application that uses the same tables.",
				"If the key space belongs to another application, set ids.key-space to a name that only this"
						+ " application uses.");
	}

	@Test
	void missingDataSourceIsReported(CapturedOutput output) throws Exception {
		Setup failure = failure("there is neither a single DataSource bean nor a single KeySpaceStore bean",
				"Add spring-boot-starter-jdbc and a database driver and set spring.datasource.url")
			.withReported("ids.store", "jdbc");
		Path file = failure.write(this.directory);
		assertStartupFails(file, TestDatabase.h2(), WithoutDataSource.class);
		assertAnalysis(output, failure.problem(), failure.remedy());
		assertThat(description(output)).contains(failure.reported().get(0).expectedText(file, failure.settings()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "--ids.store=memory",
			"--ids.store=none --ids.strategy=snowflake --ids.node.source=fixed --ids.node.id=3" })
	void missingDriverIsReportedAsUnnecessaryWhenIdsNeedNoDatabase(String arguments, CapturedOutput output) {
		assertStartupFailsWithoutDrivers(Application.class, arguments);
		assertAnalysis(output, "Ids do not need a DataSource, because ids.store is " + arguments.split("[= ]")[1],
				"set spring.autoconfigure.exclude to " + DataSourceAutoConfiguration.class.getName());
	}

	@Test
	void missingDriverIsReportedAsUnnecessaryWhenTheStoreIsRedis(CapturedOutput output) {
		assertStartupFailsWithoutDrivers(ReplacedStore.class, "--ids.store=redis");
		assertAnalysis(output, "Failed to determine a suitable driver class",
				"exclude org.springframework.boot:spring-boot-starter-jdbc from the dependency on the starter of"
						+ " dev.idspring in pom.xml or build.gradle");
		assertThat(description(output)).contains("Ids do not need a DataSource, because ids.store is redis");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--ids.store=jdbc", "--ids.store=file" })
	void missingDriverIsNotReportedAsUnnecessaryForJdbcOrAnUnknownStore(String arguments, CapturedOutput output) {
		assertStartupFailsWithoutDrivers(Application.class, arguments);
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("Ids do not need a DataSource");
	}

	private static void assertStartupFailsWithoutDrivers(Class<?> configuration, String arguments) {
		ClassLoader withoutDrivers = new FilteredClassLoader("org.h2", "org.hsqldb", "org.apache.derby");
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(withoutDrivers), configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments.split(" ")).close());
	}

	@Test
	void routingDataSourceWithoutADefaultTargetIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				RoutingWithoutTarget.class);
		assertAnalysis(output,
				"the routing DataSource found no target: Cannot determine target DataSource for lookup key [null]",
				"Declare a DataSource for the tables of the id store, and mark it with @IdsDataSource.");
	}

	@Test
	void severalDataSourcesAreReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				SeveralDataSources.class);
		assertAnalysis(output, "There are several DataSource beans and none of them is primary: [one, other].",
				"Mark the one for the id store with @IdsDataSource, or mark one of them with @Primary");
	}

	@Test
	void unknownDatabaseIsReported(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.jdbc.initialize-schema", "never").write(this.directory),
				TestDatabase.h2(), UnknownDatabase.class);
		assertAnalysis(output, "The database 'Foobase' is not known to the id store",
				"set ids.jdbc.platform to one of");
	}

	@Test
	void reportsAnArgumentAsTheOrigin(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				Application.class, "--ids.block.size=0");
		assertThat(description(output)).contains("Property: ids.block.size")
			.contains("Value: \"0\"")
			.contains("Origin: \"ids.block.size\" from property source \"commandLineArgs\"");
	}

	static void assertAnalysis(CapturedOutput output, String problem, String remedy) {
		assertThat(description(output)).contains(problem);
		String action = output.toString().split("Action:", 2)[1];
		assertThat(action).contains(remedy);
		assertThat(action.strip()).matches("(?s)\\p{Lu}.*");
	}

	static String description(CapturedOutput output) {
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Description:").contains("Action:");
		String description = output.toString().split("Description:", 2)[1].split("Action:", 2)[0];
		FailureMessagesTests.verifyShape(description,
				output.toString().split("Action:", 2)[1].strip().split("\\R\\R", 2)[0].strip());
		return description;
	}

	private static void execute(TestDatabase database, String sql) throws Exception {
		try (HikariDataSource pool = database.pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	static void assertStartupSucceeds(Path file, TestDatabase database) {
		start(file, database, Application.class).close();
	}

	static void assertStartupFails(Path file, TestDatabase database, Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> start(file, database, application, arguments).close());
	}

	static ConfigurableApplicationContext start(Path file, TestDatabase database, Class<?> application,
			String... arguments) {
		List<String> allArguments = new ArrayList<>(List.of(arguments));
		allArguments.addAll(List.of("--spring.config.location=" + file.toUri(),
				"--spring.datasource.url=" + database.url(), "--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password()));
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "ids.jdbc.initialize-schema=always")
			.run(allArguments.toArray(String[]::new));
	}

	/**
	 * Return a setup without settings and without an expected failure.
	 */
	static Setup settings() {
		return failure("", "");
	}

	static Setup failure(String problem, String remedy) {
		return new Setup(problem, remedy, List.of(), List.of());
	}

	/**
	 * The settings in a configuration file, and the expected parts of the failure
	 * analysis.
	 *
	 * @param problem a part of the description
	 * @param remedy a part of the action
	 * @param settings the settings in the file, one per line
	 * @param reported the settings whose origin must be reported
	 */
	record Setup(String problem, String remedy, List<Setting> settings, List<Setting> reported) {

		Setup with(String property, String value) {
			return new Setup(this.problem, this.remedy, append(this.settings, new Setting(property, value)),
					this.reported);
		}

		Setup withReported(String property, String value) {
			Setting setting = new Setting(property, value);
			return new Setup(this.problem, this.remedy, append(this.settings, setting), append(this.reported, setting));
		}

		private static List<Setting> append(List<Setting> settings, Setting setting) {
			return Stream.concat(settings.stream(), Stream.of(setting)).toList();
		}

		Path write(Path directory) throws Exception {
			return Files.write(directory.resolve("application.yml"),
					this.settings.stream().map(Setting::line).toList());
		}

		@Override
		public String toString() {
			return this.problem;
		}

	}

	record Setting(String property, String value) {

		String line() {
			return "\"" + this.property + "\": " + this.value;
		}

		/**
		 * Return the expected text of the analysis about this setting.
		 */
		String expectedText(Path file, List<Setting> settings) {
			return String.format("    Property: %s%n    Value: \"%s\"%n    Origin: URL [file:%s] - %d:%d",
					this.property, this.value.replace("'", ""), file, settings.indexOf(this) + 1,
					this.property.length() + 5);
		}

	}

	/**
	 * Replaces the Redis store, as if a server were available.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ReplacedStore extends Application {

		@Bean
		InMemoryKeySpaceStore keySpaceStore() {
			return new InMemoryKeySpaceStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class WithoutDataSource {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class Application {

	}

	/**
	 * Routes by tenant, but there is no current tenant at startup.
	 */
	@Configuration(proxyBeanMethods = false)
	static class RoutingWithoutTarget extends Application {

		@Bean
		DataSource routing() {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected @Nullable Object determineCurrentLookupKey() {
					return null;
				}

			};
			routing.setTargetDataSources(Map.of("t1", TestDatabase.h2().pool(1)));
			return routing;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralDataSources extends Application {

		@Bean
		DataSource one() {
			return TestDatabase.h2().pool(1);
		}

		@Bean
		DataSource other() {
			return TestDatabase.h2().pool(1);
		}

	}

	/**
	 * The only connection is in use.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ExhaustedPool extends Application {

		@Bean
		static BeanPostProcessor exhausting() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (bean instanceof HikariDataSource pool) {
						assertThatNoException().isThrownBy(pool::getConnection);
					}
					return bean;
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class IdsDataSourceWithoutUrl extends Application {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		HikariDataSource forIds() {
			return new HikariDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralIdsDataSources extends Application {

		@Bean
		@IdsDataSource
		DataSource one() {
			return TestDatabase.h2().pool(1);
		}

		@Bean
		@IdsDataSource
		DataSource other() {
			return TestDatabase.h2().pool(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralPrefixes extends Application {

		@Bean
		CompositePrefix region() {
			return (generator) -> 1;
		}

		@Bean
		CompositePrefix tenant() {
			return (generator) -> 2;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DrawingAtStartup extends Application {

		@Bean
		InitializingBean drawing(IdGenerator numbers) {
			return numbers::nextLong;
		}

	}

	/**
	 * A database whose product name is unknown.
	 */
	@Configuration(proxyBeanMethods = false)
	static class UnknownDatabase extends Application {

		@Bean
		@Primary
		DataSource renamed() {
			return new DelegatingDataSource(
					new SimpleDriverDataSource(new org.h2.Driver(), TestDatabase.h2().url(), "sa", "")) {

				@Override
				public Connection getConnection() throws SQLException {
					Connection connection = super.getConnection();
					return proxy(Connection.class, connection, "getMetaData", proxy(DatabaseMetaData.class,
							connection.getMetaData(), "getDatabaseProductName", "Foobase"));
				}

			};
		}

		private static <T> T proxy(Class<T> type, T target, String method, Object answer) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, called,
					arguments) -> called.getName().equals(method) ? answer : called.invoke(target, arguments)));
		}

	}

}
