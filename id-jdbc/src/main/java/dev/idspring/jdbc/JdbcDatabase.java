package dev.idspring.jdbc;

import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.DatabaseOpening.Opened;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The database that the stores share: which product it is, where the tables are, and how
 * to run a transaction in it. Behind any {@link DataSource}.
 *
 * @since 0.1.0
 */
public final class JdbcDatabase {

	private final JdbcTransactions transactions;

	private final TableNames tables;

	private final JdbcSettings settings;

	private final StoreDescription description;

	/** Rows as they were when the store was opened, until they are asked for. */
	private final Map<String, KeySpaceRow> found;

	private final Deadline foundUntil;

	private volatile FailoverFence fence;

	private JdbcDatabase(JdbcTransactions transactions, TableNames tables, JdbcSettings settings, Opened opened,
			Deadline deadline) {
		this.transactions = transactions;
		this.tables = tables;
		this.settings = settings;
		this.description = opened.description();
		this.found = new ConcurrentHashMap<>(opened.rows());
		this.foundUntil = deadline;
		this.fence = fence(opened.incarnation());
	}

	/**
	 * Open a database: find out what it is, make sure that the tables of key spaces and
	 * slots are there, and that commits are durable.
	 * @param dataSource where the tables are
	 * @param settings how they are used
	 * @param deadline how long this may take
	 * @return the database
	 * @throws IdSetupException if the prefix cannot be used, the database is unknown, or
	 * a table is missing
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public static JdbcDatabase open(DataSource dataSource, JdbcSettings settings, Deadline deadline) {
		return open(dataSource, settings, deadline, (opening) -> opening.open(deadline));
	}

	/**
	 * Open a database that holds the table of gapless numbers only.
	 * @param dataSource where the table is
	 * @param settings how it is used
	 * @param deadline how long this may take
	 * @return the database
	 * @throws IdSetupException if the prefix cannot be used, or the database is unknown
	 * @throws IdStoreUnavailableException if the database did not answer in time
	 */
	public static JdbcDatabase openForGapless(DataSource dataSource, JdbcSettings settings, Deadline deadline) {
		return open(dataSource, settings, deadline, (opening) -> opening.identify(deadline));
	}

	private static JdbcDatabase open(DataSource dataSource, JdbcSettings settings, Deadline deadline,
			Function<DatabaseOpening, Opened> how) {
		TableNames tables = new TableNames(settings.tablePrefix());
		JdbcTransactions transactions = new JdbcTransactions(dataSource, settings);
		Opened opened = how.apply(new DatabaseOpening(transactions, tables, settings));
		return new JdbcDatabase(transactions, tables, settings, opened, deadline);
	}

	/**
	 * Return the row of a key space as it was found when the store was opened. Once, and
	 * only as long as opening might have taken.
	 */
	Optional<KeySpaceRow> takeFound(String name) {
		return Optional.ofNullable(this.found.remove(name)).filter((row) -> !this.foundUntil.hasPassed());
	}

	/**
	 * Tell servers apart by an expression of SQL.
	 */
	void useServerIdentity(@Nullable String incarnation) {
		this.found.clear();
		this.fence = fence(incarnation);
	}

	private FailoverFence fence(@Nullable String incarnation) {
		return new FailoverFence(this.tables, dialect(), incarnation, this.settings.failoverMargin(),
				this.settings.failoverLag());
	}

	/**
	 * Make sure that a table is there, and can be read and changed.
	 */
	void checkTable(String table, String columns, Deadline deadline) {
		DatabaseOpening opening = new DatabaseOpening(this.transactions, this.tables, this.settings);
		opening.checkTable(table, columns, deadline);
		opening.checkRights(table, columns, deadline);
	}

	/**
	 * Describe this database.
	 * @return what operators should know
	 */
	public StoreDescription describe() {
		return this.description;
	}

	/**
	 * Return the type of the column that a query selects. Does not wait for writers.
	 * @param what what is being done, for the message of a failure
	 * @param sql a query of one column
	 * @param deadline how long this may take
	 * @return one of {@link java.sql.Types}
	 * @throws IdStoreUnavailableException if the query failed, or had no answer in time
	 */
	public int columnType(String what, String sql, Deadline deadline) {
		return this.transactions.look(what,
				(connection, timeout) -> SqlStatements.run(connection, timeout, (statement) -> {
					try (ResultSet rows = statement.executeQuery()) {
						return rows.getMetaData().getColumnType(1);
					}
				}, sql), deadline);
	}

	/**
	 * Return the values of the column that a query selects. Does not wait for writers.
	 * @param what what is being done, for the message of a failure
	 * @param sql a query of one column
	 * @param deadline how long this may take
	 * @param values the parameters of the query, each a {@code Long} or a {@code String}
	 * @return the values that are not null, as texts
	 * @throws IdStoreUnavailableException if the query failed, or had no answer in time
	 */
	public List<String> readColumn(String what, String sql, Deadline deadline, Object... values) {
		List<Optional<String>> read = this.transactions.look(what, (connection, timeout) -> SqlStatements
			.query(connection, timeout, (row) -> Optional.ofNullable(row.getString(1)), sql, values), deadline);
		return read.stream().flatMap(Optional::stream).toList();
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
