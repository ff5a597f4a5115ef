package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A {@link DataSource} that owns connections for the store alone. While it has no such
 * connection, it may lend one of the application's connections. A transaction restores
 * the session settings of a lent connection.
 *
 * @since 0.1.0
 */
public interface LendingDataSource extends DataSource {

	/**
	 * Return whether a connection belongs to the application.
	 * @param connection a connection that this DataSource has just returned
	 * @return {@code false} if only the store uses it
	 * @throws SQLException if the owner cannot be determined
	 */
	boolean isLent(Connection connection) throws SQLException;

}
