package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Finds DataSources that yield the connections of others: proxies such as
 * {@code LazyConnectionDataSourceProxy}, routing ones, and other wrappers of a pool.
 */
final class DataSourceRelation {

	private DataSourceRelation() {
	}

	/**
	 * Return whether connections of one DataSource may be connections of another one.
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
	 * Return a DataSource and all that may provide its connections.
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
				// it determines its targets in its own way
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
			// a routing DataSource may have no target now
			return false;
		}
	}

}
