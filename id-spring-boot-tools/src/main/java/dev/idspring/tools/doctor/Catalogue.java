package dev.idspring.tools.doctor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.KeyColumns.NarrowReference;
import dev.idspring.tools.doctor.KeyColumns.Progress;
import dev.idspring.tools.doctor.KeyColumns.TableWithoutKey;
import dev.idspring.tools.doctor.Numberings.RelatedNumbering;
import dev.idspring.tools.doctor.Schema.Column;
import dev.idspring.tools.doctor.Schema.Table;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.jdbc.LetterCase;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.QualifiedName.Place;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Reads tables, columns and keys from the JDBC metadata of a database. From the tables
 * themselves, this class reads numbers and samples of strings. Subclasses read what the
 * JDBC metadata does not contain.
 */
class Catalogue {

	/** The maximum number of strings to read per column. */
	private static final int MAX_STRINGS = 200;

	/**
	 * The maximum number of rows to search for a number that a sequence will issue. For
	 * the increments 1 and -1, one row is sufficient.
	 */
	private static final int MAX_ROWS_SEARCHED = 1000;

	private static final String HIBERNATE_COUNTER = "next_val";

	private final Queries queries;

	private final DatabaseMetaData data;

	private final Alterations alterations;

	private final Place place;

	/** The only table to read, or {@code null} for all tables of the schema. */
	private final @Nullable QualifiedName onlyTable;

	/**
	 * Create a reader.
	 * @param onlyTable the only table to read, or {@code null} for all tables
	 */
	Catalogue(Queries queries, @Nullable QualifiedName onlyTable) throws SQLException {
		this.queries = queries;
		this.data = queries.connection().getMetaData();
		this.alterations = Alterations.of(queries.jdbc(), this.data);
		Place current = Place.of(queries.connection());
		this.place = (onlyTable != null) ? current.withSchema(onlyTable.schema()) : current;
		this.onlyTable = onlyTable;
	}

	static KeyColumns read(DataSource dataSource, Duration timeout, @Nullable QualifiedName onlyTable,
			@Nullable String tablePrefix, Progress progress) {
		// do not change the settings of a connection that the caller is already using,
		// usually in a transaction
		boolean ownConnection = !TransactionSynchronizationManager.hasResource(dataSource);
		KeyColumns keys = new JdbcTemplate(dataSource).execute((ConnectionCallback<KeyColumns>) (connection) -> {
			boolean changed = ownConnection && setReadOnly(connection, true);
			try {
				JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
				jdbc.setQueryTimeout(seconds(timeout));
				return of(Queries.of(jdbc, connection), onlyTable).keys(tablePrefix, progress);
			}
			finally {
				if (ownConnection && !connection.getAutoCommit()) {
					connection.rollback();
				}
				if (changed) {
					setReadOnly(connection, false);
				}
			}
		});
		return Objects.requireNonNull(keys);
	}

	/**
	 * Set whether a connection is read-only.
	 * @return whether this method changed the mode: {@code false} if the connection
	 * already had this mode, or if the driver refuses the change, as SQLite's driver does
	 */
	private static boolean setReadOnly(Connection connection, boolean readOnly) throws SQLException {
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

	private static Catalogue of(Queries queries, @Nullable QualifiedName onlyTable) throws SQLException {
		return switch (queries.product()) {
			case "PostgreSQL" -> new PostgresqlCatalogue(queries, onlyTable);
			case "MySQL", "MariaDB" -> new MysqlCatalogue(queries, onlyTable);
			case "H2" -> new H2Catalogue(queries, onlyTable);
			default -> new Catalogue(queries, onlyTable);
		};
	}

	final Queries queries() {
		return this.queries;
	}

	/**
	 * Read the sequences and identities, and the columns that get their numbers from
	 * them.
	 */
	Numberings numberings() throws SQLException {
		this.queries.notRead()
			.add("sequences, and the next numbers of identity columns: readable only on PostgreSQL, MariaDB,"
					+ " MySQL and H2");
		return new Numberings(schema(), this.queries.notRead());
	}

	/**
	 * Return a query for the names of the tables of a schema and their row counts
	 * according to the statistics, or {@code null} if no query is known.
	 */
	@Nullable String rowCountsSql() {
		return null;
	}

	private Map<String, Long> rowCounts() {
		String sql = rowCountsSql();
		Map<String, Long> rowCounts = new HashMap<>();
		if (sql == null) {
			this.queries.notRead().add("row counts: readable only on PostgreSQL, MariaDB, MySQL and H2");
		}
		else {
			this.queries.query("row counts", sql, (row, index) -> rowCounts.put(row.getString(1), row.getLong(2)),
					schema());
		}
		return rowCounts;
	}

	/**
	 * Read the types of columns that the JDBC metadata does not describe precisely. The
	 * keys of the map have the form {@code table.column}.
	 */
	Map<String, DeclaredType> types() {
		return Map.of();
	}

	/**
	 * Read the indexes on prefixes of columns or on expressions. The elements of the set
	 * have the form {@code table.index}.
	 */
	Set<String> prefixIndexes() {
		return Set.of();
	}

	/**
	 * Read the names of the tables that are partitions of other tables.
	 */
	Set<String> partitions() {
		return Set.of();
	}

	/**
	 * Read the names of the tables that have partitions, and for each table whether all
	 * of its partitions have a primary key.
	 */
	Map<String, Boolean> partitioned() {
		return Map.of();
	}

	/**
	 * Convert a time limit to seconds for JDBC: at least 1, because 0 would mean no
	 * limit.
	 */
	static int seconds(Duration timeout) {
		return (int) Math.max(1, Math.min(timeout.toSeconds(), Integer.MAX_VALUE));
	}

	/**
	 * Return a query for the highest or lowest value of a column. The names must be
	 * quoted.
	 */
	String extremeQuery(DeclaredType type, String column, String table, boolean highest) {
		return "select " + (highest ? "max(" : "min(") + column + ") from " + table;
	}

	final String quoted(String name) throws SQLException {
		return quoted(new QualifiedName(null, name));
	}

	final String quoted(QualifiedName name) throws SQLException {
		return name.quoted(this.data.getIdentifierQuoteString().strip());
	}

	/**
	 * Return the name of the schema to read.
	 */
	final @Nullable String schema() {
		return this.place.name();
	}

	final QualifiedName name(String table) {
		return new QualifiedName(schema(), table);
	}

	private KeyColumns keys(@Nullable String tablePrefix, Progress progress) throws SQLException {
		Set<String> leftOut = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		leftOut.addAll((tablePrefix != null) ? JdbcSchema.tables(tablePrefix) : Set.of());
		leftOut.addAll(partitions());
		Schema schema = new Schema(this.place, this.queries.product(), types(), prefixIndexes());
		List<Table> tables = new ArrayList<>();
		List<String> allNames = schema.tables();
		List<String> names = allNames.stream()
			.filter((name) -> !leftOut.contains(name) && (this.onlyTable == null || this.onlyTable.name().equals(name)))
			.toList();
		for (String name : names) {
			this.queries.attempt("table " + name(name), () -> schema.table(name)).ifPresent(tables::add);
			progress.read(tables.size(), 2 * names.size());
		}
		Numberings numberings = numberings();
		Reading reading = new Reading(schema, numberings, rowCounts(), partitioned(),
				tables.stream().flatMap((table) -> table.foreignKeys().stream()).toList(), new ArrayList<>(),
				new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
		for (Table table : tables) {
			this.queries.attempt("table " + name(table.name()), () -> read(table, reading));
			progress.read(names.size() + 1 + tables.indexOf(table), 2 * names.size());
		}
		confirmTaken(tables, List.of(reading.columns, reading.numbered));
		List<NarrowReference> narrow = schema.narrowReferences(reading.foreignKeys)
			.stream()
			.map((one) -> new NarrowReference(one.reference(), one.target(), one.type(),
					this.queries
						.attempt("what depends on " + one.reference().table() + "." + one.reference().column(),
								() -> this.alterations.widen(one.reference(), one.type()))
						.orElse(null)))
			.toList();
		return new KeyColumns(this.queries.product(), schema(), reading.columns, reading.numbered,
				numberings.sequences(), reading.texts, narrow, reading.withoutKey, reading.leftOut,
				scattered(allNames, tablePrefix), this.queries.notRead().stream().distinct().toList());
	}

	/**
	 * Read the key spaces of the id store whose keys are issued in random order, if the
	 * schema contains the tables of the store.
	 */
	private List<StoredKeySpace> scattered(List<String> tables, @Nullable String tablePrefix) throws SQLException {
		if (tablePrefix == null) {
			return List.of();
		}
		List<StoredKeySpace> scattered = new ArrayList<>();
		String keySpaces = tablePrefix + "key_space";
		for (String table : tables) {
			if (table.equalsIgnoreCase(keySpaces.substring(keySpaces.lastIndexOf('.') + 1))) {
				scattered.addAll(this.queries.query("the key spaces of the id store",
						"select name, definition, capacity, next_ordinal from " + quoted(name(table))
								+ " where definition like 'coprime %' or definition like 'park-miller %'",
						(row, index) -> new StoredKeySpace(row.getString(1), row.getString(2), row.getLong(3),
								row.getLong(4))));
			}
		}
		return scattered;
	}

	/**
	 * If a column seems to contain a number that its sequence will issue, read the
	 * sequences again. The number may have been drawn and inserted after the first
	 * reading.
	 */
	private void confirmTaken(List<Table> tables, List<List<KeyColumn>> lists) throws SQLException {
		if (lists.stream().flatMap(List::stream).allMatch((column) -> column.taken() == null)) {
			return;
		}
		Numberings numberings = numberings();
		for (List<KeyColumn> columns : lists) {
			columns.replaceAll((column) -> (column.taken() != null) ? confirmed(column, tables, numberings) : column);
		}
	}

	private KeyColumn confirmed(KeyColumn key, List<Table> tables, Numberings numberings) {
		for (Table table : tables) {
			Column column = table.name().equals(key.table()) ? table.columns().get(key.column()) : null;
			RelatedNumbering related = (column != null)
					? numberings.of(table.name(), column, table.key().equals(List.of(key.column()))) : null;
			if (related != null) {
				BigInteger highest = Objects.requireNonNull(key.highest());
				return this.queries
					.attempt(key.name(),
							() -> key.with(related.numbering(),
									taken(key.place(), key.column(), related.numbering(), highest)))
					.orElse(key);
			}
		}
		return key;
	}

	private static boolean isHibernateCounter(Set<String> columns) {
		return columns.size() == 1 && columns.iterator().next().equalsIgnoreCase(HIBERNATE_COUNTER);
	}

	private boolean read(Table table, Reading reading) throws SQLException {
		List<String> key = table.key();
		if (key.isEmpty() && isHibernateCounter(table.columns().keySet())) {
			reading.leftOut.add(name(table.name()) + ": a Hibernate table with a single counter");
		}
		else if (key.isEmpty() && reading.partitioned.getOrDefault(table.name(), false)) {
			reading.leftOut.add(name(table.name()) + ": each of its partitions has a primary key of its own");
		}
		else if (key.isEmpty()) {
			reading.withoutKey.add(tableWithoutKey(table, reading.partitioned.containsKey(table.name())));
		}
		else if (key.size() > 1) {
			reading.leftOut.add(name(table.name()) + ": its key has the columns " + String.join(", ", key));
		}
		for (Column column : table.columns().values()) {
			boolean isKey = key.size() == 1 && key.get(0).equals(column.name());
			RelatedNumbering numbering = reading.numberings.of(table.name(), column, isKey);
			if (isKey) {
				reading.columns.add(keyColumn(table, column, numbering, reading));
			}
			else if (numbering != null && column.end() != null && (numbering.relation() == Relation.OWN
					|| table.kindOfKey(column.name(), reading.foreignKeys) != null)) {
				reading.numbered.add(keyColumn(table, column, numbering, reading));
			}
			String kindOfKey = table.kindOfKey(column.name(), reading.foreignKeys);
			if (kindOfKey != null && column.type().isText()) {
				textColumn(table, column, kindOfKey).ifPresent(reading.texts::add);
			}
		}
		return true;
	}

	private TableWithoutKey tableWithoutKey(Table table, boolean isPartitioned) {
		List<String> candidate = table.candidates()
			.stream()
			.filter((columns) -> columns.stream()
				.allMatch((name) -> table.columns().containsKey(name) && table.columns().get(name).required()))
			.findFirst()
			.orElse(List.of());
		String name = table.columns().keySet().stream().anyMatch("id"::equalsIgnoreCase) ? "row_id" : "id";
		return new TableWithoutKey(name(table.name()), candidate,
				(candidate.isEmpty() && !isPartitioned) ? name : null);
	}

	private KeyColumn keyColumn(Table table, Column column, @Nullable RelatedNumbering related, Reading reading)
			throws SQLException {
		Numbering numbering = (related != null) ? related.numbering() : null;
		String name = name(table.name()) + "." + column.name();
		BigInteger highest = null;
		BigInteger taken = null;
		if (column.end() != null && !table.isIndexed(column.name())) {
			this.queries.notRead().add("the highest " + name + ": no index of all rows begins with this column");
		}
		else if (column.end() != null) {
			boolean descends = numbering != null && numbering.descends();
			highest = this.queries
				.query("the highest " + name,
						extremeQuery(column.type(), quoted(column.name()), quoted(name(table.name())), !descends),
						(row, index) -> Optional.ofNullable(row.getBigDecimal(1)))
				.stream()
				.flatMap(Optional::stream)
				.map(BigDecimal::toBigInteger)
				.findFirst()
				.orElse(null);
			taken = (numbering != null && highest != null)
					? taken(name(table.name()), column.name(), numbering, highest) : null;
		}
		KeyColumn key = new KeyColumn(name(table.name()), column.name(), column.type().sql(), column.end(), highest,
				reading.rowCounts.get(table.name()), numbering, (related != null) ? related.relation() : null, taken,
				reading.schema.references(name(table.name()), column.name(), reading.foreignKeys), null);
		return (Doctor.usedPercent(key) < Examination.GROWN_PERCENT) ? key
				: key.withWidening(this.queries
					.attempt("what depends on " + name, () -> this.alterations.toBigint(List.of(key), false))
					.orElse(null));
	}

	/**
	 * Find the first number that a sequence will issue and that the column already
	 * contains.
	 * @param furthest the last number to search for, in the direction of the sequence;
	 * numbers beyond it may have been issued since the sequence was read
	 */
	private @Nullable BigInteger taken(QualifiedName table, String column, Numbering numbering, BigInteger furthest)
			throws SQLException {
		BigInteger next = numbering.next();
		boolean up = !numbering.descends();
		if (next == null || (up ? furthest.compareTo(next) < 0 : furthest.compareTo(next) > 0)) {
			return null;
		}
		BigInteger step = BigInteger.valueOf(numbering.increment()).abs();
		int limit = step.equals(BigInteger.ONE) ? 1 : MAX_ROWS_SEARCHED;
		String key = quoted(column);
		String what = "whether " + numbering.name() + " will issue numbers that exist in " + table + "." + column;
		List<BigInteger> numbers = this.queries.query(what,
				"select " + key + " from " + quoted(table) + " where " + key + (up ? " >= " : " <= ") + next + " and "
						+ key + (up ? " <= " + furthest.min(numbering.end()) : " >= " + furthest.max(numbering.end()))
						+ " order by " + key + (up ? "" : " desc") + " limit " + limit,
				(row, index) -> row.getBigDecimal(1).toBigInteger());
		Optional<BigInteger> taken = numbers.stream()
			.filter((number) -> number.subtract(next).mod(step).signum() == 0)
			.findFirst();
		if (taken.isEmpty() && numbers.size() == limit) {
			this.queries.notRead().add(what + ": none of the next " + limit + " rows has one, and no more were read");
		}
		return taken.orElse(null);
	}

	private Optional<TextColumn> textColumn(Table table, Column column, String kindOfKey) throws SQLException {
		String name = name(table.name()) + "." + column.name();
		String quotedTable = quoted(name(table.name()));
		String quotedColumn = quoted(column.name());
		int timeout = this.queries.jdbc().getQueryTimeout();
		Connection connection = this.queries.connection();
		Optional<String> remedy = this.queries.attempt("collation of " + name,
				() -> LetterCase.ignoresCase(connection, timeout, quotedTable, quotedColumn)
						? LetterCase.remedy(connection, timeout, quotedTable, quotedColumn) : "");
		if (remedy.isEmpty() || remedy.get().isEmpty()) {
			return Optional.empty();
		}
		JdbcTemplate sampleJdbc = new JdbcTemplate(Objects.requireNonNull(this.queries.jdbc().getDataSource()));
		sampleJdbc.setQueryTimeout(timeout);
		sampleJdbc.setMaxRows(MAX_STRINGS);
		return this.queries
			.attempt("strings in " + name,
					() -> sampleJdbc.query("select " + quotedColumn + " from " + quotedTable,
							(row, index) -> Optional.ofNullable(row.getString(1))))
			.map((rows) -> rows.stream().flatMap(Optional::stream).toList())
			.map((texts) -> new TextColumn(name(table.name()), column.name(), kindOfKey, texts.size(),
					TextColumn.findIdLike(texts), remedy.get(),
					this.queries
						.attempt("what depends on " + name,
								() -> this.alterations.makeCaseSensitive(name(table.name()), column.name()))
						.orElse(null)));
	}

	/**
	 * Collects the results while tables are read.
	 */
	private record Reading(Schema schema, Numberings numberings, Map<String, Long> rowCounts,
			Map<String, Boolean> partitioned, List<ForeignKey> foreignKeys, List<KeyColumn> columns,
			List<KeyColumn> numbered, List<TextColumn> texts, List<TableWithoutKey> withoutKey, List<String> leftOut) {

	}

}
