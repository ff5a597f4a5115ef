package dev.idspring.jdbc;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the tables in a database.
 *
 * @param tablePrefix the prefix of the table names, usually {@code ids_}, optionally
 * preceded by a schema name and a dot
 * @param platform the database platform, as in the names of the schema scripts, or
 * {@code null} to detect it
 * @param failoverMargin how many ids all instances together may reserve from a new key
 * space in one burst. After a burst, the rate is limited. Burst and rate rise with use.
 * After a fail-over, the key space skips the ids that the lost server could have reserved
 * without replicating them, but at most 1/64 of the ids that are left (with recycled ids
 * possibly more). With 0, reservations are not limited, no ids are skipped, and ids may
 * repeat after a fail-over
 * @param failoverLag the longest expected replication lag, from 100 ms to 10 minutes.
 * After a fail-over, the new server reserves nothing for this long. All instances must
 * use the same value
 * @param synchronousCommit the least that commits of reservations must wait for. With
 * {@code null}, the session's setting applies, but {@code off} is replaced by {@code on}.
 * Supported on PostgreSQL only
 * @param created whether the application creates the tables at startup. If so, messages
 * about a missing table do not suggest that the application should create it
 * @param prepared whether the store owns its connections and gets them with auto-commit
 * off. If so, the store does not read their auto-commit mode before it changes data
 * @since 0.1.0
 */
public record JdbcSettings(String tablePrefix, @Nullable String platform, long failoverMargin, Duration failoverLag,
		@Nullable SynchronousCommit synchronousCommit, boolean created, boolean prepared) {

	/**
	 * Create settings.
	 * @throws InvalidSettingException if a value is invalid
	 */
	public JdbcSettings {
		TableNames.verifyPrefix(tablePrefix);
		InvalidSettingException.require(failoverMargin >= 0, JdbcSettings.class, "failoverMargin", failoverMargin,
				"must not be negative: set how many ids may be reserved in one burst, or 0 for no protection");
		InvalidSettingException.requireRange(JdbcSettings.class, "failoverLag", failoverLag, Duration.ofMillis(100),
				Duration.ofMinutes(10));
	}

	/**
	 * Return the default settings for tables with a prefix.
	 * @param tablePrefix the prefix of the table names
	 * @return settings that detect the database
	 */
	public static JdbcSettings defaults(String tablePrefix) {
		return new JdbcSettings(tablePrefix, null, FailoverFence.DEFAULT_MARGIN, FailoverFence.DEFAULT_LAG, null, false,
				false);
	}

	/**
	 * What a commit in PostgreSQL waits for, in ascending order: the values of
	 * {@code synchronous_commit} except {@code off}. With {@code off}, a crash could lose
	 * reservations, and ids would be issued twice.
	 *
	 * @since 0.1.0
	 */
	public enum SynchronousCommit {

		/**
		 * Wait until the commit is on the disk of this server.
		 */
		LOCAL,

		/**
		 * Also wait until the synchronous standbys have written the commit to their file
		 * systems, though not necessarily to disk.
		 */
		REMOTE_WRITE,

		/**
		 * Also wait until the commit is on the disks of the synchronous standbys.
		 */
		ON,

		/**
		 * Also wait until the commit is visible to queries on the synchronous standbys.
		 */
		REMOTE_APPLY;

		/**
		 * Return the value of PostgreSQL's {@code synchronous_commit}.
		 */
		String setting() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Return the name that is used in configuration files.
		 */
		String propertyValue() {
			return setting().replace('_', '-');
		}

		/**
		 * Return an SQL list of the values of {@code synchronous_commit} that wait for
		 * less than this value.
		 */
		String weakerSettings() {
			StringBuilder weaker = new StringBuilder("'off'");
			Arrays.stream(values())
				.filter((other) -> other.compareTo(this) < 0)
				.forEach((other) -> weaker.append(", '").append(other.setting()).append("'"));
			return weaker.toString();
		}

	}

}
