package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Detects DataSources that yield the connections of other DataSources: proxies such as
 * {@code LazyConnectionDataSourceProxy}, routing DataSources, and other wrappers.
 */
final class DataSourceRelation {

	private DataSourceRelation() {
	}

	/**
	 * Return whether two DataSources may yield the same connections.
	 */
	static boolean exists(DataSource one, DataSource other) {
		if (one == other) {
			return true;
		}
		Set<DataSource> targets = targets(other);
		return targets(one).stream()
			.anyMatch((target) -> targets.stream()
				.anyMatch((candidate) -> target == candidate || wraps(target, candidate) || wraps(candidate, target)));
	}

	/**
	 * Return a DataSource and those DataSources that are known to provide some or all of
	 * its connections.
	 */
	static Set<DataSource> targets(DataSource dataSource) {
		Set<DataSource> targets = Collections.newSetFromMap(new IdentityHashMap<>());
		collect(dataSource, targets);
		return targets;
	}

	private static void collect(DataSource dataSource, Set<DataSource> targets) {
		if (!targets.add(dataSource)) {
			return;
		}
		if (dataSource instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
			collect(proxy.getTargetDataSource(), targets);
		}
		if (dataSource instanceof AbstractRoutingDataSource routing) {
			try {
				routing.getResolvedDataSources().values().forEach((target) -> collect(target, targets));
			}
			catch (IllegalStateException ex) {
				// the targets are not resolved, for example because a subclass determines
				// them in another way
			}
			if (routing.getResolvedDefaultDataSource() != null) {
				collect(routing.getResolvedDefaultDataSource(), targets);
			}
		}
	}

	private static boolean wraps(DataSource one, DataSource other) {
		try {
			return one.isWrapperFor(other.getClass()) && one.unwrap(other.getClass()) == other;
		}
		catch (SQLException | RuntimeException ex) {
			// for example, a routing DataSource has no target for this thread
			return false;
		}
	}

}
