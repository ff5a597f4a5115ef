package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Comparator;
import java.util.List;

import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.worker.TimeSource;

/**
 * Apache Derby.
 */
final class DerbyDialect extends Dialect {

	private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

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
	 * Derby shows the local time, without an offset. So both ends are written as clocks
	 * with the present offset show them: by its own offset, an end could be the same
	 * local time as another moment. Derby moves what a change of summer time leaves out
	 * to an hour later, so that is written as the first time after it.
	 */
	@Override
	Sql clockDuring(Interval interval) {
		ZoneRules rules = ZoneId.systemDefault().getRules();
		ZoneOffset offset = rules.getOffset(TimeSource.system().instant());
		return new Sql(" and current_timestamp >= timestamp('" + local(interval.start(), offset, rules)
				+ "') and current_timestamp < timestamp('" + local(interval.end(), offset, rules) + "')");
	}

	private static String local(Instant instant, ZoneOffset offset, ZoneRules rules) {
		LocalDateTime local = LocalDateTime.ofInstant(instant, offset);
		ZoneOffsetTransition change = rules.getTransition(local);
		return LOCAL.format((change != null && change.isGap()) ? change.getDateTimeAfter() : local);
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
