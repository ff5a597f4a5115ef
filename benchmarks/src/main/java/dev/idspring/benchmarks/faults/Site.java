package dev.idspring.benchmarks.faults;

import java.util.List;

import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;

/**
 * The store of a {@link Scene}, on servers that no other scene uses.
 */
interface Site extends AutoCloseable {

	/**
	 * Return the database, or {@code null} if there is none.
	 */
	default @Nullable TestDatabase database() {
		return null;
	}

	/**
	 * Return the port of the Valkey server, or 0 if there is none.
	 */
	default int port() {
		return 0;
	}

	/**
	 * Return the version of the server.
	 */
	String version() throws Exception;

	/**
	 * Create tables and sequences.
	 */
	void create(List<String> statements);

	/**
	 * Suspend the server, so that it does not respond.
	 */
	default void freeze() throws Exception {
		throw unsupported();
	}

	/**
	 * Resume the server.
	 */
	default void thaw() throws Exception {
		throw unsupported();
	}

	/**
	 * Kill the server, and start it again.
	 */
	default void crash() throws Exception {
		throw unsupported();
	}

	/**
	 * Copy the server's data while the server is stopped or suspended.
	 */
	default void backUp() throws Exception {
		throw unsupported();
	}

	/**
	 * Stop or kill the server, and start it again with the copied data.
	 */
	default void restore() throws Exception {
		throw unsupported();
	}

	/**
	 * Cut off the replica of the current primary. On a database, first wait until the
	 * replica has received all changes.
	 */
	default void cutReplica() throws Exception {
		throw unsupported();
	}

	/**
	 * Kill the current primary, and promote its replica.
	 */
	default void failOver() throws Exception {
		throw unsupported();
	}

	/**
	 * Kill the promoted replica, and start the first primary again with its old data.
	 */
	default void failBack() throws Exception {
		throw unsupported();
	}

	@Override
	void close();

	private static NotRunException unsupported() {
		return new NotRunException("the benchmark does not support this fault on this server");
	}

}
