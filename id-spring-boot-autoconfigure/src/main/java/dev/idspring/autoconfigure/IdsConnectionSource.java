package dev.idspring.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.HikariPool;
import com.zaxxer.hikari.util.Credentials;
import dev.idspring.jdbc.DatabaseAddress;
import dev.idspring.jdbc.LendingDataSource;
import dev.idspring.jdbc.SqlFailure;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Creates a pool with a single connection for reservations. Most settings are copied from
 * the application's pool. If reservations used the application's pool, callers that hold
 * all of its connections while they wait for ids would deadlock.
 */
final class IdsConnectionSource {

	/** The part of messages that explains the risk of sharing the application's pool. */
	static final String DEADLOCK_RISK = "If transactions hold all connections of that pool when ids run out,"
			+ " they wait for ids while the reservation waits for a connection";

	private static final Log logger = LogFactory.getLog(IdsConnectionSource.class);

	private static final boolean HIKARI_PRESENT = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			IdsConnectionSource.class.getClassLoader());

	private IdsConnectionSource() {
	}

	/**
	 * Create a dedicated pool.
	 * @param dataSource the application's DataSource
	 * @param waitTimeout how long to wait for a connection
	 * @return the dedicated pool, to be closed after use, or {@code null} if the
	 * application's pool is not a HikariCP pool
	 */
	static @Nullable DedicatedDataSource createDedicated(DataSource dataSource, Duration waitTimeout) {
		return HIKARI_PRESENT ? DedicatedPool.copy(dataSource, waitTimeout) : null;
	}

	/**
	 * A pool for reservations, which is closed together with the store.
	 */
	interface DedicatedDataSource extends LendingDataSource {

		/**
		 * Return whether the connections of this pool have auto-commit on. It is off if
		 * the JDBC URL is one of PostgreSQL, MariaDB or MySQL. Otherwise, the setting of
		 * the application's pool applies.
		 */
		boolean isAutoCommit();

		/**
		 * Return whether connections come from the application's pool, because the
		 * database has rejected a login of this pool.
		 */
		boolean isShared();

		void close();

	}

	/**
	 * A HikariCP pool with its own copy of the driver properties, because
	 * {@code copyStateTo} copies only a reference. Without the copy, the timeouts of this
	 * pool would also apply to the application's pool if that pool is opened later. This
	 * class is separate so that the enclosing class works without HikariCP on the class
	 * path.
	 * <p>
	 * The user and the password are always read from the application's pool, because they
	 * may change while the application runs, and because subclasses of
	 * {@link HikariDataSource} may compute them. If the database rejects them, the
	 * application's pool may still work: it may log in differently, or may have opened
	 * connections before the user or the password changed. This pool then returns
	 * connections of the application's pool until the user or the password changes.
	 */
	private static final class DedicatedPool extends HikariDataSource implements DedicatedDataSource {

		/** The shortest timeout that HikariCP accepts. */
		private static final Duration MIN_TIMEOUT = Duration.ofMillis(250);

		/** The URL prefixes of the databases whose driver properties this class sets. */
		private static final List<String> URL_PREFIXES = List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:");

		/**
		 * The property of the MariaDB and MySQL drivers that allows several statements in
		 * one round trip.
		 */
		private static final String MULTI_QUERIES = "allowMultiQueries";

		/** The MariaDB driver's property for the connect timeout in milliseconds. */
		private static final String CONNECT_TIMEOUT = "connectTimeout";

		private final Properties properties = new Properties();

		/** The application's pool. */
		private final HikariDataSource original;

		/**
		 * The property of the MariaDB and MySQL drivers for the number of attempts to
		 * connect when all hosts are down, with a quarter of a second between attempts.
		 */
		private static final String ATTEMPTS = "retriesAllDown";

		/**
		 * Limits reconnecting to two seconds instead of half a minute, because the
		 * MariaDB and MySQL drivers may reconnect during a statement, which blocks
		 * meanwhile. The MariaDB driver makes all attempts on the same host.
		 */
		private static final String MAX_ATTEMPTS = "8";

		/**
		 * How long to wait for this pool's own connection before the application's pool
		 * is tried.
		 */
		private static final Duration OWN_TIMEOUT = Duration.ofSeconds(1);

		/** How long to wait for each of the two pools when they are tried alternately. */
		private static final Duration TURN_TIMEOUT = Duration.ofMillis(250);

		/**
		 * The credentials of the last login, or {@code null} if there was no login or if
		 * a credentials provider supplied them.
		 */
		private volatile @Nullable Credentials triedCredentials;

		/** The user of the open connections. */
		private volatile @Nullable String connectedUser;

		private volatile boolean shared;

		private final SpareConnections spareConnections;

		private final EarlyConnections earlyConnections;

		/**
		 * Whether the last connection was borrowed from the application's pool during an
		 * outage, or {@code null} before this pool has opened a connection of its own.
		 */
		private volatile @Nullable Boolean borrowing;

		private DedicatedPool(DataSource configured, HikariDataSource original, Duration waitTimeout) {
			this.original = original;
			this.spareConnections = new SpareConnections(this::hasIdleSharedConnection, this::getSharedConnection);
			this.earlyConnections = new EarlyConnections(configured, original, this.spareConnections, this::logIn,
					this::reportFailedLogin);
			original.copyStateTo(this);
			this.properties.putAll(original.getDataSourceProperties());
			setPoolName(((original.getPoolName() != null) ? original.getPoolName() : "HikariPool") + "-ids");
			setMaximumPoolSize(1);
			setMinimumIdle(0);
			setReadOnly(false);
			setInitializationFailTimeout(-1);
			setLeakDetectionThreshold(0);
			setConnectionTimeout(Math.max(waitTimeout.toMillis(), MIN_TIMEOUT.toMillis()));
			setValidationTimeout(Math.min(getValidationTimeout(), getConnectionTimeout()));
			setDriverProperties(String.valueOf(getJdbcUrl()));
		}

		static @Nullable DedicatedPool copy(DataSource dataSource, Duration waitTimeout) {
			try {
				return dataSource.isWrapperFor(HikariDataSource.class)
						? new DedicatedPool(dataSource, dataSource.unwrap(HikariDataSource.class), waitTimeout) : null;
			}
			catch (SQLException ex) {
				return null;
			}
		}

		/**
		 * Switch off auto-commit and set driver properties for PostgreSQL, MariaDB and
		 * MySQL. Without auto-commit, a reservation needs one round trip less. Some
		 * properties limit how long the driver tries to connect. Properties that the
		 * application sets in the URL or in the pool take precedence.
		 */
		private void setDriverProperties(String url) {
			if (URL_PREFIXES.stream().noneMatch(url::startsWith)) {
				return;
			}
			setAutoCommit(false);
			Duration timeout = Duration.ofMillis(getConnectionTimeout());
			if (url.startsWith("jdbc:postgresql:")) {
				setPostgresqlProperties(url, timeout);
				return;
			}
			if (!url.contains(MULTI_QUERIES + "=")) {
				this.properties.putIfAbsent(MULTI_QUERIES, "true");
			}
			if (!DatabaseAddress.hasSeveralHosts(url)) {
				return;
			}
			if (!url.contains(ATTEMPTS + "=")) {
				this.properties.putIfAbsent(ATTEMPTS, MAX_ATTEMPTS);
			}
			if (url.startsWith("jdbc:mariadb:") && !url.contains(CONNECT_TIMEOUT + "=")) {
				// this property overrides the login timeout, which pools set for all
				// drivers
				Duration limit = DatabaseAddress.timeout(url, Duration.ZERO);
				this.properties.putIfAbsent(CONNECT_TIMEOUT, Long.toString(limit.toMillis()));
			}
		}

		/**
		 * Set the properties of the PostgreSQL driver.
		 * <ul>
		 * <li>Statements are not prepared on the server. A pooler in transaction mode may
		 * run the next transaction on another server connection, where the prepared
		 * statement does not exist.</li>
		 * <li>The login timeout is set, because the driver ignores the one that pools
		 * set. Without a timeout, the pool would wait forever if the network dropped the
		 * response to a login. The timeout covers all hosts together. With several hosts,
		 * it is therefore long enough for the driver to reach the second host.</li>
		 * <li>The cancel timeout is set, because the driver otherwise waits ten seconds
		 * to cancel a statement that has timed out.</li>
		 * </ul>
		 */
		private void setPostgresqlProperties(String url, Duration timeout) {
			this.properties.putIfAbsent("prepareThreshold", "0");
			setTimeoutProperty("loginTimeout", DatabaseAddress.timeout(url, timeout));
			setTimeoutProperty("cancelSignalTimeout", timeout);
		}

		private void setTimeoutProperty(String name, Duration timeout) {
			this.properties.putIfAbsent(name, Long.toString(Math.max(1, timeout.toSeconds())));
		}

		@Override
		public Properties getDataSourceProperties() {
			return this.properties;
		}

		@Override
		public Credentials getCredentials() {
			Credentials credentials = this.original.getCredentials();
			this.triedCredentials = credentials;
			return credentials;
		}

		@Override
		public String getUsername() {
			return this.original.getUsername();
		}

		@Override
		public String getPassword() {
			return this.original.getPassword();
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.shared && !haveCredentialsChanged()) {
				return getSharedConnection();
			}
			evictConnectionsOfPreviousUser();
			try {
				Connection connection = connect();
				if (this.shared) {
					this.shared = false;
					logger
						.info("The database accepts the user and the password of the connection for ids again. Ids are"
								+ " again reserved through that connection.");
				}
				return connection;
			}
			catch (SQLException ex) {
				if (!SqlFailure.isAccessDenied(ex) || !shouldTryApplicationPool()) {
					throw ex;
				}
				Connection connection = getSharedConnection();
				switchToApplicationPool(ex);
				return connection;
			}
		}

		private void switchToApplicationPool(Exception reason) {
			if (!this.shared) {
				this.shared = true;
				logger.warn("The database rejects the user or the password of the connection for ids ("
						+ SqlFailure.describe(reason) + "). Until they change, ids are reserved through connections"
						+ " from the application's pool. " + IdsConnectionSource.DEADLOCK_RISK);
			}
		}

		private void logIn() throws SQLException {
			Duration timeout = Duration.ofMillis(getConnectionTimeout());
			getFirstConnection(Deadline.after(TimeSource.system(), timeout)).close();
		}

		private void reportFailedLogin(Exception ex) {
			if (isClosed()) {
				return;
			}
			if (SqlFailure.isAccessDenied(ex) && shouldTryApplicationPool()) {
				switchToApplicationPool(ex);
				return;
			}
			logger.warn("The connection for ids cannot be opened: " + SqlFailure.describe(ex)
					+ ". The first ids were reserved through an idle connection of the application's pool. Further"
					+ " reservations fail until the connection for ids is open."
					+ SqlFailure.remedy(ex).map((remedy) -> " " + remedy).orElse(""));
		}

		/**
		 * Return a connection of this pool. During the first login, return one that
		 * {@link EarlyConnections} lends. If the driver cannot connect in time after an
		 * outage, return a connection that the application's pool can spare, because some
		 * drivers try one server for half a minute even if other servers are available.
		 */
		private Connection connect() throws SQLException {
			Deadline deadline = Deadline.after(TimeSource.system(), Duration.ofMillis(getConnectionTimeout()));
			if (this.borrowing == null && !isClosed()) {
				Connection lent = this.earlyConnections.poll(deadline);
				if (lent != null) {
					return lent;
				}
			}
			if (this.borrowing == null || isClosed() || !(getHikariPoolMXBean() instanceof HikariPool pool)) {
				return getFirstConnection(deadline);
			}
			Duration turn = Boolean.TRUE.equals(this.borrowing) ? TURN_TIMEOUT : OWN_TIMEOUT;
			while (true) {
				try {
					Connection connection = pool
						.getConnection(Math.min(turn.toMillis(), deadline.remaining().toMillis()));
					this.borrowing = false;
					return connection;
				}
				catch (SQLTransientConnectionException ex) {
					turn = TURN_TIMEOUT;
					// after a rejected login do not borrow, because the caller decides
					// whether to use the application's pool
					Connection spare = SqlFailure.isAccessDenied(ex) ? null : this.spareConnections.poll(TURN_TIMEOUT);
					if (spare != null) {
						reportBorrowing(pool);
						return spare;
					}
					if (deadline.hasPassed()) {
						throw ex;
					}
				}
			}
		}

		/**
		 * Return the first connection of this pool. Before this pool has opened a
		 * connection, it does not borrow from the application's pool during outages,
		 * because the two pools may connect to different databases.
		 */
		private Connection getFirstConnection(Deadline deadline) throws SQLException {
			Connection connection = (!isClosed() && getHikariPoolMXBean() instanceof HikariPool pool)
					? pool.getConnection(Math.max(1, deadline.remaining().toMillis())) : super.getConnection();
			this.borrowing = false;
			return connection;
		}

		private void reportBorrowing(HikariPool pool) {
			// if this pool still has its connection, that connection is busy, not lost
			if (Boolean.FALSE.equals(this.borrowing) && pool.getTotalConnections() == 0) {
				logger.info("The connection for ids was lost. Until it is replaced, ids are reserved through"
						+ " connections that the application's pool can spare");
			}
			this.borrowing = true;
		}

		private boolean hasIdleSharedConnection() {
			HikariPoolMXBean pool = this.original.getHikariPoolMXBean();
			return pool != null && pool.getIdleConnections() > 0;
		}

		/**
		 * Return a connection of the application's pool, with auto-commit on. The
		 * application's pool restores its own setting when the connection is closed.
		 */
		private Connection getSharedConnection() throws SQLException {
			Connection connection = this.original.getConnection();
			try {
				connection.setAutoCommit(true);
				return connection;
			}
			catch (SQLException ex) {
				connection.close();
				throw ex;
			}
		}

		@Override
		public boolean isLent(Connection connection) throws SQLException {
			// only called if this pool's own connections have auto-commit off
			return connection.getAutoCommit();
		}

		@Override
		public boolean mustVerifySession(Connection connection) {
			return this.earlyConnections.hasLent(connection);
		}

		@Override
		public void stopLendingUnverified() {
			this.earlyConnections.endLending();
		}

		private boolean haveCredentialsChanged() {
			Credentials triedCredentials = this.triedCredentials;
			Credentials current = this.original.getCredentials();
			return triedCredentials != null && !(Objects.equals(triedCredentials.getUsername(), current.getUsername())
					&& Objects.equals(triedCredentials.getPassword(), current.getPassword()));
		}

		/**
		 * Close the connections of the previous user if the user has changed, because the
		 * previous user may lose its privileges. A new password does not invalidate open
		 * connections.
		 */
		private void evictConnectionsOfPreviousUser() {
			String user = getUsername();
			HikariPoolMXBean pool = getHikariPoolMXBean();
			if (pool != null && !Objects.equals(user, this.connectedUser)) {
				pool.softEvictConnections();
			}
			this.connectedUser = user;
		}

		@Override
		public boolean isShared() {
			return this.shared;
		}

		/**
		 * Return whether to try the application's pool. A started pool that has no
		 * connections would fail only after its whole timeout. A pool that has not
		 * started fails immediately if it cannot connect.
		 */
		private boolean shouldTryApplicationPool() {
			HikariPoolMXBean pool = this.original.getHikariPoolMXBean();
			return pool == null || pool.getTotalConnections() > 0;
		}

	}

}
