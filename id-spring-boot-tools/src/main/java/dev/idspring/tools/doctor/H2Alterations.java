package dev.idspring.tools.doctor;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generates the scripts that change columns on H2.
 */
final class H2Alterations extends Alterations {

	private static final String FOREIGN_KEY_COLUMNS = """
			select r.constraint_schema || '.' || r.constraint_name, k.table_schema, k.table_name, k.column_name,
			       u.table_schema, u.table_name, u.column_name
			from information_schema.referential_constraints r
			join information_schema.key_column_usage k
			  on k.constraint_schema = r.constraint_schema and k.constraint_name = r.constraint_name
			join information_schema.key_column_usage u on u.constraint_schema = r.unique_constraint_schema
			  and u.constraint_name = r.unique_constraint_name and u.ordinal_position = k.position_in_unique_constraint
			order by 1""";

	private static final String TYPE = """
			select coalesce(domain_name, data_type || case
			       when character_maximum_length is not null then '(' || character_maximum_length || ')'
			       when data_type = 'NUMERIC' then '(' || numeric_precision || ',' || numeric_scale || ')' else '' end)
			from information_schema.columns where table_schema = ? and table_name = ? and column_name = ?""";

	private static final String GENERATED = """
			select 'generated column ' || column_name || ' of ' || table_name, generation_expression
			from information_schema.columns where table_schema = ? and table_name = ? and is_generated = 'ALWAYS'""";

	H2Alterations(JdbcTemplate jdbc, DatabaseMetaData data) throws SQLException {
		super(jdbc, data);
	}

	@Override
	String pairsSql() {
		return FOREIGN_KEY_COLUMNS;
	}

	@Override
	DeclaredType type(Column column) {
		return new DeclaredType(String.join("", jdbc().queryForList(TYPE, String.class, column.table().schema(),
				column.table().name(), column.name())));
	}

	@Override
	String change(Script script, Column column, DeclaredType type) {
		return "alter column " + quoted(column.name()) + " set data type " + type.sql();
	}

	@Override
	void addStatements(Script script) {
		script.changes.forEach((column, change) -> {
			findGenerated(script, GENERATED, column);
			script.statements.add("alter table " + table(column) + " " + change + ";");
		});
	}

	@Override
	void widenNumbering(Script script, KeyColumn key, Numbering numbering) {
		Column column = new Column(key.place(), key.column());
		if (key.relation() == Relation.OWN && script.changes.containsKey(column)) {
			script.statements.add("alter table " + table(column) + " alter column " + quoted(column.name()) + " set no "
					+ (numbering.descends() ? "minvalue;" : "maxvalue;"));
		}
	}

}
