package dev.idspring.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.recycled.ClonedSeries;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.ClonedNodes;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for clones of a process, for example from a VM snapshot, that share a database.
 */
class ClonedProcessesTests {

	private final TestTimeSource time = new TestTimeSource();

	private HikariDataSource pool;

	private JdbcDatabase database;

	private JdbcSlotStore slots;

	@BeforeEach
	void start() {
		TestDatabase h2 = TestDatabase.h2();
		this.pool = h2.pool(2);
		TestStores.initialize(this.pool, h2, "ids_");
		this.database = TestStores.database(this.pool, "ids_");
		this.slots = new JdbcSlotStore(this.database, (millis) -> this.time.instant().toEpochMilli());
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void clonedNodesRepeatOnlyIdsOfTheTimeReservedBeforeTheCloning() {
		ClonedNodes nodes = new ClonedNodes(this.time, new JdbcKeySpaceStore(this.database), this.slots);
		nodes.run(6_000);
		assertThat(nodes.ids).hasSizeGreaterThan(10_000);
		assertThat(nodes.repeatedIds).isNotEmpty()
			.allSatisfy((id) -> assertThat(nodes.original.generator.describe(id).time()).isBefore(nodes.windowEnd));
		assertThat(nodes.events).containsExactly("original shares node 0");
	}

	@Test
	void clonesNeverReserveTheSameNumbersOfASeries() {
		ClonedSeries series = new ClonedSeries(new JdbcKeySpaceStore(this.database), this.slots);
		series.run(200);
		assertThat(series.ordinals).hasSizeGreaterThan(10_000);
		assertThat(series.repeatedOrdinals).isEmpty();
		assertThat(series.events).containsExactly("original shares series 1");
	}

}
