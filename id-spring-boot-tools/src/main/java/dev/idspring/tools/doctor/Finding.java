package dev.idspring.tools.doctor;

import java.util.List;

/**
 * Something that is wrong with the keys of a table, or soon will be, or that may be.
 *
 * @param code what it is
 * @param where the column or table
 * @param what what was found, with its values
 * @param remedy what to do
 * @param statements the SQL that does it, in order; empty if there is none, or it is not
 * known for the database
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
	 * What can be wrong, worst first.
	 */
	public enum Code {

		/**
		 * The numbers of a sequence stand in the column already.
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
		 * A foreign key cannot hold all keys that it refers to.
		 */
		NARROW_REFERENCE,

		/**
		 * Texts that differ in upper and lower case only are one key.
		 */
		CASE_BLIND_TEXT,

		/**
		 * A sequence begins again after its end, where its numbers are taken.
		 */
		SEQUENCE_CYCLES,

		/**
		 * A type or sequence of 32 bits or less is on its way to its end.
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
