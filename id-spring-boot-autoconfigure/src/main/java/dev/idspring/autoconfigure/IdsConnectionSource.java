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
 * Makes a connection pool of one for reservations out of the application's own, with the
 * same settings: callers who hold all connections of the application's pool while they
 * wait for ids would otherwise wait for themselves.
 */
final class IdsConnectionSource {

	/** What happens to callers where reservations share the application's pool. */
	static final String WAITING = "If callers hold all connections in transactions while ids run out,"
			+ " they wait for each other";

	private static final Log logger = LogFactory.getLog(IdsConnectionSource.class);

	private static final boolean HIKARI_PRESENT = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			IdsConnectionSource.class.getClassLoader());

	private IdsConnectionSource() {
	}

	/**
	 * Make a dedicated pool.
	 * @param dataSource the application's
	 * @param waitTimeout how long to wait for a connection
	 * @return the dedicated pool, to be closed after use, or {@code null} if the
	 * application's is of another kind
	 */
	static @Nullable DedicatedDataSource dedicated(DataSource dataSource, Duration waitTimeout) {
		return HIKARI_PRESENT ? OwnPool.copy(dataSource, waitTimeout) : null;
	}

	/**
	 * A pool that is closed with the store.
	 */
	interface DedicatedDataSource extends LendingDataSource {

		/**
		 * Return whether its connections come as the application's pool has them, rather
		 * than with auto-commit off.
		 */
		boolean isAutoCommit();

		/**
		 * Return whether its connections are those of the application's pool, as it
		 * cannot make any.
		 */
		boolean isShared();

		void close();

	}

	/**
	 * A pool with properties of its own: {@code copyStateTo} shares them, and an
	 * application's pool that opens later would be limited like this one. Apart, so that
	 * nothing else needs Hikari on the class path.
	 * <p>
	 * User and password are those that the original has at the moment: they change while
	 * the application runs, and subclasses compute them. If the database refuses them,
	 * the original may have another way in, or connections from before the change: then
	 * its connections are used, until it has another user or password.
	 */
	private static final class OwnPool extends HikariDataSource implements DedicatedDataSource {

		/** The least that Hikari accepts. */
		private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);

		/** Those that are far away. */
		private static final List<String> SERVERS = List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:");

		/** How drivers of MariaDB and MySQL call several statements in one round trip. */
		private static final String SEVERAL_AT_ONCE = "allowMultiQueries";

		/** How MariaDB's driver calls the limit for connecting, in milliseconds. */
		private static final String CONNECT_TIMEOUT = "connectTimeout";

		private final Properties properties = new Properties();

		private final HikariDataSource original;

		/**
		 * How drivers of MariaDB and MySQL call the number of attempts when all hosts are
		 * down, a quarter of a second apart.
		 */
		private static final String ATTEMPTS = "retriesAllDown";

		/**
		 * Two seconds, in place of half a minute: these drivers connect again in the
		 * midst of a statement, and the one of MariaDB asks the same host each time.
		 */
		private static final String MOST_ATTEMPTS = "8";

		/** How long to wait for a connection of its own before another pool is asked. */
		private static final Duration PATIENCE = Duration.ofSeconds(1);

		/** How long to wait for the one pool, and then for the other. */
		private static final Duration TURN = Duration.ofMillis(250);

		/** Those that were tried last, or {@code null} if a provider knows them. */
		private volatile @Nullable Credentials tried;

		/** The user of the connections that are there. */
		private volatile @Nullable String user;

		private volatile boolean shared;

		private final SpareConnections spare;

		/** Whether reservations have had a connection, and whether it was a spare one. */
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
		 * Begin with what reservations need, for which they would go to the database and
		 * back each time. What the URL says counts more.
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
				// otherwise the pool's own, as it sets that for all drivers
				Duration limit = DatabaseAddress.timeout(url, Duration.ZERO);
				this.properties.putIfAbsent(CONNECT_TIMEOUT, Long.toString(limit.toMillis()));
			}
		}

		/**
		 * A statement that is prepared on a server is unknown to the next one that a
		 * pooler in transaction mode assigns.
		 * <p>
		 * The driver does not heed the limit that pools set for logging in: on a network
		 * that swallows the answer, the pool would wait for ever and never try again. And
		 * after a statement has timed out it waits ten seconds for the server to hear of
		 * that. With several hosts the limit is for all of them together: then it must
		 * leave time for the second.
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
		 * Return a connection, or one that the application's pool can spare while the
		 * driver is stuck: some try a single server for half a minute, whatever the
		 * others do meanwhile.
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
					// what to do about a refusal is decided when the time is over
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
		 * The pool puts auto-commit back.
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
		 * A former user may lose his rights while he is connected. With a new password
		 * connections stay as good as they were.
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
		 * Return whether it is worth a try. A pool that has not begun fails at once if it
		 * cannot connect, one that has lost all connections after its whole timeout.
		 */
		private boolean canOriginalConnect() {
			HikariPoolMXBean pool = this.original.getHikariPoolMXBean();
			return pool == null || pool.getTotalConnections() > 0;
		}

	}

}
