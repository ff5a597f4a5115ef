package dev.idspring.jdbc;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of a database are used.
 *
 * @param tablePrefix what the names of the tables begin with, usually {@code ids_},
 * perhaps preceded by the name of a schema and a dot
 * @param platform which database to assume, as the schema scripts are named, or
 * {@code null} to find out
 * @param failoverMargin how far key spaces move ahead when another server has taken over,
 * 0 for not at all
 * @param synchronousCommit what the commits of reservations wait for at least, or
 * {@code null} for what the session says, unless that is nothing. For PostgreSQL only
 * @param created whether the application is told to create the tables at start, which is
 * then no remedy for one that is missing
 * @param prepared whether connections serve nobody else and come with auto-commit off and
 * in READ COMMITTED, so that neither is to be asked for nor put back
 * @since 0.1.0
 */
public record JdbcSettings(String tablePrefix, @Nullable String platform, long failoverMargin,
		@Nullable SynchronousCommit synchronousCommit, boolean created, boolean prepared) {

	/**
	 * Create settings.
	 * @throws IdSetupException if the margin cannot be used
	 */
	public JdbcSettings {
		if (failoverMargin < 0) {
			throw new IdSetupException("ids.jdbc.failover-margin is " + failoverMargin + ".",
					"Say how many ids a fail-over may lose, or 0 to do nothing about it.");
		}
	}

	/**
	 * Return the default settings for some tables.
	 * @param tablePrefix what the names of the tables begin with
	 * @return settings that find out which database this is
	 */
	public static JdbcSettings defaults(String tablePrefix) {
		return new JdbcSettings(tablePrefix, null, FailoverFence.DEFAULT_MARGIN, null, false, false);
	}

	JdbcSettings withSynchronousCommit(@Nullable SynchronousCommit wanted) {
		return new JdbcSettings(this.tablePrefix, this.platform, this.failoverMargin, wanted, this.created,
				this.prepared);
	}

	JdbcSettings withFailoverMargin(long margin) {
		return new JdbcSettings(this.tablePrefix, this.platform, margin, this.synchronousCommit, this.created,
				this.prepared);
	}

	JdbcSettings withPrepared(boolean prepared) {
		return new JdbcSettings(this.tablePrefix, this.platform, this.failoverMargin, this.synchronousCommit,
				this.created, prepared);
	}

}
