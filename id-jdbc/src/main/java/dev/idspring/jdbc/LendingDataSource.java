package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A {@link DataSource} of connections that only the store uses. While it has none, it may
 * lend connections of the application. A transaction restores the session settings of a
 * lent connection.
 *
 * @since 0.1.0
 */
public interface LendingDataSource extends DataSource {

	/**
	 * Return whether a connection belongs to the application.
	 * @param connection a connection that this has just returned
	 * @return {@code false} if only the store uses it
	 * @throws SQLException if the connection cannot tell
	 */
	boolean isLent(Connection connection) throws SQLException;

}
