package dev.idspring.tools.doctor;

import java.util.List;

/**
 * A present, future or possible problem with the keys of a table.
 *
 * @param code the kind of problem
 * @param where the column or table
 * @param what the finding, with its values
 * @param remedy what to do
 * @param statements the SQL that does it, in order; empty if there is none, or it is
 * unknown for the database
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
		 * The column already contains the next numbers of a sequence.
		 */
		SEQUENCE_BEHIND,

		/**
		 * Little is left of the type or the sequence.
		 */
		LITTLE_LEFT,

		/**
		 * Hibernate assumes another increment than the sequence has.
		 */
		ALLOCATION_SIZE,

		/**
		 * A foreign key cannot hold all keys that it references.
		 */
		NARROW_REFERENCE,

		/**
		 * Texts that differ in upper and lower case only are one key.
		 */
		CASE_BLIND_TEXT,

		/**
		 * A sequence restarts after its end, where its numbers are taken.
		 */
		SEQUENCE_CYCLES,

		/**
		 * A type or sequence of 32 bits or less is being used up.
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
