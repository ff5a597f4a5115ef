package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * A column that is the primary key of its table, or whose values a sequence or identity
 * of the database generates.
 *
 * @param place the table with its schema
 * @param column the name of the column
 * @param type the name of the type
 * @param end the greatest number that the type can hold, or {@code null} if it does not
 * hold whole numbers
 * @param highest the highest number in the column, or the lowest one if the sequence of
 * the column descends; {@code null} if the column contains no whole numbers, if no index
 * of all rows begins with it, or if it could not be read
 * @param rows the number of rows according to the statistics of the database,
 * {@code null} if unknown
 * @param numbering the sequence or identity from which the column gets its numbers,
 * {@code null} if there is none or it is unknown
 * @param relation the evidence that the column uses this numbering, {@code null} if there
 * is no numbering
 * @param taken the first number that the numbering will issue although the column already
 * contains it; {@code null} if no such number was found
 * @param references the foreign key columns that reference this one
 * @param widening the change of the type to BIGINT; {@code null} if less than 10% of the
 * numbers are used, or if the change could not be determined
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

	KeyColumn withWidening(@Nullable Alteration widening) {
		return new KeyColumn(this.place, this.column, this.type, this.end, this.highest, this.rows, this.numbering,
				this.relation, this.taken, this.references, widening);
	}

	KeyColumn with(Numbering numbering, @Nullable BigInteger taken) {
		return new KeyColumn(this.place, this.column, this.type, this.end, this.highest, this.rows, numbering,
				this.relation, taken, this.references, this.widening);
	}

	/**
	 * Return the name of the table's schema.
	 * @return the name, or {@code null} if the database has no schemas
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
	 * Find the sequences whose names follow the usual naming schemes of databases and
	 * Hibernate. For each name, case is ignored if no sequence matches exactly.
	 * @param sequences the sequences of the table's schema
	 * @param table the name of the table
	 * @param column the name of the key column of the table
	 * @return the sequences that may generate the keys of the table
	 */
	public static List<Numbering> usualSequences(List<Numbering> sequences, String table, String column) {
		return Stream.of(table + "_" + column + "_seq", table + "_seq", table + "_sequence", "seq_" + table)
			.flatMap((name) -> QualifiedName.matching(sequences, Numbering::name, name).stream())
			.distinct()
			.toList();
	}

	/**
	 * Return the numbering, or {@code null} if it is uncertain that the column uses it. A
	 * sequence whose relation is {@link Relation#NAME} is uncertain, because it may
	 * belong to another table, or Hibernate may multiply its values.
	 */
	@Nullable Numbering certainNumbering() {
		return (this.relation != Relation.NAME) ? this.numbering : null;
	}

	/**
	 * Return the last number that the column can receive. This is the end of the sequence
	 * or the end of the type, whichever is reached first. A sequence whose relation is
	 * {@link Relation#NAME} is ignored.
	 * @return the last number, or {@code null} if the type does not hold whole numbers
	 */
	public @Nullable BigInteger last() {
		Numbering known = certainNumbering();
		if (known == null || this.end == null) {
			return this.end;
		}
		return known.descends() ? this.end.add(BigInteger.ONE).negate().max(known.end()) : this.end.min(known.end());
	}

	/**
	 * Return the number from which used numbers are counted: 0, or the first number of
	 * the sequence minus the increment, whichever is lower. For a descending sequence, it
	 * is the higher of the two. A sequence whose relation is {@link Relation#NAME} is
	 * ignored.
	 * @return the origin
	 */
	public BigInteger origin() {
		Numbering known = certainNumbering();
		return (known != null) ? known.origin() : BigInteger.ZERO;
	}

	/**
	 * Return the last number in use: the highest number in the column, or the last number
	 * that was drawn from the sequence, whichever is higher. For a descending sequence,
	 * it is the lower of the two. If the number in the column is beyond the end of the
	 * sequence, that number is ignored. A sequence whose relation is
	 * {@link Relation#NAME} is ignored, too.
	 * @return the number, or the {@link #origin()} if no number is in use
	 */
	public BigInteger used() {
		Numbering known = certainNumbering();
		BigInteger used = origin();
		BigInteger inColumn = (known != null && this.highest != null && known.endsBefore(this.highest)) ? null
				: this.highest;
		for (BigInteger one : Arrays.asList(inColumn, (known != null) ? known.last() : null)) {
			if (one != null) {
				used = (known != null && known.descends()) ? used.min(one) : used.max(one);
			}
		}
		return used;
	}

	/**
	 * The evidence that a column uses a numbering.
	 */
	public enum Relation {

		/**
		 * The numbering belongs to the column: identity, auto-increment or serial.
		 */
		OWN,

		/**
		 * The default of the column draws from the sequence.
		 */
		DEFAULT,

		/**
		 * The name of the sequence matches the table, or the column owns the sequence
		 * although its default does not use the sequence. Something else may generate the
		 * keys.
		 */
		NAME

	}

	/**
	 * A sequence or identity from which a column gets its numbers.
	 *
	 * @param identity whether the numbering belongs to the column (identity,
	 * auto-increment, serial); {@code false} for an independent sequence
	 * @param name the name to display: the name of the sequence, or that of the table if
	 * the numbering itself has no name. The schema is included only if it differs from
	 * that of the table
	 * @param place the sequence or table with its schema
	 * @param last the last number that was drawn, {@code null} if it cannot be read.
	 * Before the first draw, it is {@code null} or the first number minus the increment
	 * @param next the number that will be drawn next, or {@code null} if there is none or
	 * it cannot be read
	 * @param increment the difference between consecutive numbers, negative if the
	 * numbers descend
	 * @param first the first number
	 * @param end the last number
	 * @param cache how many numbers the database reserves in memory at once, or
	 * {@code null} if unknown
	 * @param cycles whether the numbers restart after the last one
	 * @param owner the database user that owns the sequence, or {@code null} if unknown
	 */
	public record Numbering(boolean identity, String name, @JsonIgnore QualifiedName place, @Nullable BigInteger last,
			@Nullable BigInteger next, long increment, BigInteger first, BigInteger end, @Nullable Long cache,
			boolean cycles, @Nullable String owner) {

		/**
		 * Matches {@code nextval} as current and earlier versions of PostgreSQL show it,
		 * with or without casts.
		 */
		private static final Pattern NEXTVAL = Pattern
			.compile("\\(*nextval\\(\\(*'((?:[^']|'')+)'(?:::text\\))?(?:::regclass)?\\)\\)*(?:::\\w+)?");

		/**
		 * Matches the next value of a sequence as the catalogues of H2
		 * ({@code next value for}) and MariaDB ({@code nextval}) show it.
		 */
		private static final Pattern NEXT_VALUE = Pattern.compile("(?i)\\(?(?:next value for |nextval\\()(.+?)\\)*");

		private static final Pattern NAME = Pattern
			.compile("\"((?:[^\"]|\"\")+)\"|`((?:[^`]|``)+)`|([^.\"`\\s()+*/-]+)");

		/**
		 * Return the name of the sequence from which a default expression draws.
		 * @param expression the default expression of a column, or {@code null}
		 * @return the name, without a schema if the expression contains none;
		 * {@code null} if the expression is not exactly the next value of a sequence
		 */
		public static @Nullable QualifiedName sequenceIn(@Nullable String expression) {
			if (expression == null) {
				return null;
			}
			Matcher nextval = NEXTVAL.matcher(expression);
			Matcher nextValue = NEXT_VALUE.matcher(expression);
			String name = nextval.matches() ? nextval.group(1).replace("''", "'")
					: nextValue.matches() ? nextValue.group(1) : "";
			List<String> parts = new ArrayList<>();
			Matcher part = NAME.matcher(name);
			int end = 0;
			while (part.find() && part.start() == end) {
				parts.add((part.group(1) != null) ? part.group(1).replace("\"\"", "\"")
						: (part.group(2) != null) ? part.group(2).replace("``", "`") : part.group(3));
				end = part.end() + (name.startsWith(".", part.end()) ? 1 : 0);
			}
			boolean complete = end == name.length() && !parts.isEmpty();
			return complete ? new QualifiedName((parts.size() > 1) ? parts.get(parts.size() - 2) : null,
					parts.get(parts.size() - 1)) : null;
		}

		boolean descends() {
			return this.increment < 0;
		}

		boolean endsBefore(BigInteger number) {
			return descends() ? number.compareTo(this.end) < 0 : number.compareTo(this.end) > 0;
		}

		BigInteger origin() {
			BigInteger before = this.first.subtract(BigInteger.valueOf(this.increment));
			return descends() ? before.max(BigInteger.ZERO) : before.min(BigInteger.ZERO);
		}

		Numbering with(boolean identity, @Nullable BigInteger last, @Nullable BigInteger next) {
			return new Numbering(identity, this.name, this.place, last, next, this.increment, this.first, this.end,
					this.cache, this.cycles, this.owner);
		}

	}

	/**
	 * A column of a foreign key.
	 *
	 * @param table the referencing table with its schema
	 * @param column the name of the referencing column
	 * @param type the name of the referencing column's type
	 */
	public record Reference(QualifiedName table, String column, String type) {

	}

}
