package dev.idspring.jdbc;

import dev.idspring.InvalidSettingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of a database are used.
 *
 * @param tablePrefix what the names of the tables begin with, usually {@code ids_},
 * perhaps preceded by the name of a schema and a dot
 * @param platform which database to assume, as the schema scripts are named, or
 * {@code null} to find out
 * @param failoverMargin how many ids all instances together may reserve at once, and so
 * how far a key space skips ahead when another server has taken over; 0 for no limit and
 * no skip
 * @param failoverLag what a server that takes over may lack of the time before the
 * fail-over, from 100 ms to 10 min. For as long it then reserves nothing. The same for
 * all instances
 * @param synchronousCommit what the commits of reservations wait for at least, or
 * {@code null} for what the session says, unless that is nothing. For PostgreSQL only
 * @param created whether the application creates the tables at start, which is then no
 * remedy for one that is missing
 * @param prepared whether connections are the store's own and come with auto-commit off,
 * so that it is neither asked for nor put back
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
	 * @param tablePrefix what the names of the tables begin with
	 * @return settings that find out which database this is
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
	 * What PostgreSQL's commits wait for, from the least to the most:
	 * {@code synchronous_commit}, without {@code off}, as that waits for nothing and ids
	 * would repeat after a crash.
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
		 * Return a list in SQL of the values of the setting that wait for less than this
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
