package dev.idspring.tools.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import dev.idspring.InvalidSettingException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The script that changes the types of columns and preserves everything else about them,
 * or the obstacles to such a script.
 *
 * @param statements the SQL, in order; empty if nothing needs to change, or there are
 * obstacles
 * @param obstacles the obstacles
 * @param notRead facts behind the script that could not be read, or would take long
 * @since 0.1.0
 */
public record Alteration(List<String> statements, List<String> obstacles, List<String> notRead) {

	/**
	 * Create an alteration.
	 * @throws IllegalArgumentException if something is missing
	 */
	public Alteration {
		statements = InvalidSettingException.requireElements(Alteration.class, "statements", statements);
		obstacles = InvalidSettingException.requireElements(Alteration.class, "obstacles", obstacles);
		notRead = InvalidSettingException.requireElements(Alteration.class, "notRead", notRead);
	}

	/**
	 * Find the script that changes keys to BIGINT, with all columns that hold the same
	 * numbers. These reference the keys by a foreign key, directly or through other
	 * columns, with any number of columns and in any schema. If a foreign key must be
	 * created again, compares rows with those that they reference.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, in whole seconds
	 * @param keys the keys
	 * @return the script, or its obstacles
	 */
	public static Alteration toBigint(DataSource dataSource, Duration timeout, List<KeyColumn> keys) {
		InvalidSettingException.requireGiven(Alteration.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(Alteration.class, "timeout", timeout);
		InvalidSettingException.requireElements(Alteration.class, "keys", keys);
		return Objects
			.requireNonNull(new JdbcTemplate(dataSource).execute((ConnectionCallback<Alteration>) (connection) -> {
				JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
				jdbc.setQueryTimeout((int) timeout.toSeconds());
				return Alterations.of(jdbc, connection.getMetaData()).toBigint(keys, true);
			}));
	}

	/**
	 * Describe what the statements do not show.
	 * @return sentences that begin with a space, empty if there are none
	 */
	String remark() {
		if (!this.obstacles.isEmpty()) {
			return " There are no statements, because of these obstacles: " + String.join("; ", this.obstacles)
					+ ". Change or remove it first, and create it again afterwards.";
		}
		return (this.statements.isEmpty() || this.notRead.isEmpty()) ? ""
				: " Not read: " + String.join("; ", this.notRead) + ".";
	}

}
