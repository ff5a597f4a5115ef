package dev.idspring.benchmarks.store;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A new database on a server, and the connections to it. The generators that a benchmark
 * compares are called contestants.
 */
final class Network implements AutoCloseable {

	/** The number of connections in the pool, which is more than any contestant uses. */
	static final int POOL_SIZE = 8;

	private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/");

	private final @Nullable DelayingProxy proxy;

	private final TestDatabase database;

	private final HikariDataSource pool;

	private final HikariDataSource direct;

	/**
	 * Create a database.
	 * @param server the server of the database
	 * @param delay the time that is added to each round trip. With zero there is no
	 * proxy, and round trips are not counted
	 */
	Network(Server server, Duration delay) {
		TestDatabase database = server.createDatabase();
		this.direct = database.pool(2);
		this.proxy = delay.isZero() ? null : new DelayingProxy(address(database), delay);
		this.database = (this.proxy != null) ? through(this.proxy, database) : database;
		this.pool = this.database.pool(POOL_SIZE);
		warmUp();
	}

	private static InetSocketAddress address(TestDatabase database) {
		Matcher address = ADDRESS.matcher(database.url());
		if (!address.find()) {
			throw new IllegalStateException("No host and port in " + database.url());
		}
		return new InetSocketAddress(address.group(1), Integer.parseInt(address.group(2)));
	}

	private static TestDatabase through(DelayingProxy proxy, TestDatabase database) {
		String url = ADDRESS.matcher(database.url()).replaceFirst("//127.0.0.1:" + proxy.port() + "/");
		return new TestDatabase(url, database.username(), database.password(), database.platform());
	}

	/**
	 * Open connections in advance, because a running application has open connections.
	 */
	private void warmUp() {
		try (Connection first = this.pool.getConnection(); Connection second = this.pool.getConnection()) {
			first.isValid(10);
			second.isValid(10);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the database, with the address that contestants use.
	 */
	TestDatabase database() {
		return this.database;
	}

	/**
	 * Return the connection pool that contestants use.
	 */
	HikariDataSource pool() {
		return this.pool;
	}

	/**
	 * Return access to the database without the delay.
	 */
	JdbcTemplate direct() {
		return new JdbcTemplate(this.direct);
	}

	/**
	 * Return the number of round trips, empty if they are not counted.
	 */
	OptionalLong roundTrips() {
		return (this.proxy != null) ? OptionalLong.of(this.proxy.roundTrips()) : OptionalLong.empty();
	}

	@Override
	public void close() {
		this.pool.close();
		this.direct.close();
		if (this.proxy != null) {
			this.proxy.close();
		}
	}

}
