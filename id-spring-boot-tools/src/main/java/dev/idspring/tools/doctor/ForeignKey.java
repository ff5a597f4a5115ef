package dev.idspring.tools.doctor;

import java.util.List;

import dev.idspring.jdbc.QualifiedName;

/**
 * A foreign key, as described by the JDBC metadata.
 *
 * @param name the name of the foreign key
 * @param table the referencing table
 * @param columns the referencing columns, in order
 * @param target the referenced table
 * @param targetColumns the referenced columns, in the same order
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
