package dev.idspring.tools.command;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.tools.command.CommandLine.Result;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.time.SnowflakeSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests when the starter detects a restored backup of the store's tables: in a running
 * instance, and at startup if a verified column contains later ids.
 */
abstract class RestoredBackupTests {

	private static final List<String> TABLES = List.of("ids_key_space", "ids_slot", "ids_gapless");

	private static final String VERIFIED_COLUMN = "ids.verify-column=orders.id";

	private static final Pattern ADVICE = Pattern
		.compile("--ids\\.skip-ahead\\.by=<(\\d+) or more>(?: --ids\\.skip-ahead\\.series=<(\\d+) or more>)?");

	private final Kind kind;

	private Instances instances;

	private JdbcTemplate jdbc;

	RestoredBackupTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeEach
	void start() {
		this.instances = new Instances(this.kind.create());
		this.jdbc = this.instances.jdbc();
	}

	@AfterEach
	void close() {
		this.instances.close();
	}

	private void createTable(boolean textKeys) {
		String ascii = (this.kind == Kind.MARIADB) ? " character set ascii collate ascii_bin" : "";
		this.jdbc.execute("create table orders (id " + (textKeys ? "varchar(30)" + ascii : "bigint") + " primary key)");
	}

	private void backUp() {
		TABLES.forEach((table) -> this.jdbc.execute("create table backup_" + table + " as select * from " + table));
	}

	private void restore() {
		new TransactionTemplate(new JdbcTransactionManager(this.instances.dataSource()))
			.executeWithoutResult((status) -> TABLES.forEach((table) -> {
				this.jdbc.update("delete from " + table);
				this.jdbc.update("insert into " + table + " select * from backup_" + table);
			}));
	}

	private void insert(ConfigurableApplicationContext instance, boolean textKeys, int count) {
		IdGenerator ids = instance.getBean(IdGenerator.class);
		JdbcTemplate transactional = instance.getBean(JdbcTemplate.class);
		new TransactionTemplate(instance.getBean(JdbcTransactionManager.class)).executeWithoutResult((status) -> {
			List<Object[]> rows = ids.nextStrings(count)
				.stream()
				.map((text) -> new Object[] { textKeys ? text : (Object) ids.parse(text) })
				.toList();
			transactional.batchUpdate("insert into orders (id) values (?)", rows);
		});
	}

	private static String[] properties(String strategy, String... more) {
		return concat(new String[] { "ids.strategy=" + strategy, "ids.block.size=100", "ids.block.max-size=100",
				"ids.recycled.series-size=1000", "ids.recycled.capacity=1000000" }, more);
	}

	@ParameterizedTest
	@FewInvocations(2)
	@CsvSource({ "sequential,false", "sequential,true", "coprime,false", "coprime,true", "recycled,false",
			"recycled,true" })
	void restartedInstanceFailsUntilTheKeySpaceIsSkippedAhead(String strategy, boolean textKeys) {
		// only H2 runs every combination, because starting instances takes longer on a
		// server
		assumeThat(this.kind == Kind.H2 || textKeys == strategy.equals("coprime")).isTrue();
		createTable(textKeys);
		String[] properties = properties(strategy, VERIFIED_COLUMN);
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, textKeys, 300);
		}
		backUp();
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, textKeys, 2_500);
		}
		restore();
		FailureAnalysis analysis = startupFailure(properties);
		assertThat(analysis.getDescription())
			.startsWith("The store of key space 'orders' went backwards: it would continue at ordinal ")
			.contains("but orders.id (ids.verify-column) holds ",
					"--ids.command=skip-ahead --ids.skip-ahead.key-space=orders --ids.skip-ahead.by=<",
					"--ids.skip-ahead.confirm=true", "Property: ids.verify-column", "Value: \"orders.id\"");
		assertThat(this.jdbc.queryForObject("select next_ordinal from ids_key_space", Long.class))
			.as("a failed startup reserves nothing")
			.isEqualTo(this.jdbc.queryForObject("select next_ordinal from backup_ids_key_space", Long.class));
		Matcher advice = ADVICE.matcher(analysis.getDescription());
		assertThat(advice.find()).isTrue();
		assertThat(Long.parseLong(advice.group(1))).isBetween(strategy.equals("recycled") ? 700L : 2_500L, 10_000L);
		String series = (advice.group(2) != null) ? advice.group(2) : "0";
		Result skipped = CommandLine.run(this.instances, "skip-ahead", "ids.skip-ahead.key-space=orders",
				"ids.skip-ahead.by=" + advice.group(1), "ids.skip-ahead.series=" + series,
				"ids.skip-ahead.confirm=true");
		assertThat(skipped.exitCode()).as(skipped.out()).isZero();
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, textKeys, 3_000);
		}
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, textKeys, 100);
		}
		assertThat(this.jdbc.queryForObject("select count(*) from orders", Long.class)).isEqualTo(5_900);
	}

	@ParameterizedTest
	@FewInvocations(2)
	@ValueSource(strings = { "sequential", "coprime", "recycled", "gapless" })
	void restartedInstanceRepeatsIdsIfNoColumnIsVerified(String strategy) {
		createTable(false);
		String[] properties = properties(strategy);
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, false, 300);
		}
		backUp();
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, false, 300);
		}
		restore();
		ConfigurableApplicationContext instance = this.instances.start(properties);
		assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> insert(instance, false, 300));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void gaplessFailureStatesTheNextNumber(boolean textKeys) {
		createTable(textKeys);
		String[] properties = properties("gapless", VERIFIED_COLUMN);
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, textKeys, 300);
			backUp();
			insert(instance, textKeys, 300);
		}
		this.instances.start(properties).close();
		restore();
		assertThat(startupFailure(properties).getDescription()).contains(
				"it would continue at ordinal 300, but orders.id", "holds 600, the key of ordinal 599",
				"set next_value to 601 where name is 'orders' in the table of gapless sequences");
		this.jdbc.update("update ids_gapless set next_value = 601 where name = 'orders'");
		insert(this.instances.start(properties), textKeys, 300);
	}

	@Test
	void startupFailsIfTheKeySpaceIsMissingButRowsWithItsIdsExist() {
		createTable(false);
		String[] properties = properties("sequential", VERIFIED_COLUMN);
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, false, 300);
		}
		this.jdbc.update("delete from ids_key_space");
		assertThat(startupFailure(properties).getDescription()).contains("Key space 'orders' is new, but orders.id",
				"holds 300, the key of ordinal 299", "ids.sequential.start");
		assertThat(this.jdbc.queryForObject("select count(*) from ids_key_space", Long.class)).isZero();
		insert(this.instances.start(concat(properties, "ids.sequential.start=301")), false, 300);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sequential", "coprime", "recycled", "snowflake" })
	void runningInstanceFailsAfterTheRestore(String strategy) {
		ConfigurableApplicationContext instance = this.instances
			.start(properties(strategy, "ids.lease=1s", "ids.clock.max-ahead=100ms"));
		IdGenerator ids = instance.getBean(IdGenerator.class);
		ids.nextLongs(50);
		backUp();
		for (Map<String, Object> before = slots(); before.equals(slots());) {
			// the store must change after the backup; for snowflake, the store changes
			// when the instance reserves another window of time
			ids.nextLongs(500);
			if (!strategy.equals("snowflake")) {
				break;
			}
		}
		restore();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(1))
			.until(() -> catchThrowable(() -> ids.nextLongs(10)), KeySpaceRegressionException.class::isInstance);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("went backwards");
	}

	private Map<String, Object> slots() {
		return Map.of("slots", this.jdbc.queryForList("select next_position from ids_slot"));
	}

	@ParameterizedTest
	@FewInvocations(1)
	@ValueSource(booleans = { false, true })
	void startupFailsIfAnIdHasAFutureTimeThatWasNotReserved(boolean textKeys) {
		createTable(textKeys);
		String[] properties = properties("snowflake", VERIFIED_COLUMN, "ids.snowflake.format=base32");
		IdGenerator ids;
		try (ConfigurableApplicationContext instance = this.instances.start(properties)) {
			insert(instance, textKeys, 300);
			ids = instance.getBean(IdGenerator.class);
		}
		this.instances.start(properties).close();
		String greatest = this.jdbc.queryForObject("select max(id) from orders", String.class);
		long anHourLater = (textKeys ? ids.parse(greatest) : Long.parseLong(greatest)) + (3_600_000L << 22);
		IdDescription later = ids.describe(anHourLater);
		this.jdbc.update("insert into orders (id) values (?)", textKeys ? later.text() : (Object) anHourLater);
		assertThat(startupFailure(properties).getDescription())
			.startsWith("The store of key space 'orders' went backwards: node 0 has reserved times until ")
			.contains("but orders.id (ids.verify-column) holds " + later.text() + ", whose time is " + later.time(),
					"Do not run the command skip-ahead")
			.containsPattern("wait for 6\\dm so that");
		this.jdbc.update("update ids_slot set next_position = ?",
				Duration.between(SnowflakeSettings.Preset.STANDARD.settings().epoch(), later.time()).toMillis() + 1);
		// node 0 has now reserved the times up to that of the row, an hour from now, so
		// the instance takes another node
		assertThat(this.instances.start(properties).getBean(IdGenerator.class).nextLong()).isPositive();
	}

	private FailureAnalysis startupFailure(String... properties) {
		Throwable failure = catchThrowable(() -> this.instances.start(properties));
		assertThat(failure).hasRootCauseInstanceOf(KeySpaceRegressionException.class);
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, environment(properties)),
					(type, name, ignored) -> {
					})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

	private static StandardEnvironment environment(String... properties) {
		StandardEnvironment environment = new StandardEnvironment();
		TestPropertyValues.of(properties).applyTo(environment, TestPropertyValues.Type.MAP);
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	private static String[] concat(String[] some, String... more) {
		return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
	}

}
