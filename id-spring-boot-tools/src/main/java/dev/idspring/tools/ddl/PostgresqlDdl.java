package dev.idspring.tools.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.InvalidSettingException;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.TimeScheme.Tail;

/**
 * Generates functions for PostgreSQL.
 * <p>
 * The state of a function is a sequence that counts positions. A position is a pair of
 * millisecond and tail. The millisecond is {@code position / tails}, where {@code tails}
 * is the number of tails.
 * <p>
 * A commonly published function uses the sequence differently: it combines the
 * millisecond of the clock with the next value modulo 1,024. That function repeats ids if
 * more than 1,024 are drawn in a millisecond, or if the clock shows the same millisecond
 * again after it was set back.
 */
final class PostgresqlDdl implements Dialect {

	private final DdlTarget target;

	private final String name;

	PostgresqlDdl(DdlTarget target) {
		this.target = target;
		this.name = target.name();
	}

	@Override
	public String introduction(TimeFunction function) {
		return template("introduction.txt", values(function));
	}

	@Override
	public List<String> create(TimeFunction function) {
		if (function.scheme().layout().isUnsigned()) {
			throw new InvalidSettingException(DecimalUidSettings.class, "signed", false,
					"PostgreSQL has no unsigned integers: set it to true. Signed and unsigned ids are the same until"
							+ " the signed ids are used up");
		}
		Map<String, Object> values = values(function);
		List<String> statements = new ArrayList<>();
		if (this.target.schema() != null) {
			statements.add("create schema if not exists " + this.target.schema());
		}
		statements.add(template("same-positions.sql", values));
		statements.add(template("sequence.sql", values));
		statements.add("comment on sequence " + values.get("sequence") + " is '" + values.get("positions") + "'");
		statements.add(template("function.sql", values));
		statements.add("revoke all on function " + this.name + "() from public");
		statements.add("comment on function " + this.name + "() is '" + values.get("definition") + ", node "
				+ values.get("node") + "'");
		return statements;
	}

	private static String template(String file, Map<String, ?> values) {
		return SqlText.fill("postgresql/" + file, values);
	}

	private Map<String, Object> values(TimeFunction function) {
		Map<String, Object> values = function.values();
		values.put("name", this.name);
		values.put("schema", String.valueOf(this.target.schemaName()));
		values.put("sequence", this.name + "_position");
		String tails = String.valueOf(values.get("tails"));
		String bound = String.valueOf(values.get("firstTailBound"));
		String nextTail = "v_last % " + tails + " + 1";
		values.put("start", switch (function.scheme().tail()) {
			case SEQUENCE -> "0";
			case ROLLING, FREE_RUNNING -> "case when " + nextTail + " < " + bound + " then " + nextTail + " else 0 end";
			case RANDOM -> "floor(random() * " + bound + ")::bigint";
		});
		String rawTail = "v_position % " + tails;
		values.put("tail", (function.scheme().tail() == Tail.RANDOM)
				? rawTail + " * " + values.get("step") + " % " + tails : rawTail);
		return values;
	}

	@Override
	public String currentMillis() {
		return "floor(extract(epoch from clock_timestamp()) * 1000)";
	}

	@Override
	public String dummyFrom() {
		return "";
	}

	/**
	 * Combine all statements into one, because {@code psql} continues after a statement
	 * that fails, unless {@code ON_ERROR_STOP} is set.
	 */
	@Override
	public List<String> combined(List<String> statements) {
		StringBuilder all = new StringBuilder("do $all$\nbegin\n");
		statements.forEach((statement) -> all.append(statement).append(";\n\n"));
		return List.of(all.append("end\n$all$").toString());
	}

}
