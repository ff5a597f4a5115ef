package dev.idspring.doctor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.idspring.doctor.KeyColumn.Numbering;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The catalogue of PostgreSQL.
 */
final class PostgresqlCatalogue extends Catalogue {

	private static final String SEQUENCES = """
			select coalesce(o.place, s.sequencename) as place, o.place is not null as identity, s.sequencename,
			       s.last_value, s.increment_by, s.max_value, s.cache_size, s.cycle, s.sequenceowner
			from pg_catalog.pg_sequences s
			left join (
			  select d.objid, t.relnamespace, t.relname || '.' || a.attname as place
			  from pg_catalog.pg_depend d
			  join pg_catalog.pg_class t on t.oid = d.refobjid
			  join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
			  where d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass
			    and d.deptype in ('a', 'i') and d.refobjsubid > 0
			) o on o.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass
			  and o.relnamespace = format('%I', s.schemaname)::regnamespace
			where s.schemaname = ?""";

	private static final String ROWS = """
			select relname, reltuples::bigint from pg_catalog.pg_class
			where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?)
			  and relkind in ('r', 'p') and reltuples >= 0""";

	PostgresqlCatalogue(JdbcTemplate jdbc, Connection connection, @Nullable QualifiedName only) throws SQLException {
		super(jdbc, connection, only, ROWS);
	}

	@Override
	Map<String, Numbering> numberings() {
		Map<String, Numbering> numberings = new LinkedHashMap<>();
		query("sequences", SEQUENCES, (row, index) -> {
			BigDecimal last = row.getBigDecimal("last_value");
			return numberings.put(row.getString("place"),
					new Numbering(row.getBoolean("identity"), row.getString("sequencename"),
							(last != null) ? last.toBigInteger() : null, row.getLong("increment_by"),
							BigInteger.valueOf(row.getLong("max_value")), row.getLong("cache_size"),
							row.getBoolean("cycle"), row.getString("sequenceowner")));
		}, schema());
		return numberings;
	}

}
