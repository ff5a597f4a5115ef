package dev.idspring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests generators without a fence whose DataSource sends plain reads to a replica that
 * lags behind. Locking reads and updates go to the primary.
 */
class StaleReadTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL,sequential", "POSTGRESQL,recycled", "MARIADB,sequential", "MARIADB,recycled" })
	void generatorContinuesAfterAStaleRead(Kind kind, String strategy) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(2)) {
			SplittingDataSource dataSource = new SplittingDataSource(pool);
			JdbcDatabase ids = initialize(dataSource, database);
			try (ManagedIdGenerator generator = open(strategy, ids)) {
				generator.nextLongs(35);
				dataSource.splitReads();
				assertThat(generator.nextLongs(200)).doesNotHaveDuplicates();
				generator.refresh(TIMEOUT).join();
				assertThat(generator.nextLongs(200)).doesNotHaveDuplicates();
				assertThat(generator.snapshot().status()).isNotEqualTo(GeneratorStatus.DOWN);
			}
			if (strategy.equals("recycled")) {
				JdbcSlotStore slots = new JdbcSlotStore(ids);
				assertThat(slots.read("orders", 10, TestStores.deadline()))
					.as("monitoring locks no row, so a replica may answer")
					.isEmpty();
				assertThat(slots.readCurrent("orders", 10, TestStores.deadline())).isPresent();
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL,sequential", "POSTGRESQL,recycled", "MARIADB,sequential", "MARIADB,recycled" })
	@FewInvocations(2)
	void generatorOpensIfAReplicaLacksItsKeySpace(Kind kind, String strategy) {
		TestDatabase database = kind.create();
		try (HikariDataSource pool = database.pool(2)) {
			SplittingDataSource dataSource = new SplittingDataSource(pool);
			JdbcDatabase ids = initialize(dataSource, database);
			dataSource.splitReads();
			try (ManagedIdGenerator generator = open(strategy, ids)) {
				assertThat(generator.nextLongs(200)).doesNotHaveDuplicates();
			}
		}
	}

	private static JdbcDatabase initialize(DataSource dataSource, TestDatabase database) {
		TestStores.initialize(dataSource, database, "ids_");
		return JdbcDatabase.open(dataSource, TestStores.settings(0, FailoverFence.DEFAULT_LAG), TestStores.deadline());
	}

	private static ManagedIdGenerator open(String strategy, JdbcDatabase ids) {
		JdbcKeySpaceStore store = new JdbcKeySpaceStore(ids);
		BlockIdGenerator.Builder builder = strategy.equals("recycled")
				? BlockIdGenerator.recycled("orders", new RecycledSettings(20, 1_000_000),
						new SeriesSettings(1, Duration.ofMinutes(1)), store, new JdbcSlotStore(ids))
				: BlockIdGenerator.sequential("orders", new SequentialSettings(1, 1_000_000), store);
		return builder.blockSettings(new BlockSettings(10, 10, TIMEOUT, Duration.ZERO)).open();
	}

	/**
	 * Sends plain reads to copies of the tables, which never change.
	 */
	private static final class SplittingDataSource extends DelegatingDataSource {

		private static final Pattern PLAIN_READ = Pattern
			.compile("(?is)select (?!.*\\b(for update|update|insert)\\b).* from ids_(key_space|slot) .*");

		private volatile boolean splitsReads;

		SplittingDataSource(DataSource target) {
			super(target);
		}

		void splitReads() {
			TestDatabase.execute(this, "create table stale_key_space as select * from ids_key_space",
					"create table stale_slot as select * from ids_slot");
			this.splitsReads = true;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("prepareStatement")) {
							String sql = (String) arguments[0];
							arguments[0] = (this.splitsReads && PLAIN_READ.matcher(sql).matches())
									? sql.replaceAll("\\bids_(key_space|slot)\\b", "stale_$1") : sql;
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
