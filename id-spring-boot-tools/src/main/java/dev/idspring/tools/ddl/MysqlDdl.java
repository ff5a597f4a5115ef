package dev.idspring.tools.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import dev.idspring.time.TimeScheme.Tail;

/**
 * Generates functions for MariaDB and MySQL.
 * <p>
 * The state of a function is the {@code auto_increment} counter of a table without rows.
 * The counter counts positions, which are pairs of millisecond and tail. A function must
 * advance its state for all sessions, independently of the caller's transaction and its
 * locks. Only such a counter allows this. The alternatives are unsuitable:
 * <ul>
 * <li>MySQL has no sequences. MariaDB cannot set a sequence to a computed value.</li>
 * <li>If MySQL runs with {@code enforce_gtid_consistency}, a statement or transaction
 * that changes a transactional table cannot also change a non-transactional one.</li>
 * </ul>
 */
final class MysqlDdl implements Dialect {

	private final DdlTarget target;

	private final String name;

	MysqlDdl(DdlTarget target) {
		this.target = target;
		this.name = target.name();
	}

	@Override
	public String introduction(TimeFunction function) {
		return template("introduction.txt", values(function));
	}

	@Override
	public List<String> create(TimeFunction function) {
		Map<String, Object> values = values(function);
		List<String> statements = new ArrayList<>();
		statements.add(template("same-positions.sql", values));
		statements.add(template("table.sql", values));
		statements.addAll(replace(this.name + "_tick", template("tick.sql", values)));
		statements.addAll(replace(this.name, template("function.sql", values)));
		return statements;
	}

	/**
	 * Return the statements that replace a function. MariaDB does this with one
	 * statement, which preserves grants. MySQL has no such statement.
	 */
	private List<String> replace(String name, String create) {
		return canReplace() ? List.of(create) : List.of("drop function if exists " + name, create);
	}

	private boolean canReplace() {
		return this.target.platform() == DdlPlatform.MARIADB;
	}

	private static String template(String file, Map<String, ?> values) {
		return SqlText.fill("mysql/" + file, values);
	}

	private Map<String, Object> values(TimeFunction function) {
		boolean unsigned = function.scheme().layout().isUnsigned();
		Map<String, Object> values = function.values();
		values.put("name", this.name);
		values.put("create", canReplace() ? "create or replace" : "create");
		values.put("function", this.target.function());
		values.put("table", this.name + "_position");
		String schema = this.target.schema();
		values.put("tableSchema", (schema != null) ? "'" + schema + "'" : "database()");
		// omit the schema, because a dump may be restored into a schema with another name
		values.put("tableComment",
				"the counter of " + this.target.function() + "(), without rows: " + function.positions());
		values.put("again", canReplace() ? "If the script runs again, grants are preserved."
				: "If the script runs again, grant the rights again: MySQL drops them with the old function.");
		values.put("type", unsigned ? "bigint unsigned" : "bigint");
		values.put("cast", unsigned ? "unsigned" : "signed");
		values.put("comment", function.scheme().definition() + ", node " + function.node());
		Tail tail = function.scheme().tail();
		values.put("start",
				(tail == Tail.SEQUENCE) ? "0" : "cast(floor(rand() * " + values.get("firstTailBound") + ") as signed)");
		String rawTail = "v_position mod " + values.get("tails");
		values.put("tail",
				(tail == Tail.RANDOM) ? rawTail + " * " + values.get("step") + " mod " + values.get("tails") : rawTail);
		return values;
	}

	@Override
	public String currentMillis() {
		return "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000";
	}

	@Override
	public String dummyFrom() {
		return " from dual";
	}

	/**
	 * Return the statements unchanged. They cannot be one transaction, because each
	 * create statement commits implicitly. Clients stop at the first statement that
	 * fails, unless they are run with {@code --force}.
	 */
	@Override
	public List<String> combined(List<String> statements) {
		return statements;
	}

	@Override
	public String terminated(String statement) {
		return statement.contains(";") ? "delimiter $$\n" + statement + "$$\ndelimiter ;" : statement + ";";
	}

}
