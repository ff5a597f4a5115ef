package dev.idspring.benchmarks.faults;

import java.nio.file.Path;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/**
 * An instance of an application, as a peer is told of it.
 *
 * @param number the number that tells it apart from all other instances: peers that want
 * one number for each instance are given it
 * @param disk a directory that outlives the process
 * @param pool the connections to the database, {@code null} without one
 * @param port the port of the Valkey server, 0 without one
 */
public record Instance(int number, Path disk, @Nullable HikariDataSource pool, int port) {

	/**
	 * Return the connections to the database of a peer that needs one.
	 */
	public HikariDataSource database() {
		if (this.pool == null) {
			throw new IllegalStateException("This instance has no database");
		}
		return this.pool;
	}

}
