package dev.idspring.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.PostgresqlCluster;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A PostgreSQL primary is replaced by its replica. Then the old primary is started again
 * with its old data, and replaces the former replica.
 */
class PostgresqlFailBackTests {

	private static final String NAME = "test";

	@Test
	void onlyAnInstanceThatHasReadTheSecondServerDetectsTheFailBack() throws Exception {
		try (PostgresqlCluster cluster = PostgresqlCluster.start();
				HikariDataSource pool = cluster.database().pool(2);
				HikariDataSource otherPool = cluster.database().pool(2)) {
			TestStores.initialize(pool, cluster.database(), "ids_");
			JdbcKeySpaceStore store = TestStores.keySpaces(pool);
			store.create(NAME, "definition", 1L << 40, TestStores.deadline());
			OrdinalRange first = reserve(store);
			cluster.catchUp();
			cluster.kill(0);
			cluster.promote(1);
			OrdinalRange second = reserve(TestStores.keySpaces(otherPool));
			assertThat(store.read(NAME, TestStores.deadline()).orElseThrow().nextOrdinal())
				.isGreaterThanOrEqualTo(second.end());
			cluster.kill(1);
			cluster.restart(0);
			assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> reserve(store))
				.withMessageContaining("/00000001, which lacks what server ")
				.withMessageContaining("/00000002 wrote")
				.withMessageContaining("skip-ahead");
			assertThat(reserve(TestStores.keySpaces(otherPool)).start()).isGreaterThan(first.end())
				.isLessThan(second.start());
		}
	}

	private static OrdinalRange reserve(JdbcKeySpaceStore store) {
		return store.reserve(NAME, 10, 1L << 40, TestStores.deadline());
	}

}
