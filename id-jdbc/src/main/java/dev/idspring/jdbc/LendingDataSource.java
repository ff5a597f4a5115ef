package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A {@link DataSource} with connections that only the store uses. If none of them is
 * available, the DataSource may lend the store one of the application's connections. At
 * the end of each transaction on a lent connection, the store restores the session
 * settings that it has changed.
 *
 * @since 0.1.0
 */
public interface LendingDataSource extends DataSource {

	/**
	 * Return whether a connection belongs to the application.
	 * @param connection a connection that this DataSource has just returned
	 * @return {@code false} if only the store uses the connection
	 * @throws SQLException if the owner cannot be determined
	 */
	boolean isLent(Connection connection) throws SQLException;

	/**
	 * Return whether each transaction on a lent connection must verify that the session
	 * sees the same tables as a new session of the same user, and that its commits are as
	 * durable.
	 * @param connection a connection that this DataSource has returned
	 * @return {@code true} if the application may have changed the session
	 */
	default boolean mustVerifySession(Connection connection) {
		return false;
	}

	/**
	 * Stop lending connections whose sessions must be verified. This method is called
	 * after a transaction on such a connection has failed.
	 */
	default void stopLendingUnverified() {
	}

}
