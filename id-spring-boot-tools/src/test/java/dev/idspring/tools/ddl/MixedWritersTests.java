package dev.idspring.tools.ddl;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.NodeUnavailableException;
import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that instances of an application, and SQL that gets its ids from a function of
 * the database, can insert rows into the same table without conflicts.
 */
@Tag("mysql")
abstract class MixedWritersTests {

	private static final String[] SNOWFLAKE = { "ids.strategy=snowflake" };

	/** A layout with only two nodes. */
	private static final String[] TWO_NODES = { "ids.strategy=snowflake", "ids.snowflake.node-bits=1", "ids.lease=6s" };

	private final Kind kind;

	private TestDatabase testDatabase;

	private Instances instances;

	private JdbcTemplate jdbc;

	MixedWritersTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeEach
	void start() {
		this.testDatabase = this.kind.create();
		this.instances = new Instances(this.testDatabase);
		this.jdbc = this.instances.jdbc();
	}

	@AfterEach
	void close() {
		this.instances.close();
	}

	private IdDdl ddl(SnowflakeSettings settings, long node) {
		return ddl(settings, node, "next_id");
	}

	private IdDdl ddl(SnowflakeSettings settings, long node, String function) {
		TimeFunction time = new TimeFunction(settings.scheme(), node, Duration.ofSeconds(1), Duration.ofSeconds(5));
		DdlTarget target = new DdlTarget(platform(), null, function);
		return IdDdl.on(target).withFunction(time).withReservation("ids_", "orders", node);
	}

	private DdlPlatform platform() {
		return DdlPlatform.valueOf(this.testDatabase.platform().toUpperCase(Locale.ROOT));
	}

	private void create(IdDdl ddl) {
		ddl.statements().forEach(this.jdbc::execute);
	}

	private static SnowflakeSettings twoNodes() {
		SnowflakeSettings standard = Preset.STANDARD.settings();
		return new SnowflakeSettings(standard.epoch(), standard.timeBits(), 1, standard.tailBits(), standard.tail());
	}

	@Test
	void instancesAndDatabaseInsertConcurrentlyWithoutDuplicates() {
		IdGenerator first = this.instances.generator(SNOWFLAKE);
		IdGenerator second = this.instances.generator(SNOWFLAKE);
		create(ddl(Preset.STANDARD.settings(), 1023));
		boolean postgresql = this.testDatabase.platform().equals("postgresql");
		this.jdbc.execute("create table orders (id bigint " + (postgresql ? "default public.next_id()" : "default 0")
				+ " primary key, name varchar(20))");
		if (!postgresql) {
			this.jdbc.execute("create trigger orders_id before insert on orders for each row"
					+ " set new.id = if(new.id = 0, next_id(), new.id)");
		}
		int rows = 1_000;
		Instances.sideBySide(() -> insertByJava(first, rows), () -> insertByJava(second, rows), () -> insertBySql(rows),
				() -> insertBySql(rows), () -> insertBySql(rows), () -> insertByOneStatement(rows));
		Map<Long, Long> nodes = this.jdbc.queryForList("select id from orders", Long.class)
			.stream()
			.collect(Collectors.groupingBy((id) -> first.describe(id).node(), Collectors.counting()));
		assertThat(nodes).isEqualTo(Map.of(0L, (long) rows, 1L, (long) rows, 1023L, 4L * rows));
	}

	private int insertByJava(IdGenerator ids, int rows) {
		for (int i = 0; i < rows; i++) {
			this.jdbc.update("insert into orders (id, name) values (?, 'java')", ids.nextLong());
		}
		return rows;
	}

	private int insertBySql(int rows) throws Exception {
		try (HikariDataSource pool = this.testDatabase.pool(1);
				Connection connection = pool.getConnection();
				PreparedStatement insert = connection.prepareStatement("insert into orders (name) values ('sql')")) {
			for (int i = 0; i < rows; i++) {
				insert.executeUpdate();
			}
		}
		return rows;
	}

	private int insertByOneStatement(int rows) {
		return this.jdbc.update("insert into orders (name) select 'sql' from " + DatabaseIds.rows(platform(), rows));
	}

	@Test
	void instancesSkipTheNodeOfTheDatabase() {
		IdGenerator first = this.instances.generator(TWO_NODES);
		create(ddl(twoNodes(), 1));
		assertThat(first.describe(first.nextLong()).node()).isZero();
		assertThatException().isThrownBy(() -> this.instances.start(TWO_NODES))
			.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
				.isInstanceOf(NodeUnavailableException.class)
				.hasMessageContaining(" is free: node 0 is owned by "));
		assertThatException()
			.isThrownBy(() -> this.instances.start("ids.strategy=snowflake", "ids.snowflake.node-bits=1",
					"ids.lease=3s", "ids.node.source=fixed", "ids.node.id=1"))
			.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
				.isInstanceOf(NodeUnavailableException.class)
				.hasMessageContaining("in use by database"));
	}

	@Test
	void databaseCanReserveTheFirstNodeBeforeAnyInstance() {
		ConfigurableApplicationContext tables = this.instances.start("ids.strategy=sequential", "ids.key-space=others");
		tables.close();
		create(ddl(twoNodes(), 0));
		IdGenerator first = this.instances.generator(TWO_NODES);
		assertThat(first.describe(first.nextLong()).node()).isEqualTo(1);
	}

	/**
	 * Instances do not claim the database's node, even after a fail-over or another
	 * change has ended its lease.
	 */
	@Test
	void instancesNeverTakeOverTheNodeOfTheDatabase() {
		this.instances.start(TWO_NODES).close();
		create(ddl(twoNodes(), 1));
		this.jdbc.update("update ids_slot set lease_until = 0, owner = 'fail-over' where slot = 1");
		IdGenerator first = this.instances.generator(TWO_NODES);
		assertThat(first.describe(first.nextLong()).node()).isZero();
		assertThatException().isThrownBy(() -> this.instances.start(TWO_NODES))
			.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
				.isInstanceOf(NodeUnavailableException.class));
	}

	/**
	 * The database keeps its node after any number of fail-overs, so the script that
	 * reserves the node can run again.
	 */
	@Test
	void databaseKeepsItsNodeAfterFailovers() {
		this.instances.start(TWO_NODES).close();
		create(ddl(twoNodes(), 1));
		for (int i = 0; i < 2; i++) {
			this.jdbc.update("update ids_key_space set incarnation = 'lost'");
			// after the fail-over, the instance updates the key space, and is then
			// rejected
			assertThatException().isThrownBy(() -> this.instances.start(TWO_NODES))
				.withStackTraceContaining("After a fail-over of the database, no instance can claim a node");
			assertThat(this.jdbc.queryForObject("select incarnation from ids_key_space", String.class))
				.isNotEqualTo("lost");
			// end all waiting times, and all leases except the lease of the database
			this.jdbc.update("update ids_key_space set fenced_until = 1");
			this.jdbc
				.update("update ids_slot set lease_until = 1, next_position = 1 where lease_until < " + Long.MAX_VALUE);
		}
		assertThat(failsInTheClient(ddl(twoNodes(), 1))).isFalse();
		IdGenerator first = this.instances.generator(TWO_NODES);
		assertThat(first.describe(first.nextLong()).node()).isZero();
		assertThatException().isThrownBy(() -> this.instances.start(TWO_NODES))
			.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
				.isInstanceOf(NodeUnavailableException.class));
	}

	/**
	 * Run a script as the database's client does. PostgreSQL's client continues after a
	 * statement that fails.
	 * @return whether a statement failed
	 */
	private boolean failsInTheClient(IdDdl ddl) {
		boolean failed = false;
		for (String statement : ddl.statements()) {
			try {
				this.jdbc.execute(statement);
			}
			catch (DuplicateKeyException ex) {
				failed = true;
				if (!this.testDatabase.platform().equals("postgresql")) {
					return true;
				}
			}
		}
		return failed;
	}

	private List<String> functions() {
		return this.jdbc.queryForList(
				"select routine_name from information_schema.routines where routine_name like 'next%'"
						+ " and routine_schema = "
						+ (this.testDatabase.platform().equals("postgresql") ? "'public'" : "database()"),
				String.class);
	}

	@Test
	void databaseCannotReserveTheNodeOfAnInstance() {
		IdGenerator instance = this.instances.generator(SNOWFLAKE);
		assertThat(failsInTheClient(ddl(Preset.STANDARD.settings(), 0))).isTrue();
		assertThat(functions()).isEmpty();
		assertThat(failsInTheClient(ddl(Preset.STANDARD.settings(), 1023))).isFalse();
		assertThat(functions()).contains("next_id");
		assertThat(failsInTheClient(ddl(Preset.STANDARD.settings(), 0))).isTrue();
		Long id = this.jdbc.queryForObject("select next_id()", Long.class);
		assertThat(instance.describe(id).node()).isEqualTo(1023);
	}

	@Test
	void scriptCanRunAgainButNotForAnotherFunctionOrLayout() {
		IdGenerator instance = this.instances.generator(SNOWFLAKE);
		create(ddl(Preset.STANDARD.settings(), 1023));
		Long first = this.jdbc.queryForObject("select next_id()", Long.class);
		create(ddl(Preset.STANDARD.settings(), 1023));
		assertThat(this.jdbc.queryForObject("select next_id()", Long.class)).isGreaterThan(first);
		assertThat(failsInTheClient(ddl(Preset.STANDARD.settings(), 1023, "next_event_id"))).isTrue();
		assertThat(functions()).doesNotContain("next_event_id");
		SnowflakeSettings standard = Preset.STANDARD.settings();
		SnowflakeSettings other = new SnowflakeSettings(standard.epoch(), standard.timeBits(), standard.nodeBits() + 1,
				standard.tailBits() - 1, standard.tail());
		assertThat(failsInTheClient(ddl(other, 1023))).isTrue();
		SnowflakeSettings scattered = new SnowflakeSettings(standard.epoch(), standard.timeBits(), standard.nodeBits(),
				standard.tailBits(), Tail.RANDOM);
		assertThat(failsInTheClient(ddl(scattered, 1023))).isTrue();
		Long id = this.jdbc.queryForObject("select next_id()", Long.class);
		assertThat(instance.describe(id).node()).isEqualTo(1023);
	}

}
