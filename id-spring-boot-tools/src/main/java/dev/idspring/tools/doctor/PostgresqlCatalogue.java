package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalogue of PostgreSQL.
 */
final class PostgresqlCatalogue extends Catalogue {

	/**
	 * Reads the sequences of the schema, and all other sequences that tables of the
	 * schema use.
	 */
	private static final String SEQUENCES = """
			select s.seqrelid::bigint as id, s.seqrelid::regclass::text as called, n.nspname, c.relname,
			       current_user as reader, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
			       pg_catalog.pg_get_userbyid(c.relowner) as owner,
			       pg_catalog.has_sequence_privilege(s.seqrelid, 'select')
			         and pg_catalog.has_schema_privilege(c.relnamespace, 'usage') as readable
			from pg_catalog.pg_sequence s
			join pg_catalog.pg_class c on c.oid = s.seqrelid
			join pg_catalog.pg_namespace n on n.oid = c.relnamespace
			where c.relpersistence <> 't' and (n.nspname = ? or s.seqrelid in (%s))
			order by c.relname""";

	/**
	 * Reads how columns use sequences. A sequence may belong to an identity (i) or to a
	 * serial column (a). A default may be exactly the next value of a sequence (d) or
	 * another expression that uses a sequence (e).
	 */
	private static final String RELATIONS = """
			select d.objid::bigint as sequence, d.deptype::text as relation, t.relname || '.' || a.attname as place
			from pg_catalog.pg_depend d
			join pg_catalog.pg_class t on t.oid = d.refobjid and t.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?)
			join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
			join pg_catalog.pg_class s on s.oid = d.objid and s.relkind = 'S'
			where d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass
			  and d.deptype in ('a', 'i') and d.refobjsubid > 0
			union all
			select d.refobjid::bigint,
			       case when pg_catalog.pg_get_expr(f.adbin, f.adrelid) ~ '^\\(?nextval\\([^()]*\\)\\)?(::[a-z ]+)?$'
			            then 'd' else 'e' end,
			       t.relname || '.' || a.attname
			from pg_catalog.pg_attrdef f
			join pg_catalog.pg_class t on t.oid = f.adrelid and t.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?)
			join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = f.adnum
			join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_attrdef'::regclass and d.objid = f.oid
			join pg_catalog.pg_class s on s.oid = d.refobjid and s.relkind = 'S'
			where d.refclassid = 'pg_catalog.pg_class'::regclass""";

	private static final String ROWS = """
			select relname, reltuples::bigint from pg_catalog.pg_class
			where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?) and relkind in ('r', 'p') and reltuples >= 0""";

	/**
	 * Reads the base types of columns whose type is a domain, including domains of
	 * domains.
	 */
	private static final String DOMAINS = """
			with recursive domains as (
			  select oid as domain, typbasetype as base, typtypmod as modifier from pg_catalog.pg_type where typtype = 'd'
			  union all
			  select d.domain, t.typbasetype, case when d.modifier = -1 then t.typtypmod else d.modifier end
			  from domains d join pg_catalog.pg_type t on t.oid = d.base and t.typtype = 'd')
			select t.relname || '.' || a.attname, pg_catalog.format_type(d.base, d.modifier)
			from pg_catalog.pg_attribute a
			join pg_catalog.pg_class t on t.oid = a.attrelid and t.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?)
			join domains d on d.domain = a.atttypid
			join pg_catalog.pg_type b on b.oid = d.base and b.typtype <> 'd'
			where a.attnum > 0""";

	private static final String PARTITIONS = """
			select relname from pg_catalog.pg_class
			where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?) and relispartition""";

	/**
	 * Reads the partitioned tables, and for each whether it has leaf partitions and all
	 * of them have a primary key.
	 */
	private static final String PARTITIONED = """
			select c.relname, (select coalesce(bool_and(exists (select 1 from pg_catalog.pg_index i
			                                                    where i.indrelid = p.relid and i.indisprimary)), false)
			                   from pg_partition_tree(c.oid) p where p.isleaf)
			from pg_catalog.pg_class c
			where c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?) and c.relkind = 'p'""";

	PostgresqlCatalogue(Queries queries, @Nullable QualifiedName onlyTable) throws SQLException {
		super(queries, onlyTable);
	}

	@Override
	Numberings numberings() {
		Numberings numberings = new Numberings(schema(), queries().notRead());
		Map<Long, Map<String, String>> relations = new HashMap<>();
		queries().query("the sequences of columns", RELATIONS,
				(row, index) -> relations.computeIfAbsent(row.getLong("sequence"), (missing) -> new LinkedHashMap<>())
					.merge(row.getString("place"), row.getString("relation"), String::concat),
				schema(), schema());
		String usedSequences = relations.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
		queries()
			.query("sequences", SEQUENCES.formatted(usedSequences.isEmpty() ? "0" : usedSequences),
					(row, index) -> Map.entry(row.getLong("id"), sequence(row)), schema())
			.forEach((found) -> {
				Map<String, String> columns = relations.getOrDefault(found.getKey(), Map.of());
				boolean own = columns.values().stream().anyMatch((relation) -> isOwn(relation) && draws(relation));
				Numbering sequence = found.getValue().read(queries(), own);
				numberings.add(sequence);
				columns.forEach((column, relation) -> relate(column, relation, sequence, numberings));
			});
		return numberings;
	}

	private static void relate(String column, String relation, Numbering sequence, Numberings numberings) {
		boolean own = isOwn(relation);
		if (draws(relation)) {
			numberings.relate(column, own ? Relation.OWN : Relation.DEFAULT,
					sequence.with(own, sequence.last(), sequence.next()));
		}
		else if (own && !relation.contains("e")) {
			// the column owns the sequence, but has no default that uses it: the
			// application may draw from the sequence
			numberings.relateIfNew(column, Relation.NAME, sequence.with(true, sequence.last(), sequence.next()));
		}
	}

	private static boolean draws(String relation) {
		return relation.contains("i") || relation.contains("d");
	}

	private static boolean isOwn(String relation) {
		return relation.contains("i") || relation.contains("a");
	}

	private Sequence sequence(ResultSet row) throws SQLException {
		long increment = row.getLong("seqincrement");
		QualifiedName place = new QualifiedName(row.getString("nspname"), row.getString("relname"));
		String name = place.equals(name(place.name())) ? place.name() : place.toString();
		return new Sequence(row.getString("called"), row.getString("reader"), row.getBoolean("readable"),
				new Numbering(false, name, place, null, null, increment, BigInteger.valueOf(row.getLong("seqstart")),
						BigInteger.valueOf(row.getLong((increment < 0) ? "seqmin" : "seqmax")), row.getLong("seqcache"),
						row.getBoolean("seqcycle"), row.getString("owner")));
	}

	@Override
	String rowCountsSql() {
		return ROWS;
	}

	@Override
	Map<String, DeclaredType> types() {
		Map<String, DeclaredType> types = new HashMap<>();
		queries().query("domains", DOMAINS,
				(row, index) -> types.put(row.getString(1), new DeclaredType(row.getString(2))), schema());
		return types;
	}

	@Override
	Set<String> partitions() {
		return new HashSet<>(queries().query("partitions", PARTITIONS, (row, index) -> row.getString(1), schema()));
	}

	@Override
	Map<String, Boolean> partitioned() {
		Map<String, Boolean> partitioned = new HashMap<>();
		queries().query("partitioned tables", PARTITIONED,
				(row, index) -> partitioned.put(row.getString(1), row.getBoolean(2)), schema());
		return partitioned;
	}

	@Override
	String extremeQuery(DeclaredType type, String column, String table, boolean highest) {
		// PostgreSQL has no max and min for bit strings
		return type.name().equals("bit") ? "select " + column + "::bigint from " + table + " order by " + column
				+ (highest ? " desc" : "") + " limit 1" : super.extremeQuery(type, column, table, highest);
	}

	/**
	 * A sequence as the catalogue describes it.
	 *
	 * @param sqlName the name of the sequence in SQL
	 * @param reader the current database user
	 * @param readable whether the user may read the sequence
	 * @param numbering the other properties of the sequence
	 */
	private record Sequence(String sqlName, String reader, boolean readable, Numbering numbering) {

		/**
		 * Read the {@code last_value} of the sequence. Before the first {@code nextval},
		 * this is the next number. Afterwards, it is the last number that was drawn.
		 */
		Numbering read(Queries queries, boolean own) {
			if (!this.readable) {
				queries.notRead()
					.add("sequence " + this.sqlName + ", so its next number and the count of its"
							+ " remaining numbers are unknown: grant select on sequence " + this.sqlName + " to "
							+ this.reader);
				return this.numbering.with(own, null, null);
			}
			return queries
				.query("sequence " + this.sqlName, "select last_value, is_called from " + this.sqlName,
						(row, index) -> Map.entry(row.getBigDecimal(1).toBigInteger(), row.getBoolean(2)))
				.stream()
				.findFirst()
				.map((found) -> found.getValue()
						? this.numbering.with(own, found.getKey(),
								found.getKey().add(BigInteger.valueOf(this.numbering.increment())))
						: this.numbering.with(own, null, found.getKey()))
				.orElseGet(() -> this.numbering.with(own, null, null));
		}

	}

}
