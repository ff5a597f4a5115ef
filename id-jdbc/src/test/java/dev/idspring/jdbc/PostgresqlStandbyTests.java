package dev.idspring.jdbc;

import java.time.Duration;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.testsupport.PostgresqlCluster;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests what happens if the address of the database already points to the replica, but
 * the replica has not been promoted yet. This is possible if one program moves the
 * address and another one promotes the replica.
 */
class PostgresqlStandbyTests {

	@Test
	void refusesToReadFromAStandbyBeforeItsPromotion() throws Exception {
		try (PostgresqlCluster cluster = PostgresqlCluster.start();
				HikariDataSource primary = cluster.database().pool(2);
				HikariDataSource replica = cluster.replica().pool(2)) {
			DelegatingDataSource address = new DelegatingDataSource(primary);
			TestStores.initialize(primary, cluster.database(), "ids_");
			JdbcDatabase database = JdbcDatabase.open(address,
					TestStores.settings(FailoverFence.DEFAULT_MARGIN, Duration.ofMillis(200)), TestStores.deadline());
			try (BlockIdGenerator ids = BlockIdGenerator
				.sequential("test", new SequentialSettings(1, 1L << 40), new JdbcKeySpaceStore(database))
				.open()) {
				ids.nextLong();
				cluster.catchUp();
				cluster.cutReplica();
				long[] lostIds = ids.nextLongs(5_000);
				cluster.killPrimary();
				address.setTargetDataSource(replica);
				ids.refresh(Duration.ofSeconds(2)).join();
				Deadline shortDeadline = Deadline.after(TimeSource.system(), Duration.ofMillis(10));
				assertThatExceptionOfType(IdStoreUnavailableException.class)
					.isThrownBy(() -> new JdbcKeySpaceStore(database).read("test", shortDeadline))
					.withMessageContaining("a standby that has not been promoted yet");
				cluster.promoteReplica();
				long[] laterIds = ids.nextLongs(200_000);
				assertThat(LongStream.concat(LongStream.of(lostIds), LongStream.of(laterIds)).distinct())
					.hasSize(lostIds.length + laterIds.length);
				ids.refresh(Duration.ofSeconds(10)).join();
				assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
			}
		}
	}

}
