package dev.idspring.tools.doctor;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generates scripts that change columns on H2.
 */
final class H2Alterations extends Alterations {

	private static final String FOREIGN_KEY_COLUMNS = """
			select r.CONSTRAINT_SCHEMA || '.' || r.CONSTRAINT_NAME, k.TABLE_SCHEMA, k.TABLE_NAME, k.COLUMN_NAME,
			       u.TABLE_SCHEMA, u.TABLE_NAME, u.COLUMN_NAME
			from INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS r
			join INFORMATION_SCHEMA.KEY_COLUMN_USAGE k
			  on k.CONSTRAINT_SCHEMA = r.CONSTRAINT_SCHEMA and k.CONSTRAINT_NAME = r.CONSTRAINT_NAME
			join INFORMATION_SCHEMA.KEY_COLUMN_USAGE u on u.CONSTRAINT_SCHEMA = r.UNIQUE_CONSTRAINT_SCHEMA
			  and u.CONSTRAINT_NAME = r.UNIQUE_CONSTRAINT_NAME and u.ORDINAL_POSITION = k.POSITION_IN_UNIQUE_CONSTRAINT
			order by 1""";

	private static final String TYPE = """
			select coalesce(DOMAIN_NAME, DATA_TYPE || case
			       when CHARACTER_MAXIMUM_LENGTH is not null then '(' || CHARACTER_MAXIMUM_LENGTH || ')'
			       when DATA_TYPE = 'NUMERIC' then '(' || NUMERIC_PRECISION || ',' || NUMERIC_SCALE || ')' else '' end)
			from INFORMATION_SCHEMA.COLUMNS where TABLE_SCHEMA = ? and TABLE_NAME = ? and COLUMN_NAME = ?""";

	private static final String GENERATED = """
			select 'generated column ' || COLUMN_NAME || ' of ' || TABLE_NAME, GENERATION_EXPRESSION
			from INFORMATION_SCHEMA.COLUMNS where TABLE_SCHEMA = ? and TABLE_NAME = ? and IS_GENERATED = 'ALWAYS'""";

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
