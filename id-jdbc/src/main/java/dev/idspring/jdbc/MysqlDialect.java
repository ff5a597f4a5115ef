package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.jdbc.MovedRow.Sql;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB and MySQL, whose drivers may be used with either server. Comments and variables
 * tell the servers apart.
 */
final class MysqlDialect extends Dialect {

	/** A computed column in what creates its table: its name, its type, and its kind. */
	private static final Pattern COMPUTED = Pattern
		.compile("^ *[`\"](.+?)[`\"] (.+?) GENERATED ALWAYS AS .*(VIRTUAL|STORED)", Pattern.MULTILINE);

	private static final String CLOCK = "select timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000";

	private static final String VARIABLES = " where variable_name in ('wsrep_on', 'wsrep_sync_wait',"
			+ " 'group_replication_single_primary_mode', 'server_uuid', 'idle_transaction_timeout',"
			+ " 'idle_write_transaction_timeout')";

	private static final String MARIADB_SERVER = "concat(@@server_id, ':', @@port, ':', @@hostname)";

	private static final int QUERY_INTERRUPTED = 1317;

	private static final int ERROR_DURING_COMMIT = 1180;

	private static final Pattern DEADLOCK = Pattern.compile("\\b149\\b");

	/** A column of texts in what creates its table: its name, its type, and the rest. */
	private static final Pattern DEFINITION = Pattern.compile(
			"^ *[`\"](.+?)[`\"] (\\w+(?:\\(\\d+\\))?)" + "(?: CHARACTER SET \\w+)?(?: COLLATE \\w+)?(.*?),?$",
			Pattern.MULTILINE);

	private static final Pattern QUOTES = Pattern.compile("^[`\"]|[`\"]$");

	MysqlDialect(String platform, String productName) {
		super(platform, productName, CLOCK, 1020, 1205, 1213, 1290, 1836);
	}

	/**
	 * A Galera cluster ends transactions whose rows another member has changed.
	 */
	@Override
	boolean isEndedByCluster(SQLException failure) {
		return failure.getErrorCode() == QUERY_INTERRUPTED || (failure.getErrorCode() == ERROR_DURING_COMMIT
				&& DEADLOCK.matcher(String.valueOf(failure.getMessage())).find());
	}

	@Override
	String skipLocked() {
		return " for update skip locked";
	}

	@Override
	String forUpdate() {
		return " for update";
	}

	@Override
	OptionalLong move(MovedRow row, long amount, Sql set, Sql where) throws SQLException {
		return row.generated(row.update("last_insert_id(" + row.column() + " + ?)", amount, set, where));
	}

	@Override
	String durability() {
		return "concat_ws(' ', @@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog)";
	}

	/**
	 * Say which settings of the log and the binary log do not write each commit.
	 */
	@Override
	void warnOfDurability(String found, List<String> warnings) {
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

	@Override
	String prepareAtOnce() {
		return "SET @ids_opened = 1 /*M!100300 , " + idleTimeLimits() + " */; ";
	}

	@Override
	String commitAtOnce() {
		return "; COMMIT";
	}

	@Override
	Sql notTransactional(TableNames tables) {
		String names = tables.all()
			.stream()
			.map((table) -> "'" + table.substring(table.lastIndexOf('.') + 1) + "'")
			.collect(Collectors.joining(", "));
		String schema = tables.schema().map((name) -> "'" + name + "'").orElse("database()");
		return new Sql("select t.table_name, t.engine from information_schema.tables t"
				+ " join information_schema.engines e on e.engine = t.engine where coalesce(e.transactions, 'NO') <> 'YES'"
				+ " and t.table_schema = " + schema + " and t.table_name in (" + names + ")");
	}

	@Override
	String makeTransactional(String table) {
		return "alter table " + table + " engine = InnoDB";
	}

	/**
	 * A column is changed by writing it again, with all that it has.
	 */
	@Override
	String tellCasesApart(Connection connection, int timeoutSeconds, String table, String column) throws SQLException {
		String characters = SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> row.getString(1),
					"select charset(min(" + column + ")) from " + table + " where 1 = 0")
			.orElseThrow();
		String created = SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> row.getString(2), "show create table " + table)
			.orElseThrow();
		return DEFINITION.matcher(created)
			.results()
			.filter((found) -> found.group(1).equalsIgnoreCase(QUOTES.matcher(column).replaceAll("")))
			.map((found) -> "Run: alter table " + table + " modify " + column + " " + found.group(2) + " character set "
					+ characters + " collate " + characters + "_bin" + found.group(3) + ";")
			.findFirst()
			.orElse(TELL_CASES_APART);
	}

	@Override
	Optional<GeneratedColumn> generated(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		String created = SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> row.getString(2), "show create table " + table)
			.orElseThrow();
		return COMPUTED.matcher(created)
			.results()
			.filter((found) -> found.group(1).equalsIgnoreCase(QUOTES.matcher(column).replaceAll("")))
			.map((found) -> new GeneratedColumn(false,
					found.group(3).equals("VIRTUAL") ? GeneratedColumn.replace(table, column, found.group(2))
							: "alter table " + table + " modify " + column + " " + found.group(2) + ";"))
			.findFirst();
	}

	@Override
	String clockMicros() {
		return "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
	}

	@Override
	String divided(String dividend, String divisor) {
		return dividend + " div " + divisor;
	}

	@Override
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
		SqlStatements.update(connection, timeoutSeconds, "START TRANSACTION");
	}

	@Override
	String sessionIsReady(boolean withoutAutoCommit, boolean idleTimeIsLimited) {
		return Stream
			.of(withoutAutoCommit ? "@@autocommit = 0" : "",
					idleTimeIsLimited ? "@@idle_write_transaction_timeout between 1 and " + IDLE_SECONDS : "")
			.filter((condition) -> !condition.isEmpty())
			.collect(Collectors.joining(" and "));
	}

	@Override
	boolean limitsIdleSession() {
		return true;
	}

	@Override
	void setIdleTransactionTimeout(Connection connection, int timeoutSeconds) throws SQLException {
		SqlStatements.update(connection, timeoutSeconds, "SET " + idleTimeLimits());
	}

	private static String idleTimeLimits() {
		return "@ids_idle = @@SESSION.idle_transaction_timeout,"
				+ " @ids_idle_write = @@SESSION.idle_write_transaction_timeout," + limited("idle_transaction_timeout")
				+ "," + limited("idle_write_transaction_timeout");
	}

	private static String limited(String variable) {
		return " SESSION " + variable + " = IF(@@SESSION." + variable + " BETWEEN 1 AND " + IDLE_SECONDS
				+ ", @@SESSION." + variable + ", " + IDLE_SECONDS + ")";
	}

	@Override
	void end(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			// nothing was saved if the beginning failed
			statement.execute(
					"SET SESSION idle_transaction_timeout = COALESCE(@ids_idle, @@SESSION.idle_transaction_timeout),"
							+ " SESSION idle_write_transaction_timeout ="
							+ " COALESCE(@ids_idle_write, @@SESSION.idle_write_transaction_timeout)");
		}
	}

	@Override
	Map<String, String> variables(Connection connection) throws SQLException {
		Map<String, String> variables = new HashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("show variables" + VARIABLES)) {
			while (rows.next()) {
				variables.put(rows.getString(1), rows.getString(2));
			}
		}
		return variables;
	}

	@Override
	String variables() {
		return "(select group_concat(lower(variable_name), '=', variable_value) from"
				+ " /*M! information_schema *//*!50700 performance_schema */.session_variables" + VARIABLES + ")";
	}

	@Override
	Map<String, String> variables(@Nullable String found) {
		return (found != null)
				? Stream.of(found.split(","))
					.map((variable) -> variable.split("=", 2))
					.collect(Collectors.toMap((variable) -> variable[0], (variable) -> variable[variable.length - 1]))
				: Map.of();
	}

	/**
	 * MariaDB's variables. The second one is for transactions that have written, and
	 * counts more than the first.
	 */
	@Override
	boolean canLimitIdleTime(Map<String, String> variables) {
		return variables.containsKey("idle_transaction_timeout")
				&& variables.containsKey("idle_write_transaction_timeout");
	}

	/**
	 * Reads wait if the lowest bit is set.
	 */
	@Override
	void warnOfLag(Map<String, String> variables, List<String> warnings) {
		int wait = Integer.parseInt(variables.getOrDefault("wsrep_sync_wait", "0"));
		if ("ON".equals(variables.get("wsrep_on")) && (wait & 1) == 0) {
			warnings.add("The server is a member of a Galera cluster and wsrep_sync_wait is " + wait
					+ ", so a member that lags behind shows old values, and a generator that reads one stops: set"
					+ " wsrep_sync_wait to 7, with ?sessionVariables=wsrep_sync_wait=7 in the URL of the DataSource of"
					+ " the ids");
		}
	}

	/**
	 * In a cluster whose members all accept writes every change of the member would pass
	 * for a fail-over.
	 */
	@Override
	@Nullable String incarnation(Map<String, String> variables) {
		boolean cluster = "ON".equals(variables.get("wsrep_on"))
				|| "OFF".equals(variables.get("group_replication_single_primary_mode"));
		return cluster ? null : identity(variables.containsKey("server_uuid") ? "@@server_uuid" : MARIADB_SERVER);
	}

	@Override
	String incarnation() {
		return identity("/*M! " + MARIADB_SERVER + " *//*!50700 @@server_uuid */");
	}

	/**
	 * MariaDB's: MySQL has no sequences.
	 */
	@Override
	Bridge.SequenceSql sequences() {
		return new Bridge.SequenceSql(
				"with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)"
						+ " select nextval(%1$s) from n a cross join n b limit ?",
				"select next_not_cached_value - increment + %3$d from %1$s");
	}

	private static String identity(String server) {
		return "convert(left(" + server + ", 200) using ascii)";
	}

}
