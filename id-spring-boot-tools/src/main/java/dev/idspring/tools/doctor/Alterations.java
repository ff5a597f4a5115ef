package dev.idspring.tools.doctor;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Reference;
import dev.idspring.jdbc.LetterCase;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generates scripts that change the types or collations of columns. Subclasses support
 * PostgreSQL, MariaDB, MySQL and H2. For other databases, this class generates no script,
 * and reports a column that is too narrow as an obstacle.
 */
class Alterations {

	private static final DeclaredType BIGINT = new DeclaredType("bigint");

	private final JdbcTemplate jdbc;

	private final String database;

	private final String quote;

	private @Nullable List<Pair> pairs;

	Alterations(JdbcTemplate jdbc, DatabaseMetaData data) throws SQLException {
		this.jdbc = jdbc;
		this.database = data.getDatabaseProductName();
		this.quote = data.getIdentifierQuoteString().strip();
	}

	static Alterations of(JdbcTemplate jdbc, DatabaseMetaData data) throws SQLException {
		return switch (data.getDatabaseProductName()) {
			case "PostgreSQL" -> new PostgresqlAlterations(jdbc, data);
			case "MariaDB", "MySQL" -> new MysqlAlterations(jdbc, data);
			case "H2" -> new H2Alterations(jdbc, data);
			default -> new Alterations(jdbc, data);
		};
	}

	/**
	 * Create a script that changes keys, and all columns that reference them, to BIGINT.
	 * On MariaDB and MySQL, the script also changes the columns that the keys reference.
	 * @param scan whether to scan tables for rows whose foreign key references a missing
	 * row
	 */
	final Alteration toBigint(List<KeyColumn> keys, boolean scan) {
		Script script = new Script(scan);
		for (KeyColumn key : keys) {
			boolean isNarrow = key.end() != null && key.end().bitLength() < Long.SIZE - 1;
			addChanges(script, new Column(key.place(), key.column()), BIGINT, isNarrow);
		}
		addStatements(script);
		for (KeyColumn key : keys) {
			if (key.numbering() != null) {
				widenNumbering(script, key, key.numbering());
			}
		}
		return script.alteration();
	}

	/**
	 * Create a script that makes a foreign key column, and all columns that hold the same
	 * values, as wide as the referenced column.
	 * @param type the type of the referenced column
	 */
	final Alteration widen(Reference reference, String type) {
		Script script = new Script(false);
		addChanges(script, new Column(reference.table(), reference.column()), new DeclaredType(type), true);
		addStatements(script);
		return script.alteration();
	}

	/**
	 * Create a script that makes a text column case-sensitive, together with all columns
	 * that foreign keys connect with it.
	 */
	final Alteration makeCaseSensitive(QualifiedName table, String name) {
		Script script = new Script(false);
		for (Column column : withSameValues(new Column(table, name), true)) {
			String remedy = remedy(column);
			String alter = "alter table " + table(column) + " ";
			int begin = remedy.indexOf(alter);
			if (begin >= 0 && remedy.startsWith(TextColumn.STATEMENT_PREFIX)) {
				if (begin > TextColumn.STATEMENT_PREFIX.length()) {
					script.statements.add(remedy.substring(TextColumn.STATEMENT_PREFIX.length(), begin).strip());
				}
				script.changes.put(column, remedy.substring(begin + alter.length(), remedy.length() - 1));
			}
		}
		addCollationStatements(script);
		return script.alteration();
	}

	private String remedy(Column column) {
		return String.valueOf(this.jdbc.execute((ConnectionCallback<String>) (connection) -> {
			int timeout = this.jdbc.getQueryTimeout();
			return LetterCase.ignoresCase(connection, timeout, table(column), quoted(column.name))
					? LetterCase.remedy(connection, timeout, table(column), quoted(column.name)) : "";
		}));
	}

	/**
	 * Add the changes of a column and of all columns that hold the same values.
	 * @param root the column
	 * @param isNarrow whether this column is narrower than the wanted type
	 */
	private void addChanges(Script script, Column root, DeclaredType wanted, boolean isNarrow) {
		if (pairsSql() == null) {
			if (isNarrow) {
				script.obstacles.add("no script is known for " + this.database + ": change " + root
						+ " and the columns that reference it");
			}
			return;
		}
		for (Column column : withSameValues(root, requiresEqualTypes())) {
			DeclaredType type = type(column);
			if (type.isNarrowerThan(wanted, this.database)) {
				script.changes.put(column, change(script, column, wanted));
			}
			else if (isNarrow && (wanted.isText() ? !type.isText() : type.end(this.database) == null)) {
				script.obstacles.add("the type " + type.sql() + " of " + column
						+ ", which is a domain or is not a type for " + (wanted.isText() ? "text" : "whole numbers"));
			}
		}
	}

	/**
	 * Return a column and all columns that hold the same values because of foreign keys.
	 * The given column is the last element, so the script changes it last. Until then,
	 * the columns that reference it may be wider than this column, which PostgreSQL and
	 * H2 accept. On MariaDB and MySQL, the script drops the foreign keys first.
	 * @param withReferenced whether to include referenced columns in addition to
	 * referencing columns
	 */
	private List<Column> withSameValues(Column root, boolean withReferenced) {
		Set<Column> columns = new LinkedHashSet<>(List.of(root));
		for (boolean more = true; more;) {
			more = false;
			for (Pair pair : pairs()) {
				more |= columns.contains(pair.to) && columns.add(pair.from);
				more |= withReferenced && columns.contains(pair.from) && columns.add(pair.to);
			}
		}
		List<Column> all = new ArrayList<>(columns);
		all.add(all.remove(0));
		return all;
	}

	final List<Pair> pairs() {
		if (this.pairs == null) {
			String sql = pairsSql();
			this.pairs = (sql == null) ? List.of()
					: this.jdbc.query(sql, (row, index) -> new Pair(row.getString(1),
							new Column(new QualifiedName(row.getString(2), row.getString(3)), row.getString(4)),
							new Column(new QualifiedName(row.getString(5), row.getString(6)), row.getString(7))));
		}
		return this.pairs;
	}

	/**
	 * Return whether the columns of a foreign key must have the same type as the columns
	 * that they reference.
	 */
	boolean requiresEqualTypes() {
		return false;
	}

	/**
	 * Return a query for the columns of all foreign keys, or {@code null} if no query is
	 * known. The result has seven columns: an identifier of the foreign key; the schema,
	 * table and name of the referencing column; and those of the referenced column.
	 */
	@Nullable String pairsSql() {
		return null;
	}

	DeclaredType type(Column column) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the change of a column: the part of its {@code alter table} statement after
	 * the table name.
	 */
	String change(Script script, Column column, DeclaredType type) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Add the statements for the changes of a script, and the obstacles that prevent the
	 * changes.
	 */
	void addStatements(Script script) {
	}

	/**
	 * Add the statements for changes of collations. A foreign key column must have the
	 * same collation as the column that it references.
	 */
	void addCollationStatements(Script script) {
		addStatements(script);
	}

	/**
	 * If necessary, add a statement that extends the sequence or identity of a column to
	 * the end of the new type.
	 */
	void widenNumbering(Script script, KeyColumn key, Numbering numbering) {
	}

	/**
	 * Add an obstacle for each generated column whose expression names the given column,
	 * because the generated column may be too narrow for the new values of that column.
	 * @param sql a query that returns a description and the expression of each generated
	 * column of a table
	 */
	final void findGenerated(Script script, String sql, Column column) {
		this.jdbc.query(sql, (row) -> {
			if (String.valueOf(row.getString(2)).contains(quoted(column.name))) {
				script.obstacles.add(row.getString(1));
			}
		}, column.table.schema(), column.table.name());
	}

	final JdbcTemplate jdbc() {
		return this.jdbc;
	}

	final String table(Column column) {
		return quoted(column.table);
	}

	final String quoted(String name) {
		return quoted(new QualifiedName(null, name));
	}

	final String quoted(QualifiedName name) {
		return name.quoted(this.quote);
	}

	/**
	 * A script while it is being generated.
	 */
	static final class Script {

		/** Whether to scan tables for rows whose foreign key references a missing row. */
		final boolean scan;

		/**
		 * For each column, the part of its {@code alter table} statement after the table
		 * name.
		 */
		final Map<Column, String> changes = new LinkedHashMap<>();

		final List<String> statements = new ArrayList<>();

		final Set<String> obstacles = new LinkedHashSet<>();

		final Set<String> notRead = new LinkedHashSet<>();

		Script(boolean scan) {
			this.scan = scan;
		}

		Alteration alteration() {
			return new Alteration(this.obstacles.isEmpty() ? this.statements : List.of(), List.copyOf(this.obstacles),
					List.copyOf(this.notRead));
		}

	}

	/**
	 * A column in any schema.
	 */
	record Column(QualifiedName table, String name) {

		@Override
		public String toString() {
			return this.table + "." + this.name;
		}

	}

	/**
	 * A column of a foreign key, and the column that it references.
	 *
	 * @param key identifies the foreign key
	 */
	record Pair(String key, Column from, Column to) {

	}

}
