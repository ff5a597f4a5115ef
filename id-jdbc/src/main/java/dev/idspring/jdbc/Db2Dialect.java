package dev.idspring.jdbc;

/**
 * The dialect of Db2.
 */
final class Db2Dialect extends Dialect {

	Db2Dialect() {
		super("db2", "values (bigint(days(current timestamp - current timezone) - days(date('1970-01-01'))) * 86400000"
				+ " + bigint(midnight_seconds(current timestamp - current timezone)) * 1000)", -911, -913);
	}

	@Override
	boolean isTested() {
		return false;
	}

	@Override
	boolean readersWait() {
		return true;
	}

}
