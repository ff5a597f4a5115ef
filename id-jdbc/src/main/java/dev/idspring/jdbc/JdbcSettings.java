package dev.idspring.jdbc;

import dev.idspring.InvalidSettingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of a database are used.
 *
 * @param tablePrefix the prefix of the table names, usually {@code ids_}, optionally
 * preceded by a schema name and a dot
 * @param platform the database to assume, as in the names of the schema scripts, or
 * {@code null} to detect it
 * @param failoverMargin how many ids all instances together may reserve at once. A key
 * space skips ahead by about this distance after a fail-over. 0 for no limit and no skip
 * @param failoverLag the longest replication lag of a server that takes over, from 100 ms
 * to 10 min. After a fail-over the server reserves nothing for as long. The same for all
 * instances
 * @param synchronousCommit the least that commits of reservations wait for, or
 * {@code null} for the session's setting, unless that waits for nothing. For PostgreSQL
 * only
 * @param created whether the application creates the tables at start, which is then no
 * remedy for a missing table
 * @param prepared whether the store owns its connections and gets them with auto-commit
 * off, so that it neither reads nor restores that
 * @since 0.1.0
 */
public record JdbcSettings(String tablePrefix, @Nullable String platform, long failoverMargin, Duration failoverLag,
		@Nullable SynchronousCommit synchronousCommit, boolean created, boolean prepared) {

	/**
	 * Create settings.
	 * @throws InvalidSettingException if a value cannot be used
	 */
	public JdbcSettings {
		TableNames.verifyPrefix(tablePrefix);
		InvalidSettingException.require(failoverMargin >= 0, JdbcSettings.class, "failoverMargin", failoverMargin,
				"must not be negative: say how many ids a fail-over may lose, or 0 to do nothing about it");
		InvalidSettingException.requireRange(JdbcSettings.class, "failoverLag", failoverLag, Duration.ofMillis(100),
				Duration.ofMinutes(10));
	}

	/**
	 * Return the default settings for some tables.
	 * @param tablePrefix the prefix of the table names
	 * @return settings that detect the database
	 */
	public static JdbcSettings defaults(String tablePrefix) {
		return new JdbcSettings(tablePrefix, null, FailoverFence.DEFAULT_MARGIN, FailoverFence.DEFAULT_LAG, null, false,
				false);
	}

	JdbcSettings withSynchronousCommit(@Nullable SynchronousCommit wanted) {
		return new JdbcSettings(this.tablePrefix, this.platform, this.failoverMargin, this.failoverLag, wanted,
				this.created, this.prepared);
	}

	JdbcSettings withFailoverMargin(long margin) {
		return new JdbcSettings(this.tablePrefix, this.platform, margin, this.failoverLag, this.synchronousCommit,
				this.created, this.prepared);
	}

	JdbcSettings withFailoverLag(Duration lag) {
		return new JdbcSettings(this.tablePrefix, this.platform, this.failoverMargin, lag, this.synchronousCommit,
				this.created, this.prepared);
	}

	JdbcSettings withPrepared(boolean prepared) {
		return new JdbcSettings(this.tablePrefix, this.platform, this.failoverMargin, this.failoverLag,
				this.synchronousCommit, this.created, prepared);
	}

	/**
	 * What PostgreSQL's commits wait for, from the least to the most: the values of
	 * {@code synchronous_commit} except {@code off}, with which ids would repeat after a
	 * crash.
	 *
	 * @since 0.1.0
	 */
	public enum SynchronousCommit {

		/**
		 * The disk of this server.
		 */
		LOCAL,

		/**
		 * That, and the synchronous standbys have received it.
		 */
		REMOTE_WRITE,

		/**
		 * That, and it is on their disks.
		 */
		ON,

		/**
		 * That, and it can be read there.
		 */
		REMOTE_APPLY;

		/**
		 * Return the value of the setting.
		 */
		String setting() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Return the name as it is written in configuration files.
		 */
		String id() {
			return setting().replace('_', '-');
		}

		/**
		 * Return an SQL list of the values of the setting that wait for less than this
		 * one.
		 */
		String weaker() {
			StringBuilder weaker = new StringBuilder("'off'");
			Arrays.stream(values())
				.filter((other) -> other.compareTo(this) < 0)
				.forEach((other) -> weaker.append(", '").append(other.setting()).append("'"));
			return weaker.toString();
		}

	}

}
