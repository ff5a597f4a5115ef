package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;

import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.worker.TimeSource;

/**
 * Apache Derby.
 */
final class DerbyDialect extends Dialect {

	DerbyDialect() {
		super("derby", "Apache Derby", "values current_timestamp");
	}

	@Override
	boolean isRemote() {
		return false;
	}

	@Override
	boolean readersWait() {
		return true;
	}

	@Override
	long millis(ResultSet row) throws SQLException {
		// Derby cannot count milliseconds since 1970: they do not fit its integers
		return nearest(row.getTimestamp(1).toLocalDateTime(), ZoneId.systemDefault(), TimeSource.system().millis());
	}

	/**
	 * By the local time of the zone that Derby's clock shows.
	 */
	@Override
	Sql clockDuring(Interval interval) {
		return new Sql(" and current_timestamp >= timestamp('" + local(interval.start())
				+ "') and current_timestamp < timestamp('" + local(interval.end()) + "')");
	}

	private static String local(Instant instant) {
		return Timestamp.valueOf(LocalDateTime.ofInstant(instant, ZoneId.systemDefault())).toString();
	}

	@Override
	void prepareDurability(Connection connection, List<String> warnings) {
		if ("test".equalsIgnoreCase(System.getProperty("derby.system.durability"))) {
			warnings.add("Derby acknowledges commits before they are on disk: derby.system.durability is test");
		}
	}

	/**
	 * Of the two moments with the same local time, when summer time ends, return the one
	 * that is nearer to another.
	 */
	static long nearest(LocalDateTime local, ZoneId zone, long other) {
		return zone.getRules()
			.getValidOffsets(local)
			.stream()
			.map((offset) -> local.toInstant(offset).toEpochMilli())
			.min(Comparator.comparing((millis) -> Math.abs(millis - other)))
			.orElseGet(() -> local.atZone(zone).toInstant().toEpochMilli());
	}

}
