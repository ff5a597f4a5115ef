package dev.idspring.autoconfigure;

import java.time.Duration;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsConnectionSource.DedicatedDataSource;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Opens the store in the database, over a connection of its own where there can be one.
 * Closes that connection at the end, after the generators have given back.
 */
final class JdbcStoreConnector implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(JdbcStoreConnector.class);

	private final DataSource dataSource;

	private final IdsJdbcProperties properties;

	private final boolean own;

	private final Duration timeout;

	private final TimeSource timeSource;

	private @Nullable DedicatedDataSource dedicated;

	JdbcStoreConnector(DataSource dataSource, IdsJdbcProperties properties, boolean own, Duration timeout,
			TimeSource timeSource) {
		this.dataSource = dataSource;
		this.properties = properties;
		this.own = own;
		this.timeout = timeout;
		this.timeSource = timeSource;
	}

	JdbcDatabase connect() {
		// the unwrapping of a routing DataSource must not depend on the caller's
		// transaction
		return UnreachableDatabase.explained(this.own,
				() -> StartupExecutor.call(this.timeout.multipliedBy(2), this::connectHere));
	}

	private JdbcDatabase connectHere() {
		if (this.own || this.properties.connection() == IdsJdbcProperties.Connection.SHARED) {
			return open(this.dataSource, false);
		}
		this.dedicated = IdsConnectionSource.dedicated(this.dataSource, this.timeout);
		if (this.dedicated == null) {
			logger.info("Ids are reserved over connections from the application's pool, which is not a HikariCP pool."
					+ " If callers hold all of them in transactions while ids run out, they wait for each other;"
					+ " a DataSource of its own, marked with @IdsDataSource, avoids that");
			return open(this.dataSource, false);
		}
		return openDedicated(this.dedicated);
	}

	private JdbcDatabase openDedicated(DedicatedDataSource dedicated) {
		try {
			JdbcDatabase database = open(dedicated.dataSource(), dedicated.prepared());
			logger.debug("Ids are reserved over a connection of their own, pool " + dedicated.name());
			return database;
		}
		catch (IdSetupException ex) {
			close();
			// the same failure, unless the database lives inside of a connection
			JdbcDatabase database = open(this.dataSource, false);
			logger
				.info("Ids are reserved over connections from the application's pool: a connection of its own does not"
						+ " see the same database. If callers hold all connections in transactions while ids run out,"
						+ " they wait for each other");
			return database;
		}
		catch (IdGenerationException ex) {
			close();
			throw ex;
		}
	}

	private JdbcDatabase open(DataSource target, boolean prepared) {
		return JdbcDatabase.open(target, new JdbcSettings(this.properties.tablePrefix(), this.properties.platform(),
				this.properties.failoverMargin(), this.properties.failoverLag(), this.properties.synchronousCommit(),
				this.properties.initializeSchema() == DatabaseInitializationMode.ALWAYS, prepared),
				Deadline.after(this.timeSource, this.timeout));
	}

	@Override
	public void close() {
		if (this.dedicated != null) {
			this.dedicated.close().run();
			this.dedicated = null;
		}
	}

}
