package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumns.TableWithoutKey;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * Generates the SQL that resolves a {@link Finding}. The operator runs the SQL. A list of
 * statements is empty if no SQL is known for the database.
 *
 * @param keys the keys and sequences that were read from the catalogue
 */
record Statements(KeyColumns keys) {

	private static final BigInteger MAX_INT = BigInteger.valueOf(Integer.MAX_VALUE);

	private boolean isPostgresql() {
		return this.keys.database().equals("PostgreSQL");
	}

	private boolean isMysql() {
		return this.keys.database().equals("MySQL") || this.keys.database().equals("MariaDB");
	}

	private boolean isH2() {
		return this.keys.database().equals("H2");
	}

	private String quote() {
		return isMysql() ? "`" : "\"";
	}

	private String quoted(String name) {
		return new QualifiedName(null, name).quoted(quote());
	}

	private String quoted(QualifiedName name) {
		return name.quoted(quote());
	}

	private String literal(@Nullable String text) {
		return KeyColumns.literal(this.keys.database(), String.valueOf(text));
	}

	private List<String> ifKnown(String... statements) {
		return (isPostgresql() || isMysql() || isH2()) ? List.of(statements) : List.of();
	}

	private static String alter(String table) {
		return "alter table " + table;
	}

	/**
	 * Return the SQL that lets a sequence or identity continue after the highest number
	 * in the column, or after the lowest number if the sequence descends. The list is
	 * empty if the sequence ends before that number.
	 */
	List<String> setAhead(KeyColumn column, Numbering numbering) {
		BigInteger furthest = Objects.requireNonNull(column.highest());
		if (numbering.endsBefore(furthest)) {
			return List.of();
		}
		String table = quoted(column.place());
		String key = quoted(column.column());
		if (isPostgresql()) {
			// open transactions may have drawn numbers that are not in the table yet
			String value = (numbering.descends() ? "least(min(" : "greatest(max(") + key + "), (select last_value from "
					+ quoted(numbering.place()) + "))";
			return List.of("select setval(" + literal(quoted(numbering.place())) + ", (select " + value + " from "
					+ table + "));");
		}
		BigInteger next = furthest.add(BigInteger.valueOf(numbering.increment()));
		if (isMysql()) {
			return List.of(numbering.identity() ? alter(table) + " auto_increment = " + next + ";"
					: "select setval(" + quoted(numbering.place()) + ", " + furthest + ");");
		}
		return ifKnown((numbering.identity() ? alter(table) + " alter column " + key
				: "alter sequence " + quoted(numbering.place())) + " restart with " + next + ";");
	}

	List<String> noCycle(@Nullable KeyColumn column, Numbering numbering) {
		return ifKnown(alterNumbering(column, numbering, isMysql() ? "nocycle" : "no cycle"));
	}

	/**
	 * Return the SQL that removes the limit of a sequence. Afterwards, only the type of
	 * the sequence limits the numbers. On PostgreSQL, the SQL also changes this type to
	 * BIGINT, unless the column cannot hold numbers above the range of INTEGER.
	 */
	List<String> removeLimit(@Nullable KeyColumn column, Numbering numbering) {
		boolean isWide = column == null || (column.end() != null && column.end().compareTo(MAX_INT) > 0);
		String end = numbering.descends() ? "no minvalue" : "no maxvalue";
		return ifKnown(alterNumbering(column, numbering, (isPostgresql() && isWide) ? "as bigint " + end : end));
	}

	private String alterNumbering(@Nullable KeyColumn column, Numbering numbering, String action) {
		return (isH2() && numbering.identity() && column != null)
				? alter(quoted(column.place())) + " alter column " + quoted(column.column()) + " set " + action + ";"
				: "alter sequence " + quoted(numbering.place()) + " " + action + ";";
	}

	/**
	 * Return the SQL that sets the increment of a sequence, and lets the sequence
	 * continue with a value from which no key in use is derived. Other sessions may draw
	 * values until the SQL alters the sequence, and on MariaDB until it has set the next
	 * value. The SQL never sets the sequence back.
	 * @param increment the new increment
	 * @param free a value of the sequence; no key that is derived from this value or from
	 * a later one is in use
	 */
	List<String> setIncrement(Numbering numbering, long increment, BigInteger free) {
		BigInteger next = (numbering.next() != null) ? free.max(numbering.next()) : free;
		String sequence = quoted(numbering.place());
		String alter = "alter sequence " + sequence + " increment by " + increment;
		if (isPostgresql()) {
			// no other session can draw between the two steps, which are one transaction
			return List.of("do $ids$ begin " + alter + "; perform setval(" + literal(sequence) + ", greatest(" + next
					+ ", (select last_value from " + sequence + ") + " + Math.max(increment, numbering.increment())
					+ "), false); end $ids$;");
		}
		// keys that were derived from the last drawn value may exceed the next value
		long distance = Math.max(increment - numbering.increment(), 0);
		if (isMysql()) {
			// setval accepts only a literal, and never sets a sequence back
			return List.of(alter + ";",
					"set @ids_next = (select concat(" + literal("select setval(" + sequence + ", ") + ", greatest("
							+ next + ", next_not_cached_value + " + distance + "), ', 0)') from " + sequence + ");",
					"prepare ids_next from @ids_next;", "execute ids_next;", "deallocate prepare ids_next;");
		}
		return ifKnown(alter + " restart with (select greatest(" + next + ", BASE_VALUE + " + distance
				+ ") from INFORMATION_SCHEMA.SEQUENCES where SEQUENCE_SCHEMA = " + literal(numbering.place().schema())
				+ " and SEQUENCE_NAME = " + literal(numbering.place().name()) + ");");
	}

	private String quotedNames(List<String> names) {
		return names.stream().map(this::quoted).collect(Collectors.joining(", "));
	}

	List<String> addKey(TableWithoutKey table) {
		String start = alter(quoted(table.table())) + " add ";
		if (!table.candidate().isEmpty()) {
			return ifKnown(start + "primary key (" + quotedNames(table.candidate()) + ");");
		}
		if (table.name() == null) {
			return List.of();
		}
		return ifKnown(start + "column " + quoted(isH2() ? table.name().toUpperCase(Locale.ROOT) : table.name())
				+ (isMysql() ? " bigint not null auto_increment primary key;"
						: " bigint generated always as identity primary key;"));
	}

}
