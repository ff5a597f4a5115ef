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
 * The catalogue of H2.
 */
final class H2Catalogue extends Catalogue {

	private static final String NUMBERINGS = """
			select table_name || '.' || column_name as place, true as identity, table_name as name,
			       identity_base as base, identity_increment as increment, identity_maximum as maximum,
			       identity_cache as cache, identity_cycle as cycles
			from information_schema.columns where table_schema = ? and is_identity = 'YES'
			union all
			select sequence_name, false, sequence_name, base_value, "INCREMENT", maximum_value, "CACHE", cycle_option
			from information_schema.sequences where sequence_schema = ?""";

	private static final String ROWS = """
			select table_name, row_count_estimate from information_schema.tables where table_schema = ?""";

	H2Catalogue(JdbcTemplate jdbc, Connection connection, @Nullable QualifiedName only) throws SQLException {
		super(jdbc, connection, only, ROWS);
	}

	@Override
	Map<String, Numbering> numberings() {
		Map<String, Numbering> numberings = new LinkedHashMap<>();
		query("sequences", NUMBERINGS, (row, index) -> numberings.put(row.getString("place"),
				new Numbering(row.getBoolean("identity"), row.getString("name"),
						BigInteger.valueOf(row.getLong("base")).subtract(BigInteger.valueOf(row.getLong("increment"))),
						row.getLong("increment"), BigInteger.valueOf(row.getLong("maximum")), row.getLong("cache"),
						"YES".equals(row.getString("cycles")), null)),
				schema(), schema());
		return numberings;
	}

}
