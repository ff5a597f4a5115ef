package dev.idspring.benchmarks.store;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.incrementer.MySQLMaxValueIncrementer;

/**
 * Spring's incrementer for MySQL and MariaDB, with a cache of the same size as our first
 * block.
 */
final class SpringContestant implements Contestant {

	private static final int CACHE = 1_000;

	@Override
	public String name() {
		return "Spring MySQLMaxValueIncrementer, cache %,d".formatted(CACHE);
	}

	@Override
	public boolean supports(Server server) {
		return server == Server.MARIADB;
	}

	@Override
	public Source open(Network network, String keySpace) {
		String table = "spring_" + keySpace.replace('-', '_');
		network.direct().execute("create table " + table + " (value bigint not null) engine = innodb");
		network.direct().execute("insert into " + table + " values (0)");
		return new Incrementer(network, table);
	}

	private static final class Incrementer implements Source {

		private final Network network;

		private final String table;

		private @Nullable MySQLMaxValueIncrementer incrementer;

		Incrementer(Network network, String table) {
			this.network = network;
			this.table = table;
		}

		@Override
		public LongSupplier idSupplier() {
			MySQLMaxValueIncrementer incrementer = this.incrementer;
			if (incrementer == null) {
				incrementer = new MySQLMaxValueIncrementer(this.network.pool(), this.table, "value");
				incrementer.setCacheSize(CACHE);
				incrementer.afterPropertiesSet();
				this.incrementer = incrementer;
			}
			return incrementer::nextLongValue;
		}

		@Override
		public long reserved() {
			JdbcTemplate jdbc = this.network.direct();
			Long reserved = jdbc.queryForObject("select value from " + this.table, Long.class);
			return (reserved != null) ? reserved : 0;
		}

		@Override
		public void close() {
			// nothing to close
		}

	}

}
