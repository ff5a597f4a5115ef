package dev.idspring.autoconfigure;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.jdbc.DatabaseAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Makes a connection pool of one for reservations out of the application's own, with the
 * same settings: callers who hold all connections of the application's pool while they
 * wait for ids would otherwise wait for themselves.
 */
final class IdsConnectionSource {

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
		return HIKARI_PRESENT ? Hikari.copy(dataSource, waitTimeout) : null;
	}

	/**
	 * A pool that is closed with the store.
	 *
	 * @param dataSource the pool
	 * @param name the name of the pool
	 * @param prepared whether its connections come with auto-commit off
	 * @param close closes it
	 */
	record DedicatedDataSource(DataSource dataSource, String name, boolean prepared, Runnable close) {

	}

	/**
	 * Apart, so that nothing else needs Hikari on the class path.
	 */
	private static final class Hikari {

		/** The least that Hikari accepts. */
		private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);

		private static final List<String> PREPARED = List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:");

		/** How drivers of MariaDB and MySQL call several statements in one round trip. */
		private static final String SEVERAL_AT_ONCE = "allowMultiQueries";

		/** How PostgreSQL's driver calls the limit for logging in, in seconds. */
		private static final String LOGIN_TIMEOUT = "loginTimeout";

		/** And how that for calling a statement off, in seconds. */
		private static final String CANCEL_TIMEOUT = "cancelSignalTimeout";

		/** How MariaDB's driver calls the limit for connecting, in milliseconds. */
		private static final String CONNECT_TIMEOUT = "connectTimeout";

		private static @Nullable DedicatedDataSource copy(DataSource dataSource, Duration waitTimeout) {
			HikariDataSource original = unwrap(dataSource);
			if (original == null) {
				return null;
			}
			OwnPool copy = new OwnPool(original);
			copy.setPoolName(((original.getPoolName() != null) ? original.getPoolName() : "HikariPool") + "-ids");
			copy.setMaximumPoolSize(1);
			copy.setMinimumIdle(0);
			copy.setReadOnly(false);
			copy.setInitializationFailTimeout(-1);
			copy.setLeakDetectionThreshold(0);
			copy.setConnectionTimeout(Math.max(waitTimeout.toMillis(), LEAST_TIMEOUT.toMillis()));
			copy.setValidationTimeout(Math.min(copy.getValidationTimeout(), copy.getConnectionTimeout()));
			limitDriver(copy);
			boolean prepared = prepare(copy);
			return new DedicatedDataSource(copy, copy.getPoolName(), prepared, copy::close);
		}

		/**
		 * Begin with what reservations need, for which they would go to the database and
		 * back each time. A statement that is prepared on a server is unknown to the next
		 * one that a pooler in transaction mode assigns.
		 */
		private static boolean prepare(HikariConfig config) {
			String url = config.getJdbcUrl();
			// the others are not far away
			boolean prepared = url != null && PREPARED.stream().anyMatch(url::startsWith);
			if (prepared) {
				config.setAutoCommit(false);
			}
			if (url != null && url.startsWith("jdbc:postgresql:")) {
				// what the URL says counts more
				config.getDataSourceProperties().putIfAbsent("prepareThreshold", "0");
			}
			else if (prepared && !url.contains(SEVERAL_AT_ONCE + "=")) {
				config.getDataSourceProperties().putIfAbsent(SEVERAL_AT_ONCE, "true");
			}
			return prepared;
		}

		/**
		 * PostgreSQL's driver does not heed the limit that pools set for logging in: on a
		 * network that swallows the answer, the pool would wait for ever and never try
		 * again. And after a statement has timed out it waits ten seconds for the server
		 * to hear of that. With several hosts the limit is for all of them together: then
		 * it must leave time for the second.
		 */
		private static void limitDriver(HikariConfig config) {
			String url = config.getJdbcUrl();
			if (url != null && url.startsWith("jdbc:postgresql:")) {
				Duration wanted = Duration.ofMillis(config.getConnectionTimeout());
				// what the URL says counts more
				limitDriver(config, LOGIN_TIMEOUT, DatabaseAddress.timeout(url, wanted));
				limitDriver(config, CANCEL_TIMEOUT, wanted);
			}
			else if (url != null && url.startsWith("jdbc:mariadb:") && DatabaseAddress.hasSeveralHosts(url)
					&& !url.contains(CONNECT_TIMEOUT + "=")) {
				// otherwise the pool's own, as it sets that for all drivers
				config.getDataSourceProperties()
					.putIfAbsent(CONNECT_TIMEOUT,
							Long.toString(DatabaseAddress.timeout(url, Duration.ZERO).toMillis()));
			}
		}

		private static void limitDriver(HikariConfig config, String limit, Duration timeout) {
			config.getDataSourceProperties().putIfAbsent(limit, Long.toString(Math.max(1, timeout.toSeconds())));
		}

		private static @Nullable HikariDataSource unwrap(DataSource dataSource) {
			try {
				return dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class)
						: null;
			}
			catch (SQLException ex) {
				return null;
			}
		}

		/**
		 * A pool with properties of its own: {@code copyStateTo} shares them, and an
		 * application's pool that opens later would be limited like this one.
		 */
		private static final class OwnPool extends HikariDataSource {

			private final Properties properties = new Properties();

			OwnPool(HikariDataSource original) {
				original.copyStateTo(this);
				this.properties.putAll(original.getDataSourceProperties());
			}

			@Override
			public Properties getDataSourceProperties() {
				return this.properties;
			}

		}

	}

}
