package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.idspring.tools.doctor.KeyColumn.Reference;
import dev.idspring.tools.doctor.KeyColumns.NarrowReference;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.QualifiedName.Place;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of a schema, with their columns and constraints, from the JDBC
 * metadata.
 */
final class Schema {

	private final Place place;

	private final String product;

	private final Map<String, DeclaredType> types;

	private final Set<String> prefixIndexes;

	private final Map<QualifiedName, Map<String, Column>> columns = new HashMap<>();

	private final Set<Place> readPlaces = new HashSet<>();

	/**
	 * Create a reader.
	 * @param place the schema
	 * @param types the types of columns that the JDBC metadata does not describe
	 * precisely, by {@code table.column}
	 * @param prefixIndexes the indexes that contain only the beginning of a column, or
	 * expressions, as {@code table.index}
	 */
	Schema(Place place, String product, Map<String, DeclaredType> types, Set<String> prefixIndexes) {
		this.place = place;
		this.product = product;
		this.types = types;
		this.prefixIndexes = prefixIndexes;
	}

	/**
	 * Read the names of the tables.
	 */
	List<String> tables() throws SQLException {
		List<String> tables = new ArrayList<>();
		try (ResultSet found = this.place.data()
			.getTables(this.place.catalog(), this.place.pattern(), "%",
					new String[] { "TABLE", "BASE TABLE", "PARTITIONED TABLE" })) {
			while (found.next()) {
				tables.add(found.getString("TABLE_NAME"));
			}
		}
		return tables;
	}

	private Map<String, Column> columns(Place place, String name) throws SQLException {
		if (this.readPlaces.add(place)) {
			try (ResultSet found = place.data().getColumns(place.catalog(), place.pattern(), "%", "%")) {
				while (found.next()) {
					String table = found.getString("TABLE_NAME");
					Column column = column(found, table, place.equals(this.place) ? this.types : Map.of());
					this.columns
						.computeIfAbsent(new QualifiedName(place.name(), table), (missing) -> new LinkedHashMap<>())
						.put(column.name, column);
				}
			}
		}
		return this.columns.getOrDefault(new QualifiedName(place.name(), name), Map.of());
	}

	private Column column(ResultSet found, String table, Map<String, DeclaredType> types) throws SQLException {
		// read the values in the order of the columns of the result set, because some
		// drivers do not support any other order
		String name = found.getString("COLUMN_NAME");
		String typeName = found.getString("TYPE_NAME");
		int size = found.getInt("COLUMN_SIZE");
		int scale = found.getInt("DECIMAL_DIGITS");
		boolean required = found.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls;
		DeclaredType declared = types.get(table + "." + name);
		DeclaredType type = (declared != null) ? declared : DeclaredType.of(typeName, size, scale);
		return new Column(name, type, type.end(this.product), required, found.getString("COLUMN_DEF"));
	}

	/**
	 * Read the columns, keys and indexes of a table.
	 */
	Table table(String name) throws SQLException {
		Map<String, Column> columns = columns(this.place, name);
		List<String> key = key(name);
		List<ForeignKey> foreignKeys = foreignKeys(name);
		Map<String, List<String>> columnsByIndex = new HashMap<>();
		List<List<String>> indexes = new ArrayList<>();
		List<List<String>> uniqueIndexes = new ArrayList<>();
		List<List<String>> candidates = new ArrayList<>();
		try (ResultSet found = this.place.data()
			.getIndexInfo(this.place.catalog(), this.place.schema(), name, false, true)) {
			while (found.next()) {
				boolean unique = !found.getBoolean("NON_UNIQUE");
				String index = found.getString("INDEX_NAME");
				String column = found.getString("COLUMN_NAME");
				boolean hasAllRows = found.getString("FILTER_CONDITION") == null;
				if (index != null && column != null) {
					List<String> indexed = columnsByIndex.computeIfAbsent(index, (missing) -> new ArrayList<>());
					if (indexed.isEmpty()) {
						if (hasAllRows && found.getShort("TYPE") != DatabaseMetaData.tableIndexHashed) {
							indexes.add(indexed);
						}
						if (unique) {
							uniqueIndexes.add(indexed);
						}
						if (unique && hasAllRows && !this.prefixIndexes.contains(name + "." + index)) {
							candidates.add(indexed);
						}
					}
					indexed.add(column);
				}
			}
		}
		return new Table(name, columns, key, foreignKeys, indexes, uniqueIndexes, candidates);
	}

	private List<String> key(String table) throws SQLException {
		Map<Integer, String> key = new TreeMap<>();
		try (ResultSet found = this.place.data().getPrimaryKeys(this.place.catalog(), this.place.schema(), table)) {
			while (found.next()) {
				String column = found.getString("COLUMN_NAME");
				key.put(found.getInt("KEY_SEQ"), column);
			}
		}
		return List.copyOf(key.values());
	}

	/**
	 * Read the foreign keys that reference a table.
	 */
	private List<ForeignKey> foreignKeys(String table) throws SQLException {
		List<ForeignKey> keys = new ArrayList<>();
		Set<Place> places = new HashSet<>();
		try (ResultSet found = this.place.data().getExportedKeys(this.place.catalog(), this.place.schema(), table)) {
			while (found.next()) {
				String targetColumn = found.getString("PKCOLUMN_NAME");
				Place from = this.place
					.withSchema(found.getString((this.place.schema() != null) ? "FKTABLE_SCHEM" : "FKTABLE_CAT"));
				QualifiedName name = new QualifiedName(from.name(), found.getString("FKTABLE_NAME"));
				String column = found.getString("FKCOLUMN_NAME");
				int position = found.getInt("KEY_SEQ");
				String key = String.valueOf(found.getString("FK_NAME"));
				places.add(from);
				add(new ForeignKey(key, name, List.of(column), new QualifiedName(this.place.name(), table),
						List.of(Objects.requireNonNullElse(targetColumn, column))), position, keys);
			}
		}
		// cache the columns of the referencing schemas for column(QualifiedName, String)
		for (Place from : places) {
			columns(from, table);
		}
		return keys;
	}

	/**
	 * Add a column of a foreign key. If the list already contains the foreign key, append
	 * the column to that key. The driver may return the columns of different foreign keys
	 * interleaved.
	 */
	private static void add(ForeignKey part, int position, List<ForeignKey> keys) {
		for (int i = keys.size() - 1; position > 1 && i >= 0; i--) {
			ForeignKey key = keys.get(i);
			if (key.table().equals(part.table()) && key.name().equals(part.name())) {
				keys.set(i, new ForeignKey(key.name(), key.table(), joined(key.columns(), part.columns()), key.target(),
						joined(key.targetColumns(), part.targetColumns())));
				return;
			}
		}
		keys.add(part);
	}

	private static List<String> joined(List<String> first, List<String> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	/**
	 * Return the foreign key columns that reference a column.
	 */
	List<Reference> references(QualifiedName table, String column, List<ForeignKey> foreignKeys) {
		List<Reference> references = new ArrayList<>();
		for (ForeignKey key : foreignKeys) {
			int position = key.targetColumns().indexOf(column);
			Column from = (key.target().equals(table) && position >= 0)
					? column(key.table(), key.columns().get(position)) : null;
			if (from != null) {
				references.add(reference(key, from));
			}
		}
		return references;
	}

	private static Reference reference(ForeignKey key, Column from) {
		return new Reference(key.table(), from.name, from.type.sql());
	}

	/**
	 * Return the foreign key columns that cannot hold all values of the columns that they
	 * reference.
	 */
	List<NarrowReference> narrowReferences(List<ForeignKey> foreignKeys) {
		List<NarrowReference> narrowReferences = new ArrayList<>();
		for (ForeignKey key : foreignKeys) {
			for (int i = 0; i < key.columns().size(); i++) {
				Column from = column(key.table(), key.columns().get(i));
				Column to = column(key.target(), key.targetColumns().get(i));
				if (from != null && to != null && from.type.isNarrowerThan(to.type, this.product)) {
					narrowReferences.add(new NarrowReference(reference(key, from), key.target() + "." + to.name,
							to.type.sql(), null));
				}
			}
		}
		return narrowReferences;
	}

	private @Nullable Column column(QualifiedName table, String name) {
		return this.columns.getOrDefault(table, Map.of()).get(name);
	}

	/**
	 * A table.
	 *
	 * @param foreignKeys the foreign keys that reference the table
	 * @param indexes the columns of each index that contains all rows and is not a hash
	 * index
	 * @param uniqueIndexes the columns of each unique index
	 * @param candidates the columns of each unique index that contains all rows and, on
	 * MariaDB and MySQL, only whole columns
	 */
	record Table(String name, Map<String, Column> columns, List<String> key, List<ForeignKey> foreignKeys,
			List<List<String>> indexes, List<List<String>> uniqueIndexes, List<List<String>> candidates) {

		/**
		 * Return the kind of key to which a column belongs: primary, unique or foreign,
		 * in this order of precedence. Return {@code null} if the column belongs to no
		 * key.
		 */
		@Nullable String kindOfKey(String column, List<ForeignKey> foreignKeys) {
			return this.key.contains(column) ? "primary key" : this.uniqueIndexes.stream()
				.anyMatch((columns) -> columns.contains(column))
						? "unique"
						: foreignKeys.stream()
							.anyMatch((key) -> key.table().name().equals(this.name) && key.columns().contains(column))
									? "foreign key" : null;
		}

		/**
		 * Return whether an index begins with a column. If so, the highest and the lowest
		 * value of the column can be read without scanning the table.
		 */
		boolean isIndexed(String column) {
			return (!this.key.isEmpty() && this.key.get(0).equals(column))
					|| this.indexes.stream().anyMatch((columns) -> columns.get(0).equals(column));
		}

	}

	/**
	 * A column of a table.
	 *
	 * @param end the greatest number that the type can hold, or {@code null} if it does
	 * not hold whole numbers
	 */
	record Column(String name, DeclaredType type, @Nullable BigInteger end, boolean required,
			@Nullable String defaultExpression) {

	}

}
