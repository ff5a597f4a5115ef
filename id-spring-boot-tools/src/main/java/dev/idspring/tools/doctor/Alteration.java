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
 * A script that changes the types or collations of columns, and preserves their other
 * properties. If obstacles prevent such a script, this record lists the obstacles
 * instead.
 *
 * @param statements the SQL, in order; empty if nothing needs to change, if no script is
 * known for the database, or if there are obstacles
 * @param obstacles the objects or rows that prevent the change
 * @param notRead the facts that were not verified because they could not be read, or
 * because reading them would take too long
 * @since 0.1.0
 */
public record Alteration(List<String> statements, List<String> obstacles, List<String> notRead) {

	/**
	 * Create an alteration.
	 * @throws IllegalArgumentException if a list or an element of it is missing
	 */
	public Alteration {
		statements = InvalidSettingException.requireElements(Alteration.class, "statements", statements);
		obstacles = InvalidSettingException.requireElements(Alteration.class, "obstacles", obstacles);
		notRead = InvalidSettingException.requireElements(Alteration.class, "notRead", notRead);
	}

	/**
	 * Create the script that changes keys, and all columns that hold the same numbers, to
	 * BIGINT. A column holds the same numbers if it references a key by a foreign key,
	 * directly or through other columns. MariaDB and MySQL require equal types on both
	 * sides of a foreign key. Therefore, on these databases, the script also changes the
	 * columns that a key references. This method also follows foreign keys with several
	 * columns and foreign keys of other schemas. If the script must drop a foreign key
	 * and create it again, this method also verifies that no row references a missing
	 * row.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, rounded down to seconds, but at
	 * least one second
	 * @param keys the keys
	 * @return the script, or the obstacles that prevent it
	 */
	public static Alteration toBigint(DataSource dataSource, Duration timeout, List<KeyColumn> keys) {
		InvalidSettingException.requireGiven(Alteration.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(Alteration.class, "timeout", timeout);
		InvalidSettingException.requireElements(Alteration.class, "keys", keys);
		return Objects
			.requireNonNull(new JdbcTemplate(dataSource).execute((ConnectionCallback<Alteration>) (connection) -> {
				JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
				jdbc.setQueryTimeout(Catalogue.seconds(timeout));
				return Alterations.of(jdbc, connection.getMetaData()).toBigint(keys, true);
			}));
	}

	/**
	 * Describe the obstacles, or the facts that were not verified.
	 * @return sentences that begin with a space, empty if there are none
	 */
	String remark() {
		if (!this.obstacles.isEmpty()) {
			return " There are no statements because of these obstacles: " + String.join("; ", this.obstacles)
					+ ". Remove these obstacles first. Objects that were dropped can be created again afterwards.";
		}
		return (this.statements.isEmpty() || this.notRead.isEmpty()) ? ""
				: " Not read: " + String.join("; ", this.notRead) + ".";
	}

}
