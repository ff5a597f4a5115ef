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
 * A column that is {@code GENERATED ALWAYS}: the database fills it, and an insert that
 * gives it a value fails or has its value ignored.
 *
 * @param identity whether the database numbers the rows; else it computes the value from
 * other columns
 * @param remedy the statements that let inserts give the value
 * @since 0.1.0
 */
public record GeneratedColumn(boolean identity, String remedy) {

	private static final String STANDARD = "select identity_generation, is_generated from information_schema.columns"
			+ " where table_schema = ? and table_name = ? and column_name = ?";

	/**
	 * Create a column.
	 * @throws IllegalArgumentException if there is no remedy
	 */
	public GeneratedColumn {
		InvalidSettingException.requireGiven(GeneratedColumn.class, "remedy", remedy);
	}

	/**
	 * Look a column up in the catalogue of standard SQL.
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 */
	static Optional<GeneratedColumn> find(Connection connection, int timeoutSeconds, String table, String column,
			Remedy remedy) throws SQLException {
		return find(connection, timeoutSeconds, GeneratedColumn::standard, remedy, STANDARD,
				names(connection, timeoutSeconds, table, column));
	}

	/**
	 * Read from the catalogue of standard SQL how a column gets its values.
	 */
	static Kind standard(ResultSet row) throws SQLException {
		return Kind.of("ALWAYS".equals(row.getString(1)), "ALWAYS".equals(row.getString(2)));
	}

	/**
	 * Look a column up.
	 * @param kind reads the result of the query
	 * @param sql a query of one row at most
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
	 * Return the names of a schema, a table and a column as the catalogue spells them.
	 */
	static List<String> names(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return SqlStatements.describe(connection, timeoutSeconds, table, column,
				(data) -> List.of(data.getSchemaName(1), data.getTableName(1), data.getColumnName(1)));
	}

	/**
	 * Return statements that replace a computed column that cannot be altered.
	 * @param definition its type, and all else that a column of that type needs
	 */
	static String replace(String table, String column, String definition) {
		return "alter table " + table + " drop column " + column + "; alter table " + table + " add column " + column
				+ " " + definition + ";";
	}

	static String replace(Connection connection, int timeoutSeconds, String table, String column) throws SQLException {
		return replace(table, column, ColumnType.read(connection, timeoutSeconds, table, column).definition());
	}

	/**
	 * How a column gets its values.
	 */
	enum Kind {

		ORDINARY, IDENTITY, COMPUTED;

		static Kind of(boolean identity, boolean computed) {
			return identity ? IDENTITY : computed ? COMPUTED : ORDINARY;
		}

	}

	/**
	 * Returns the statements that help.
	 */
	interface Remedy {

		String of(boolean identity) throws SQLException;

	}

}
