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
 * The name of a table or sequence with that of its schema, as the catalogue spells them.
 *
 * @param schema the name of the schema, which is the database on MariaDB and MySQL;
 * {@code null} if there are none
 * @param name the name in the schema
 * @since 0.1.0
 */
public record QualifiedName(@Nullable String schema, String name) {

	/**
	 * Create a name.
	 * @throws IllegalArgumentException if the name is missing
	 */
	public QualifiedName {
		InvalidSettingException.requireGiven(QualifiedName.class, "name", name);
	}

	/**
	 * Find the tables and views that a name can mean: {@code table} in the current schema
	 * of the connection, or {@code schema.table}. Exact matches precede those that differ
	 * in upper and lower case.
	 * @param connection provides the schemas and tables
	 * @param wanted the name, as an operator writes it
	 * @return one table, none if there is none, or several if the name is ambiguous
	 * @throws SQLException if the database cannot be queried
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
	 * Return the elements with a name: exact matches or, if there are none, those that
	 * differ in upper and lower case.
	 * @param all the elements
	 * @param name returns the name of an element
	 * @param wanted the name, as an operator writes it
	 * @param <T> the type of the elements
	 * @return the matches, of which several differ in upper and lower case
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
	 * @param name its name
	 * @return the name with the schema
	 */
	public QualifiedName sibling(String name) {
		return new QualifiedName(this.schema, name);
	}

	/**
	 * Return the name as it is written in SQL.
	 * @param quote the string that encloses names
	 * @return the name with its schema
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
	 * A schema, as JDBC divides databases: products have catalogs, schemas or neither.
	 *
	 * @param data describes the database
	 * @param catalog the catalog of the connection or, without schemas, the one in
	 * question
	 * @param schema the schema, {@code null} without
	 * @since 0.1.0
	 */
	public record Place(DatabaseMetaData data, @Nullable String catalog, @Nullable String schema) {

		/**
		 * Create a place.
		 * @throws IllegalArgumentException if the description is missing
		 */
		public Place {
			InvalidSettingException.requireGiven(Place.class, "data", data);
		}

		/**
		 * Return the current schema of a connection.
		 * @param connection a connection
		 * @return its current schema
		 * @throws SQLException if the database cannot be queried
		 */
		public static Place of(Connection connection) throws SQLException {
			InvalidSettingException.requireGiven(Place.class, "connection", connection);
			return new Place(connection.getMetaData(), connection.getCatalog(), connection.getSchema());
		}

		/**
		 * Return another schema of the same database.
		 * @param other its name, as the catalogue spells it
		 * @return the schema
		 */
		public Place withSchema(@Nullable String other) {
			return (this.schema != null) ? new Place(this.data, this.catalog, other)
					: new Place(this.data, other, null);
		}

		/**
		 * Return the name of the schema in SQL.
		 * @return the schema or, without schemas, the catalog; {@code null} without both
		 */
		public @Nullable String name() {
			return (this.schema != null) ? this.schema : this.catalog;
		}

		/**
		 * Return the schema as a pattern for JDBC.
		 * @return the pattern, {@code null} without schemas
		 * @throws SQLException if the database cannot be queried
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
