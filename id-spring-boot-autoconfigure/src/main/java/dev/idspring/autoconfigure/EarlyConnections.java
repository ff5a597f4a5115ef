package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.idspring.jdbc.DatabaseAddress;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Lends idle connections of the application's pool to the store during the login, which
 * opens the store's own first connection. This shortens startup, because a login takes
 * more round trips than everything else that precedes the first id. These rules apply:
 * <ol>
 * <li>The application's pool must be the configured DataSource itself, because a proxy
 * might connect to a different database than the pool behind it. The pool must connect to
 * a single PostgreSQL server, and must not be read-only.</li>
 * <li>The pool must have an idle connection, so that no caller waits because of the
 * loan.</li>
 * <li>Every transaction on a lent connection verifies the session, because the
 * application may have changed the session's search path or role, and the session would
 * then see other tables. After the first transaction that fails on a lent connection, no
 * more connections are lent.</li>
 * <li>After the login has succeeded or failed, no more connections are lent.</li>
 * </ol>
 */
final class EarlyConnections {

	/**
	 * How long to wait for an idle connection before checking again whether the login has
	 * ended. Even an idle connection may take longer to arrive, because the pool may test
	 * it first.
	 */
	private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

	private final HikariDataSource pool;

	private final SpareConnections spare;

	private final Login login;

	private final Consumer<Exception> loginFailureHandler;

	/** The connections that were lent, including those that were returned. */
	private final Set<Connection> lent = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private volatile boolean hasLentAny;

	private volatile boolean lendingEnded;

	private final AtomicBoolean loginBegun = new AtomicBoolean();

	/**
	 * Create an instance.
	 * @param configured the DataSource that the application has configured
	 * @param pool the pool behind that DataSource
	 * @param spare the connections that the pool can spare
	 * @param login the login, which ends within the connection timeout of the store's own
	 * pool
	 * @param loginFailureHandler called if the login fails after a connection was lent
	 */
	EarlyConnections(DataSource configured, HikariDataSource pool, SpareConnections spare, Login login,
			Consumer<Exception> loginFailureHandler) {
		this.pool = pool;
		this.spare = spare;
		this.login = login;
		this.loginFailureHandler = loginFailureHandler;
		this.lendingEnded = !(configured.getClass() == HikariDataSource.class && isSinglePostgresqlServer(pool)
				&& !pool.isReadOnly());
	}

	private static boolean isSinglePostgresqlServer(HikariDataSource pool) {
		String url = pool.getJdbcUrl();
		return pool.getDataSource() == null && pool.getDataSourceClassName() == null && url != null
				&& url.startsWith("jdbc:postgresql:") && !DatabaseAddress.hasSeveralHosts(url);
	}

	/**
	 * Return a connection of the application's pool. If lending is possible, the first
	 * call begins the store's login.
	 * @param deadline how long to wait
	 * @return the connection, to be closed after use, or {@code null} if the login has
	 * ended, the deadline has passed, or the pool has no suitable connection to spare
	 */
	@Nullable Connection poll(Deadline deadline) throws SQLException {
		while (!this.lendingEnded && beginLogin() && !deadline.hasPassed()) {
			Deadline pollDeadline = Deadline.after(TimeSource.system(), POLL_INTERVAL);
			Connection connection = this.spare.poll(POLL_INTERVAL);
			if (connection != null) {
				return lend(connection);
			}
			if (!pollDeadline.hasPassed()) {
				// the call returned early, because no connection is idle
				return null;
			}
		}
		return null;
	}

	private @Nullable Connection lend(Connection connection) throws SQLException {
		boolean usable = false;
		try {
			usable = isOfSameUser(connection);
		}
		finally {
			if (!usable) {
				endLending();
				connection.close();
			}
		}
		if (!usable) {
			return null;
		}
		this.lent.add(connection);
		this.hasLentAny = true;
		return connection;
	}

	/**
	 * Return whether a connection belongs to the user that a new login would use. The
	 * configured user may have changed since the connection was opened. The driver
	 * answers without a round trip.
	 */
	private boolean isOfSameUser(Connection connection) throws SQLException {
		String user = this.pool.getCredentials().getUsername();
		return user == null || user.equals(connection.getMetaData().getUserName());
	}

	private boolean beginLogin() {
		if (this.loginBegun.getAndSet(true)) {
			return true;
		}
		HikariPoolMXBean poolState = this.pool.getHikariPoolMXBean();
		if (poolState == null || poolState.getIdleConnections() == 0) {
			endLending();
			return false;
		}
		Thread thread = new Thread(this::logIn, "ids-first-login");
		thread.setDaemon(true);
		try {
			thread.start();
		}
		catch (Throwable ex) {
			endLending();
			throw ex;
		}
		return true;
	}

	private void logIn() {
		Exception failure = null;
		try {
			this.login.run();
		}
		catch (SQLException | RuntimeException ex) {
			failure = ex;
		}
		finally {
			endLending();
		}
		if (failure != null && this.hasLentAny) {
			this.loginFailureHandler.accept(failure);
		}
	}

	void endLending() {
		this.lendingEnded = true;
	}

	boolean hasLent(Connection connection) {
		return this.lent.contains(connection);
	}

	/**
	 * Opens the store's own first connection.
	 */
	interface Login {

		void run() throws SQLException;

	}

}
