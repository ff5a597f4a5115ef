package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import javax.sql.DataSource;

import dev.idspring.InvalidSettingException;
import dev.idspring.tools.doctor.Doctor.Allocation;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Reference;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the tables in a schema, or of one table.
 *
 * @param database the product name of the database
 * @param schema the schema that was read, or {@code null} if the database has no schemas
 * @param columns the primary keys that consist of one column
 * @param numbered the other identity, auto-increment and serial columns, and the columns
 * of composite, unique and foreign keys that have a sequence
 * @param sequences all sequences, including those that belong to columns
 * @param texts the case-insensitive text columns of primary, unique and foreign keys
 * @param narrow the foreign key columns that cannot hold all values of the referenced
 * columns
 * @param withoutKey the tables without a primary key
 * @param leftOut the tables whose keys are not examined, and the reasons; neither
 * partitions nor the tables of the id store are listed
 * @param scattered the key spaces of the id store whose keys are issued in random order
 * (strategy {@code coprime}); empty if the store is not in this schema
 * @param notRead what could not be read, and the reasons
 * @since 0.1.0
 */
public record KeyColumns(String database, @Nullable String schema, List<KeyColumn> columns, List<KeyColumn> numbered,
		List<Numbering> sequences, List<TextColumn> texts, List<NarrowReference> narrow,
		List<TableWithoutKey> withoutKey, List<String> leftOut, List<StoredKeySpace> scattered, List<String> notRead) {

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
		scattered = InvalidSettingException.requireElements(KeyColumns.class, "scattered", scattered);
		notRead = InvalidSettingException.requireElements(KeyColumns.class, "notRead", notRead);
	}

	/**
	 * Read the keys of all tables in the current schema of a connection. This method
	 * reads the catalogue and the sequences. From the tables, it reads only numbers,
	 * through an index that begins with their column, and samples of strings.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, rounded down to seconds, at least
	 * one second
	 * @return the keys; {@link #notRead()} lists the parts that could not be read
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		return Catalogue.read(dataSource, timeout, null, null, (done, all) -> {
		});
	}

	/**
	 * Read the keys of the tables in the current schema of a connection, except for the
	 * tables of the id store.
	 * @param dataSource supplies a connection, which is used for reading only
	 * @param timeout the time limit of each statement, rounded down to seconds, at least
	 * one second
	 * @param tablePrefix the prefix of the names of the id store's tables
	 * @param progress receives the progress after each step
	 * @return the keys; {@link #notRead()} lists the parts that could not be read
	 */
	public static KeyColumns read(DataSource dataSource, Duration timeout, String tablePrefix, Progress progress) {
		InvalidSettingException.requireGiven(KeyColumns.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(KeyColumns.class, "timeout", timeout);
		InvalidSettingException.requireGiven(KeyColumns.class, "tablePrefix", tablePrefix);
		InvalidSettingException.requireGiven(KeyColumns.class, "progress", progress);
		return Catalogue.read(dataSource, timeout, null, tablePrefix, progress);
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
		return Catalogue.read(dataSource, timeout, table, null, (done, all) -> {
		});
	}

	/**
	 * Return whether a numbering is a sequence. An identity column has a sequence only on
	 * PostgreSQL.
	 * @param numbering a sequence or identity of this database
	 * @return {@code true} for a sequence
	 */
	public boolean isSequence(Numbering numbering) {
		InvalidSettingException.requireGiven(KeyColumns.class, "numbering", numbering);
		return !numbering.identity() || this.database.equals("PostgreSQL");
	}

	/**
	 * Return the sequence from whose values Hibernate derives the keys of a table.
	 * @param allocation how Hibernate uses the sequence
	 * @return the sequence, empty if it is in another schema or cannot be read
	 */
	public Optional<Numbering> sequenceOf(Allocation allocation) {
		InvalidSettingException.requireGiven(KeyColumns.class, "allocation", allocation);
		return this.sequences.stream().filter((one) -> isNamed(one.place(), allocation.sequence())).findFirst();
	}

	/**
	 * Return whether a name in Hibernate's metadata refers to the given table or
	 * sequence. The name may contain a catalog, a schema and quotes.
	 */
	boolean isNamed(QualifiedName object, String name) {
		String plain = name.replaceAll("[\"`]", "");
		String qualified = "." + (plain.contains(".") ? plain : new QualifiedName(this.schema, plain));
		return qualified.toLowerCase(Locale.ROOT).endsWith("." + object.toString().toLowerCase(Locale.ROOT));
	}

	/**
	 * Convert a text to an SQL string literal.
	 * @param database the product name of the database
	 * @param text the text
	 * @return the literal, with its quotes
	 * @throws IllegalArgumentException if an argument is {@code null}
	 */
	public static String literal(String database, String text) {
		InvalidSettingException.requireGiven(KeyColumns.class, "database", database);
		InvalidSettingException.requireGiven(KeyColumns.class, "text", text);
		boolean escapes = database.equals("MariaDB") || database.equals("MySQL");
		return "'" + (escapes ? text.replace("\\", "\\\\") : text).replace("'", "''") + "'";
	}

	/**
	 * Return the key space that may have issued the keys of a column in random order. If
	 * it has, the highest key does not show how many keys are left.
	 * @param column a column
	 * @return the key space; empty if the highest key is unknown, if a sequence or
	 * identity certainly generates the keys, or if no key space contains the highest key
	 * and fits into the column
	 */
	public Optional<StoredKeySpace> scattered(KeyColumn column) {
		InvalidSettingException.requireGiven(KeyColumns.class, "column", column);
		BigInteger highest = column.highest();
		if (column.end() == null || highest == null || column.certainNumbering() != null) {
			return Optional.empty();
		}
		return this.scattered.stream()
			.filter((one) -> BigInteger.valueOf(one.capacity()).compareTo(highest) >= 0
					&& BigInteger.valueOf(one.capacity() - 1).compareTo(column.end()) <= 0)
			.findFirst();
	}

	/**
	 * Receives the progress of reading the keys.
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
	 * if it could not be determined
	 */
	public record NarrowReference(Reference reference, String target, String type, @Nullable Alteration widening) {

	}

	/**
	 * A table that has no primary key.
	 *
	 * @param table the table with its schema
	 * @param candidate the columns that can become the primary key, because they are
	 * unique and not null; empty if there are none
	 * @param name the name for a new key column; {@code null} if there is a candidate, or
	 * if the table is partitioned, because its key must then contain the partitioning
	 * columns
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
