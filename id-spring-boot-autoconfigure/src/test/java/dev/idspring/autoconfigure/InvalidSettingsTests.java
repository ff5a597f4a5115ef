package dev.idspring.autoconfigure;

import java.nio.file.Path;
import java.util.stream.Stream;

import dev.idspring.autoconfigure.StartupFailures.Application;
import dev.idspring.autoconfigure.StartupFailures.Setting;
import dev.idspring.autoconfigure.StartupFailures.Setup;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.idspring.autoconfigure.StartupFailures.assertAnalysis;
import static dev.idspring.autoconfigure.StartupFailures.assertStartupFails;
import static dev.idspring.autoconfigure.StartupFailures.description;
import static dev.idspring.autoconfigure.StartupFailures.failure;
import static dev.idspring.autoconfigure.StartupFailures.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the failure analysis of invalid settings: it reports the setting, its origin and
 * the remedy.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidSettingsTests {

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

	@Test
	void reportsAnArgumentAsTheOrigin(CapturedOutput output) throws Exception {
		assertStartupFails(settings().with("ids.strategy", "coprime").write(this.directory), TestDatabase.h2(),
				Application.class, "--ids.block.size=0");
		assertThat(description(output)).contains("Property: ids.block.size")
			.contains("Value: \"0\"")
			.contains("Origin: \"ids.block.size\" from property source \"commandLineArgs\"");
	}

}
