package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generates scripts that change columns on PostgreSQL.
 */
final class PostgresqlAlterations extends Alterations {

	private static final String FOREIGN_KEY_COLUMNS = """
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

	/**
	 * Reads the type of a column. If the type is a domain, the result is the name of the
	 * domain. For bit strings, the result is {@code bits}, because {@code bit} would
	 * count as a number.
	 */
	private static final String TYPE = """
			select case when a.atttypid in ('bit'::regtype, 'varbit'::regtype) then 'bits'
			       else pg_catalog.format_type(a.atttypid, a.atttypmod) end
			from pg_catalog.pg_attribute a where a.attrelid = to_regclass(?) and a.attname = ?""";

	/**
	 * Reads the collation of a column. A script must repeat the collation, because
	 * otherwise the column gets the collation of its new type.
	 */
	private static final String COLLATION = """
			select ' collate ' || quote_ident(n.nspname) || '.' || quote_ident(c.collname)
			from pg_catalog.pg_attribute a
			join pg_catalog.pg_collation c on c.oid = a.attcollation
			join pg_catalog.pg_namespace n on n.oid = c.collnamespace
			join pg_catalog.pg_type t on t.oid = a.atttypid
			where a.attrelid = to_regclass(?) and a.attname = ? and a.attcollation <> t.typcollation""";

	private static final String IDENTITY = """
			select 1 from pg_catalog.pg_attribute
			where attrelid = to_regclass(?) and attname = ? and attidentity <> ''""";

	private static final String FOREIGN_KEY = """
			select format('alter table %I.%I', n.nspname, c.relname), quote_ident(k.conname),
			       pg_catalog.pg_get_constraintdef(k.oid)
			from pg_catalog.pg_constraint k
			join pg_catalog.pg_class c on c.oid = k.conrelid
			join pg_catalog.pg_namespace n on n.oid = c.relnamespace
			where k.oid::text = ?""";

	private static final String DOMAIN = """
			select 'the domain ' || t.typname || ' of ' || a.attrelid::regclass || '.' || a.attname
			from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid and t.typtype = 'd'
			where a.attrelid = to_regclass(?) and a.attname = ?""";

	/**
	 * Finds the objects that prevent a change of a column, or make it risky, in a table,
	 * its partitions and other tables that inherit from it.
	 */
	private static final String OBSTACLES = """
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
			   or (d.classid in ('pg_class'::regclass, 'pg_constraint'::regclass)
			       and not exists (select 1 from pg_catalog.pg_constraint k where k.oid = d.objid and k.contype = 'f')
			       and exists (
			       select 1 from pg_catalog.pg_depend f where f.classid = d.classid and f.objid = d.objid
			         and f.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass)))
			union
			select pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) || ', which uses the row type of '
			       || c.attrelid::regclass
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

	PostgresqlAlterations(JdbcTemplate jdbc, DatabaseMetaData data) throws SQLException {
		super(jdbc, data);
	}

	@Override
	String pairsSql() {
		return FOREIGN_KEY_COLUMNS;
	}

	@Override
	DeclaredType type(Column column) {
		return new DeclaredType(String.join("", strings(TYPE, column)));
	}

	private List<String> strings(String sql, Column column) {
		return jdbc().queryForList(sql, String.class, table(column), column.name());
	}

	@Override
	String change(Script script, Column column, DeclaredType type) {
		return "alter column " + quoted(column.name()) + " type " + type.sql()
				+ (type.isText() ? String.join("", strings(COLLATION, column)) : "");
	}

	@Override
	void addStatements(Script script) {
		script.changes.forEach((column, change) -> {
			script.obstacles
				.addAll(jdbc().queryForList(OBSTACLES, String.class, table(column), table(column), column.name()));
			script.statements.add("alter table " + table(column) + " " + change + ";");
		});
	}

	/**
	 * Add statements that drop the foreign keys, change the columns and recreate the
	 * foreign keys, because the collations on both sides of a foreign key must be the
	 * same.
	 */
	@Override
	void addCollationStatements(Script script) {
		List<String> recreations = new ArrayList<>();
		pairs().stream()
			.filter((pair) -> script.changes.containsKey(pair.from()) || script.changes.containsKey(pair.to()))
			.map(Pair::key)
			.distinct()
			.forEach((key) -> {
				Map<String, Object> found = jdbc().queryForMap(FOREIGN_KEY, key);
				List<Object> parts = new ArrayList<>(found.values());
				script.statements.add(parts.get(0) + " drop constraint " + parts.get(1) + ";");
				recreations.add(parts.get(0) + " add constraint " + parts.get(1) + " " + parts.get(2) + ";");
			});
		script.changes.keySet().forEach((column) -> script.obstacles.addAll(strings(DOMAIN, column)));
		addStatements(script);
		script.statements.addAll(recreations);
	}

	@Override
	void widenNumbering(Script script, KeyColumn key, Numbering numbering) {
		BigInteger end = numbering.descends() ? numbering.end().not() : numbering.end();
		// an identity needs no statement, because its sequence changes with the column. A
		// sequence that does not end at the limit of an integer type was limited
		// deliberately, and is left unchanged
		boolean endsWithType = end.bitLength() < Long.SIZE - 1 && end.add(BigInteger.ONE).bitCount() == 1;
		if (endsWithType && strings(IDENTITY, new Column(key.place(), key.column())).isEmpty()) {
			script.statements.add("alter sequence " + quoted(numbering.place()) + " as bigint;");
		}
	}

}
