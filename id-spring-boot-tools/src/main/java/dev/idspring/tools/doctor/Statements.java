package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Reference;
import dev.idspring.tools.doctor.KeyColumns.NarrowReference;
import dev.idspring.tools.doctor.KeyColumns.TableWithoutKey;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that ends a finding, for the operator to run. Empty where it is not known for
 * the database.
 *
 * @param keys what was read
 */
record Statements(KeyColumns keys) {

	private static final BigInteger INT = BigInteger.valueOf(Integer.MAX_VALUE);

	private static final BigInteger BIGINT = BigInteger.valueOf(Long.MAX_VALUE);

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

	/**
	 * A sequence of another schema is named as SQL has it.
	 */
	private String sequence(Numbering numbering) {
		return numbering.name().contains(".") ? numbering.name()
				: quoted(new QualifiedName(this.keys.schema(), numbering.name()));
	}

	private List<String> known(String... statements) {
		return (isPostgresql() || isMysql() || isH2()) ? List.of(statements) : List.of();
	}

	private static String alter(String table) {
		return "alter table " + table;
	}

	/**
	 * Return what lets a column's numbering go on after the furthest number in it.
	 */
	List<String> setAhead(KeyColumn column, Numbering numbering) {
		BigInteger furthest = Objects.requireNonNull(column.highest());
		String table = quoted(column.place());
		String key = quoted(column.column());
		String end = numbering.descends() ? "min(" : "max(";
		if (isPostgresql()) {
			return List.of("select setval('" + sequence(numbering).replace("'", "''") + "', (select " + end + key
					+ ") from " + table + "));");
		}
		BigInteger next = furthest.add(BigInteger.valueOf(numbering.increment()));
		if (isMysql()) {
			return List.of(numbering.identity() ? alter(table) + " auto_increment = " + next + ";"
					: "select setval(" + sequence(numbering) + ", " + furthest + ");");
		}
		return known(
				(numbering.identity() ? alter(table) + " alter column " + key : "alter sequence " + sequence(numbering))
						+ " restart with " + next + ";");
	}

	List<String> noCycle(@Nullable KeyColumn column, Numbering numbering) {
		return known(changed(column, numbering, isMysql() ? "nocycle" : "no cycle"));
	}

	/**
	 * Return what takes a sequence's own end away.
	 */
	List<String> noEnd(@Nullable KeyColumn column, Numbering numbering) {
		boolean wide = column == null || (column.end() != null && column.end().compareTo(INT) > 0);
		String end = numbering.descends() ? "no minvalue" : "no maxvalue";
		return known(changed(column, numbering, (isPostgresql() && wide) ? "as bigint " + end : end));
	}

	private String changed(@Nullable KeyColumn column, Numbering numbering, String action) {
		return (isH2() && numbering.identity() && column != null)
				? alter(quoted(column.place())) + " alter column " + quoted(column.column()) + " set " + action + ";"
				: "alter sequence " + sequence(numbering) + " " + action + ";";
	}

	/**
	 * Return what gives a sequence an increment, and lets it go on where no number is
	 * taken.
	 */
	List<String> increment(Numbering numbering, long size, BigInteger free) {
		BigInteger next = (numbering.next() != null) ? free.max(numbering.next()) : free;
		return known("alter sequence " + sequence(numbering) + " increment by " + size + " restart with " + next + ";");
	}

	/**
	 * Return what gives a column and the foreign keys that refer to it a type of 64 bits.
	 */
	List<String> widen(KeyColumn column) {
		boolean unsigned = isMysql() && new DeclaredType(column.type(), null).isUnsigned();
		BigInteger last = unsigned ? BIGINT.shiftLeft(1).add(BigInteger.ONE) : BIGINT;
		if (column.end() == null || column.end().compareTo(last) >= 0) {
			return List.of();
		}
		String type = unsigned ? "bigint unsigned" : "bigint";
		Set<String> places = new LinkedHashSet<>(Set.of(column.name()));
		List<String> changes = new ArrayList<>(
				List.of(changed(column.place(), column.column(), column.type(), type, column.attributes())));
		for (Reference reference : column.references()) {
			if (reference.end() != null && reference.end().compareTo(last) < 0
					&& places.add(reference.table() + "." + reference.column())) {
				changes.add(
						changed(reference.table(), reference.column(), reference.type(), type, reference.attributes()));
			}
		}
		Numbering numbering = column.numbering();
		if (isPostgresql() && numbering != null && numbering.end().abs().compareTo(column.end()) <= 0) {
			changes.addAll(noEnd(null, numbering));
		}
		boolean known = column.attributes() != null
				&& column.references().stream().allMatch((reference) -> reference.attributes() != null);
		return (isMysql() && (!known || bindsOthers(places, column.name()))) ? List.of() : bound(places, changes);
	}

	/**
	 * Return whether foreign keys bind columns to those of other types that stay as they
	 * are: a foreign key that was taken away could not be made again.
	 */
	private boolean bindsOthers(Set<String> places, String key) {
		return this.keys.foreignKeys()
			.stream()
			.anyMatch((foreign) -> IntStream.range(0, foreign.columns().size()).anyMatch((i) -> {
				String from = foreign.table() + "." + foreign.columns().get(i);
				String to = foreign.target() + "." + foreign.targetColumns().get(i);
				return places.contains(from) ? !places.contains(to) : places.contains(to) && !to.equals(key);
			}));
	}

	List<String> widen(NarrowReference narrow) {
		Reference reference = narrow.reference();
		String place = reference.table() + "." + reference.column();
		boolean referred = this.keys.foreignKeys()
			.stream()
			.anyMatch((foreign) -> foreign.targetColumns()
				.stream()
				.anyMatch((column) -> place.equals(foreign.target() + "." + column)));
		return (isMysql() && (reference.attributes() == null || referred)) ? List.of()
				: bound(Set.of(place), List.of(changed(reference.table(), reference.column(), reference.type(),
						narrow.type(), reference.attributes())));
	}

	private String changed(QualifiedName table, String column, String from, String to, @Nullable String attributes) {
		String start = alter(quoted(table));
		if (isMysql()) {
			return start + " modify " + quoted(column) + " " + to + Objects.requireNonNullElse(attributes, "") + ";";
		}
		String change = start + " alter column " + quoted(column) + (isPostgresql() ? " type " : " set data type ")
				+ to;
		boolean bits = isPostgresql() && new DeclaredType(from, null).name().equals("bit");
		return change + (bits ? " using " + quoted(column) + "::" + to : "") + ";";
	}

	/**
	 * Return what makes columns of texts tell upper and lower case apart: all that
	 * foreign keys bind together.
	 */
	List<String> tellCasesApart(TextColumn column) {
		Set<String> places = new LinkedHashSet<>(Set.of(column.name()));
		int before;
		do {
			before = places.size();
			for (ForeignKey key : this.keys.foreignKeys()) {
				for (int i = 0; i < key.columns().size(); i++) {
					String from = key.table() + "." + key.columns().get(i);
					String to = key.target() + "." + key.targetColumns().get(i);
					if (places.contains(from) || places.contains(to)) {
						places.addAll(List.of(from, to));
					}
				}
			}
		}
		while (places.size() > before);
		List<String> changes = this.keys.texts()
			.stream()
			.filter((one) -> places.contains(one.name()) && one.statement() != null)
			.map((one) -> String.valueOf(one.statement()))
			.toList();
		// those of H2 may differ in their types
		return (column.statement() == null) ? List.of() : isH2() ? changes : around(places, changes);
	}

	/**
	 * MariaDB and MySQL refuse to change a column that a foreign key uses.
	 */
	private List<String> bound(Set<String> places, List<String> changes) {
		return isMysql() ? around(places, changes) : known(changes.toArray(String[]::new));
	}

	/**
	 * Take the foreign keys of columns away while these change.
	 */
	private List<String> around(Set<String> places, List<String> changes) {
		List<String> statements = new ArrayList<>();
		List<ForeignKey> bound = this.keys.foreignKeys()
			.stream()
			.filter((key) -> key.columns().stream().anyMatch((name) -> places.contains(key.table() + "." + name))
					|| key.targetColumns().stream().anyMatch((name) -> places.contains(key.target() + "." + name)))
			.toList();
		bound.forEach((key) -> statements.add(alter(quoted(key.table()))
				+ (isMysql() ? " drop foreign key " : " drop constraint ") + quoted(key.name()) + ";"));
		statements.addAll(changes);
		bound.forEach((key) -> statements.add(alter(quoted(key.table())) + " add constraint " + quoted(key.name())
				+ " foreign key (" + names(key.columns()) + ") references " + quoted(key.target()) + " ("
				+ names(key.targetColumns()) + ")" + key.rules() + ";"));
		return known(statements.toArray(String[]::new));
	}

	private String names(List<String> names) {
		return names.stream().map(this::quoted).collect(Collectors.joining(", "));
	}

	List<String> addKey(TableWithoutKey table) {
		String start = alter(quoted(table.table())) + " add ";
		if (table.name() == null) {
			return known(start + "primary key (" + names(table.candidate()) + ");");
		}
		return known(start + "column " + quoted(isH2() ? table.name().toUpperCase(Locale.ROOT) : table.name())
				+ (isMysql() ? " bigint not null auto_increment primary key;"
						: " bigint generated always as identity primary key;"));
	}

}
