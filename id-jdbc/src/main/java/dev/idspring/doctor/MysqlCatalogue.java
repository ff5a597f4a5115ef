package dev.idspring.doctor;

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
 * The catalogue of MariaDB and MySQL.
 */
final class MysqlCatalogue extends Catalogue {

	// what comes next, as information_schema has it, may be a day old on MySQL: the
	// column tells
	private static final String AUTO_INCREMENT = """
			select concat(table_name, '.', column_name) as place, table_name, @@auto_increment_increment as increment,
			       case when column_type like '%unsigned%' then 1 else 0 end as unsigned_type, data_type
			from information_schema.columns where table_schema = ? and extra like '%auto_increment%'""";

	private static final Map<String, Integer> BITS = Map.of("tinyint", 7, "smallint", 15, "mediumint", 23, "int", 31,
			"bigint", 63);

	private static final String SEQUENCES = """
			select table_name from information_schema.tables
			where table_schema = ? and table_type = 'SEQUENCE'""";

	private static final String ROWS = """
			select table_name, table_rows from information_schema.tables
			where table_schema = ? and table_rows is not null""";

	MysqlCatalogue(JdbcTemplate jdbc, Connection connection, @Nullable QualifiedName only) throws SQLException {
		super(jdbc, connection, only, ROWS);
	}

	@Override
	Map<String, Numbering> numberings() throws SQLException {
		Map<String, Numbering> numberings = new LinkedHashMap<>();
		query("columns with auto-increment", AUTO_INCREMENT, (row, index) -> {
			int bits = BITS.getOrDefault(row.getString("data_type"), Long.SIZE - 1) + row.getInt("unsigned_type");
			return numberings.put(row.getString("place"),
					new Numbering(true, row.getString("table_name"), null, row.getLong("increment"),
							BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE), null, false, null));
		}, schema());
		for (String sequence : query("sequences", SEQUENCES, (row, index) -> row.getString(1), schema())) {
			query("sequence " + name(sequence),
					"select next_not_cached_value, increment, maximum_value, cache_size, cycle_option from "
							+ quoted(name(sequence)),
					(row, index) -> numberings.put(sequence,
							new Numbering(false, sequence,
									BigInteger.valueOf(row.getLong(1)).subtract(BigInteger.valueOf(row.getLong(2))),
									row.getLong(2), BigInteger.valueOf(row.getLong(3)), row.getLong(4),
									row.getBoolean(5), null)));
		}
		return numberings;
	}

}
