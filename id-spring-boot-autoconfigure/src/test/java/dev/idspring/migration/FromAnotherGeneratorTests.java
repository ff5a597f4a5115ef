package dev.idspring.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledOptimizer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.incrementer.H2SequenceMaxValueIncrementer;
import org.springframework.jdbc.support.incrementer.MariaDBSequenceMaxValueIncrementer;
import org.springframework.jdbc.support.incrementer.MySQLMaxValueIncrementer;
import org.springframework.jdbc.support.incrementer.PostgresSequenceMaxValueIncrementer;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests the documented migration from another generator's table or sequence. The stored
 * value of the other generator is set far ahead, and the new generator uses the range
 * that the other generator skips. Old and new instances can run at the same time.
 */
abstract class FromAnotherGeneratorTests {

	private static final long START = 1_000_000;

	private static final long MOVED_TO = 1_000_000_000_000L;

	private static final long END = 999_999_000_000L;

	private final Kind kind;

	private Instances instances;

	FromAnotherGeneratorTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeEach
	void open() {
		this.instances = new Instances(this.kind.create());
	}

	@AfterEach
	void close() {
		this.instances.close();
	}

	/**
	 * The other generators.
	 */
	enum OtherGenerator {

		/**
		 * The next range that an instance requests ends one number above the stored
		 * value. The test uses the pooled optimizer, which is Hibernate's default.
		 */
		HIBERNATE("create table hibernate_sequences (sequence_name varchar(255) primary key, next_val bigint)",
				"insert into hibernate_sequences values ('orders', 0)",
				"update hibernate_sequences set next_val = 1000000000000 where sequence_name = 'orders' and next_val < 999000") {

			@Override
			LongSupplier open(DataSource dataSource, Kind kind) {
				LongSupplier stored = counter(dataSource,
						"select next_val from hibernate_sequences where sequence_name = 'orders'",
						"update hibernate_sequences set next_val = next_val + 50 where sequence_name = 'orders'");
				PooledOptimizer optimizer = new PooledOptimizer(Long.class, 50);
				AccessCallback table = new AccessCallback() {

					@Override
					public IntegralDataTypeHolder getNextValue() {
						long before = stored.getAsLong() - 50;
						return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class).initialize(before + 1);
					}

					@Override
					public String getTenantIdentifier() {
						return null;
					}

				};
				return () -> (Long) optimizer.generate(table);
			}

		},

		/**
		 * The stored value is the first id that is not allocated yet.
		 */
		LEAF("create table leaf_alloc (biz_tag varchar(128) primary key, max_id bigint, step int)",
				"insert into leaf_alloc values ('orders', 1, 100)",
				"update leaf_alloc set max_id = 1000000000000 where biz_tag = 'orders' and max_id < 999000") {

			@Override
			LongSupplier open(DataSource dataSource, Kind kind) {
				return blocks(counter(dataSource, "select max_id from leaf_alloc where biz_tag = 'orders'",
						"update leaf_alloc set max_id = max_id + step where biz_tag = 'orders'"), -100);
			}

		},

		/**
		 * The stored value is the highest id that was allocated. Instances of TinyId
		 * allocate a block by optimistic locking on the version. This test locks the row
		 * instead.
		 */
		TINYID("create table tiny_id_info (biz_type varchar(63) primary key, max_id bigint, step int, version bigint)",
				"insert into tiny_id_info values ('orders', 0, 100, 1)",
				"update tiny_id_info set max_id = 1000000000000, version = version + 1 where biz_type = 'orders'"
						+ " and max_id < 999000") {

			@Override
			LongSupplier open(DataSource dataSource, Kind kind) {
				return blocks(counter(dataSource, "select max_id from tiny_id_info where biz_type = 'orders'",
						"update tiny_id_info set max_id = max_id + step, version = version + 1 where biz_type = 'orders'"),
						-99);
			}

		},

		SPRING("create table orders_seq (value bigint not null)", "insert into orders_seq values (0)",
				"update orders_seq set value = 1000000000000 where value < 999000") {

			@Override
			LongSupplier open(DataSource dataSource, Kind kind) {
				MySQLMaxValueIncrementer incrementer = new MySQLMaxValueIncrementer(dataSource, "orders_seq", "value");
				incrementer.setCacheSize(20);
				incrementer.setUseNewConnection(true);
				return incrementer::nextLongValue;
			}

			@Override
			boolean runsOn(Kind kind) {
				return kind == Kind.MARIADB;
			}

		},

		SEQUENCE("create sequence orders_seq start with 1 increment by 1", null,
				"alter sequence orders_seq restart with 1000000000000") {

			@Override
			LongSupplier open(DataSource dataSource, Kind kind) {
				return switch (kind) {
					case H2 -> new H2SequenceMaxValueIncrementer(dataSource, "orders_seq")::nextLongValue;
					case POSTGRESQL -> new PostgresSequenceMaxValueIncrementer(dataSource, "orders_seq")::nextLongValue;
					default -> new MariaDBSequenceMaxValueIncrementer(dataSource, "orders_seq")::nextLongValue;
				};
			}

		};

		private final String createSql;

		private final String fillSql;

		private final String moveSql;

		OtherGenerator(String createSql, String fillSql, String moveSql) {
			this.createSql = createSql;
			this.fillSql = fillSql;
			this.moveSql = moveSql;
		}

		/**
		 * Open the generator as an additional instance would.
		 */
		abstract LongSupplier open(DataSource dataSource, Kind kind);

		boolean runsOn(Kind kind) {
			return true;
		}

		/**
		 * Return a supplier that advances a stored value in a transaction, and returns
		 * the value after the update. The update locks the row.
		 */
		private static LongSupplier counter(DataSource dataSource, String select, String update) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
			return () -> transaction.execute((status) -> {
				jdbc.update(update);
				return jdbc.queryForObject(select, Long.class);
			});
		}

		/**
		 * Return a supplier that issues a block of 100 numbers for each stored value.
		 * @param first the first number of a block, relative to the stored value
		 */
		private static LongSupplier blocks(LongSupplier stored, int first) {
			long[] block = new long[2];
			return () -> {
				if (block[0] == block[1]) {
					block[0] = stored.getAsLong() + first;
					block[1] = block[0] + 100;
				}
				return block[0]++;
			};
		}

	}

	@ParameterizedTest
	@EnumSource
	@FewInvocations(2)
	void otherGeneratorSkipsTheRangeReservedForTheNewOne(OtherGenerator other) {
		assumeThat(other.runsOn(this.kind)).isTrue();
		assertThat(Documentation.page("migration")).contains(other.moveSql, "`sequential.start: " + START + "`",
				"`sequential.end: " + END + "`");
		JdbcTemplate jdbc = this.instances.jdbc();
		jdbc.execute(other.createSql);
		if (other.fillSql != null) {
			jdbc.execute(other.fillSql);
		}
		LongSupplier firstOld = other.open(this.instances.dataSource(), this.kind);
		LongSupplier secondOld = other.open(this.instances.dataSource(), this.kind);
		List<Long> ids = new ArrayList<>();
		ids.addAll(draw(firstOld, 1_234));
		ids.addAll(draw(secondOld, 7));
		assertThat(ids).as("ids of an old instance").startsWith(1L, 2L);
		jdbc.execute(other.moveSql);
		String[] properties = { "ids.strategy=sequential", "ids.sequential.start=" + START, "ids.sequential.end=" + END,
				"ids.block.wait-timeout=60s" };
		IdGenerator firstNew = this.instances.generator(properties);
		IdGenerator secondNew = this.instances.generator(properties);
		LongSupplier oldStartedAfterMove = other.open(this.instances.dataSource(), this.kind);
		Instances
			.sideBySide(() -> draw(firstOld, 500), () -> draw(secondOld, 500), () -> draw(oldStartedAfterMove, 500),
					() -> draw(firstNew::nextLong, 5_000), () -> draw(secondNew::nextLong, 5_000))
			.forEach(ids::addAll);
		assertThat(ids).hasSize(12_741).doesNotHaveDuplicates();
		assertThat(ids).filteredOn((id) -> id >= START && id <= END).hasSize(10_000).contains(START);
		// ids that old instances had in memory, and ids that they allocated after the
		// stored value was set ahead
		assertThat(ids).filteredOn((id) -> id < START || id > END)
			.allMatch((id) -> id < 2_000 || id > MOVED_TO - 1_000);
		assertThat(ids).filteredOn((id) -> id > MOVED_TO - 1_000).hasSizeGreaterThan(1_000);
	}

	private static List<Long> draw(LongSupplier generator, int count) {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			ids.add(generator.getAsLong());
		}
		return ids;
	}

}
