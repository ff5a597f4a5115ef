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
 * The script that changes the types of columns, and keeps all else that belongs to them;
 * or what is in the way of one.
 *
 * @param statements the SQL, in order; empty if nothing is to do, or something is in the
 * way
 * @param obstacles what is in the way
 * @param notRead what the script depends on and could not be read, or would take long
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
	 * Find out how keys, and all columns that hold the same numbers, become a BIGINT:
	 * those that refer to the keys by a foreign key, of any number of columns and in any
	 * schema, and those that refer to these. Compares rows with those that they refer to,
	 * where a foreign key has to be made again.
	 * @param dataSource gives a connection, which is used for reading only
	 * @param timeout how long each statement may take, in whole seconds
	 * @param keys the keys
	 * @return the script, or what is in its way
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
	 * Say what the statements do not tell.
	 * @return sentences that begin with a space, empty if there is nothing to say
	 */
	String remark() {
		if (!this.obstacles.isEmpty()) {
			return " There are no statements, as this is in the way: " + String.join("; ", this.obstacles)
					+ ". Change or remove it first, and create it again afterwards.";
		}
		return (this.statements.isEmpty() || this.notRead.isEmpty()) ? ""
				: " Not read: " + String.join("; ", this.notRead) + ".";
	}

}
