package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalogue of MariaDB and MySQL.
 */
final class MysqlCatalogue extends Catalogue {

	private static final String AUTO_INCREMENT = """
			select table_name, column_name, column_type, @@auto_increment_increment as increment
			from information_schema.columns where table_schema = ? and extra like '%auto_increment%'""";

	/**
	 * Matches the next number in the output of {@code show create table}. This output is
	 * always current. On MySQL, the statistics in the {@code information_schema} may be a
	 * day old.
	 */
	private static final Pattern NEXT = Pattern.compile("\\n\\)[^\\n]* ENGINE=\\S+ AUTO_INCREMENT=(\\d+)");

	private static final String SEQUENCES = """
			select table_name from information_schema.tables
			where table_schema = ? and table_type = 'SEQUENCE'""";

	private static final String ROWS = """
			select table_name, table_rows from information_schema.tables
			where table_schema = ? and table_rows is not null""";

	private static final String TYPES = """
			select table_name, column_name, column_type from information_schema.columns where table_schema = ?""";

	private static final String PREFIX_INDEXES = """
			select table_name, index_name from information_schema.statistics
			where table_schema = ? and (sub_part is not null or column_name is null)""";

	MysqlCatalogue(Queries queries, @Nullable QualifiedName onlyTable) throws SQLException {
		super(queries, onlyTable);
	}

	@Override
	Numberings numberings() throws SQLException {
		Numberings numberings = new Numberings(schema(), queries().notRead());
		for (AutoIncrementColumn column : queries().query("columns with auto-increment", AUTO_INCREMENT, (row,
				index) -> new AutoIncrementColumn(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)),
				schema())) {
			add(column, numberings);
		}
		for (String sequence : queries().query("sequences", SEQUENCES, (row, index) -> row.getString(1), schema())) {
			queries().query("sequence " + name(sequence), "select next_not_cached_value,"
					// with the increment 0, auto_increment_increment of the session
					// applies
					+ " coalesce(nullif(increment, 0), @@auto_increment_increment), start_value,"
					+ " minimum_value, maximum_value, cache_size, cycle_option from " + quoted(name(sequence)),
					(row, index) -> sequence(sequence, row))
				.forEach(numberings::add);
		}
		return numberings;
	}

	private void add(AutoIncrementColumn column, Numberings numberings) throws SQLException {
		BigInteger end = new DeclaredType(column.type).end(queries().product());
		if (end == null) {
			queries().notRead()
				.add("auto-increment of " + name(column.table) + "." + column.name + ": " + column.type
						+ " is not a type for whole numbers");
			return;
		}
		queries()
			.query("auto-increment of " + name(column.table), "show create table " + quoted(name(column.table)),
					(row, index) -> NEXT.matcher(row.getString(2)))
			.stream()
			.map((found) -> found.find() ? new BigInteger(found.group(1)) : BigInteger.ONE)
			.map((next) -> new Numbering(true, column.table, name(column.table),
					next.subtract(BigInteger.valueOf(column.increment)), next, column.increment, BigInteger.ONE, end,
					null, false, null))
			.forEach((numbering) -> numberings.relate(column.table + "." + column.name, Relation.OWN, numbering));
	}

	private Numbering sequence(String name, ResultSet row) throws SQLException {
		BigInteger next = row.getBigDecimal(1).toBigInteger();
		long increment = row.getLong(2);
		return new Numbering(false, name, name(name), next.subtract(BigInteger.valueOf(increment)), next, increment,
				row.getBigDecimal(3).toBigInteger(), row.getBigDecimal((increment < 0) ? 4 : 5).toBigInteger(),
				row.getLong(6), row.getBoolean(7), null);
	}

	@Override
	String rowCountsSql() {
		return ROWS;
	}

	@Override
	Map<String, DeclaredType> types() {
		Map<String, DeclaredType> types = new HashMap<>();
		queries().query("types of columns", TYPES, (row, index) -> types.put(row.getString(1) + "." + row.getString(2),
				new DeclaredType(row.getString(3).replace(" zerofill", ""))), schema());
		return types;
	}

	@Override
	Set<String> prefixIndexes() {
		return new HashSet<>(queries().query("indexes", PREFIX_INDEXES,
				(row, index) -> row.getString(1) + "." + row.getString(2), schema()));
	}

	@Override
	String extremeQuery(DeclaredType type, String column, String table, boolean highest) {
		String query = super.extremeQuery(type, column, table, highest);
		// adding 0 converts a bit string to a number
		return type.name().equals("bit") ? query.replaceFirst("\\) from ", ") + 0 from ") : query;
	}

	/**
	 * An auto-increment column, with the increment of its numbers.
	 */
	private record AutoIncrementColumn(String table, String name, String type, long increment) {

	}

}
