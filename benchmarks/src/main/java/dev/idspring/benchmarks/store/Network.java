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
 * A new database on a server, and the way there.
 */
final class Network implements AutoCloseable {

	/** More than any contestant uses. */
	static final int POOL_SIZE = 8;

	private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/");

	private final @Nullable DelayingProxy proxy;

	private final TestDatabase database;

	private final HikariDataSource pool;

	private final HikariDataSource direct;

	/**
	 * Create a database.
	 * @param server where
	 * @param delay what every round trip takes longer; zero for a straight way, on which
	 * round trips are not counted
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
	 * An application that runs has connections.
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
	 * Return the database as seen by whoever is measured.
	 */
	TestDatabase database() {
		return this.database;
	}

	/**
	 * Return the pool of whoever is measured.
	 */
	HikariDataSource pool() {
		return this.pool;
	}

	/**
	 * Return a way to look into the database that takes no longer.
	 */
	JdbcTemplate direct() {
		return new JdbcTemplate(this.direct);
	}

	/**
	 * Return how often anybody has waited for an answer, if that was counted.
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
