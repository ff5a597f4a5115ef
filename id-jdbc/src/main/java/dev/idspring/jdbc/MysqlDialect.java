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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of MariaDB and MySQL. The driver of either product can connect to the
 * server of the other, so the SQL detects the server with conditional comments and
 * variables.
 * <p>
 * The store skips ids if the last write was on a server with a different identity, see
 * {@code docs/failover.md}. A MySQL group (Group Replication) has a single identity if
 * the user may read the state of the group. No ids are then skipped when the primary
 * changes.
 */
final class MysqlDialect extends Dialect {

	/*
	 * No member of a MySQL group confirms a reservation of ids that another member has
	 * already reserved, for these reasons:
	 *
	 * 1. A commit is acknowledged only after a majority of the members has received it
	 * and agreed on its order. As long as a majority remains, a new primary has applied
	 * the commit or has it in its backlog.
	 *
	 * 2. A new primary may return rows to which its backlog has not been applied yet. But
	 * if the backlog contains a change to a row, the group rolls back any other
	 * transaction that changes the row. In single-primary mode, the group checks for such
	 * conflicts until the backlog is applied. In multi-primary mode, it always does. Each
	 * reservation, renewal, take-over and release changes the row that it depends on. No
	 * guarantee depends on values that are only read, which may be stale (warnOfLag).
	 *
	 * 3. The identity of a group is the first part of its view id, which is generated at
	 * bootstrap. So a group that is bootstrapped again counts as another server. This
	 * matters because the bootstrap may use a backup, or a member that lacks commits. The
	 * configured group name is not suitable: a server that has left the group still has
	 * that name, while only members have the view id.
	 *
	 * 4. Only an online primary has the identity of the group. The store never lets a
	 * secondary take over, because a secondary detects no conflicts even if it is
	 * writable. Other servers have their own identities.
	 *
	 * 5. An operator can force a minority of the members to continue as the group. If the
	 * minority is a single member, that server gets its own identity. A larger minority
	 * is not detected: see docs/failover.md.
	 */

	/**
	 * Matches a generated column in the output of {@code show create table}: its name,
	 * type and kind.
	 */
	private static final Pattern GENERATED_COLUMN = Pattern
		.compile("^ *[`\"](.+?)[`\"] (.+?) GENERATED ALWAYS AS .*(VIRTUAL|STORED)", Pattern.MULTILINE);

	private static final String CLOCK = "select timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000";

	private static final String WHERE_NAME = " where variable_name in ('wsrep_on', 'wsrep_sync_wait',"
			+ " 'group_replication_group_name', 'group_replication_single_primary_mode',"
			+ " 'group_replication_consistency', 'server_uuid', 'idle_transaction_timeout',"
			+ " 'idle_write_transaction_timeout')";

	private static final String MARIADB_SERVER_IDENTITY = "concat(@@server_id, ':', @@port, ':', @@hostname)";

	private static final String MYSQL_SERVER_IDENTITY = "@@server_uuid";

	/** The prefix of the identity of a group. */
	private static final String GROUP_PREFIX = "group ";

	/**
	 * The prefix of the identity of a server in a group whose state the user cannot read.
	 */
	private static final String MEMBER_PREFIX = "member ";

	/**
	 * The prefix of the identity of a secondary, to which stores must not write.
	 */
	private static final String SECONDARY_PREFIX = "secondary ";

	/**
	 * An expression for the identity of an online primary in a group of several members,
	 * or of an online or recovering secondary. The value is null for any other server.
	 */
	private static final String MYSQL_GROUP_IDENTITY = "(select case"
			+ " when count(*) > 1 and max(m.member_id = @@server_uuid and m.member_state = 'ONLINE'"
			+ " and m.member_role = 'PRIMARY') = 1 then concat('" + GROUP_PREFIX
			+ "', (select substring_index(s.view_id, ':', 1) from performance_schema.replication_group_member_stats s"
			+ " where s.member_id = @@server_uuid and s.view_id like '%:%'))"
			+ " when max(m.member_id = @@server_uuid and m.member_state in ('ONLINE', 'RECOVERING')"
			+ " and m.member_role = 'SECONDARY') = 1 then concat('" + SECONDARY_PREFIX + "', @@server_uuid)"
			+ " end from performance_schema.replication_group_members m)";

	private static final String CONSISTENCY = "group_replication_consistency";

	private static final String ON_FAILOVER = "BEFORE_ON_PRIMARY_FAILOVER";

	private static final String GRANT_REMEDY = "grant select on performance_schema.replication_group_members and"
			+ " performance_schema.replication_group_member_stats to the database user of the id store, and restart"
			+ " all instances at the same time";

	private static final int QUERY_INTERRUPTED = 1317;

	private static final int ERROR_DURING_COMMIT = 1180;

	/**
	 * Matches, in an error message, the storage engine's error number for a deadlock.
	 */
	private static final Pattern DEADLOCK_NUMBER = Pattern.compile("\\b149\\b");

	/**
	 * Matches a text column in the output of {@code show create table}: its name, type
	 * and other attributes.
	 */
	private static final Pattern TEXT_COLUMN = Pattern.compile(
			"^ *[`\"](.+?)[`\"] (\\w+(?:\\(\\d+\\))?)" + "(?: CHARACTER SET \\w+)?(?: COLLATE \\w+)?(.*?),?$",
			Pattern.MULTILINE);

	private static final Pattern ENCLOSING_QUOTES = Pattern.compile("^[`\"]|[`\"]$");

	MysqlDialect(String platform) {
		super(platform, CLOCK, 1020, 1205, 1213, 1290, 1836, 3101);
	}

	/**
	 * Recognize a transaction that a Galera cluster has aborted because another member
	 * has changed the same rows.
	 */
	@Override
	boolean isAbortedByCluster(SQLException failure) {
		return failure.getErrorCode() == QUERY_INTERRUPTED || (failure.getErrorCode() == ERROR_DURING_COMMIT
				&& DEADLOCK_NUMBER.matcher(String.valueOf(failure.getMessage())).find());
	}

	@Override
	String skipLockedClause() {
		return " for update skip locked";
	}

	@Override
	String currentReadClause() {
		return " for update";
	}

	@Override
	OptionalLong advance(CounterUpdate update) throws SQLException {
		return update.advanceWithGeneratedKey("last_insert_id");
	}

	@Override
	String durabilityExpression() {
		return "concat_ws(' ', @@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog)";
	}

	/**
	 * Warn if the server does not flush the redo log and, if enabled, the binary log at
	 * each commit.
	 */
	@Override
	void warnOfDurability(String settings, List<String> warnings) {
		String[] values = settings.split(" ");
		// only MariaDB has the value 3, which flushes even more often than 1
		if (!values[0].equals("1") && !values[0].equals("3")) {
			warnings.add("The server may lose acknowledged commits when it crashes: innodb_flush_log_at_trx_commit is "
					+ values[0] + " instead of 1");
		}
		// after a crash, the server rolls back commits that the binary log lacks
		if (values[1].equals("1") && !values[2].equals("1")) {
			warnings
				.add("The server may lose acknowledged commits when its machine crashes: it writes a binary log, but"
						+ " sync_binlog is not 1");
		}
	}

	@Override
	String openingPreparation() {
		return "SET @ids_opened = 1 /*M!100300 , " + idleTimeLimits() + " */; ";
	}

	@Override
	String openingCommit() {
		return "; COMMIT";
	}

	@Override
	Sql nonTransactionalTables(TableNames tables) {
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
	String transactionalStatement(String table) {
		return "alter table " + table + " engine = InnoDB";
	}

	/**
	 * The statement repeats the whole definition of the column, because {@code modify}
	 * removes any attribute that is omitted.
	 */
	@Override
	String caseSensitivityRemedy(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		String charset = SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> row.getString(1),
					"select charset(min(" + column + ")) from " + table + " where 1 = 0")
			.orElseThrow();
		return definition(connection, timeoutSeconds, table, column, TEXT_COLUMN)
			.map((found) -> STATEMENT_PREFIX + "alter table " + table + " modify " + column + " " + found.group(2)
					+ " character set " + charset + " collate " + charset + "_bin" + found.group(3) + ";")
			.orElse(CASE_SENSITIVITY_REMEDY);
	}

	@Override
	Optional<GeneratedColumn> findGenerated(Connection connection, int timeoutSeconds, String table, String column)
			throws SQLException {
		return definition(connection, timeoutSeconds, table, column, GENERATED_COLUMN)
			.map((found) -> new GeneratedColumn(false,
					found.group(3).equals("VIRTUAL") ? GeneratedColumn.replacement(table, column, found.group(2))
							: "alter table " + table + " modify " + column + " " + found.group(2) + ";"));
	}

	/**
	 * Find the definition of a column in the output of {@code show create table}.
	 * @param definitions matches definitions of columns; the first group is the name
	 */
	private static Optional<MatchResult> definition(Connection connection, int timeoutSeconds, String table,
			String column, Pattern definitions) throws SQLException {
		String createTable = SqlStatements
			.queryOne(connection, timeoutSeconds, (row) -> row.getString(2), "show create table " + table)
			.orElseThrow();
		String name = ENCLOSING_QUOTES.matcher(column).replaceAll("");
		return definitions.matcher(createTable)
			.results()
			.filter((found) -> found.group(1).equalsIgnoreCase(name))
			.findFirst();
	}

	@Override
	String clockMicros() {
		return "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
	}

	@Override
	String division() {
		return "div";
	}

	@Override
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
		SqlStatements.update(connection, timeoutSeconds, "START TRANSACTION");
	}

	@Override
	String readyCondition(boolean withoutAutoCommit, boolean idleTimeIsLimited) {
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
	void resetIdleTransactionTimeout(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			// the saved values are null if the statement that saves them failed
			statement.execute(
					"SET SESSION idle_transaction_timeout = COALESCE(@ids_idle, @@SESSION.idle_transaction_timeout),"
							+ " SESSION idle_write_transaction_timeout ="
							+ " COALESCE(@ids_idle_write, @@SESSION.idle_write_transaction_timeout)");
		}
	}

	@Override
	Map<String, String> readVariables(Connection connection) throws SQLException {
		Map<String, String> variables = new HashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("show variables" + WHERE_NAME)) {
			while (rows.next()) {
				variables.put(rows.getString(1), rows.getString(2));
			}
		}
		return variables;
	}

	@Override
	String variablesExpression() {
		return "(select group_concat(lower(variable_name), '=', variable_value) from"
				+ " /*M! information_schema *//*!50700 performance_schema */.session_variables" + WHERE_NAME + ")";
	}

	@Override
	Map<String, String> parseVariables(@Nullable String text) {
		return (text != null)
				? Stream.of(text.split(","))
					.map((variable) -> variable.split("=", 2))
					.collect(Collectors.toMap((variable) -> variable[0], (variable) -> variable[variable.length - 1]))
				: Map.of();
	}

	/**
	 * Only MariaDB has these variables. In a transaction that has written, the second
	 * variable takes precedence over the first.
	 */
	@Override
	boolean canLimitIdleTime(Map<String, String> variables) {
		return variables.containsKey("idle_transaction_timeout")
				&& variables.containsKey("idle_write_transaction_timeout");
	}

	@Override
	void warnOfLag(Map<String, String> variables, List<String> warnings) {
		int wait = Integer.parseInt(variables.getOrDefault("wsrep_sync_wait", "0"));
		// reads wait for earlier commits if the lowest bit is set
		if ("ON".equals(variables.get("wsrep_on")) && (wait & 1) == 0) {
			warnings.add(lagWarning("Galera cluster", "wsrep_sync_wait", String.valueOf(wait), "7", "7"));
		}
		String consistency = variables.getOrDefault(CONSISTENCY, "");
		boolean waits = consistency.startsWith("BEFORE")
				&& (isSinglePrimary(variables) || !consistency.equals(ON_FAILOVER)) || consistency.equals("AFTER");
		if (isGroupMember(variables) && !waits) {
			String wanted = isSinglePrimary(variables) ? ON_FAILOVER : "BEFORE";
			warnings.add(lagWarning("MySQL group", CONSISTENCY, consistency, wanted, "'" + wanted + "'"));
		}
	}

	private static String lagWarning(String cluster, String variable, String value, String wanted, String literal) {
		return "The server is a member of a " + cluster + ", and " + variable + " is " + value
				+ ". A generator stops if it reads an old value from a member that lags behind: set " + variable
				+ " to " + wanted + " by adding ?sessionVariables=" + variable + "=" + literal
				+ " to the URL of the DataSource of the id store";
	}

	private static boolean isGroupMember(Map<String, String> variables) {
		return !variables.getOrDefault("group_replication_group_name", "").isEmpty();
	}

	private static boolean isSinglePrimary(Map<String, String> variables) {
		return !"OFF".equals(variables.get("group_replication_single_primary_mode"));
	}

	/**
	 * Return {@code null} for a Galera server, because every switch to another member
	 * would otherwise look like a fail-over.
	 */
	@Override
	@Nullable String serverIdentity(Map<String, String> variables) {
		if ("ON".equals(variables.get("wsrep_on"))) {
			return null;
		}
		if (isGroupMember(variables)) {
			return identity("coalesce(" + MYSQL_GROUP_IDENTITY + ", " + MYSQL_SERVER_IDENTITY + ")");
		}
		return identity(variables.containsKey("server_uuid") ? MYSQL_SERVER_IDENTITY : MARIADB_SERVER_IDENTITY);
	}

	@Override
	String serverIdentity() {
		return identity("/*M! " + MARIADB_SERVER_IDENTITY + " *//*!50700 " + MYSQL_SERVER_IDENTITY + " */");
	}

	@Override
	boolean isIncarnationPublic(Map<String, String> variables) {
		return !isGroupMember(variables);
	}

	/**
	 * Return {@code null} for a group with several primaries, because every switch to
	 * another primary would otherwise look like a fail-over.
	 */
	@Override
	@Nullable String incarnationWithoutRights(Map<String, String> variables, String reason, List<String> warnings) {
		boolean singlePrimary = isSinglePrimary(variables);
		warnings.add("The server is a member of a MySQL group whose state cannot be read (" + reason + "), so "
				+ (singlePrimary ? "each change of its primary counts as a fail-over, which skips ids"
						: "a new bootstrap of the group from a member that lacks commits is not detected")
				+ ": " + GRANT_REMEDY);
		return singlePrimary ? identity("concat('" + MEMBER_PREFIX + "', " + MYSQL_SERVER_IDENTITY + ")") : null;
	}

	/**
	 * Fail if the server is a secondary, even if it is writable. A secondary is writable
	 * briefly while the primary changes, or if an operator has made it writable.
	 * <p>
	 * Also fail if the instance that wrote last may read the state of the group, but this
	 * instance may not. Otherwise, instances with and without this privilege would
	 * repeatedly take over from each other.
	 */
	@Override
	void verifyMayTakeOver(@Nullable String writer, String server) throws SQLException {
		if (server.startsWith(SECONDARY_PREFIX)) {
			throw new SQLException("the server is a secondary of a MySQL group", READ_ONLY);
		}
		if (writer != null && writer.startsWith(GROUP_PREFIX) && server.startsWith(MEMBER_PREFIX)) {
			throw new IdSetupException(
					"Other instances may read the state of the MySQL group, but the database user of this instance may"
							+ " not. If this instance reserved ids after one of them, that would count as a fail-over.",
					Character.toUpperCase(GRANT_REMEDY.charAt(0)) + GRANT_REMEDY.substring(1) + ".");
		}
	}

	/**
	 * The statements are for MariaDB, because MySQL has no sequences.
	 */
	@Override
	Bridge.SequenceSql sequenceSql() {
		return new Bridge.SequenceSql(
				"with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)"
						+ " select nextval(%1$s) from n a cross join n b limit ?",
				"select next_not_cached_value - increment + %3$s from %1$s");
	}

	private static String identity(String server) {
		return "convert(left(" + server + ", 200) using ascii)";
	}

}
