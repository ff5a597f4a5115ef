package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table or sequence and the name of its schema, spelled as in the
 * database's metadata.
 *
 * @param schema the name of the schema, or {@code null} to omit it in SQL. In MariaDB and
 * MySQL, the database is the schema
 * @param name the name of the table or sequence in the schema
 * @since 0.1.0
 */
public record QualifiedName(@Nullable String schema, String name) {

	/**
	 * Create a qualified name.
	 * @throws IllegalArgumentException if the name is missing
	 */
	public QualifiedName {
		InvalidSettingException.requireGiven(QualifiedName.class, "name", name);
	}

	/**
	 * Find the tables and views that a name can refer to: {@code table} in the current
	 * schema of the connection, or {@code schema.table}. Names that differ only in case
	 * match only if there is no exact match.
	 * @param connection the connection from which schemas and tables are read
	 * @param wanted the requested name, as entered by an operator
	 * @return the matching tables, several if the name is ambiguous
	 * @throws SQLException if the metadata cannot be read
	 */
	public static List<QualifiedName> find(Connection connection, String wanted) throws SQLException {
		InvalidSettingException.requireGiven(QualifiedName.class, "connection", connection);
		InvalidSettingException.requireGiven(QualifiedName.class, "wanted", wanted);
		Place current = Place.of(connection);
		List<QualifiedName> found = new ArrayList<>(current.tables(wanted));
		for (int dot = wanted.indexOf('.'); dot >= 0; dot = wanted.indexOf('.', dot + 1)) {
			String schema = wanted.substring(0, dot);
			for (String one : matching(current.schemas(), Function.identity(), schema)) {
				found.addAll(current.withSchema(one).tables(wanted.substring(dot + 1)));
			}
		}
		return found;
	}

	/**
	 * Return the elements that have the requested name. If there are none, return the
	 * elements whose names differ from it only in case.
	 * @param all the elements to search
	 * @param name a function that returns the name of an element
	 * @param wanted the requested name, as entered by an operator
	 * @param <T> the type of the elements
	 * @return the matching elements
	 */
	public static <T> List<T> matching(List<T> all, Function<? super T, String> name, String wanted) {
		InvalidSettingException.requireElements(QualifiedName.class, "all", all);
		InvalidSettingException.requireGiven(QualifiedName.class, "name", name);
		InvalidSettingException.requireGiven(QualifiedName.class, "wanted", wanted);
		List<T> exact = all.stream().filter((one) -> name.apply(one).equals(wanted)).toList();
		return exact.isEmpty() ? all.stream().filter((one) -> name.apply(one).equalsIgnoreCase(wanted)).toList()
				: exact;
	}

	/**
	 * Return the name of another object in the same schema.
	 * @param name the name of the other object
	 * @return the name of the other object with its schema
	 */
	public QualifiedName sibling(String name) {
		return new QualifiedName(this.schema, name);
	}

	/**
	 * Return the quoted name for use in SQL.
	 * @param quote the database's quotation mark for identifiers
	 * @return the quoted name, preceded by the quoted schema if there is one
	 */
	public String quoted(String quote) {
		InvalidSettingException.requireGiven(QualifiedName.class, "quote", quote);
		return ((this.schema != null) ? quoted(this.schema, quote) + "." : "") + quoted(this.name, quote);
	}

	private static String quoted(String name, String quote) {
		return quote + name.replace(quote, quote + quote) + quote;
	}

	@Override
	public String toString() {
		return (this.schema != null) ? this.schema + "." + this.name : this.name;
	}

	/**
	 * A schema as JDBC describes it. A database may have catalogs, schemas, both or
	 * neither.
	 *
	 * @param data the metadata of the database
	 * @param catalog the catalog that contains the schema, or that serves as the schema
	 * if the database has no schemas; {@code null} if there is no catalog
	 * @param schema the name of the schema, or {@code null} if the database has no
	 * schemas
	 * @since 0.1.0
	 */
	public record Place(DatabaseMetaData data, @Nullable String catalog, @Nullable String schema) {

		/**
		 * Create a description of a schema.
		 * @throws IllegalArgumentException if the metadata is missing
		 */
		public Place {
			InvalidSettingException.requireGiven(Place.class, "data", data);
		}

		/**
		 * Return the current schema of a connection.
		 * @param connection a connection
		 * @return the current schema
		 * @throws SQLException if the metadata cannot be read
		 */
		public static Place of(Connection connection) throws SQLException {
			InvalidSettingException.requireGiven(Place.class, "connection", connection);
			return new Place(connection.getMetaData(), connection.getCatalog(), connection.getSchema());
		}

		/**
		 * Return another schema of the same database.
		 * @param other the name of the other schema, spelled as in the database's
		 * metadata
		 * @return the other schema
		 */
		public Place withSchema(@Nullable String other) {
			return (this.schema != null) ? new Place(this.data, this.catalog, other)
					: new Place(this.data, other, null);
		}

		/**
		 * Return the name that qualifies a table in SQL.
		 * @return the schema or, if the database has no schemas, the catalog;
		 * {@code null} if it has neither
		 */
		public @Nullable String name() {
			return (this.schema != null) ? this.schema : this.catalog;
		}

		/**
		 * Return the schema as an escaped pattern for {@link DatabaseMetaData}.
		 * @return the pattern, or {@code null} if the database has no schemas
		 * @throws SQLException if the metadata cannot be read
		 */
		public @Nullable String pattern() throws SQLException {
			String escape = this.data.getSearchStringEscape();
			return (this.schema != null) ? Stream.of(escape, "_", "%")
				.distinct()
				.reduce(this.schema, (text, special) -> text.replace(special, escape + special)) : null;
		}

		private List<QualifiedName> tables(String wanted) throws SQLException {
			return matching(names(this.data.getTables(this.catalog, pattern(), "%", null), "TABLE_NAME"),
					Function.identity(), wanted)
				.stream()
				.map((name) -> new QualifiedName(name(), name))
				.toList();
		}

		private List<String> schemas() throws SQLException {
			return (this.schema != null) ? names(this.data.getSchemas(this.catalog, null), "TABLE_SCHEM")
					: names(this.data.getCatalogs(), "TABLE_CAT");
		}

		private static List<String> names(ResultSet found, String column) throws SQLException {
			try (found) {
				List<String> names = new ArrayList<>();
				while (found.next()) {
					names.add(found.getString(column));
				}
				return names.stream().distinct().toList();
			}
		}

	}

}
