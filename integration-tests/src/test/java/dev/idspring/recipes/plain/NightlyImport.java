package dev.idspring.recipes.plain;

import java.time.Duration;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.worker.Deadline;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

final class NightlyImport {

	private NightlyImport() {
	}

	public static void main(String[] args) {
		DriverManagerDataSource dataSource = new DriverManagerDataSource(args[0], args[1], args[2]);
		JdbcDatabase database = JdbcDatabase.open(dataSource, JdbcSettings.defaults("ids_"),
				Deadline.in(Duration.ofSeconds(5)));
		SequentialSettings settings = new SequentialSettings(1, SequentialSettings.MAX_END);
		try (BlockIdGenerator ids = BlockIdGenerator.sequential("default", settings, new JdbcKeySpaceStore(database))
			.open()) {
			for (String name : new String[] { "Ada", "Grace", "Barbara" }) {
				new JdbcTemplate(dataSource).update("insert into customer (id, name) values (?, ?)", ids.nextLong(),
						name);
			}
		}
	}

}
