package dev.idspring.tools.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

import dev.idspring.InvalidSettingException;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Reference;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the tables in a schema, or of one table.
 *
 * @param database the product name of the database
 * @param schema the schema that was read, or {@code null} if the database has no schemas
 * @param columns the primary keys that consist of one column
 * @param numbered the other columns whose values the database generates
 * @param sequences all sequences, including those that belong to columns
 * @param texts the case-insensitive text columns of primary, unique and foreign keys
 * @param narrow the foreign key columns that cannot hold all values that they reference
 * @param withoutKey the tables without a primary key
 * @param leftOut the tables whose keys are not examined, and the reasons; neither
 * partitions nor the tables that the caller excluded are listed
 * @param notRead what could not be read, and the reasons
 * @since 0.1.0
 */
public record KeyColumns(String database, @Nullable String schema, List<KeyColumn> columns, List<KeyColumn> numbered,
		List<Numbering> sequences, List<TextColumn> texts, List<NarrowReference> narrow,
		List<TableWithoutKey> withoutKey, List<String> leftOut, List<String> notRead) {

	/**
	 * Create a description of keys.
	 * @throws IllegalArgumentException if the product name, a list or an element of a
	 * list is missing
	 */
	public KeyColumns {
		InvalidSettingException.requireGiven(KeyColumns.class, "database", database);
		columns = InvalidSettingException.requireElements(KeyColumns.class, "columns", columns);
		numbered = InvalidSettingException.requireElements(KeyColumns.class, "numbered", numbered);
		sequences = InvalidSettingException.requireElements(KeyColumns.class, "sequences", sequences);
		texts = InvalidSettingException.requireElements(KeyColumns.class, "texts", texts);
		narrow = InvalidSettingException.requireElements(KeyColumns.class, "narrow", narrow);
		withoutKey = InvalidSettingException.requireElements(KeyColumns.class, "withoutKey", withoutKey);
		leftOut = InvalidSettingException.requireElements(KeyColumns.class, "leftOut", leftOut);
		notRead = InvalidSettingException.requireElements(KeyColumns.class, "notRead", notRead);
	}

	/**
	 * Read the keys of all tables in the current schema of a connection, from the
	 * catalogue and the sequences. From the tables, this method reads only two kinds of
	 * values: numbers, through an index of their column, and samples of strings.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, rounded down to seconds, at least
	 * one second
	 * @return the keys; {@link #notRead()} lists the parts that could not be read
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout) {
		return read(dataSource, timeout, Set.of(), (done, all) -> {
		});
	}

	/**
	 * Read the keys of the tables in the current schema of a connection, except for some
	 * tables.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, rounded down to seconds, at least
	 * one second
	 * @param except the names of the tables to leave out, compared without regard to case
	 * @param progress is called after each step
	 * @return the keys; {@link #notRead()} lists the parts that could not be read
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout, Set<String> except, Progress progress) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		InvalidSettingException.requireGiven(KeyColumns.class, "except", except);
		InvalidSettingException.requireGiven(KeyColumns.class, "progress", progress);
		return Catalogue.read(dataSource, timeout, null, except, progress);
	}

	/**
	 * Read the key of one table in any schema, and all sequences in the schema of the
	 * table.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, rounded down to seconds, at least
	 * one second
	 * @param table the table as named in the catalogue
	 * @return the result; {@link #columns()} contains the key if the key consists of one
	 * column
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout, QualifiedName table) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		InvalidSettingException.requireGiven(KeyColumns.class, "table", table);
		return Catalogue.read(dataSource, timeout, table, Set.of(), (done, all) -> {
		});
	}

	/**
	 * Receives the progress while keys are read.
	 */
	@FunctionalInterface
	public interface Progress {

		/**
		 * Called after each step.
		 * @param done the number of completed steps
		 * @param all the total number of steps
		 */
		void read(int done, int all);

	}

	/**
	 * A column of a foreign key that cannot hold all values of the referenced column.
	 *
	 * @param reference the referencing column
	 * @param target the referenced table and column
	 * @param type the type of the referenced column
	 * @param widening the change of the referencing column to that type, or {@code null}
	 * if unknown
	 */
	public record NarrowReference(Reference reference, String target, String type, @Nullable Alteration widening) {

	}

	/**
	 * A table that has no primary key.
	 *
	 * @param table the table with its schema
	 * @param candidate the columns that could be the key, because they are unique and not
	 * null; empty if there are none
	 * @param name the name for a new key column, or {@code null} if there is a candidate
	 */
	public record TableWithoutKey(QualifiedName table, List<String> candidate, @Nullable String name) {

		/**
		 * Create a description of a table.
		 */
		public TableWithoutKey {
			candidate = List.copyOf(candidate);
		}

	}

}
