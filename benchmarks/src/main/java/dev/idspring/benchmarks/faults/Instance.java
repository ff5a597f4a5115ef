package dev.idspring.benchmarks.faults;

import java.nio.file.Path;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the test application, with the resources that a {@link Peer} needs to
 * create its generator.
 *
 * @param number the unique number of the instance, which is also the node number for
 * peers that need a configured one
 * @param disk a directory that survives the end of the process
 * @param pool the connections to the database, or {@code null} if the scene has no
 * database
 * @param port the port of the Valkey server, 0 if the scene has no such server
 */
public record Instance(int number, Path disk, @Nullable HikariDataSource pool, int port) {

	/**
	 * Return the connections to the database.
	 * @throws IllegalStateException if there is no database
	 */
	public HikariDataSource database() {
		if (this.pool == null) {
			throw new IllegalStateException("This instance has no database");
		}
		return this.pool;
	}

}
