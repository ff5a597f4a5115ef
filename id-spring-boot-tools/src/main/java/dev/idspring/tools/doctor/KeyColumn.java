package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * A column of numbers or texts that is the primary key of its table, or that the database
 * numbers, according to the catalogue.
 *
 * @param place the table with its schema
 * @param column the name of the column
 * @param type the name of the type
 * @param end the greatest number of the type, {@code null} if it holds no whole numbers
 * @param highest the furthest number in the column, read from the end of its index: the
 * highest or, if a sequence descends, the lowest; {@code null} if there is none, or it
 * could not be read
 * @param rows the row count in the statistics of the database, {@code null} if unknown
 * @param numbering the numbering of the rows by the database, {@code null} if unknown
 * @param relation how that is known, {@code null} if there is no numbering
 * @param taken the first number in the column that the numbering reaches; {@code null} if
 * there is none, or it could not be read
 * @param references the foreign key columns that reference this one
 * @param widening the change to BIGINT, {@code null} if it was not read: little of the
 * type is used, or there was a failure
 * @since 0.1.0
 */
public record KeyColumn(QualifiedName place, String column, String type, @Nullable BigInteger end,
		@Nullable BigInteger highest, @Nullable Long rows, @Nullable Numbering numbering, @Nullable Relation relation,
		@Nullable BigInteger taken, List<Reference> references, @Nullable Alteration widening) {

	/**
	 * Create a key column.
	 * @throws IllegalArgumentException if the table is missing
	 */
	public KeyColumn {
		InvalidSettingException.requireGiven(KeyColumn.class, "place", place);
		references = List.copyOf(references);
	}

	KeyColumn with(@Nullable Alteration widening) {
		return new KeyColumn(this.place, this.column, this.type, this.end, this.highest, this.rows, this.numbering,
				this.relation, this.taken, this.references, widening);
	}

	/**
	 * Return the name of the table's schema.
	 * @return the name, {@code null} where there are no schemas
	 */
	public @Nullable String schema() {
		return this.place.schema();
	}

	/**
	 * Return the name of the table without its schema.
	 * @return the name of the table
	 */
	public String table() {
		return this.place.name();
	}

	/**
	 * Return the column with its table and schema.
	 * @return {@code schema.table.column}
	 */
	public String name() {
		return this.place + "." + this.column;
	}

	/**
	 * Find the sequences with one of the names that databases and Hibernate give to the
	 * sequences of a table: exactly, or otherwise regardless of case.
	 * @param sequences the sequences of the table's schema
	 * @param table the name of the table
	 * @param column the name of its key
	 * @return those that could number the table
	 */
	public static List<Numbering> usualSequences(List<Numbering> sequences, String table, String column) {
		return Stream.of(table + "_" + column + "_seq", table + "_seq", table + "_sequence", "seq_" + table)
			.flatMap((name) -> QualifiedName.matching(sequences, Numbering::name, name).stream())
			.distinct()
			.toList();
	}

	/**
	 * Return the known numbering of the rows. A sequence with a matching name is not
	 * known to be one: it may belong to another table, or its values may be multiplied.
	 */
	private @Nullable Numbering known() {
		return (this.relation != Relation.NAME) ? this.numbering : null;
	}

	/**
	 * Return the last number that can be handed out: that of the type or, if the sequence
	 * ends earlier, that of the sequence.
	 * @return the last number, {@code null} if the column holds no whole numbers
	 */
	public @Nullable BigInteger last() {
		Numbering known = known();
		if (known == null || this.end == null) {
			return this.end;
		}
		return known.descends() ? this.end.add(BigInteger.ONE).negate().max(known.end()) : this.end.min(known.end());
	}

	/**
	 * Return the origin of counting: 0, unless a sequence crosses it.
	 * @return the number before the first one
	 */
	public BigInteger origin() {
		Numbering known = known();
		return (known != null) ? known.origin() : BigInteger.ZERO;
	}

	/**
	 * Return the furthest number in use: the highest in the column or, if it is further,
	 * the last one of the sequence.
	 * @return the number, or the origin of counting if there is none
	 */
	public BigInteger used() {
		Numbering known = known();
		BigInteger used = origin();
		for (BigInteger one : Arrays.asList(this.highest, (known != null) ? known.last() : null)) {
			if (one != null) {
				used = (known != null && known.descends()) ? used.min(one) : used.max(one);
			}
		}
		return used;
	}

	/**
	 * How the numbering of a column is known.
	 */
	public enum Relation {

		/**
		 * It belongs to the column: identity, auto-increment, serial.
		 */
		OWN,

		/**
		 * The default of the column draws from it.
		 */
		DEFAULT,

		/**
		 * It has the name of the table's sequence, or was made for the column. Nothing in
		 * the database shows that its values are the keys.
		 */
		NAME

	}

	/**
	 * A sequence or identity with which a database numbers rows.
	 *
	 * @param identity whether it belongs to the column (identity, auto-increment,
	 * serial); {@code false} for a sequence that is found by its name
	 * @param name the name of the sequence, or that of the table for auto-increment
	 * @param last the last number that was drawn, {@code null} if there was none or it
	 * cannot be read
	 * @param next the number that it hands out next, {@code null} if it cannot be read
	 * @param increment the distance to the next number
	 * @param first the number with which it began
	 * @param end the last number it hands out
	 * @param cache the numbers that a session reserves at once, {@code null} if unknown
	 * @param cycles whether it restarts after its end
	 * @param owner its owner, {@code null} if unknown
	 */
	public record Numbering(boolean identity, String name, @Nullable BigInteger last, @Nullable BigInteger next,
			long increment, BigInteger first, BigInteger end, @Nullable Long cache, boolean cycles,
			@Nullable String owner) {

		boolean descends() {
			return this.increment < 0;
		}

		BigInteger origin() {
			BigInteger before = this.first.subtract(BigInteger.valueOf(this.increment));
			return descends() ? before.max(BigInteger.ZERO) : before.min(BigInteger.ZERO);
		}

		/**
		 * Return the same numbering for a column other than the owning one.
		 */
		Numbering elsewhere() {
			return new Numbering(false, this.name, this.last, this.next, this.increment, this.first, this.end,
					this.cache, this.cycles, this.owner);
		}

	}

	/**
	 * A column of a foreign key.
	 *
	 * @param table its table with the schema, which may be another one
	 * @param column its name
	 * @param type the name of its type
	 */
	public record Reference(QualifiedName table, String column, String type) {

	}

}
