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
 * The keys of all tables in a schema.
 *
 * @param database the product
 * @param schema the schema that was read, {@code null} where there are none
 * @param columns the primary keys of one column
 * @param numbered other columns that the database numbers
 * @param sequences all sequences, also those of the columns
 * @param texts columns of texts that do not tell upper and lower case apart
 * @param narrow columns that cannot hold all that they refer to
 * @param withoutKey the tables that have no primary key
 * @param leftOut the tables whose key is not judged, and why
 * @param notRead what could not be read, and why
 * @since 0.1.0
 */
public record KeyColumns(String database, @Nullable String schema, List<KeyColumn> columns, List<KeyColumn> numbered,
		List<Numbering> sequences, List<TextColumn> texts, List<NarrowReference> narrow,
		List<TableWithoutKey> withoutKey, List<String> leftOut, List<String> notRead) {

	/**
	 * Create a description.
	 * @throws IllegalArgumentException if something is missing
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
	 * Read the keys of all tables in the current schema of a connection. The highest
	 * number of a column is read from the end of its index, all else from the catalogue.
	 * @param dataSource gives a connection, which is used for reading only
	 * @param timeout how long each statement may take, in whole seconds
	 * @return what was read; a part that fails is missing, and said to be
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout) {
		return read(dataSource, timeout, Set.of(), (done, all) -> {
		});
	}

	/**
	 * Read the keys of the tables in the current schema of a connection, but for some.
	 * @param dataSource gives a connection, which is used for reading only
	 * @param timeout how long each statement may take, in whole seconds
	 * @param except the names of tables to leave out, in upper or lower case
	 * @param progress is called after each step
	 * @return what was read; a part that fails is missing, and said to be
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout, Set<String> except, Progress progress) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		InvalidSettingException.requireGiven(KeyColumns.class, "except", except);
		InvalidSettingException.requireGiven(KeyColumns.class, "progress", progress);
		return Catalogue.read(dataSource, timeout, null, except, progress);
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
		return Catalogue.read(dataSource, timeout, table, Set.of(), (done, all) -> {
		});
	}

	/**
	 * Sees how far reading has come.
	 */
	@FunctionalInterface
	public interface Progress {

		/**
		 * Called after each step.
		 * @param done how many steps are done
		 * @param all how many there are
		 */
		void read(int done, int all);

	}

	/**
	 * A column of a foreign key that cannot hold all that it refers to.
	 *
	 * @param reference the column that refers
	 * @param target the table and column that it refers to
	 * @param type the type of that one
	 * @param widening how it gets that type, {@code null} if that could not be read
	 */
	public record NarrowReference(Reference reference, String target, String type, @Nullable Alteration widening) {

	}

	/**
	 * A table that has no primary key.
	 *
	 * @param table the table with its schema
	 * @param candidate columns that could be the key, as they are unique and required;
	 * empty if there are none
	 * @param name the name for a new column, {@code null} if the candidate needs none
	 */
	public record TableWithoutKey(QualifiedName table, List<String> candidate, @Nullable String name) {

		/**
		 * Create a table.
		 */
		public TableWithoutKey {
			candidate = List.copyOf(candidate);
		}

	}

}
