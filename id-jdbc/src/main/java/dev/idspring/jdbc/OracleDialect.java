package dev.idspring.jdbc;

/**
 * The dialect of Oracle.
 */
final class OracleDialect extends Dialect {

	OracleDialect() {
		super("oracle", "select round((cast(sys_extract_utc(systimestamp) as date) - date '1970-01-01')"
				+ " * 86400000) from dual", 60, 8177);
	}

	@Override
	boolean isTested() {
		return false;
	}

	@Override
	String skipLockedClause() {
		return " for update skip locked";
	}

}
