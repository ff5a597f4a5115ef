package dev.idspring.tools.doctor;

import java.util.List;

import dev.idspring.jdbc.QualifiedName;

/**
 * A foreign key, as the catalogue has it.
 *
 * @param name its name
 * @param table the table that refers
 * @param columns the columns that refer, in order
 * @param target the table that is referred to
 * @param targetColumns the columns that are referred to, in the same order
 */
record ForeignKey(String name, QualifiedName table, List<String> columns, QualifiedName target,
		List<String> targetColumns) {

	/**
	 * Create a foreign key.
	 */
	ForeignKey {
		columns = List.copyOf(columns);
		targetColumns = List.copyOf(targetColumns);
	}

}
