package dev.idspring.doctor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.doctor.KeyColumn.Numbering;
import dev.idspring.doctor.KeyColumn.Reference;
import dev.idspring.jdbc.LetterCase;
import dev.idspring.jdbc.QualifiedName.Place;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.SqlFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Reads the catalogue of a database: tables, columns and keys as JDBC describes them;
 * subclasses add what it does not.
 */
class Catalogue {

	private static final Pattern MIXED = Pattern
		.compile("(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])[0-9A-Za-z]{4,40}");

	/** Types of texts, but not those of PostgreSQL that take certain texts only. */
	private static final Pattern TEXTS = Pattern
		.compile("(?i)(n|national |bp|var|nvar|var|tiny|medium|long)*(char|text|citext).*");

	private static final Map<String, Integer> BITS = Map.ofEntries(Map.entry("tinyint", 7), Map.entry("smallint", 15),
			Map.entry("int2", 15), Map.entry("smallserial", 15), Map.entry("mediumint", 23), Map.entry("int", 31),
			Map.entry("integer", 31), Map.entry("int4", 31), Map.entry("serial", 31), Map.entry("bigint", 63),
			Map.entry("int8", 63), Map.entry("bigserial", 63));

	private final JdbcTemplate jdbc;

	private final @Nullable String rows;

	private final Connection connection;

	private final DatabaseMetaData data;

	private final Place place;

	/** The only table to read, {@code null} for all of the schema. */
	private final @Nullable String only;

	private final Map<Place, Map<String, Map<String, Column>>> columns = new HashMap<>();

	private final List<String> notRead = new ArrayList<>();

	/**
	 * Create a reader.
	 * @param only the only table to read, {@code null} for all of the current schema
	 * @param rows selects tables of a schema and how many rows the statistics assume,
	 * {@code null} if there are none
	 */
	Catalogue(JdbcTemplate jdbc, Connection connection, @Nullable QualifiedName only, @Nullable String rows)
			throws SQLException {
		this.jdbc = jdbc;
		this.rows = rows;
		this.connection = connection;
		this.data = connection.getMetaData();
		Place current = Place.of(connection);
		this.place = (only != null) ? current.withSchema(only.schema()) : current;
		this.only = (only != null) ? only.name() : null;
	}

	static KeyColumns read(DataSource dataSource, Duration timeout, @Nullable QualifiedName only) {
		KeyColumns keys = new JdbcTemplate(dataSource).execute((ConnectionCallback<KeyColumns>) (connection) -> {
			boolean limited = readOnly(connection, true);
			try {
				JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
				jdbc.setQueryTimeout((int) Math.max(1, Math.min(timeout.toSeconds(), Integer.MAX_VALUE)));
				return of(jdbc, connection, only).keys();
			}
			finally {
				if (limited) {
					readOnly(connection, false);
				}
			}
		});
		return Objects.requireNonNull(keys);
	}

	/**
	 * Change whether a connection only reads.
	 * @return whether it was changed: SQLite's driver refuses
	 */
	private static boolean readOnly(Connection connection, boolean readOnly) throws SQLException {
		if (connection.isReadOnly() == readOnly) {
			return false;
		}
		try {
			connection.setReadOnly(readOnly);
			return true;
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private static Catalogue of(JdbcTemplate jdbc, Connection connection, @Nullable QualifiedName only)
			throws SQLException {
		return switch (connection.getMetaData().getDatabaseProductName()) {
			case "PostgreSQL" -> new PostgresqlCatalogue(jdbc, connection, only);
			case "MySQL", "MariaDB" -> new MysqlCatalogue(jdbc, connection, only);
			case "H2" -> new H2Catalogue(jdbc, connection, only);
			default -> new Catalogue(jdbc, connection, only, null);
		};
	}

	/**
	 * Return what numbers the rows of tables: by the name of a sequence, or by table and
	 * column with a dot in between.
	 */
	Map<String, Numbering> numberings() throws SQLException {
		this.notRead.add("sequences, and what identity columns come to: only on PostgreSQL, MariaDB, MySQL and H2");
		return Map.of();
	}

	private Map<String, Long> rows() {
		Map<String, Long> rows = new HashMap<>();
		if (this.rows == null) {
			this.notRead.add("numbers of rows: only on PostgreSQL, MariaDB, MySQL and H2");
			return rows;
		}
		query("numbers of rows", this.rows, (row, index) -> rows.put(row.getString(1), row.getLong(2)), schema());
		return rows;
	}

	private boolean isCaseBlind(String table, Column column) throws SQLException {
		try {
			return column.texts && LetterCase.isIgnored(this.connection, this.jdbc.getQueryTimeout(),
					quoted(name(table)), quoted(column.name));
		}
		catch (SQLException ex) {
			this.notRead.add("collation of " + name(table) + "." + column.name + ": " + SqlFailure.describe(ex));
			return false;
		}
	}

	/**
	 * Read by a statement of the database. A failure is noted.
	 */
	final <T> List<T> query(String what, String sql, RowMapper<T> mapper, @Nullable Object... values) {
		try {
			return this.jdbc.query(sql, mapper, values);
		}
		catch (DataAccessException ex) {
			this.notRead.add(what + ": " + SqlFailure.describe(ex));
			return List.of();
		}
	}

	final String quoted(String name) throws SQLException {
		String quote = this.data.getIdentifierQuoteString().strip();
		return quote + name.replace(quote, quote + quote) + quote;
	}

	final String quoted(QualifiedName name) throws SQLException {
		return name.quoted(this.data.getIdentifierQuoteString().strip());
	}

	/**
	 * Return the name of the schema that is read.
	 */
	final @Nullable String schema() {
		return this.place.name();
	}

	final QualifiedName name(String table) {
		return new QualifiedName(schema(), table);
	}

	private KeyColumns keys() throws SQLException {
		Map<String, Map<String, Column>> known = columns(this.place);
		Map<String, Numbering> numberings = numberings();
		Map<String, Long> rows = rows();
		List<KeyColumn> columns = new ArrayList<>();
		List<String> withoutKey = new ArrayList<>();
		for (String table : tables()) {
			List<String> key = names(this.data.getPrimaryKeys(this.place.catalog(), this.place.schema(), table),
					"COLUMN_NAME");
			if (key.isEmpty()) {
				withoutKey.add(name(table).toString());
			}
			Column column = (key.size() == 1) ? known.getOrDefault(table, Map.of()).get(key.get(0)) : null;
			if (column != null) {
				columns.add(keyColumn(table, column, numbering(table, column, numberings), rows.get(table),
						references(table, column.name)));
			}
		}
		return new KeyColumns(this.data.getDatabaseProductName(), columns, List.copyOf(numberings.values()), withoutKey,
				this.notRead);
	}

	private KeyColumn keyColumn(String table, Column column, @Nullable Numbering numbering, @Nullable Long rows,
			List<Reference> references) throws SQLException {
		QualifiedName name = name(table);
		String from = quoted(column.name) + " from " + quoted(name);
		BigInteger highest = null;
		String mixed = null;
		if (column.end != null) {
			highest = query("the highest " + name + "." + column.name,
					"select max(" + quoted(column.name) + ") from " + quoted(name),
					(row, index) -> Optional.ofNullable(row.getBigDecimal(1)))
				.stream()
				.flatMap(Optional::stream)
				.map(BigDecimal::toBigInteger)
				.findFirst()
				.orElse(null);
		}
		else if (isCaseBlind(table, column)) {
			mixed = query("texts of " + name + "." + column.name,
					"select " + from + " order by " + quoted(column.name) + " limit 100",
					(row, index) -> row.getString(1))
				.stream()
				.filter((text) -> MIXED.matcher(text).matches())
				.findFirst()
				.orElse(null);
		}
		return new KeyColumn(name, column.name, column.type, column.end, highest, rows, numbering, mixed, references);
	}

	/**
	 * Find what numbers the rows of a table: the sequence of the column's default, what
	 * belongs to the column, or what is named like it. A sequence that was created with
	 * the column may have been replaced since.
	 */
	private static @Nullable Numbering numbering(String table, Column column, Map<String, Numbering> numberings) {
		String byDefault = Objects.requireNonNullElse(column.byDefault, "");
		Numbering owned = numberings.get(table + "." + column.name);
		return numberings.values()
			.stream()
			.filter((one) -> byDefault.matches("(?is).*\\W" + Pattern.quote(one.name()) + "\\W.*")
					&& !one.name().equals(table))
			.min(Comparator.comparing((one) -> !byDefault.contains(one.name())))
			.or(() -> Optional.ofNullable(owned))
			.or(() -> Stream.ofNullable(column.end)
				.flatMap((end) -> KeyColumn.usualSequences(List.copyOf(numberings.values()), table, column.name)
					.stream())
				.findFirst())
			.orElse(null);
	}

	private List<String> tables() throws SQLException {
		List<String> tables = names(this.data.getTables(this.place.catalog(), this.place.pattern(), "%",
				new String[] { "TABLE", "BASE TABLE", "PARTITIONED TABLE" }), "TABLE_NAME");
		return (this.only != null) ? tables.stream().filter(this.only::equals).toList() : tables;
	}

	/**
	 * Return the columns of a schema by table and name.
	 */
	private Map<String, Map<String, Column>> columns(Place place) throws SQLException {
		Map<String, Map<String, Column>> known = this.columns.get(place);
		if (known != null) {
			return known;
		}
		Map<String, Map<String, Column>> columns = new HashMap<>();
		try (ResultSet found = this.data.getColumns(place.catalog(), place.pattern(), "%", "%")) {
			while (found.next()) {
				String table = found.getString("TABLE_NAME");
				Column column = column(found);
				columns.computeIfAbsent(table, (key) -> new HashMap<>()).put(column.name, column);
			}
		}
		this.columns.put(place, columns);
		return columns;
	}

	private Column column(ResultSet found) throws SQLException {
		// in the order of the columns, as some drivers read no other way
		String name = found.getString("COLUMN_NAME");
		int type = found.getInt("DATA_TYPE");
		String typeName = found.getString("TYPE_NAME");
		int size = found.getInt("COLUMN_SIZE");
		int scale = found.getInt("DECIMAL_DIGITS");
		boolean required = found.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls;
		return new Column(name, typeName, TEXTS.matcher(typeName).matches(),
				end(type, typeName.toLowerCase(Locale.ROOT), size, scale), required, found.getString("COLUMN_DEF"));
	}

	private @Nullable BigInteger end(int type, String name, int size, int scale) throws SQLException {
		Integer bits = BITS.get(name.split("[ (]")[0]);
		if (bits != null) {
			boolean sqlite = this.data.getDatabaseProductName().equals("SQLite");
			int shift = sqlite ? Long.SIZE - 1 : name.contains("unsigned") ? bits + 1 : bits;
			return BigInteger.ONE.shiftLeft(shift).subtract(BigInteger.ONE);
		}
		return ((type == Types.NUMERIC || type == Types.DECIMAL) && scale == 0 && size > 0)
				? BigInteger.TEN.pow(size).subtract(BigInteger.ONE) : null;
	}

	private List<Reference> references(String table, String column) throws SQLException {
		List<Foreign> foreign = new ArrayList<>();
		try (ResultSet found = this.data.getExportedKeys(this.place.catalog(), this.place.schema(), table)) {
			while (found.next()) {
				boolean own = column.equals(found.getString("PKCOLUMN_NAME"));
				Place place = this.place
					.withSchema(found.getString((this.place.schema() != null) ? "FKTABLE_SCHEM" : "FKTABLE_CAT"));
				Foreign one = new Foreign(place, found.getString("FKTABLE_NAME"), found.getString("FKCOLUMN_NAME"),
						rule(" on update ", found.getInt("UPDATE_RULE"))
								+ rule(" on delete ", found.getInt("DELETE_RULE")),
						String.valueOf(found.getString("FK_NAME")));
				if (own) {
					foreign.add(one);
				}
			}
		}
		List<Reference> references = new ArrayList<>();
		for (Foreign one : foreign) {
			Column reference = columns(one.place).getOrDefault(one.table, Map.of()).get(one.column);
			if (reference != null) {
				references.add(new Reference(new QualifiedName(one.place.name(), one.table), reference.name,
						reference.type, reference.end, reference.required, one.key, one.rules));
			}
		}
		return references;
	}

	private static String rule(String event, int rule) {
		return switch (rule) {
			case DatabaseMetaData.importedKeyCascade -> event + "cascade";
			case DatabaseMetaData.importedKeySetNull -> event + "set null";
			case DatabaseMetaData.importedKeySetDefault -> event + "set default";
			default -> "";
		};
	}

	private static List<String> names(ResultSet found, String column) throws SQLException {
		try (found) {
			List<String> names = new ArrayList<>();
			while (found.next()) {
				names.add(found.getString(column));
			}
			return names;
		}
	}

	/**
	 * A column of a table.
	 */
	private record Column(String name, String type, boolean texts, @Nullable BigInteger end, boolean required,
			@Nullable String byDefault) {

	}

	/**
	 * A column of a foreign key.
	 */
	private record Foreign(Place place, String table, String column, String rules, String key) {

	}

}
