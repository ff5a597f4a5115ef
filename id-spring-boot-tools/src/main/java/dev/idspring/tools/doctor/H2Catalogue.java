package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalogue of H2. A numbering is a sequence or an identity column.
 */
final class H2Catalogue extends Catalogue {

	private static final String NUMBERINGS = """
			select table_name || '.' || column_name as place, true as identity, table_name as name,
			       identity_base as base, identity_start as first, identity_increment as increment,
			       identity_minimum as minimum, identity_maximum as maximum, identity_cache as cache,
			       identity_cycle as cycles
			from information_schema.columns where table_schema = ? and is_identity = 'YES'
			union all
			select sequence_name, false, sequence_name, base_value, start_value, "INCREMENT", minimum_value,
			       maximum_value, "CACHE", cycle_option
			from information_schema.sequences where sequence_schema = ?""";

	private static final String ROWS = """
			select table_name, row_count_estimate from information_schema.tables where table_schema = ?""";

	H2Catalogue(Queries queries, @Nullable QualifiedName onlyTable) throws SQLException {
		super(queries, onlyTable);
	}

	@Override
	Numberings numberings() {
		Numberings numberings = new Numberings(schema(), queries().notRead());
		queries().query("sequences", NUMBERINGS, (row, index) -> {
			long increment = row.getLong("increment");
			BigInteger end = BigInteger.valueOf(row.getLong((increment < 0) ? "minimum" : "maximum"));
			// without a base value, the sequence has no number left
			BigInteger next = (row.getObject("base") != null) ? BigInteger.valueOf(row.getLong("base"))
					: end.add(BigInteger.valueOf(increment));
			Numbering numbering = new Numbering(row.getBoolean("identity"), row.getString("name"),
					next.subtract(BigInteger.valueOf(increment)), next, increment,
					BigInteger.valueOf(row.getLong("first")), end, row.getLong("cache"),
					"YES".equals(row.getString("cycles")), null);
			numberings.add(numbering);
			if (numbering.identity()) {
				numberings.relate(row.getString("place"), Relation.OWN, numbering);
			}
			return numbering;
		}, schema(), schema());
		return numberings;
	}

	@Override
	Map<String, Long> rowCounts() {
		Map<String, Long> rowCounts = new HashMap<>();
		queries().query("row counts", ROWS, (row, index) -> rowCounts.put(row.getString(1), row.getLong(2)), schema());
		return rowCounts;
	}

}
