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
 * Creates a pool of one connection for reservations from the application's pool, with the
 * same settings. Otherwise callers that hold all connections of the application's pool
 * while they wait for ids would deadlock.
 */
final class IdsConnectionSource {

	/** What happens to callers if reservations share the application's pool. */
	static final String WAITING = "If callers hold all connections in transactions while ids run out,"
			+ " they wait for each other";

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
	 * application's pool is of another kind
	 */
	static @Nullable DedicatedDataSource dedicated(DataSource dataSource, Duration waitTimeout) {
		return HIKARI_PRESENT ? OwnPool.copy(dataSource, waitTimeout) : null;
	}

	/**
	 * A pool that is closed with the store.
	 */
	interface DedicatedDataSource extends LendingDataSource {

		/**
		 * Return whether its connections have the application pool's auto-commit setting,
		 * rather than auto-commit off.
		 */
		boolean isAutoCommit();

		/**
		 * Return whether its connections come from the application's pool because it
		 * cannot open its own.
		 */
		boolean isShared();

		void close();

	}

	/**
	 * A pool with a separate copy of the properties: {@code copyStateTo} shares them, and
	 * an application's pool that opens later would have this one's limits. It is a
	 * separate class so that nothing else needs Hikari on the class path.
	 * <p>
	 * User and password are the current ones of the original pool: they may change while
	 * the application runs, and subclasses may compute them. If the database rejects
	 * them, the original pool may log in by other means, or may have connections from
	 * before the change. Then its connections are used, until it has another user or
	 * password.
	 */
	private static final class OwnPool extends HikariDataSource implements DedicatedDataSource {

		/** The least that Hikari accepts. */
		private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);

		/** Databases that are reached over a network. */
		private static final List<String> SERVERS = List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:");

		/**
		 * The MariaDB and MySQL drivers' name for several statements in one round trip.
		 */
		private static final String SEVERAL_AT_ONCE = "allowMultiQueries";

		/** The MariaDB driver's name for the connect timeout, in milliseconds. */
		private static final String CONNECT_TIMEOUT = "connectTimeout";

		private final Properties properties = new Properties();

		private final HikariDataSource original;

		/**
		 * The MariaDB and MySQL drivers' name for the number of attempts when all hosts
		 * are down, a quarter of a second apart.
		 */
		private static final String ATTEMPTS = "retriesAllDown";

		/**
		 * Two seconds instead of half a minute: these drivers reconnect in the middle of
		 * a statement, and MariaDB's driver tries the same host each time.
		 */
		private static final String MOST_ATTEMPTS = "8";

		/**
		 * How long to wait for this pool's own connection before another pool is asked.
		 */
		private static final Duration PATIENCE = Duration.ofSeconds(1);

		/** How long to wait for each pool in turn. */
		private static final Duration TURN = Duration.ofMillis(250);

		/** The credentials tried last, or {@code null} if a provider supplies them. */
		private volatile @Nullable Credentials tried;

		/** The user of the open connections. */
		private volatile @Nullable String user;

		private volatile boolean shared;

		private final SpareConnections spare;

		/**
		 * Whether the last connection was a spare one, or {@code null} before the first.
		 */
		private volatile @Nullable Boolean lending;

		private OwnPool(HikariDataSource original, Duration waitTimeout) {
			this.original = original;
			this.spare = new SpareConnections(this::isOriginalIdle, this::getSharedConnection);
			original.copyStateTo(this);
			this.properties.putAll(original.getDataSourceProperties());
			setPoolName(((original.getPoolName() != null) ? original.getPoolName() : "HikariPool") + "-ids");
			setMaximumPoolSize(1);
			setMinimumIdle(0);
			setReadOnly(false);
			setInitializationFailTimeout(-1);
			setLeakDetectionThreshold(0);
			setConnectionTimeout(Math.max(waitTimeout.toMillis(), LEAST_TIMEOUT.toMillis()));
			setValidationTimeout(Math.min(getValidationTimeout(), getConnectionTimeout()));
			prepare(String.valueOf(getJdbcUrl()));
		}

		static @Nullable OwnPool copy(DataSource dataSource, Duration waitTimeout) {
			try {
				return dataSource.isWrapperFor(HikariDataSource.class)
						? new OwnPool(dataSource.unwrap(HikariDataSource.class), waitTimeout) : null;
			}
			catch (SQLException ex) {
				return null;
			}
		}

		/**
		 * Set driver properties that save reservations a round trip each time. Settings
		 * in the URL take precedence.
		 */
		private void prepare(String url) {
			if (SERVERS.stream().noneMatch(url::startsWith)) {
				return;
			}
			setAutoCommit(false);
			Duration timeout = Duration.ofMillis(getConnectionTimeout());
			if (url.startsWith("jdbc:postgresql:")) {
				preparePostgresql(url, timeout);
				return;
			}
			if (!url.contains(SEVERAL_AT_ONCE + "=")) {
				this.properties.putIfAbsent(SEVERAL_AT_ONCE, "true");
			}
			if (!DatabaseAddress.hasSeveralHosts(url)) {
				return;
			}
			if (!url.contains(ATTEMPTS + "=")) {
				this.properties.putIfAbsent(ATTEMPTS, MOST_ATTEMPTS);
			}
			if (url.startsWith("jdbc:mariadb:") && !url.contains(CONNECT_TIMEOUT + "=")) {
				// otherwise the pool's own limit, which it sets for all drivers
				Duration limit = DatabaseAddress.timeout(url, Duration.ZERO);
				this.properties.putIfAbsent(CONNECT_TIMEOUT, Long.toString(limit.toMillis()));
			}
		}

		/**
		 * A statement prepared on one server is unknown to the next server that a pooler
		 * in transaction mode assigns.
		 * <p>
		 * The driver ignores the login timeout that pools set: on a network that drops
		 * the answer, the pool would wait for ever and never retry. After a statement has
		 * timed out, the driver also waits ten seconds to cancel it on the server. With
		 * several hosts, the limit covers all of them together, so it must leave time for
		 * the second.
		 */
		private void preparePostgresql(String url, Duration timeout) {
			this.properties.putIfAbsent("prepareThreshold", "0");
			limit("loginTimeout", DatabaseAddress.timeout(url, timeout));
			limit("cancelSignalTimeout", timeout);
		}

		private void limit(String name, Duration timeout) {
			this.properties.putIfAbsent(name, Long.toString(Math.max(1, timeout.toSeconds())));
		}

		@Override
		public Properties getDataSourceProperties() {
			return this.properties;
		}

		@Override
		public Credentials getCredentials() {
			Credentials credentials = this.original.getCredentials();
			this.tried = credentials;
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
			evictConnectionsOfFormerUser();
			try {
				Connection connection = connect();
				if (this.shared) {
					this.shared = false;
					logger
						.info("The database accepts the user and the password of the connection for ids again. Ids are"
								+ " reserved over it.");
				}
				return connection;
			}
			catch (SQLException ex) {
				if (!SqlFailure.isAccessRefused(ex) || !canOriginalConnect()) {
					throw ex;
				}
				Connection connection = getSharedConnection();
				if (!this.shared) {
					this.shared = true;
					logger.warn("The database refuses the user or the password of the connection for ids ("
							+ SqlFailure.describe(ex) + "). Until they change, ids are reserved over connections from"
							+ " the application's pool. " + IdsConnectionSource.WAITING);
				}
				return connection;
			}
		}

		/**
		 * Return a connection, or a spare one of the application's pool while the driver
		 * is stuck: some drivers try a single server for half a minute even if others are
		 * available.
		 */
		private Connection connect() throws SQLException {
			if (this.lending == null || isClosed() || !(getHikariPoolMXBean() instanceof HikariPool pool)) {
				// the first one shows whether it is the same database
				Connection first = super.getConnection();
				this.lending = false;
				return first;
			}
			Deadline deadline = Deadline.after(TimeSource.system(), Duration.ofMillis(getConnectionTimeout()));
			Duration turn = Boolean.TRUE.equals(this.lending) ? TURN : PATIENCE;
			while (true) {
				try {
					Connection own = pool.getConnection(Math.min(turn.toMillis(), deadline.remaining().toMillis()));
					this.lending = false;
					return own;
				}
				catch (SQLTransientConnectionException ex) {
					turn = TURN;
					// a rejected login is handled when the time is over
					Connection spare = SqlFailure.isAccessRefused(ex) ? null : this.spare.poll(TURN);
					if (spare != null) {
						reportLending();
						return spare;
					}
					if (deadline.hasPassed()) {
						throw ex;
					}
				}
			}
		}

		private void reportLending() {
			if (Boolean.FALSE.equals(this.lending)) {
				logger.info("The connection for ids is lost. Until there is another one, ids are reserved over"
						+ " connections that the application's pool can spare");
			}
			this.lending = true;
		}

		private boolean isOriginalIdle() {
			HikariPoolMXBean pool = this.original.getHikariPoolMXBean();
			return pool != null && pool.getIdleConnections() > 0;
		}

		/**
		 * The pool restores auto-commit.
		 */
		private Connection getSharedConnection() throws SQLException {
			Connection connection = this.original.getConnection();
			connection.setAutoCommit(true);
			return connection;
		}

		@Override
		public boolean isLent(Connection connection) throws SQLException {
			return connection.getAutoCommit();
		}

		private boolean haveCredentialsChanged() {
			Credentials tried = this.tried;
			Credentials now = this.original.getCredentials();
			return tried != null && !(Objects.equals(tried.getUsername(), now.getUsername())
					&& Objects.equals(tried.getPassword(), now.getPassword()));
		}

		/**
		 * A former user may lose privileges while connected. After a change of password
		 * only, open connections remain valid.
		 */
		private void evictConnectionsOfFormerUser() {
			String user = getUsername();
			HikariPoolMXBean pool = getHikariPoolMXBean();
			if (pool != null && !Objects.equals(user, this.user)) {
				pool.softEvictConnections();
			}
			this.user = user;
		}

		@Override
		public boolean isShared() {
			return this.shared;
		}

		/**
		 * Return whether the original pool is worth trying. A pool that has not started
		 * fails immediately if it cannot connect; a pool that has lost all connections
		 * fails after its whole timeout.
		 */
		private boolean canOriginalConnect() {
			HikariPoolMXBean pool = this.original.getHikariPoolMXBean();
			return pool == null || pool.getTotalConnections() > 0;
		}

	}

}
