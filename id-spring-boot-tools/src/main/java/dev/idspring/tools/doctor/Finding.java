package dev.idspring.tools.doctor;

import java.util.List;

/**
 * A present, future or possible problem with the keys of a table.
 *
 * @param code the kind of problem
 * @param where the column, table or sequence
 * @param what the description of the problem, with the values that were found
 * @param remedy what the operator can do
 * @param statements the SQL statements that solve the problem, in order; empty if there
 * are none, or none are known for the database
 * @since 0.1.0
 */
public record Finding(Code code, String where, String what, String remedy, List<String> statements) {

	/**
	 * Create a finding.
	 */
	public Finding {
		statements = List.copyOf(statements);
	}

	/**
	 * The kinds of problems, worst first.
	 */
	public enum Code {

		/**
		 * The column already contains numbers that its sequence will issue.
		 */
		SEQUENCE_BEHIND,

		/**
		 * Few numbers of the column's type or of the sequence are left.
		 */
		LITTLE_LEFT,

		/**
		 * Hibernate requires an increment that differs from that of the sequence.
		 */
		ALLOCATION_SIZE,

		/**
		 * A foreign key column cannot hold all values of the column that it references.
		 */
		NARROW_REFERENCE,

		/**
		 * The column treats strings as equal if they differ only in upper and lower case.
		 */
		CASE_BLIND_TEXT,

		/**
		 * A sequence restarts after its end with numbers that are already in use.
		 */
		SEQUENCE_CYCLES,

		/**
		 * The column's type or sequence ends below 2<sup>32</sup>, and at least a tenth
		 * of the column's numbers are used.
		 */
		SMALL_TYPE,

		/**
		 * A table has no primary key.
		 */
		NO_KEY

	}

	@Override
	public String toString() {
		return "[" + this.code + "] " + this.where + ": " + this.what + " " + this.remedy
				+ this.statements.stream().map((statement) -> "\n  " + statement).reduce("", String::concat);
	}

}
