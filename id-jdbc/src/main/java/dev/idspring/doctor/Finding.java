package dev.idspring.doctor;

/**
 * Something that is wrong with the keys of a table, or soon will be.
 *
 * @param code what it is
 * @param where the column or table
 * @param what what was found, with its values
 * @param remedy what to do
 * @since 0.1.0
 */
public record Finding(Code code, String where, String what, String remedy) {

	/**
	 * What can be wrong.
	 */
	public enum Code {

		/**
		 * Little is left of the type or the sequence.
		 */
		LITTLE_LEFT,

		/**
		 * A type of 32 bits or less is on its way to its end.
		 */
		SMALL_TYPE,

		/**
		 * The next number of a sequence stands in the column already.
		 */
		SEQUENCE_BEHIND,

		/**
		 * A sequence begins again after its end, where its numbers are taken.
		 */
		SEQUENCE_CYCLES,

		/**
		 * Hibernate assumes another increment than the sequence has.
		 */
		ALLOCATION_SIZE,

		/**
		 * Texts that differ in upper and lower case only are one key.
		 */
		CASE_BLIND_TEXT,

		/**
		 * A foreign key cannot hold all keys that it refers to.
		 */
		NARROW_REFERENCE,

		/**
		 * A table has no primary key.
		 */
		NO_KEY

	}

	@Override
	public String toString() {
		return "[" + this.code + "] " + this.where + ": " + this.what + " " + this.remedy;
	}

}
