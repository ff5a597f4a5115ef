package dev.idspring.jdbc;

/**
 * The dialect of Microsoft SQL Server.
 */
final class SqlserverDialect extends Dialect {

	SqlserverDialect() {
		// the error codes of a deadlock and of a lock timeout
		super("sqlserver", "select datediff_big(millisecond, '1970-01-01', sysutcdatetime())", 1205, 1222);
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
