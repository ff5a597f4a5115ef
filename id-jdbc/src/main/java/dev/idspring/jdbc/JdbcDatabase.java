package dev.idspring.jdbc;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.DatabaseOpening.Opened;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The database in which the JDBC stores keep their tables. {@link JdbcKeySpaceStore},
 * {@link JdbcSlotStore} and {@link JdbcGaplessStore} can share one instance of this
 * class. Any {@link DataSource} can provide the connections.
 *
 * @since 0.1.0
 */
public final class JdbcDatabase {

	private final JdbcTransactions transactions;

	private final TableNames tables;

	private final JdbcSettings settings;

	private final StoreDescription description;

	/**
	 * The rows of key spaces that were read when the database was opened, by name. A row
	 * is removed when a store takes it.
	 */
	private final Map<String, KeySpaceRow> preloadedRows;

	private final Deadline openingDeadline;

	/**
	 * The names of the key spaces that are known to use a {@link Bridge} to an older
	 * source of keys.
	 */
	private final Set<String> bridgedKeySpaces = ConcurrentHashMap.newKeySet();

	private volatile FailoverFence fence;

	private JdbcDatabase(JdbcTransactions transactions, TableNames tables, JdbcSettings settings, Opened opened,
			Deadline deadline) {
		this.transactions = transactions;
		this.tables = tables;
		this.settings = settings;
		this.description = opened.description();
		this.preloadedRows = new ConcurrentHashMap<>(opened.rows());
		this.openingDeadline = deadline;
		this.fence = new FailoverFence(tables, dialect(), opened.incarnation(), settings);
	}

	/**
	 * Open a database: identify the product, verify that the tables of key spaces and
	 * slots exist, and make commits durable or add a warning to {@link #describe()}.
	 * @param dataSource the DataSource of the tables
	 * @param settings the settings of the tables
	 * @param deadline the time by which the operation must end
	 * @return the database
	 * @throws IdSetupException if the database is not supported, if a table is missing or
	 * not transactional, if the user lacks a privilege for a table, or if a connection
	 * pooler loses the driver's prepared statements
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public static JdbcDatabase open(DataSource dataSource, JdbcSettings settings, Deadline deadline) {
		return open(dataSource, settings, deadline, (opening) -> opening.open(deadline));
	}

	/**
	 * Open a database for a {@link JdbcGaplessStore}. The tables of key spaces and slots
	 * need not exist.
	 * @param dataSource the DataSource of the table
	 * @param settings the settings of the table
	 * @param deadline the time by which the operation must end
	 * @return the database
	 * @throws IdSetupException if the database is not supported, if a table is not
	 * transactional, or if a connection pooler loses the driver's prepared statements
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public static JdbcDatabase openForGapless(DataSource dataSource, JdbcSettings settings, Deadline deadline) {
		return open(dataSource, settings, deadline, (opening) -> opening.identify(deadline));
	}

	/**
	 * Open a database to read columns of the application's tables. The tables of the
	 * store need not exist.
	 * @param dataSource the DataSource of the application's tables
	 * @param deadline the time by which the operation must end
	 * @return the database
	 * @throws IdSetupException if the database is not supported, or if a connection
	 * pooler loses the driver's prepared statements
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public static JdbcDatabase openForReading(DataSource dataSource, Deadline deadline) {
		return open(dataSource, JdbcSettings.defaults(TableNames.DEFAULT_PREFIX), deadline,
				(opening) -> opening.identifyForReading(deadline));
	}

	/**
	 * Return the target of a transaction-aware proxy, because the proxy would return the
	 * connection of the caller's transaction. Return any other DataSource itself.
	 */
	static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	private static JdbcDatabase open(DataSource dataSource, JdbcSettings settings, Deadline deadline,
			Function<DatabaseOpening, Opened> openWith) {
		InvalidSettingException.requireGiven(JdbcDatabase.class, "dataSource", dataSource);
		InvalidSettingException.requireGiven(JdbcDatabase.class, "settings", settings);
		InvalidSettingException.requireGiven(JdbcDatabase.class, "deadline", deadline);
		TableNames tables = new TableNames(settings.tablePrefix());
		JdbcTransactions transactions = new JdbcTransactions(target(dataSource), settings);
		Opened opened = openWith.apply(new DatabaseOpening(transactions, tables, settings));
		if (!settings.prepared()) {
			TransactionPooler.verifyNone(transactions.dialect(), target(dataSource), deadline);
		}
		return new JdbcDatabase(transactions, tables, settings, opened, deadline);
	}

	/**
	 * Remove and return the preloaded row of a key space. After the deadline for opening,
	 * the result is empty, because the row may be outdated.
	 */
	Optional<KeySpaceRow> takePreloadedRow(String name) {
		return Optional.ofNullable(this.preloadedRows.remove(name)).filter((row) -> isBeforeOpeningDeadline());
	}

	boolean isBeforeOpeningDeadline() {
		return !this.openingDeadline.hasPassed();
	}

	/**
	 * Record in memory whether a key space uses a bridge.
	 */
	void rememberBridge(String keySpace, boolean bridged) {
		if (bridged) {
			this.bridgedKeySpaces.add(keySpace);
		}
		else {
			this.bridgedKeySpaces.remove(keySpace);
		}
	}

	boolean isBridged(String keySpace) {
		return this.bridgedKeySpaces.contains(keySpace);
	}

	/**
	 * Change the SQL expression that identifies the current server. Only tests call this
	 * method, to simulate a fail-over.
	 */
	void setIncarnation(@Nullable String incarnationSql) {
		this.preloadedRows.clear();
		this.fence = new FailoverFence(this.tables, dialect(), incarnationSql, this.settings);
	}

	/**
	 * Verify that a table exists, and that the user may read and change it.
	 */
	void checkTable(String table, String columns, Deadline deadline) {
		new DatabaseOpening(this.transactions, this.tables, this.settings).checkTable(table, columns, deadline);
	}

	/**
	 * Describe this database.
	 * @return the product and warnings for operators
	 */
	public StoreDescription describe() {
		return this.description;
	}

	/**
	 * Return the type of a column. The query does not wait for writers.
	 * @param what the operation, for error messages
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @param deadline the time by which the operation must end
	 * @return the type of the column
	 * @throws IdStoreUnavailableException if the query failed or did not return in time
	 */
	public ColumnType columnType(String what, String table, String column, Deadline deadline) {
		verifyArguments(what, table, column, deadline);
		return this.transactions.readWithoutWaiting(what,
				(connection, timeout) -> ColumnType.read(connection, timeout, table, column), deadline);
	}

	/**
	 * Run a query that selects one column. The query does not wait for writers.
	 * @param what the operation, for error messages
	 * @param sql the query
	 * @param deadline the time by which the operation must end
	 * @param values the parameters of the query, each a {@code Long}, a {@code String}, a
	 * {@code byte[]} or, if the database has such a type, a {@code UUID}
	 * @return the selected values that are not null, as strings; hexadecimal digits if a
	 * parameter is a {@code byte[]}
	 * @throws IdStoreUnavailableException if the query failed or did not return in time
	 */
	public List<String> readColumn(String what, String sql, Deadline deadline, Object... values) {
		verifyArguments(what, deadline);
		requireGiven("sql", sql);
		requireGiven("values", values);
		boolean binary = Stream.of(values).anyMatch(byte[].class::isInstance);
		List<Optional<String>> read = this.transactions.readWithoutWaiting(what,
				(connection, timeout) -> SqlStatements.query(connection, timeout,
						(row) -> binary ? Optional.of(HexFormat.of().formatHex(row.getBytes(1)))
								: Optional.ofNullable(row.getString(1)),
						sql, values),
				deadline);
		return read.stream().flatMap(Optional::stream).toList();
	}

	/**
	 * If comparisons of a column ignore case, return how to make the column
	 * case-sensitive. No rows are read.
	 * @param what the operation, for error messages
	 * @param table the table as it is written in SQL
	 * @param column a text column as it is written in SQL
	 * @param deadline the time by which the operation must end
	 * @return the remedy, or empty if the column is already case-sensitive
	 * @throws IdStoreUnavailableException if the query failed or did not return in time
	 */
	public Optional<String> findCaseSensitivityRemedy(String what, String table, String column, Deadline deadline) {
		verifyArguments(what, table, column, deadline);
		return this.transactions.readWithoutWaiting(what,
				(connection, timeout) -> LetterCase.ignoresCase(connection, timeout, table, column)
						? Optional.of(dialect().caseSensitivityRemedy(connection, timeout, table, column))
						: Optional.empty(),
				deadline);
	}

	/**
	 * Find out whether a column is {@code GENERATED ALWAYS}, which means that inserts
	 * cannot provide its value. No rows are read.
	 * @param what the operation, for error messages
	 * @param table the table as it is written in SQL
	 * @param column the column as it is written in SQL
	 * @param deadline the time by which the operation must end
	 * @return the generated column, or empty if inserts can provide the value or the
	 * database does not report whether they can
	 * @throws IdStoreUnavailableException if the query failed or did not return in time
	 */
	public Optional<GeneratedColumn> findGenerated(String what, String table, String column, Deadline deadline) {
		verifyArguments(what, table, column, deadline);
		return this.transactions.readWithoutWaiting(what,
				(connection, timeout) -> dialect().findGenerated(connection, timeout, table, column), deadline);
	}

	/**
	 * Find the columns to which a name can refer. Letter case is ignored if there is no
	 * exact match.
	 * @param what the operation, for error messages
	 * @param name the names of the schema (optional), the table and the column, separated
	 * by dots
	 * @param deadline the time by which the operation must end
	 * @return one pair for each matching column: the quoted table name and the quoted
	 * column name
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public List<List<String>> findColumns(String what, String name, Deadline deadline) {
		verifyArguments(what, deadline);
		requireGiven("name", name);
		int dot = name.lastIndexOf('.');
		return this.transactions.readWithoutWaiting(what, (connection, timeout) -> {
			String quote = connection.getMetaData().getIdentifierQuoteString().strip();
			List<List<String>> columns = new ArrayList<>();
			for (QualifiedName one : QualifiedName.find(connection, name.substring(0, Math.max(0, dot)))) {
				String table = one.quoted(quote);
				List<String> all = SqlStatements.columns(connection, timeout, table);
				QualifiedName.matching(all, Function.identity(), name.substring(dot + 1))
					.forEach((column) -> columns.add(List.of(table, new QualifiedName(null, column).quoted(quote))));
			}
			return columns;
		}, deadline);
	}

	/**
	 * Return the possible quoted forms of names. Names that are reserved words must be
	 * quoted. Each name has up to two spellings: the given one, and the one in the letter
	 * case in which the database stores unquoted names. The result contains one list for
	 * each combination of spellings.
	 * @param what the operation, for error messages
	 * @param names the unquoted names
	 * @param deadline the time by which the operation must end
	 * @return lists with one quoted form per name, in the order of {@code names}. The
	 * first list refers to the same tables and columns as the unquoted names
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public List<List<String>> quotedForms(String what, List<String> names, Deadline deadline) {
		verifyArguments(what, deadline);
		InvalidSettingException.requireElements(JdbcDatabase.class, "names", names);
		return this.transactions.readWithoutWaiting(what, (connection, timeout) -> {
			DatabaseMetaData data = connection.getMetaData();
			String quote = data.getIdentifierQuoteString().strip();
			boolean upper = data.storesUpperCaseIdentifiers();
			boolean lower = data.storesLowerCaseIdentifiers();
			List<List<String>> quoted = List.of(List.of());
			for (String name : names) {
				String usual = upper ? name.toUpperCase(Locale.ROOT) : lower ? name.toLowerCase(Locale.ROOT) : name;
				quoted = quoted.stream()
					.flatMap((before) -> Stream.of(usual, name)
						.distinct()
						.map((one) -> Stream.concat(before.stream(), Stream.of(quote + one + quote)).toList()))
					.toList();
			}
			return quoted;
		}, deadline);
	}

	private static void verifyArguments(String what, Deadline deadline) {
		requireGiven("what", what);
		requireGiven("deadline", deadline);
	}

	private static void verifyArguments(String what, String table, String column, Deadline deadline) {
		verifyArguments(what, deadline);
		requireGiven("table", table);
		requireGiven("column", column);
	}

	private static void requireGiven(String parameter, Object value) {
		InvalidSettingException.requireGiven(JdbcDatabase.class, parameter, value);
	}

	/**
	 * The type of a column.
	 *
	 * @param type one of {@link Types}
	 * @param name the database's name for the type
	 * @param size the maximum number of characters or digits, 0 if unknown
	 * @param signed whether the type includes negative numbers
	 */
	public record ColumnType(int type, String name, int size, boolean signed) {

		static ColumnType read(Connection connection, int timeoutSeconds, String table, String column)
				throws SQLException {
			return SqlStatements.describe(connection, timeoutSeconds, table, column,
					(data) -> new ColumnType(data.getColumnType(1), data.getColumnTypeName(1), data.getPrecision(1),
							data.isSigned(1)));
		}

		/**
		 * Return the type as it is written in a column definition.
		 */
		String definition() {
			boolean sized = this.size > 0 && this.size < Integer.MAX_VALUE
					&& (isText() || this.type == Types.NUMERIC || this.type == Types.DECIMAL);
			return sized ? this.name + "(" + this.size + ")" : this.name;
		}

		/**
		 * Create a type.
		 * @throws IllegalArgumentException if the name is missing
		 */
		public ColumnType {
			InvalidSettingException.requireGiven(ColumnType.class, "name", name);
		}

		/**
		 * Return whether the values are exact numbers, not floating-point numbers.
		 * @return {@code true} for integer and decimal types
		 */
		public boolean isExactNumber() {
			return switch (this.type) {
				case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT, Types.NUMERIC, Types.DECIMAL -> true;
				default -> false;
			};
		}

		/**
		 * Return whether the values are character strings.
		 * @return {@code true} for character types
		 */
		public boolean isText() {
			return switch (this.type) {
				case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR ->
					true;
				// the type citext belongs to an extension of PostgreSQL
				default -> "citext".equals(this.name);
			};
		}

		/**
		 * Return the greatest whole number of the type. The result is too high for a type
		 * with decimal places, because the scale is ignored.
		 * @return the greatest number, or {@code null} if unknown
		 */
		public @Nullable BigInteger greatest() {
			int bits = switch (this.type) {
				case Types.BIGINT -> 63;
				case Types.INTEGER -> 31;
				case Types.SMALLINT -> 15;
				case Types.TINYINT -> 7;
				default -> 0;
			};
			if (bits > 0) {
				return BigInteger.TWO.pow(this.signed ? bits : bits + 1).subtract(BigInteger.ONE);
			}
			return (isExactNumber() && this.size > 0) ? BigInteger.TEN.pow(this.size).subtract(BigInteger.ONE) : null;
		}

	}

	JdbcTransactions transactions() {
		return this.transactions;
	}

	TableNames tables() {
		return this.tables;
	}

	FailoverFence fence() {
		return this.fence;
	}

	Dialect dialect() {
		return this.transactions.dialect();
	}

}
