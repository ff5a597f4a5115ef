package dev.idspring.benchmarks.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * CosId's chain of segments, with default settings except for the step.
 *
 * @param step the number of ids per segment
 */
public record CosIdContestant(int step) implements Contestant {

	static final String CHAIN = "CosId chain";

	/** The statement that creates the table of the segments. */
	public static final String CREATE_TABLE = "create table if not exists cosid (name varchar(100) not null primary key,"
			+ " last_max_id bigint not null, last_fetch_time bigint not null)";

	/**
	 * Return a distributor of segments.
	 * @param name the name of the counter
	 * @param step the number of ids per segment
	 * @param dataSource the database
	 */
	public static IdSegmentDistributor distributor(String name, int step, DataSource dataSource) {
		return new Distributor(name, step, dataSource);
	}

	@Override
	public String name() {
		return CHAIN + ", step %,d".formatted(this.step);
	}

	@Override
	public Source open(Network network, String keySpace) {
		JdbcTemplate jdbc = network.direct();
		jdbc.execute(CREATE_TABLE);
		Distributor distributor = new Distributor(keySpace, this.step, network.pool());
		jdbc.update("insert into cosid values (?, 0, 0)", distributor.getNamespacedName());
		return new Chain(jdbc, distributor);
	}

	private static final class Chain implements Source {

		private final PrefetchWorkerExecutorService prefetching = new PrefetchWorkerExecutorService(
				PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD, 1, false);

		private final JdbcTemplate jdbc;

		private final Distributor distributor;

		private @Nullable SegmentChainId chain;

		Chain(JdbcTemplate jdbc, Distributor distributor) {
			this.jdbc = jdbc;
			this.distributor = distributor;
		}

		@Override
		public LongSupplier idSupplier() {
			SegmentChainId chain = this.chain;
			if (chain == null) {
				chain = new SegmentChainId(Long.MAX_VALUE, SegmentChainId.DEFAULT_SAFE_DISTANCE, this.distributor,
						this.prefetching);
				this.chain = chain;
			}
			return chain::generate;
		}

		@Override
		public long reserved() {
			Long reserved = this.jdbc.queryForObject("select last_max_id from cosid where name = ?", Long.class,
					this.distributor.getNamespacedName());
			return (reserved != null) ? reserved : 0;
		}

		@Override
		public void close() {
			this.prefetching.shutdown();
		}

	}

	/**
	 * Gets segments from a table in the same way as CosId's JDBC module: it increments a
	 * counter in a table row, reads the counter, and commits. The module itself is not
	 * used, because the build cannot resolve it.
	 */
	private record Distributor(String name, int step, DataSource dataSource) implements IdSegmentDistributor {

		private static final String ADD = "update cosid set last_max_id = (last_max_id + ?), last_fetch_time = ?"
				+ " where name = ?";

		private static final String READ = "select last_max_id from cosid where name = ?";

		@Override
		public String getNamespace() {
			return "benchmarks";
		}

		@Override
		public String getName() {
			return this.name;
		}

		@Override
		public long getStep() {
			return this.step;
		}

		@Override
		public long nextMaxId(long step) {
			try (Connection connection = this.dataSource.getConnection()) {
				connection.setAutoCommit(false);
				add(connection, step);
				long maxId = read(connection);
				connection.commit();
				return maxId;
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private void add(Connection connection, long step) throws SQLException {
			try (PreparedStatement statement = connection.prepareStatement(ADD)) {
				statement.setLong(1, step);
				statement.setLong(2, System.currentTimeMillis());
				statement.setString(3, getNamespacedName());
				statement.executeUpdate();
			}
		}

		private long read(Connection connection) throws SQLException {
			try (PreparedStatement statement = connection.prepareStatement(READ)) {
				statement.setString(1, getNamespacedName());
				try (ResultSet row = statement.executeQuery()) {
					row.next();
					return row.getLong(1);
				}
			}
		}

	}

}
