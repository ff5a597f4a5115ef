package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.JdbcSettings.SynchronousCommit;
import dev.idspring.jdbc.MovedRow.Sql;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL.
 */
final class PostgresqlDialect extends Dialect {

	PostgresqlDialect() {
		super("postgresql", "PostgreSQL", "select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)");
	}

	@Override
	boolean hasTransactionPoolers() {
		return true;
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
		return row.query("", row.update(amount, set, where), " returning " + row.column());
	}

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
	String tellCasesApart(Connection connection, int timeoutSeconds, String table, String column) throws SQLException {
		ColumnType type = ColumnType.read(connection, timeoutSeconds, table, column);
		boolean fixed = type.type() == Types.CHAR;
		boolean limited = type.size() > 0 && type.size() < Integer.MAX_VALUE;
		return "Run: alter table " + table + " alter column " + column + " type "
				+ (limited ? (fixed ? "char(" : "varchar(") + type.size() + ")" : "text") + " collate \"C\";";
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
	String denied(TableNames tables) {
		return "(select count(*) from (values ('" + tables.keySpace() + "'), ('" + tables.slot()
				+ "')) changed (name) where current_setting('transaction_read_only') = 'on'"
				+ " or not has_table_privilege(name, 'INSERT') or not has_table_privilege(name, 'UPDATE'))";
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
				+ " NOT BETWEEN '1 ms' AND '" + IDLE_SECONDS + " s'"
				+ " THEN set_config('idle_in_transaction_session_timeout', '" + IDLE_SECONDS + "s', true) END; ";
	}

	@Override
	void begin(Connection connection, @Nullable SynchronousCommit wanted, int timeoutSeconds) throws SQLException {
		String prelude = prelude(wanted);
		SqlStatements.query(connection, timeoutSeconds, (row) -> row.getString(1),
				prelude.substring(0, prelude.lastIndexOf(';')));
	}

	@Override
	String makeTransactional(String table) {
		return "alter table " + table + " set logged";
	}

	@Override
	Bridge.SequenceSql sequences() {
		return new Bridge.SequenceSql("select nextval(%2$s) from generate_series(1, ?)",
				"select last_value + case when is_called then %3$d else 0 end from %1$s");
	}

}
