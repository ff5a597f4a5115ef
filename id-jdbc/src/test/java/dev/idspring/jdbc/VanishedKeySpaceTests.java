package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.time.TimeScheme;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that generators that lease a slot (recycled and time-based ones) stop when the
 * row of their key space is deleted, and that the message tells how to continue.
 */
abstract class VanishedKeySpaceTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration WAIT = Duration.ofSeconds(10);

	private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

	private final Kind kind;

	private HikariDataSource pool;

	private FaultyDataSource dataSource;

	private JdbcDatabase ids;

	VanishedKeySpaceTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeEach
	void createTables() {
		TestDatabase database = this.kind.create();
		this.pool = database.pool(2);
		this.dataSource = new FaultyDataSource(this.pool);
		TestStores.initialize(this.pool, database, "ids_");
		this.ids = TestStores.database(this.dataSource, "ids_");
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "recycled", "snowflake", "decimal-uid", "composite" })
	@FewInvocations(2)
	void generatorStopsWhenItsKeySpaceIsDeleted(String strategy) {
		try (ManagedIdGenerator generator = open(strategy)) {
			generator.nextLong();
			TestDatabase.execute(this.pool, "delete from ids_key_space");
			this.dataSource.begin((index, call) -> Outcome.SUCCEEDS);
			KeySpaceRegressionException thrown = Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> failure(generator), (failure) -> failure != null);
			assertThat(thrown).hasMessageContaining("key space 'orders' has vanished")
				.message()
				.containsSubsequence("Stop all instances. Start one that gets no requests",
						strategy.equals("recycled") ? "--ids.command=skip-ahead" : "wait");
			assertThat(generator.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
			assertThat(this.dataSource.calls().stream().filter("getConnection"::equals)).hasSizeLessThan(40);
		}
	}

	@Test
	void messageSaysToCreateTheCounterAgainBeforeLostIdsAreSkipped() {
		JdbcKeySpaceStore store = new JdbcKeySpaceStore(this.ids);
		store.create("orders", "definition", 1_000, TestStores.deadline());
		store.reserve("orders", 10, 1_000, TestStores.deadline());
		TestDatabase.execute(this.pool, "delete from ids_key_space");
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> store.reserve("orders", 10, 1_000, TestStores.deadline()))
			.satisfies((ex) -> assertThat(ex.getMessage()).containsSubsequence("Stop all instances. Start one that",
					"and stop it", "--ids.command=skip-ahead", "restart all instances"));
	}

	private static @Nullable KeySpaceRegressionException failure(ManagedIdGenerator generator) {
		try {
			generator.nextLongs(5);
			return null;
		}
		catch (KeySpaceRegressionException ex) {
			return ex;
		}
	}

	private ManagedIdGenerator open(String strategy) {
		return switch (strategy) {
			case "recycled" -> BlockIdGenerator
				.recycled("orders", new RecycledSettings(1_000, 1_000_000), new SeriesSettings(1, LEASE),
						new JdbcKeySpaceStore(this.ids), new JdbcSlotStore(this.ids))
				.blockSettings(new BlockSettings(10, 10, WAIT, Duration.ZERO))
				.open();
			case "snowflake" -> open(new SnowflakeSettings(EPOCH, 41, 5, 5, Tail.ROLLING).scheme());
			case "decimal-uid" -> open(new DecimalUidSettings(EPOCH, 6, 1, true).scheme());
			default -> open(new CompositeSettings(EPOCH, false, 3, 3).scheme());
		};
	}

	private TimeIdGenerator open(TimeScheme scheme) {
		return TimeIdGenerator.builder("orders", scheme)
			.store(new JdbcKeySpaceStore(this.ids), new JdbcSlotStore(this.ids))
			.node(NodeSettings.lease(LEASE))
			.waitTimeout(WAIT)
			.open();
	}

}
