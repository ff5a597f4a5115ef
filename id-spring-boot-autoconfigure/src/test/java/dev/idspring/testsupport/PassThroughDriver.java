package dev.idspring.testsupport;

import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * A driver that opens the connections of another driver. A pool is configured with the
 * class name of an implementation.
 */
public interface PassThroughDriver extends Driver {

	@Override
	default boolean acceptsURL(String url) {
		return true;
	}

	@Override
	default DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
		return new DriverPropertyInfo[0];
	}

	@Override
	default int getMajorVersion() {
		return 1;
	}

	@Override
	default int getMinorVersion() {
		return 0;
	}

	@Override
	default boolean jdbcCompliant() {
		return false;
	}

	@Override
	default Logger getParentLogger() {
		return Logger.getGlobal();
	}

}
