package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * HSQLDB.
 */
final class HsqldbDialect extends Dialect {

	HsqldbDialect() {
		super("hsqldb", "HSQL Database Engine", "values unix_millis()");
	}

	@Override
	boolean isRemote() {
		return false;
	}

	@Override
	boolean locksTables() {
		return true;
	}

	@Override
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		writeAtOnce(connection, "jdbc:hsqldb:mem:", "SET FILES WRITE DELAY FALSE", warnings);
	}

}
