package dev.idspring.benchmarks.faults;

import java.nio.file.Path;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/**
 * An instance of an application, with everything that a peer needs to open its generator
 * in it.
 *
 * @param number the number of the instance, which no other instance has; peers that must
 * be configured with a node number use it
 * @param disk a directory that remains when the process ends
 * @param pool the connections to the database, {@code null} if the scene has no database
 * @param port the port of the Valkey server, 0 if the scene has no such server
 */
public record Instance(int number, Path disk, @Nullable HikariDataSource pool, int port) {

	/**
	 * Return the connections to the database. Fails if there is no database.
	 */
	public HikariDataSource database() {
		if (this.pool == null) {
			throw new IllegalStateException("This instance has no database");
		}
		return this.pool;
	}

}
