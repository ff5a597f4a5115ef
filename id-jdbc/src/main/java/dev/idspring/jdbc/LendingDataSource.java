package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A {@link DataSource} of connections that only the store uses, which may lend those of
 * the application instead while it has none. What a transaction sets for the session of
 * such a connection is put back.
 *
 * @since 0.1.0
 */
public interface LendingDataSource extends DataSource {

	/**
	 * Return whether a connection is one of the application.
	 * @param connection one that this has just returned
	 * @return {@code false} if only the store uses it
	 * @throws SQLException if the connection does not know
	 */
	boolean isLent(Connection connection) throws SQLException;

}
