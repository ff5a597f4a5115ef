package dev.idspring.tools.doctor;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generates scripts that change columns on MariaDB and MySQL. A statement that changes a
 * column must repeat the whole definition of the column, so the unchanged parts are
 * copied from {@code show create table}.
 */
final class MysqlAlterations extends Alterations {

	private static final Pattern TYPE = Pattern
		.compile("(?i)\\w+(?:\\((?<width>\\d+)(?:,\\d+)?\\))?(?<unsigned> unsigned)?(?<zerofill> zerofill)?(?= |$)");

	private static final String FOREIGN_KEY_COLUMNS = """
			select concat(constraint_schema, '.', table_name, '.', constraint_name), table_schema, table_name, column_name,
			       referenced_table_schema, referenced_table_name, referenced_column_name
			from information_schema.key_column_usage
			where referenced_table_name is not null order by 1, ordinal_position""";

	private static final String COLUMN_TYPE = """
			select column_type from information_schema.columns
			where table_schema = ? and table_name = ? and column_name = ?""";

	private static final String GENERATED = """
			select concat('generated column ', column_name, ' of ', table_name), generation_expression
			from information_schema.columns
			where table_schema = ? and table_name = ? and generation_expression <> ''""";

	private static final String VERSIONED = """
			select count(*) from information_schema.tables
			where table_schema = ? and table_name = ? and table_type = 'SYSTEM VERSIONED'""";

	MysqlAlterations(JdbcTemplate jdbc, DatabaseMetaData data) throws SQLException {
		super(jdbc, data);
	}

	@Override
	boolean requiresEqualTypes() {
		return true;
	}

	@Override
	String pairsSql() {
		return FOREIGN_KEY_COLUMNS;
	}

	@Override
	DeclaredType type(Column column) {
		return new DeclaredType(String.join("", jdbc().queryForList(COLUMN_TYPE, String.class, column.table().schema(),
				column.table().name(), column.name())));
	}

	@Override
	String change(Script script, Column column, DeclaredType wanted) {
		return line(script, column, quoted(column.name()) + " ", column.name()).map((line) -> {
			String rest = line.substring(quoted(column.name()).length() + 1);
			Matcher type = TYPE.matcher(rest);
			if (!type.lookingAt()) {
				script.obstacles.add("the definition of " + column + ", which cannot be parsed: " + line);
				return line;
			}
			boolean zerofill = type.group("zerofill") != null;
			return "modify column " + quoted(column.name()) + " " + wanted.sql()
					+ ((zerofill && type.group("width") != null) ? "(" + type.group("width") + ")" : "")
					+ ((type.group("unsigned") != null) ? " unsigned" : "") + (zerofill ? " zerofill" : "")
					+ rest.substring(type.end());
		}).orElse("");
	}

	/**
	 * Add statements that drop the foreign keys, change the columns and recreate the
	 * foreign keys, because MariaDB and MySQL refuse to change the type of a column that
	 * a foreign key uses.
	 */
	@Override
	void addStatements(Script script) {
		if (script.changes.isEmpty()) {
			return;
		}
		String currentSchema = jdbc().queryForObject("select database()", String.class);
		Map<String, List<Pair>> keys = pairs().stream()
			.collect(Collectors.groupingBy(Pair::key, LinkedHashMap::new, Collectors.toList()));
		keys.values()
			.removeIf((columns) -> columns.stream()
				.noneMatch((pair) -> script.changes.containsKey(pair.from()) || script.changes.containsKey(pair.to())));
		List<String> recreations = new ArrayList<>();
		for (List<Pair> key : keys.values()) {
			Column from = key.get(0).from();
			String name = key.get(0).key().substring(from.table().toString().length() + 1);
			if (!Objects.equals(from.table().schema(), currentSchema)
					|| !Objects.equals(key.get(0).to().table().schema(), currentSchema)) {
				script.obstacles.add("foreign key " + name + " of " + from.table()
						+ ", because its tables are not both in schema " + currentSchema);
				continue;
			}
			findOrphans(script, name, key);
			script.statements.add("alter table " + table(from) + " drop foreign key " + quoted(name) + ";");
			line(script, from, "CONSTRAINT " + quoted(name) + " ", name)
				.ifPresent((line) -> recreations.add("alter table " + table(from) + " add " + line + ";"));
		}
		script.changes.keySet().forEach((column) -> findObstacles(script, column));
		script.changes.keySet()
			.stream()
			.collect(Collectors.groupingBy(this::table, LinkedHashMap::new, Collectors.toList()))
			.forEach((table, columns) -> script.statements.add("alter table " + table + " "
					+ columns.stream().map(script.changes::get).collect(Collectors.joining(", ")) + ";"));
		script.statements.addAll(recreations);
	}

	private void findObstacles(Script script, Column column) {
		findGenerated(script, GENERATED, column);
		Long versioned = jdbc().queryForObject(VERSIONED, Long.class, column.table().schema(), column.table().name());
		if (versioned != null && versioned > 0) {
			script.obstacles.add("system versioning of " + column.table());
		}
	}

	/**
	 * Find the line of {@code show create table} that starts with the given text. If
	 * there is no such line, add an obstacle.
	 */
	private Optional<String> line(Script script, Column column, String beginning, String subject) {
		String create = jdbc().queryForObject("show create table " + table(column), (row, index) -> row.getString(2));
		Optional<String> found = String.valueOf(create)
			.lines()
			.map(String::strip)
			.filter((line) -> line.startsWith(beginning))
			.map((line) -> line.endsWith(",") ? line.substring(0, line.length() - 1) : line)
			.findFirst();
		if (found.isEmpty()) {
			script.obstacles.add("the definition of " + subject + " in " + column.table() + ", which was not found");
		}
		return found;
	}

	/**
	 * Find rows whose foreign key references a missing row. Such rows can exist if
	 * foreign key checks were disabled. They would prevent the script from recreating the
	 * foreign key.
	 */
	private void findOrphans(Script script, String name, List<Pair> key) {
		BiFunction<String, String, String> join = (separator, format) -> key.stream()
			.map((pair) -> format.formatted(quoted(pair.from().name()), quoted(pair.to().name())))
			.collect(Collectors.joining(separator));
		String what = "whether foreign key " + name + " of " + key.get(0).from().table()
				+ " references only existing rows";
		if (!script.scan) {
			script.notRead.add(what + ": if not, the script cannot recreate the foreign key");
			return;
		}
		String sql = "select 1 from " + table(key.get(0).from()) + " f left join " + table(key.get(0).to()) + " t on "
				+ join.apply(" and ", "f.%1$s = t.%2$s") + " where " + join.apply(" and ", "f.%1$s is not null")
				+ " and t." + quoted(key.get(0).to().name()) + " is null limit 1";
		try {
			if (!jdbc().queryForList(sql).isEmpty()) {
				script.obstacles.add("rows of " + key.get(0).from().table() + " whose foreign key " + name
						+ " references a missing row");
			}
		}
		catch (DataAccessException ex) {
			script.notRead.add(what + ": " + ex.getMostSpecificCause().getMessage());
		}
	}

}
