package dev.idspring.tools.command;

import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.QualifiedName.Place;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The primary key column of a table, and what the catalogue of the database says about
 * how new rows get their keys.
 *
 * @param key the primary key column
 * @param database the product name of the database
 * @param schema the current schema of the connection
 * @param defaultExpression the default expression, or {@code null} if the column has no
 * default or a constant one
 * @param identityMode {@code ALWAYS} or {@code BY DEFAULT} as in standard SQL, empty if
 * the column is not an identity or its mode is unknown
 * @param generatesKeys whether the column is an identity or auto-increment column
 * @param parents the other tables that the column references as a foreign key
 * @param triggers the triggers, and on PostgreSQL the rules, that run on an insert
 * @param unreadParts the parts of the catalogue that could not be read, and the reasons
 * @param defaults the columns, including those of other tables, whose default is exactly
 * the next value of a sequence
 */
record AdoptedColumn(KeyColumn key, String database, @Nullable String schema, @Nullable String defaultExpression,
		String identityMode, boolean generatesKeys, List<QualifiedName> parents, List<String> triggers,
		List<String> unreadParts, List<SequenceDefault> defaults) {

	private static final Pattern CONSTANT = Pattern.compile("(?i)\\(*('.*'|[-+]?[0-9.]+|null)\\)*(::[\\w ]+)?");

	private static final String POSTGRESQL_DEFAULTS = """
			select n.nspname, c.relname, a.attname, pg_catalog.pg_get_expr(d.adbin, d.adrelid),
			       case a.attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' else '' end
			from pg_catalog.pg_attribute a
			join pg_catalog.pg_class c on c.oid = a.attrelid
			join pg_catalog.pg_namespace n on n.oid = c.relnamespace
			left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
			where a.attidentity <> '' or (d.oid is not null and a.attgenerated = '')""";

	private static final String H2_DEFAULTS = """
			select TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_DEFAULT, coalesce(IDENTITY_GENERATION, '')
			from INFORMATION_SCHEMA.COLUMNS where COLUMN_DEFAULT is not null or IS_IDENTITY = 'YES'""";

	// MySQL does not quote constants, so only DEFAULT_GENERATED reveals an expression
	private static final String MYSQL_DEFAULTS = """
			select table_schema, table_name, column_name,
			       case when version() like '%MariaDB%' or extra like '%DEFAULT_GENERATED%' then column_default end,
			       case when extra like '%auto_increment%' then 'AUTO_INCREMENT' else '' end
			from information_schema.columns
			where column_default is not null or extra like '%auto_increment%'""";

	private static final String POSTGRESQL_TRIGGERS = """
			select t.tgname from pg_catalog.pg_trigger t
			where not t.tgisinternal and (t.tgtype & 4) = 4 and t.tgenabled <> 'D'
			  and (t.tgrelid = to_regclass(?) or t.tgrelid in (select relid from pg_partition_tree(to_regclass(?))))
			union
			select r.rulename from pg_catalog.pg_rewrite r
			where r.ev_class = to_regclass(?) and r.ev_type = '3' and r.ev_enabled <> 'D'
			order by 1""";

	private static final String MYSQL_TRIGGERS = """
			select trigger_name from information_schema.triggers
			where event_object_schema = ? and event_object_table = ? and event_manipulation = 'INSERT'""";

	private static final String MYSQL_MAY_SEE_TRIGGERS = """
			select count(*) from (
			  select 1 as may from information_schema.user_privileges where privilege_type = 'TRIGGER'
			  union all
			  select 1 from information_schema.schema_privileges
			  where privilege_type = 'TRIGGER' and ? like table_schema
			  union all
			  select 1 from information_schema.table_privileges
			  where privilege_type = 'TRIGGER' and table_schema = ? and table_name = ?
			) p""";

	private static final String STANDARD_TRIGGERS = """
			select trigger_name from information_schema.triggers
			where event_object_schema = ? and event_object_table = ? and event_manipulation like '%INSERT%'""";

	private static final String DERBY_TRIGGERS = """
			select t.triggername from sys.systriggers t join sys.systables b on t.tableid = b.tableid
			join sys.sysschemas s on b.schemaid = s.schemaid
			where s.schemaname = ? and b.tablename = ? and t.event = 'I'""";

	private static final String SQLITE_TRIGGERS = """
			select name from sqlite_master
			where type = 'trigger' and tbl_name = ? collate nocase and lower(sql) like '%insert%'""";

	/**
	 * Read from the catalogue how new rows get the values of a key column.
	 * @param quote the quote character for identifiers
	 */
	static AdoptedColumn read(JdbcTemplate jdbc, String database, KeyColumn key, String quote) {
		List<Column> columns = switch (database) {
			case "PostgreSQL" -> columns(jdbc, POSTGRESQL_DEFAULTS);
			case "H2" -> columns(jdbc, H2_DEFAULTS);
			case "MariaDB", "MySQL" -> columns(jdbc, MYSQL_DEFAULTS);
			default -> driverColumns(jdbc, key, database);
		};
		Column column = columns.stream()
			.filter((one) -> one.table.equals(key.place()) && one.column.equals(key.column()))
			.findFirst()
			.orElse(new Column(key.place(), key.column(), null, ""));
		Optional<String> found = jdbc.execute((ConnectionCallback<Optional<String>>) (connection) -> Optional
			.ofNullable(Place.of(connection).name()));
		String schema = Objects.requireNonNull(found).orElse(null);
		List<SequenceDefault> defaults = new ArrayList<>();
		for (Column one : columns) {
			QualifiedName sequence = Numbering.sequenceIn(one.defaultExpression);
			if (sequence != null) {
				defaults.add(new SequenceDefault(one.table + "." + one.column, qualified(sequence, schema)));
			}
		}
		List<String> unreadParts = new ArrayList<>();
		List<String> triggers = triggers(jdbc, database, key.place(), quote, unreadParts);
		String defaultExpression = column.defaultExpression;
		boolean standard = column.generation.equals("ALWAYS") || column.generation.equals("BY DEFAULT");
		return new AdoptedColumn(key, database, schema,
				(defaultExpression != null && !CONSTANT.matcher(defaultExpression.strip()).matches())
						? defaultExpression : null,
				standard ? column.generation : "", !column.generation.isEmpty(), parents(jdbc, key), triggers,
				unreadParts, defaults);
	}

	/**
	 * Find the other tables that a key references as a foreign key.
	 */
	private static List<QualifiedName> parents(JdbcTemplate jdbc, KeyColumn key) {
		return Objects.requireNonNull(jdbc.execute((ConnectionCallback<List<QualifiedName>>) (connection) -> {
			Place place = Place.of(connection).withSchema(key.schema());
			List<QualifiedName> parents = new ArrayList<>();
			try (ResultSet found = place.data().getImportedKeys(place.catalog(), place.schema(), key.table())) {
				while (found.next()) {
					String schema = found.getString((place.schema() != null) ? "PKTABLE_SCHEM" : "PKTABLE_CAT");
					QualifiedName parent = new QualifiedName(schema, found.getString("PKTABLE_NAME"));
					if (found.getString("FKCOLUMN_NAME").equals(key.column()) && !parent.equals(key.place())) {
						parents.add(parent);
					}
				}
			}
			return parents;
		}));
	}

	private static List<Column> columns(JdbcTemplate jdbc, String sql) {
		return jdbc.query(sql, (row, index) -> new Column(new QualifiedName(row.getString(1), row.getString(2)),
				row.getString(3), row.getString(4), Objects.requireNonNullElse(row.getString(5), "")));
	}

	/**
	 * Read the columns from the metadata of the driver. SQLite generates a key of type
	 * INTEGER even if the key is not declared as auto-increment.
	 */
	private static List<Column> driverColumns(JdbcTemplate jdbc, KeyColumn key, String database) {
		boolean isRowId = database.equals("SQLite") && key.type().equalsIgnoreCase("integer");
		return Objects.requireNonNull(jdbc.execute((ConnectionCallback<List<Column>>) (connection) -> {
			Place place = Place.of(connection).withSchema(key.schema());
			List<Column> columns = new ArrayList<>();
			try (ResultSet found = place.data().getColumns(place.catalog(), place.pattern(), "%", "%")) {
				while (found.next()) {
					QualifiedName table = new QualifiedName(place.name(), found.getString("TABLE_NAME"));
					String column = found.getString("COLUMN_NAME");
					String defaultExpression = found.getString("COLUMN_DEF");
					boolean automatic = "YES".equals(found.getString("IS_AUTOINCREMENT"))
							|| (isRowId && table.equals(key.place()) && column.equals(key.column()));
					columns.add(new Column(table, column, automatic ? null : defaultExpression,
							automatic ? "IDENTITY" : ""));
				}
			}
			return columns;
		}));
	}

	private static List<String> triggers(JdbcTemplate jdbc, String database, QualifiedName table, String quote,
			List<String> unreadParts) {
		String quoted = table.quoted(quote);
		try {
			return switch (database) {
				case "PostgreSQL" -> jdbc.queryForList(POSTGRESQL_TRIGGERS, String.class, quoted, quoted, quoted);
				case "MariaDB", "MySQL" -> {
					if (Long.valueOf(0)
						.equals(jdbc.queryForObject(MYSQL_MAY_SEE_TRIGGERS, Long.class, table.schema(), table.schema(),
								table.name()))) {
						unreadParts.add("triggers of " + table + ": the user does not have the TRIGGER right");
					}
					yield jdbc.queryForList(MYSQL_TRIGGERS, String.class, table.schema(), table.name());
				}
				case "H2", "HSQL Database Engine" ->
					jdbc.queryForList(STANDARD_TRIGGERS, String.class, table.schema(), table.name());
				case "Apache Derby" -> jdbc.queryForList(DERBY_TRIGGERS, String.class, table.schema(), table.name());
				case "SQLite" -> jdbc.queryForList(SQLITE_TRIGGERS, String.class, table.name());
				default -> {
					unreadParts.add("triggers of " + table + ": this command cannot read triggers on " + database);
					yield List.of();
				}
			};
		}
		catch (DataAccessException ex) {
			unreadParts.add("triggers of " + table + ": " + ex.getMostSpecificCause().getMessage());
			return List.of();
		}
	}

	/**
	 * Return the sequence of the column's default, or {@code null} if the default is not
	 * exactly the next value of a sequence.
	 */
	@Nullable QualifiedName sequence() {
		return Numbering.sequenceIn(this.defaultExpression);
	}

	/**
	 * Return the name of a sequence with its schema. A name without a schema refers to
	 * the current schema.
	 */
	QualifiedName qualified(QualifiedName sequence) {
		return qualified(sequence, this.schema);
	}

	private static QualifiedName qualified(QualifiedName sequence, @Nullable String schema) {
		return (sequence.schema() != null) ? sequence : new QualifiedName(schema, sequence.name());
	}

	/**
	 * Return the other columns whose defaults draw from the given sequence.
	 */
	List<String> otherColumnsThatUse(QualifiedName sequence) {
		return this.defaults.stream()
			.filter((found) -> found.sequence.equals(sequence))
			.map(SequenceDefault::column)
			.filter((name) -> !name.equals(this.key.name()))
			.toList();
	}

	private record Column(QualifiedName table, String column, @Nullable String defaultExpression, String generation) {

	}

	/**
	 * A column whose default draws from a sequence.
	 */
	record SequenceDefault(String column, QualifiedName sequence) {

	}

}
