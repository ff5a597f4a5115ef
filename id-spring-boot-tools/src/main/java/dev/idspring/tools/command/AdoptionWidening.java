package dev.idspring.tools.command;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Makes keys, and all columns that hold the same numbers, a BIGINT: those that refer to
 * the key by a foreign key, of any number of columns and in any schema, and those that
 * refer to these. All else that belongs to the columns stays, or is in the way and named.
 */
final class AdoptionWidening {

	private static final Pattern INTEGER = Pattern.compile(
			"(?i)(?:tiny|small|medium)?int(?:eger)?(?<width>\\(\\d+\\))?(?<unsigned> unsigned)?(?<zerofill> zerofill)?");

	private static final String POSTGRESQL_KEYS = """
			select con.oid, cn.nspname, c.relname, a.attname, fn.nspname, f.relname, fa.attname
			from pg_catalog.pg_constraint con
			join lateral unnest(con.conkey, con.confkey) as k (att, fatt) on true
			join pg_catalog.pg_class c on c.oid = con.conrelid
			join pg_catalog.pg_namespace cn on cn.oid = c.relnamespace
			join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.att
			join pg_catalog.pg_class f on f.oid = con.confrelid
			join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
			join pg_catalog.pg_attribute fa on fa.attrelid = f.oid and fa.attnum = k.fatt
			where con.contype = 'f' and con.conparentid = 0 order by con.oid""";

	private static final String POSTGRESQL_TYPE = """
			select pg_catalog.format_type(a.atttypid, a.atttypmod) from pg_catalog.pg_attribute a
			where a.attrelid = to_regclass(?) and a.attname = ?""";

	/** What PostgreSQL does not alter a column beneath, of a table and its partitions. */
	private static final String POSTGRESQL_OBSTACLES = """
			with recursive tables as (
			  select to_regclass(?)::oid as oid
			  union select i.inhrelid from pg_catalog.pg_inherits i join tables t on t.oid = i.inhparent
			), columns as (
			  select a.attrelid, a.attnum, c.reltype, c.reloftype, a.attinhcount, c.oid = to_regclass(?) as top
			  from tables t join pg_catalog.pg_class c on c.oid = t.oid
			  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = ?
			)
			select pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid)
			from columns c join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass
			  and d.refobjid = c.attrelid and d.refobjsubid = c.attnum
			where d.classid in ('pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_trigger'::regclass,
			                    'pg_publication_rel'::regclass, 'pg_proc'::regclass)
			   or (d.classid = 'pg_attrdef'::regclass and exists (select 1 from pg_catalog.pg_attrdef x
			       join pg_catalog.pg_attribute g on g.attrelid = x.adrelid and g.attnum = x.adnum
			       where x.oid = d.objid and g.attgenerated <> ''))
			   or (d.classid = 'pg_class'::regclass and d.objsubid > 0)
			   or (d.classid in ('pg_class'::regclass, 'pg_constraint'::regclass) and exists (
			       select 1 from pg_catalog.pg_depend f where f.classid = d.classid and f.objid = d.objid
			         and f.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass)))
			union
			select pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) || ', which has the type of the row'
			from columns c join pg_catalog.pg_type t on t.oid = c.reltype
			join pg_catalog.pg_depend d on d.refclassid = 'pg_type'::regclass and d.refobjid in (t.oid, t.typarray)
			  and d.classid = 'pg_class'::regclass and d.objsubid > 0
			union
			select 'the partition key of ' || c.attrelid::regclass
			from columns c join pg_catalog.pg_partitioned_table p on p.partrelid = c.attrelid
			where c.attnum = any (p.partattrs) or exists (select 1 from pg_catalog.pg_depend d
			  where d.classid = 'pg_class'::regclass and d.objid = c.attrelid and d.objsubid = 0
			    and d.refobjid = c.attrelid and d.refobjsubid = c.attnum)
			union
			select 'the type of ' || c.attrelid::regclass from columns c where c.reloftype <> 0
			union
			select 'the table that ' || c.attrelid::regclass || ' inherits the column from'
			from columns c where c.top and c.attinhcount > 0
			order by 1""";

	private static final String MYSQL_KEYS = """
			select concat(constraint_schema, '.', table_name, '.', constraint_name), table_schema, table_name, column_name,
			       referenced_table_schema, referenced_table_name, referenced_column_name
			from information_schema.key_column_usage
			where referenced_table_name is not null order by 1, ordinal_position""";

	private static final String MYSQL_TYPE = """
			select column_type from information_schema.columns
			where table_schema = ? and table_name = ? and column_name = ?""";

	private static final String MYSQL_GENERATED = """
			select concat('generated column ', column_name, ' of ', table_name), generation_expression
			from information_schema.columns
			where table_schema = ? and table_name = ? and generation_expression <> ''""";

	private static final String MYSQL_VERSIONED = """
			select count(*) from information_schema.tables
			where table_schema = ? and table_name = ? and table_type = 'SYSTEM VERSIONED'""";

	private static final String H2_KEYS = """
			select r.constraint_schema || '.' || r.constraint_name, k.table_schema, k.table_name, k.column_name,
			       u.table_schema, u.table_name, u.column_name
			from information_schema.referential_constraints r
			join information_schema.key_column_usage k
			  on k.constraint_schema = r.constraint_schema and k.constraint_name = r.constraint_name
			join information_schema.key_column_usage u on u.constraint_schema = r.unique_constraint_schema
			  and u.constraint_name = r.unique_constraint_name and u.ordinal_position = k.position_in_unique_constraint
			order by 1""";

	private static final String H2_TYPE = """
			select coalesce(domain_name, data_type) from information_schema.columns
			where table_schema = ? and table_name = ? and column_name = ?""";

	private static final String H2_GENERATED = """
			select 'generated column ' || column_name || ' of ' || table_name, generation_expression
			from information_schema.columns where table_schema = ? and table_name = ? and is_generated = 'ALWAYS'""";

	private final JdbcTemplate jdbc;

	private final String database;

	private final String quote;

	private final List<Pair> pairs;

	private final Set<Column> narrow = new LinkedHashSet<>();

	private final List<String> statements = new ArrayList<>();

	private final Set<String> obstacles = new LinkedHashSet<>();

	private final Set<String> notRead = new LinkedHashSet<>();

	private AdoptionWidening(JdbcTemplate jdbc, String database, String quote) {
		this.jdbc = jdbc;
		this.database = database;
		this.quote = quote;
		this.pairs = switch (database) {
			case "PostgreSQL" -> pairs(POSTGRESQL_KEYS);
			case "MariaDB", "MySQL" -> pairs(MYSQL_KEYS);
			case "H2" -> pairs(H2_KEYS);
			default -> List.of();
		};
	}

	/**
	 * Read what depends on keys, and find out how they can be made wider.
	 */
	static AdoptionWidening of(JdbcTemplate jdbc, String quote, List<AdoptedColumn> adopted) {
		AdoptedColumn first = adopted.get(0);
		AdoptionWidening widening = new AdoptionWidening(jdbc, first.database(), quote);
		adopted.forEach((one) -> widening.add(one.key()));
		switch (first.database()) {
			case "PostgreSQL" -> widening.onPostgresql(adopted);
			case "MariaDB", "MySQL" -> widening.onMysql(String.valueOf(first.current()));
			case "H2" -> widening.onH2(adopted);
			default -> widening.narrow.forEach((column) -> widening.obstacles
				.add("no script is known on " + first.database() + ": " + column + " and what refers to it"));
		}
		return widening;
	}

	/**
	 * Return the script, empty if nothing is to do, or something is in the way.
	 */
	List<String> statements() {
		return this.obstacles.isEmpty() ? List.copyOf(this.statements) : List.of();
	}

	/**
	 * Return what is in the way.
	 */
	List<String> obstacles() {
		return List.copyOf(this.obstacles);
	}

	/**
	 * Return what could not be read, and why.
	 */
	List<String> notRead() {
		return List.copyOf(this.notRead);
	}

	private List<Pair> pairs(String sql) {
		return this.jdbc.query(sql,
				(row, index) -> new Pair(row.getString(1),
						new Column(new QualifiedName(row.getString(2), row.getString(3)), row.getString(4)),
						new Column(new QualifiedName(row.getString(5), row.getString(6)), row.getString(7))));
	}

	/**
	 * Add a key and all that hold its numbers. Columns that refer to it come first: no
	 * database minds if they are wider.
	 */
	private void add(KeyColumn key) {
		Column column = new Column(key.place(), key.column());
		boolean ends = key.end() != null && key.end().bitLength() < Long.SIZE - 1;
		if (!isScripted()) {
			if (ends) {
				this.narrow.add(column);
			}
			return;
		}
		Set<Column> same = new LinkedHashSet<>(List.of(column));
		boolean strict = isMysql();
		for (boolean more = true; more;) {
			more = false;
			for (Pair pair : this.pairs) {
				more |= same.contains(pair.to) && same.add(pair.from);
				// these want the same type at both ends
				more |= strict && same.contains(pair.from) && same.add(pair.to);
			}
		}
		List<Column> all = new ArrayList<>(same);
		all.add(all.remove(0));
		all.stream().filter((one) -> isNarrow(one, ends)).forEach(this.narrow::add);
	}

	private boolean isScripted() {
		return isMysql() || this.database.equals("PostgreSQL") || this.database.equals("H2");
	}

	private boolean isMysql() {
		return this.database.equals("MariaDB") || this.database.equals("MySQL");
	}

	private boolean isNarrow(Column column, boolean keyIsNarrow) {
		String type = type(column);
		if (INTEGER.matcher(type).matches()) {
			return true;
		}
		if (keyIsNarrow && !type.toLowerCase(Locale.ROOT).startsWith("bigint")) {
			this.obstacles.add("the type " + type + " of " + column + ", which is no integer type");
		}
		return false;
	}

	private String type(Column column) {
		List<String> type = this.database.equals("PostgreSQL")
				? this.jdbc.queryForList(POSTGRESQL_TYPE, String.class, table(column), column.name)
				: this.jdbc.queryForList(isMysql() ? MYSQL_TYPE : H2_TYPE, String.class, column.table.schema(),
						column.table.name(), column.name);
		return type.isEmpty() ? "unknown" : type.get(0);
	}

	private void onPostgresql(List<AdoptedColumn> adopted) {
		for (Column column : this.narrow) {
			String table = table(column);
			this.obstacles
				.addAll(this.jdbc.queryForList(POSTGRESQL_OBSTACLES, String.class, table, table, column.name));
			this.statements.add("alter table " + table + " alter column " + quoted(column.name) + " type bigint;");
		}
		for (AdoptedColumn one : adopted) {
			Numbering numbering = one.key().numbering();
			if (numbering != null && one.generated().isEmpty() && numbering.end().bitLength() < Long.SIZE - 1
					&& numbering.end().add(BigInteger.ONE).bitCount() == 1) {
				// the end of its type
				this.statements.add("alter sequence " + one.key().place().sibling(numbering.name()).quoted(this.quote)
						+ " as bigint;");
			}
		}
	}

	private void onH2(List<AdoptedColumn> adopted) {
		for (Column column : this.narrow) {
			generated(H2_GENERATED, column);
			String alter = "alter table " + table(column) + " alter column " + quoted(column.name) + " ";
			this.statements.add(alter + "set data type bigint;");
			if (adopted.stream().anyMatch((one) -> one.itself() && one.key().name().equals(column.toString()))) {
				this.statements.add(alter + "set no maxvalue;");
			}
		}
	}

	/**
	 * Make the columns wider, without the foreign keys that they belong to: these
	 * databases refuse to change the type of a column that one uses. What is to stay is
	 * as the server writes it.
	 */
	private void onMysql(String current) {
		Map<String, List<Pair>> keys = this.pairs.stream()
			.collect(Collectors.groupingBy(Pair::key, LinkedHashMap::new, Collectors.toList()));
		keys.values()
			.removeIf((columns) -> columns.stream()
				.noneMatch((pair) -> this.narrow.contains(pair.from) || this.narrow.contains(pair.to)));
		List<String> after = new ArrayList<>();
		for (List<Pair> key : keys.values()) {
			Column from = key.get(0).from;
			String name = key.get(0).key.substring(from.table.toString().length() + 1);
			if (!current.equals(from.table.schema()) || !current.equals(key.get(0).to.table.schema())) {
				this.obstacles.add("foreign key " + name + " of " + from.table
						+ ", as its tables are not both in schema " + current);
				continue;
			}
			orphans(name, key);
			this.statements.add("alter table " + table(from) + " drop foreign key " + quoted(name) + ";");
			line(from, "CONSTRAINT " + quoted(name) + " ", name)
				.ifPresent((line) -> after.add("alter table " + table(from) + " add " + line + ";"));
		}
		this.narrow.stream()
			.collect(Collectors.groupingBy(this::table, LinkedHashMap::new, Collectors.toList()))
			.forEach((table, columns) -> this.statements.add("alter table " + table + " "
					+ columns.stream().map(this::modify).collect(Collectors.joining(", ")) + ";"));
		this.statements.addAll(after);
	}

	private String modify(Column column) {
		generated(MYSQL_GENERATED, column);
		Long versioned = this.jdbc.queryForObject(MYSQL_VERSIONED, Long.class, column.table.schema(),
				column.table.name());
		if (versioned != null && versioned > 0) {
			this.obstacles.add("system versioning of " + column.table);
		}
		return line(column, quoted(column.name) + " ", column.name).map((line) -> {
			String rest = line.substring(quoted(column.name).length() + 1);
			Matcher type = INTEGER.matcher(rest);
			if (!type.lookingAt()) {
				this.obstacles.add("the definition of " + column + ", which is not understood: " + line);
				return line;
			}
			boolean zerofill = type.group("zerofill") != null;
			return "modify column " + quoted(column.name) + " bigint"
					+ ((zerofill && type.group("width") != null) ? type.group("width") : "")
					+ ((type.group("unsigned") != null) ? " unsigned" : "") + (zerofill ? " zerofill" : "")
					+ rest.substring(type.end());
		}).orElse("");
	}

	/**
	 * Find the line of the statement that creates a table, as the server writes it.
	 */
	private Optional<String> line(Column column, String beginning, String what) {
		String create = this.jdbc.queryForObject("show create table " + table(column),
				(row, index) -> row.getString(2));
		Optional<String> found = String.valueOf(create)
			.lines()
			.map(String::strip)
			.filter((line) -> line.startsWith(beginning))
			.map((line) -> line.endsWith(",") ? line.substring(0, line.length() - 1) : line)
			.findFirst();
		if (found.isEmpty()) {
			this.obstacles.add("the definition of " + what + " in " + column.table + ", which was not found");
		}
		return found;
	}

	/**
	 * Find generated columns that read a column: they are of a narrow type, as a rule,
	 * which would not hold what they are generated from.
	 */
	private void generated(String sql, Column column) {
		this.jdbc.query(sql, (row) -> {
			if (String.valueOf(row.getString(2)).contains(quoted(column.name))) {
				this.obstacles.add(row.getString(1));
			}
		}, column.table.schema(), column.table.name());
	}

	/**
	 * Find rows that refer to nothing, which came past the foreign key: it cannot be made
	 * again.
	 */
	private void orphans(String name, List<Pair> key) {
		BiFunction<String, String, String> join = (separator, format) -> key.stream()
			.map((pair) -> format.formatted(quoted(pair.from.name), quoted(pair.to.name)))
			.collect(Collectors.joining(separator));
		String sql = "select 1 from " + table(key.get(0).from) + " f left join " + table(key.get(0).to) + " t on "
				+ join.apply(" and ", "f.%1$s = t.%2$s") + " where " + join.apply(" and ", "f.%1$s is not null")
				+ " and t." + quoted(key.get(0).to.name) + " is null limit 1";
		try {
			if (!this.jdbc.queryForList(sql).isEmpty()) {
				this.obstacles
					.add("rows of " + key.get(0).from.table + " that refer to nothing by its foreign key " + name);
			}
		}
		catch (DataAccessException ex) {
			this.notRead.add("whether all rows of " + key.get(0).from.table + " refer to something by foreign key "
					+ name + ": " + ex.getMostSpecificCause().getMessage());
		}
	}

	private String table(Column column) {
		return column.table.quoted(this.quote);
	}

	private String quoted(@Nullable String name) {
		String text = String.valueOf(name);
		return this.quote + text.replace(this.quote, this.quote + this.quote) + this.quote;
	}

	/**
	 * A column of any schema.
	 */
	private record Column(QualifiedName table, String name) {

		@Override
		public String toString() {
			return this.table + "." + this.name;
		}

	}

	/**
	 * A column of a foreign key, and that which it refers to.
	 *
	 * @param key tells foreign keys apart
	 */
	private record Pair(String key, Column from, Column to) {

	}

}
