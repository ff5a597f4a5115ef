package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.SQLException;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalogue of H2. A numbering is a sequence or an identity column. The queries
 * write the names of the catalogue in upper case, because H2 does not find lower-case
 * names with {@code DATABASE_TO_UPPER=false}.
 */
final class H2Catalogue extends Catalogue {

	private static final String NUMBERINGS = """
			select TABLE_NAME || '.' || COLUMN_NAME as place, true as identity, TABLE_NAME as name,
			       IDENTITY_BASE as base, IDENTITY_START as first, IDENTITY_INCREMENT as increment,
			       IDENTITY_MINIMUM as minimum, IDENTITY_MAXIMUM as maximum, IDENTITY_CACHE as cache,
			       IDENTITY_CYCLE as cycles
			from INFORMATION_SCHEMA.COLUMNS where TABLE_SCHEMA = ? and IS_IDENTITY = 'YES'
			union all
			select SEQUENCE_NAME, false, SEQUENCE_NAME, BASE_VALUE, START_VALUE, INCREMENT, MINIMUM_VALUE,
			       MAXIMUM_VALUE, CACHE, CYCLE_OPTION
			from INFORMATION_SCHEMA.SEQUENCES where SEQUENCE_SCHEMA = ?""";

	private static final String ROWS = """
			select TABLE_NAME, ROW_COUNT_ESTIMATE from INFORMATION_SCHEMA.TABLES where TABLE_SCHEMA = ?""";

	H2Catalogue(Queries queries, @Nullable QualifiedName onlyTable) throws SQLException {
		super(queries, onlyTable);
	}

	@Override
	Numberings numberings() {
		Numberings numberings = new Numberings(schema(), queries().notRead());
		queries().query("sequences", NUMBERINGS, (row, index) -> {
			BigInteger base = BigInteger.valueOf(row.getLong("base"));
			// an exhausted numbering has no next number
			BigInteger next = row.wasNull() ? null : base;
			long increment = row.getLong("increment");
			BigInteger end = BigInteger.valueOf(row.getLong((increment < 0) ? "minimum" : "maximum"));
			String name = row.getString("name");
			Numbering numbering = new Numbering(row.getBoolean("identity"), name, name(name),
					(next != null) ? next.subtract(BigInteger.valueOf(increment)) : end, next, increment,
					BigInteger.valueOf(row.getLong("first")), end, row.getLong("cache"),
					"YES".equals(row.getString("cycles")), null);
			if (numbering.identity()) {
				numberings.relate(row.getString("place"), Relation.OWN, numbering);
			}
			else {
				numberings.add(numbering);
			}
			return numbering;
		}, schema(), schema());
		return numberings;
	}

	@Override
	String rowCountsSql() {
		return ROWS;
	}

}
