package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.MovedRow.Sql;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases: which vendor codes mean that a transaction is worth
 * repeating, and how to make sure that a commit is on disk when it is acknowledged.
 */
enum Dialect {

	H2("H2", "select datediff(millisecond, timestamp with time zone '1970-01-01 00:00:00+00:00', current_timestamp)",
			50200, 90131) {

		@Override
		void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
			// by default commits reach the disk half a second after they are acknowledged
			writeAtOnce(connection, "jdbc:h2:mem:", "SET WRITE_DELAY 0", warnings);
		}

	},

	HSQLDB("HSQL Database Engine", "values unix_millis()") {

		@Override
		void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
			writeAtOnce(connection, "jdbc:hsqldb:mem:", "SET FILES WRITE DELAY FALSE", warnings);
		}

	},

	DERBY("Apache Derby", "values current_timestamp") {

		@Override
		long millis(ResultSet row) throws SQLException {
			// Derby cannot count milliseconds since 1970: they do not fit its integers
			return Constants.nearest(row.getTimestamp(1).toLocalDateTime(), ZoneId.systemDefault(),
					TimeSource.system().millis());
		}

		@Override
		void prepareDurability(Connection connection, List<String> warnings) {
			if ("test".equalsIgnoreCase(System.getProperty("derby.system.durability"))) {
				warnings.add("Derby acknowledges commits before they are on disk: derby.system.durability is test");
			}
		}

	},

	SQLITE("SQLite", "select cast((julianday('now') - 2440587.5) * 86400000 as integer)", 5, 6) {

		@Override
		void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
			if (Integer.parseInt(query(connection, "PRAGMA synchronous").orElse("2")) < 2) {
				warnings.add("SQLite may lose acknowledged commits when the machine stops:"
						+ " PRAGMA synchronous is below FULL");
			}
		}

	},

	POSTGRESQL("PostgreSQL", "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)") {

		@Override
		String durability() {
			return "current_setting('fsync')";
		}

		@Override
		void warnOfDurability(String found, List<String> warnings) {
			if ("off".equals(found)) {
				warnings.add("PostgreSQL may lose acknowledged commits when it crashes: fsync is off");
			}
		}

		@Override
		boolean readsAtOnce() {
			return true;
		}

		@Override
		Sql notTransactional(TableNames tables) {
			return new Sql("select c.relname, 'an unlogged or temporary table'"
					+ " from pg_class c where c.relpersistence <> 'p' and c.oid in (to_regclass('" + tables.keySpace()
					+ "'), to_regclass('" + tables.slot() + "'), to_regclass('" + tables.gapless() + "'))");
		}

		@Override
		boolean knows(SynchronousCommit wanted) {
			return true;
		}

		@Override
		void prepareReservations(Connection connection, SynchronousCommit wanted, List<String> warnings)
				throws SQLException {
			if (wanted != SynchronousCommit.LOCAL
					&& query(connection, "SHOW synchronous_standby_names").orElse("").isBlank()) {
				warnings.add("ids.jdbc.synchronous-commit is " + wanted.id()
						+ ", but commits wait for no other server: synchronous_standby_names is empty");
			}
		}

		@Override
		String incarnation(Map<String, String> variables) {
			// the system, and the timeline, which a promotion begins and a restart does
			// not; a standby has no answer
			return "(select case when not pg_is_in_recovery() then concat(system_identifier, '/',"
					+ " substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)) end from pg_control_system())";
		}

		@Override
		String clockMicros() {
			return "cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)";
		}

		@Override
		String prelude(@Nullable SynchronousCommit wanted) {
			// for this transaction only, and never from a stronger setting to a weaker
			// one
			SynchronousCommit least = (wanted != null) ? wanted : SynchronousCommit.ON;
			String weaker = (wanted != null) ? wanted.weaker() : "'off'";
			return "SELECT CASE WHEN current_setting('synchronous_commit') IN (" + weaker
					+ ") THEN set_config('synchronous_commit', '" + least.setting() + "', true) END,"
					+ " CASE WHEN CAST(current_setting('idle_in_transaction_session_timeout') AS interval)"
					+ " NOT BETWEEN '1 ms' AND '" + Constants.SILENCE_SECONDS + " s'"
					+ " THEN set_config('idle_in_transaction_session_timeout', '" + Constants.SILENCE_SECONDS
					+ "s', true) END; ";
		}

	},

	MARIADB("MariaDB", Constants.MYSQL_CLOCK, 1020, 1205, 1213, 1290, 1836),

	MYSQL("MySQL", Constants.MYSQL_CLOCK, 1020, 1205, 1213, 1290, 1836),

	SQLSERVER("Microsoft SQL Server", "select datediff_big(millisecond, '1970-01-01', sysutcdatetime())", 1205, 1222),

	ORACLE("Oracle",
			"select round((cast(sys_extract_utc(systimestamp) as date) - date '1970-01-01') * 86400000) from dual", 60,
			8177),

	DB2("DB2", "values (bigint(days(current timestamp - current timezone) - days(date('1970-01-01'))) * 86400000"
			+ " + bigint(midnight_seconds(current timestamp - current timezone)) * 1000)", -911, -913);

	/**
	 * Serialization failures, deadlocks and lock timeouts; lost connections; servers that
	 * are stopping, starting, full, or read-only until a fail-over is complete; a
	 * transaction that was idle for too long, or lost as the driver reconnected.
	 */
	private static final Set<String> REPEATABLE_STATES = Set.of("40001", "40P01", "55P03", "25006", "25P03", "25S03",
			"40XL1", "40XL2");

	private static final List<String> REPEATABLE_CLASSES = List.of("08", "57P0", "53");

	private final String productName;

	private final String epochMillis;

	private final Set<Integer> repeatableCodes;

	/**
	 * Create a dialect.
	 * @param productName what the name of the product begins with
	 * @param epochMillis reads the database's clock, in milliseconds since 1970 in UTC.
	 * Never a timestamp: drivers and sessions do not agree on time zones
	 * @param repeatableCodes vendor codes of failures that are worth repeating
	 */
	Dialect(String productName, String epochMillis, Integer... repeatableCodes) {
		this.productName = productName;
		this.epochMillis = epochMillis;
		this.repeatableCodes = Set.of(repeatableCodes);
	}

	/**
	 * Return the dialect of a platform, as the scripts are named.
	 */
	static Optional<Dialect> ofPlatform(String platform) {
		return Arrays.stream(values()).filter((dialect) -> dialect.name().equalsIgnoreCase(platform)).findAny();
	}

	/**
	 * Return the dialect of a platform that is configured.
	 * @throws InvalidSettingException if there is no such platform
	 */
	static Dialect ofConfigured(String platform) {
		return ofPlatform(platform).orElseThrow(() -> new InvalidSettingException(JdbcSettings.class, "platform",
				platform, "must be one of " + platforms() + ", or unset"));
	}

	/**
	 * Return the dialect of a database that is to be recognised.
	 * @param productName how the database calls itself
	 * @throws IdSetupException if it is not known
	 */
	static Dialect recognised(String productName) {
		return ofProduct(productName)
			.orElseThrow(() -> new IdSetupException("The database '" + productName + "' is not known to the id store.",
					"If it understands the SQL of a known one, set ids.jdbc.platform to one of " + platforms()
							+ "; otherwise keep the ids in another database, whose DataSource is marked with"
							+ " @IdsDataSource."));
	}

	/**
	 * Return the dialect of a database.
	 * @param productName how the database calls itself
	 */
	static Optional<Dialect> ofProduct(String productName) {
		return Arrays.stream(values()).filter((dialect) -> productName.startsWith(dialect.productName)).findAny();
	}

	static String platforms() {
		return String.join(", ",
				Arrays.stream(values()).map((dialect) -> dialect.name().toLowerCase(Locale.ROOT)).toList());
	}

	String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return whether the database is reached over a network, so that a call may never be
	 * answered. The others must not even be asked for a network timeout: pools throw away
	 * connections whose drivers do not know it.
	 */
	boolean isRemote() {
		return switch (this) {
			case H2, HSQLDB, DERBY, SQLITE -> false;
			case POSTGRESQL, MARIADB, MYSQL, SQLSERVER, ORACLE, DB2 -> true;
		};
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated. Decided by
	 * codes: drivers disagree on the classes of exceptions.
	 */
	boolean isRepeatable(@Nullable String state, int code) {
		return this.repeatableCodes.contains(code) || isRepeatable(state);
	}

	/**
	 * Return whether a failed transaction may succeed when it is repeated, on any
	 * database.
	 */
	static boolean isRepeatable(@Nullable String state) {
		return state != null && (REPEATABLE_STATES.contains(state)
				|| REPEATABLE_CLASSES.stream().anyMatch((prefix) -> state.startsWith(prefix)));
	}

	/**
	 * Return whether who reads a row waits for the transaction that has changed it,
	 * unless it asks for what is not committed. (HSQLDB waits even then.)
	 */
	boolean readersWait() {
		return switch (this) {
			case DERBY, SQLSERVER, DB2 -> true;
			case H2, HSQLDB, SQLITE, POSTGRESQL, MARIADB, MYSQL, ORACLE -> false;
		};
	}

	/**
	 * Return whether a transaction that changes a row keeps all others from changing any.
	 */
	boolean locksTables() {
		return this == HSQLDB || this == SQLITE;
	}

	/**
	 * Return what to add to a select so that it locks the rows it reads, and passes over
	 * those that others have locked. Empty where that is not known.
	 */
	String skipLocked() {
		return switch (this) {
			case H2, POSTGRESQL, MARIADB, MYSQL, ORACLE -> " for update skip locked";
			case HSQLDB, DERBY, SQLITE, SQLSERVER, DB2 -> "";
		};
	}

	/**
	 * Return what to add to a select inside a change so that it reads the present, on the
	 * server that changes go to: not an old view of the transaction, nor a replica to
	 * which something in between sends reads. Only for databases with an incarnation.
	 */
	String forUpdate() {
		return (this == POSTGRESQL || isMysql()) ? " for update" : "";
	}

	/**
	 * Read the database's clock.
	 * @return milliseconds since 1970 in UTC
	 */
	long currentMillis(Connection connection, int timeoutSeconds) throws SQLException {
		return JdbcDatabase.queryOne(connection, timeoutSeconds, this::millis, this.epochMillis).orElseThrow();
	}

	long millis(ResultSet row) throws SQLException {
		return row.getLong(1);
	}

	/**
	 * Make commits durable for good, or say why they are not.
	 * @param warnings receives what could not be mended
	 */
	void prepareDurability(Connection connection, List<String> warnings) throws SQLException {
		String durability = durability();
		if (durability != null) {
			warnOfDurability(query(connection, "SELECT " + durability).orElseThrow(), warnings);
		}
	}

	/**
	 * Return what the server says of durability, as an expression of SQL for
	 * {@link #warnOfDurability}: where that is possible, the store is opened by one
	 * statement. Null elsewhere.
	 */
	@Nullable String durability() {
		return isMysql() ? "concat_ws(' ', @@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog)" : null;
	}

	/**
	 * Say why commits are not durable.
	 * @param found the value of {@link #durability}
	 * @param warnings receives what could not be mended
	 */
	void warnOfDurability(String found, List<String> warnings) {
		if (isMysql()) {
			warnIfNotFlushed(found, warnings);
		}
	}

	/**
	 * Return whether a read is one round trip in auto-commit, and so is the change to
	 * auto-commit and back none.
	 */
	boolean readsAtOnce() {
		return false;
	}

	/**
	 * Return what comes before a query that opens the store on a connection of its own,
	 * in the same round trip: {@link #setIdleTransactionTimeout}, where the server can.
	 */
	String prepareAtOnce() {
		return isMysql() ? "SET @ids_opened = 1 /*M!100300 , " + limitedSilenceOnMysql() + " */; " : "";
	}

	/**
	 * Return what ends the transaction of such a query, in the same round trip. Empty
	 * where the transaction is ended otherwise.
	 */
	String commitAtOnce() {
		return isMysql() ? "; COMMIT" : "";
	}

	/**
	 * Return a query for tables that lose rows or keep what was rolled back: name and
	 * kind. Empty where there are none.
	 */
	Sql notTransactional(TableNames tables) {
		if (!isMysql()) {
			return Sql.NONE;
		}
		String names = tables.all()
			.stream()
			.map((table) -> "'" + table.substring(table.lastIndexOf('.') + 1) + "'")
			.collect(Collectors.joining(", "));
		String schema = tables.schema().map((name) -> "'" + name + "'").orElse("database()");
		return new Sql("select t.table_name, t.engine from information_schema.tables t"
				+ " join information_schema.engines e on e.engine = t.engine where coalesce(e.transactions, 'NO') <> 'YES'"
				+ " and t.table_schema = " + schema + " and t.table_name in (" + names + ")");
	}

	/**
	 * Return how to give a table transactions.
	 */
	String makeTransactional(String table) {
		return "alter table " + table + (isMysql() ? " engine = InnoDB" : " set logged");
	}

	/**
	 * Return whether it can be said what commits wait for.
	 */
	boolean knows(SynchronousCommit wanted) {
		return false;
	}

	/**
	 * Find out whether commits can wait for what they should.
	 * @param warnings receives why not
	 */
	void prepareReservations(Connection connection, SynchronousCommit wanted, List<String> warnings)
			throws SQLException {
	}

	/**
	 * Return the clock of the server in microseconds since 1970, as an expression of SQL
	 * that is the same everywhere in a statement. Only for databases with an incarnation.
	 */
	String clockMicros() {
		return isMysql() ? "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))"
				: "datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00:00', current_timestamp)";
	}

	/**
	 * Return a division without remainder, as an expression of SQL.
	 */
	String divided(String dividend, String divisor) {
		return dividend + (isMysql() ? " div " : " / ") + divisor;
	}

	/**
	 * Return what the first statement of a transaction begins with that is to make its
	 * commit durable, and to let the server end it when the client is idle, as others
	 * wait for the rows it has changed. Concerns this transaction only.
	 * @param wanted what the commit has to wait for at least, or {@code null} for the
	 * disk
	 */
	String prelude(@Nullable SynchronousCommit wanted) {
		return "";
	}

	/**
	 * Begin a transaction for changes of several statements, whatever the driver believes
	 * of auto-commit.
	 * @param wanted what the commit has to wait for at least, or {@code null} for the
	 * disk
	 */
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
		String prelude = prelude(wanted);
		if (isMysql()) {
			JdbcDatabase.update(connection, timeoutSeconds, "START TRANSACTION");
		}
		else if (!prelude.isEmpty()) {
			JdbcDatabase.query(connection, timeoutSeconds, (row) -> row.getString(1),
					prelude.substring(0, prelude.lastIndexOf(';')));
		}
	}

	/**
	 * Return whether the session does not commit each statement and limits how long it
	 * may be idle, as an expression of SQL; empty if there is nothing to ask for.
	 */
	String sessionIsReady(boolean withoutAutoCommit, boolean silenceIsLimited) {
		if (!isMysql()) {
			return "";
		}
		return Stream
			.of(withoutAutoCommit ? "@@autocommit = 0" : "",
					silenceIsLimited ? "@@idle_write_transaction_timeout between 1 and " + Constants.SILENCE_SECONDS
							: "")
			.filter((condition) -> !condition.isEmpty())
			.collect(Collectors.joining(" and "));
	}

	/**
	 * Return whether {@link #setIdleTransactionTimeout} is for the session rather than
	 * for the transaction.
	 */
	boolean limitsSilenceOfSession() {
		return isMysql();
	}

	/**
	 * Let the server end transactions of this session whose client is idle.
	 */
	void setIdleTransactionTimeout(Connection connection, int timeoutSeconds) throws SQLException {
		limitSilenceOnMysql(connection, timeoutSeconds);
	}

	/**
	 * Read those variables of the server that {@link #canLimitSilence} and
	 * {@link #incarnation} ask for, as far as it has them.
	 */
	Map<String, String> variables(Connection connection) throws SQLException {
		Map<String, String> variables = new HashMap<>();
		if (isMysql()) {
			try (Statement statement = connection.createStatement();
					ResultSet rows = statement.executeQuery("show variables" + Constants.MYSQL_VARIABLES)) {
				while (rows.next()) {
					variables.put(rows.getString(1), rows.getString(2));
				}
			}
		}
		return variables;
	}

	/**
	 * Return the same variables as an expression of SQL, for {@link #variables(String)}.
	 * Comments tell MariaDB and MySQL apart, whichever driver is used.
	 */
	String variables() {
		return isMysql() ? "(select group_concat(lower(variable_name), '=', variable_value) from"
				+ " /*M! information_schema *//*!50700 performance_schema */.session_variables"
				+ Constants.MYSQL_VARIABLES + ")" : "''";
	}

	/**
	 * Read what {@link #variables()} has returned.
	 */
	static Map<String, String> variables(@Nullable String found) {
		return (found != null)
				? Stream.of(found.split(","))
					.map((variable) -> variable.split("=", 2))
					.collect(Collectors.toMap((variable) -> variable[0], (variable) -> variable[variable.length - 1]))
				: Map.of();
	}

	/**
	 * Return whether the server can end transactions whose client is idle.
	 * @param variables of the server
	 */
	boolean canLimitSilence(Map<String, String> variables) {
		// MariaDB's, with either driver. The second one is for those that have written,
		// and counts more than the first
		return variables.containsKey("idle_transaction_timeout")
				&& variables.containsKey("idle_write_transaction_timeout");
	}

	/**
	 * Undo {@link #setIdleTransactionTimeout}.
	 */
	void end(Connection connection) throws SQLException {
		restoreSilenceOnMysql(connection);
	}

	/**
	 * Return how to tell the server from one that takes over from it, but not from itself
	 * after a restart.
	 * @param variables of the server
	 * @return an expression of SQL, or {@code null} if servers cannot be told apart, or
	 * need not be, as none lags behind
	 */
	@Nullable String incarnation(Map<String, String> variables) {
		return isMysql() ? incarnationOfMysql(variables) : null;
	}

	/**
	 * Return the same for a server whose variables are not known yet, if it is not one of
	 * a cluster.
	 */
	@Nullable String incarnation() {
		return isMysql() ? incarnationOfMysql("/*M! " + Constants.MARIADB_SERVER + " *//*!50700 @@server_uuid */")
				: incarnation(Map.of());
	}

	/**
	 * Return whether this is MySQL or MariaDB, whose drivers may be used with either.
	 */
	private boolean isMysql() {
		return this == MARIADB || this == MYSQL;
	}

	/**
	 * Decided by the variables: either driver may be used with either server. In a
	 * cluster whose members all accept writes every change of the member would pass for a
	 * fail-over.
	 */
	private static @Nullable String incarnationOfMysql(Map<String, String> variables) {
		boolean cluster = "ON".equals(variables.get("wsrep_on"))
				|| "OFF".equals(variables.get("group_replication_single_primary_mode"));
		if (cluster) {
			return null;
		}
		return incarnationOfMysql(variables.containsKey("server_uuid") ? "@@server_uuid" : Constants.MARIADB_SERVER);
	}

	private static String incarnationOfMysql(String server) {
		return "convert(left(" + server + ", 200) using ascii)";
	}

	private static void limitSilenceOnMysql(Connection connection, int timeoutSeconds) throws SQLException {
		JdbcDatabase.update(connection, timeoutSeconds, "SET " + limitedSilenceOnMysql());
	}

	private static String limitedSilenceOnMysql() {
		return "@ids_idle = @@SESSION.idle_transaction_timeout,"
				+ " @ids_idle_write = @@SESSION.idle_write_transaction_timeout," + limited("idle_transaction_timeout")
				+ "," + limited("idle_write_transaction_timeout");
	}

	private static String limited(String variable) {
		return " SESSION " + variable + " = IF(@@SESSION." + variable + " BETWEEN 1 AND " + Constants.SILENCE_SECONDS
				+ ", @@SESSION." + variable + ", " + Constants.SILENCE_SECONDS + ")";
	}

	private static void restoreSilenceOnMysql(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			// nothing was saved if the beginning failed
			statement.execute(
					"SET SESSION idle_transaction_timeout = COALESCE(@ids_idle, @@SESSION.idle_transaction_timeout),"
							+ " SESSION idle_write_transaction_timeout ="
							+ " COALESCE(@ids_idle_write, @@SESSION.idle_write_transaction_timeout)");
		}
	}

	private static void writeAtOnce(Connection connection, String inMemory, String sql, List<String> warnings)
			throws SQLException {
		String url = String.valueOf(connection.getMetaData().getURL());
		if (url.toLowerCase(Locale.ROOT).startsWith(inMemory)) {
			return;
		}
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			warnings
				.add("Commits are acknowledged before they are on disk, and '" + sql + "' failed: " + ex.getMessage());
		}
	}

	/**
	 * Say which settings of the log and the binary log do not write each commit.
	 */
	private static void warnIfNotFlushed(String found, List<String> warnings) {
		String[] settings = found.split(" ");
		// 3 is MariaDB's, and flushes more often
		if (!settings[0].equals("1") && !settings[0].equals("3")) {
			warnings.add("The server may lose acknowledged commits when it crashes: innodb_flush_log_at_trx_commit is "
					+ settings[0] + " instead of 1");
		}
		// what is missing in the binary log after a crash is rolled back
		if (settings[1].equals("1") && !settings[2].equals("1")) {
			warnings
				.add("The server may lose acknowledged commits when its machine crashes: it writes a binary log, and"
						+ " sync_binlog is not 1");
		}
	}

	private static Optional<String> query(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
		}
	}

	/**
	 * Apart, because enum constants cannot refer to constants of the enum.
	 */
	static final class Constants {

		/**
		 * How long a client may be silent in a transaction: longer than the network may
		 * take, and much shorter than others can wait.
		 */
		static final int SILENCE_SECONDS = 3;

		static final String MYSQL_VARIABLES = " where variable_name in ('wsrep_on',"
				+ " 'group_replication_single_primary_mode', 'server_uuid', 'idle_transaction_timeout',"
				+ " 'idle_write_transaction_timeout')";

		static final String MARIADB_SERVER = "concat(@@server_id, ':', @@port, ':', @@hostname)";

		static final String MYSQL_CLOCK = "select timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000";

		/**
		 * Of the two moments with the same local time, when summer time ends, return the
		 * one that is nearer to another.
		 */
		static long nearest(LocalDateTime local, ZoneId zone, long other) {
			return zone.getRules()
				.getValidOffsets(local)
				.stream()
				.map((offset) -> local.toInstant(offset).toEpochMilli())
				.min(Comparator.comparing((millis) -> Math.abs(millis - other)))
				.orElseGet(() -> local.atZone(zone).toInstant().toEpochMilli());
		}

	}

}
