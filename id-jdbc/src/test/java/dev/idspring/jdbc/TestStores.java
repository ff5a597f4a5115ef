package dev.idspring.jdbc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;

import javax.sql.DataSource;

import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Opens stores as the auto-configuration does.
 */
public final class TestStores {

	private TestStores() {
	}

	static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(30));
	}

	/**
	 * Create the tables, unless they exist.
	 */
	public static boolean initialize(DataSource dataSource, TestDatabase database, String prefix) {
		JdbcSchema schema = new JdbcSchema(dataSource, prefix);
		Resource script = new DefaultResourceLoader()
			.getResource(JdbcSchema.script(dataSource, JdbcSchema.DEFAULT_SCRIPT, database.platform()));
		return schema.create(() -> new ResourceDatabasePopulator(schema.withPrefix(script, StandardCharsets.UTF_8))
			.execute(dataSource));
	}

	static JdbcSettings settings(long failoverMargin, Duration failoverLag) {
		return new JdbcSettings("ids_", null, failoverMargin, failoverLag, null, false, false);
	}

	static JdbcSettings settings(SynchronousCommit synchronousCommit) {
		return settings(synchronousCommit, false);
	}

	static JdbcSettings preparedSettings() {
		return settings(null, true);
	}

	private static JdbcSettings settings(@Nullable SynchronousCommit synchronousCommit, boolean prepared) {
		return new JdbcSettings("ids_", null, FailoverFence.DEFAULT_MARGIN, FailoverFence.DEFAULT_LAG,
				synchronousCommit, false, prepared);
	}

	static JdbcDatabase database(DataSource dataSource, String prefix) {
		return JdbcDatabase.open(dataSource, JdbcSettings.defaults(prefix), deadline());
	}

	/**
	 * Return a store that applies a function to each timestamp that it reads from the
	 * database.
	 */
	public static JdbcSlotStore slots(JdbcDatabase database, LongUnaryOperator clock) {
		return new JdbcSlotStore(database, clock);
	}

	static JdbcKeySpaceStore keySpaces(DataSource dataSource) {
		return new JdbcKeySpaceStore(database(dataSource, "ids_"));
	}

	static void assertDisjoint(List<OrdinalRange> ranges) {
		List<OrdinalRange> sorted = new ArrayList<>(ranges);
		sorted.sort(Comparator.comparingLong(OrdinalRange::start));
		for (int i = 1; i < sorted.size(); i++) {
			assertThat(sorted.get(i).start()).isGreaterThanOrEqualTo(sorted.get(i - 1).end());
		}
	}

}
