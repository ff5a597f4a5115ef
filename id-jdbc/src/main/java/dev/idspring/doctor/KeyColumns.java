package dev.idspring.doctor;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import dev.idspring.InvalidSettingException;
import dev.idspring.doctor.KeyColumn.Numbering;
import dev.idspring.jdbc.QualifiedName;

/**
 * The keys of all tables in a schema.
 *
 * @param database the product
 * @param columns the primary keys of one column
 * @param sequences all sequences, also those of the columns
 * @param withoutKey the tables that have no primary key
 * @param notRead what could not be read, and why
 * @since 0.1.0
 */
public record KeyColumns(String database, List<KeyColumn> columns, List<Numbering> sequences, List<String> withoutKey,
		List<String> notRead) {

	/**
	 * Create a description.
	 * @throws IllegalArgumentException if something is missing
	 */
	public KeyColumns {
		InvalidSettingException.requireGiven(KeyColumns.class, "database", database);
		columns = InvalidSettingException.requireElements(KeyColumns.class, "columns", columns);
		sequences = InvalidSettingException.requireElements(KeyColumns.class, "sequences", sequences);
		withoutKey = InvalidSettingException.requireElements(KeyColumns.class, "withoutKey", withoutKey);
		notRead = InvalidSettingException.requireElements(KeyColumns.class, "notRead", notRead);
	}

	/**
	 * Read the keys of all tables in the current schema of a connection. The highest
	 * number of a column is read from the end of its index, all else from the catalogue.
	 * @param dataSource gives a connection, which is used for reading only
	 * @param timeout how long each statement may take, in whole seconds
	 * @return what was read; a part that fails is missing, and said to be
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		return Catalogue.read(dataSource, timeout, null);
	}

	/**
	 * Read the key of one table, in whichever schema it is, and nothing of other tables
	 * but the sequences of its schema.
	 * @param dataSource gives a connection, which is used for reading only
	 * @param timeout how long each statement may take, in whole seconds
	 * @param table the table as the catalogue has it
	 * @return what was read, of which {@link #columns()} has the key if it is one column
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout, QualifiedName table) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		InvalidSettingException.requireGiven(KeyColumns.class, "table", table);
		return Catalogue.read(dataSource, timeout, table);
	}

}
