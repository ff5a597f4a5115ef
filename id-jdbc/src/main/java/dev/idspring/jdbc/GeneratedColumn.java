package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.SqlStatements.Row;

/**
 * A column that is {@code GENERATED ALWAYS}: the database sets its value. An insert that
 * provides a value fails, or the database ignores the value.
 *
 * @param identity {@code true} if the column is an identity column, {@code false} if the
 * database computes its value from other columns
 * @param remedy the statements that allow inserts to provide the value
 * @since 0.1.0
 */
public record GeneratedColumn(boolean identity, String remedy) {

	/** In upper case, which H2 with {@code DATABASE_TO_UPPER=false} requires. */
	private static final String STANDARD_QUERY = "select IDENTITY_GENERATION, IS_GENERATED"
			+ " from INFORMATION_SCHEMA.COLUMNS where TABLE_SCHEMA = ? and TABLE_NAME = ? and COLUMN_NAME = ?";

	/**
	 * Create a generated column.
	 * @throws IllegalArgumentException if there is no remedy
	 */
	public GeneratedColumn {
		InvalidSettingException.requireGiven(GeneratedColumn.class, "remedy", remedy);
	}

	/**
	 * Look up a column in the {@code information_schema} of standard SQL.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 */
	static Optional<GeneratedColumn> find(Connection connection, int timeoutSeconds, String table, String column,
			Remedy remedy) throws SQLException {
		return find(connection, timeoutSeconds, GeneratedColumn::kindInStandardRow, remedy, STANDARD_QUERY,
				names(connection, timeoutSeconds, table, column));
	}

	/**
	 * Return the kind of a column from its row in the {@code information_schema} of
	 * standard SQL.
	 */
	static Kind kindInStandardRow(ResultSet row) throws SQLException {
		return Kind.of("ALWAYS".equals(row.getString(1)), "ALWAYS".equals(row.getString(2)));
	}

	/**
	 * Look up a column.
	 * @param kind determines the kind of the column from a row of the query
	 * @param sql a query that returns at most one row
	 * @param values the parameters of the query
	 */
	static Optional<GeneratedColumn> find(Connection connection, int timeoutSeconds, Row<Kind> kind, Remedy remedy,
			String sql, List<String> values) throws SQLException {
		Kind found = SqlStatements.queryOne(connection, timeoutSeconds, kind, sql, values.toArray())
			.orElse(Kind.ORDINARY);
		return (found != Kind.ORDINARY)
				? Optional.of(new GeneratedColumn(found == Kind.IDENTITY, remedy.of(found == Kind.IDENTITY)))
				: Optional.empty();
	}

	/**
	 * Return the names of the schema, the table and the column, as the database's
	 * metadata spells them.
	 */
	static List<String> names(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return SqlStatements.describe(connection, timeoutSeconds, table, column,
				(data) -> List.of(data.getSchemaName(1), data.getTableName(1), data.getColumnName(1)));
	}

	/**
	 * Return statements that drop a computed column and add it again as an ordinary
	 * column, for databases that cannot alter computed columns.
	 * @param definition the type of the new column, with its length or precision
	 */
	static String replacement(String table, String column, String definition) {
		return "alter table " + table + " drop column " + column + "; alter table " + table + " add column " + column
				+ " " + definition + ";";
	}

	static String replacement(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return replacement(table, column, ColumnType.read(connection, timeoutSeconds, table, column).definition());
	}

	/**
	 * The ways in which a column gets its values.
	 */
	enum Kind {

		ORDINARY, IDENTITY, COMPUTED;

		static Kind of(boolean identity, boolean computed) {
			return identity ? IDENTITY : computed ? COMPUTED : ORDINARY;
		}

	}

	/**
	 * Returns the statements that allow inserts to provide the value of a column.
	 */
	interface Remedy {

		String of(boolean identity) throws SQLException;

	}

}
