package dev.idspring.doctor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import dev.idspring.InvalidSettingException;
import dev.idspring.doctor.Finding.Code;
import dev.idspring.doctor.KeyColumn.Numbering;
import dev.idspring.monitor.LowThreshold;

/**
 * Says what is wrong with the keys of tables.
 *
 * @param low when little is left
 * @since 0.1.0
 */
public record Doctor(LowThreshold low) {

	/** Types up to this one are small. */
	private static final BigInteger SMALL = BigInteger.ONE.shiftLeft(32);

	/** Of a small type, this share being used tells that the table grows. */
	private static final int GROWN_PERCENT = 10;

	/** Tables of tools, which have no key on purpose. */
	private static final Set<String> TOOLS = Set.of("databasechangelog");

	/**
	 * Create a doctor.
	 * @throws IllegalArgumentException if the threshold is missing
	 */
	public Doctor {
		InvalidSettingException.requireGiven(Doctor.class, "low", low);
	}

	/**
	 * Examine the keys of tables.
	 * @param keys the keys
	 * @param allocations what Hibernate assumes of sequences
	 * @return what is wrong
	 */
	public List<Finding> examine(KeyColumns keys, List<Allocation> allocations) {
		InvalidSettingException.requireGiven(Doctor.class, "keys", keys);
		InvalidSettingException.requireElements(Doctor.class, "allocations", allocations);
		List<Finding> findings = new ArrayList<>();
		for (KeyColumn column : keys.columns()) {
			examineEnd(column, findings);
			examineNumbering(column, findings);
			examineReferences(column, findings);
			if (column.caseBlindTexts() != null) {
				findings.add(new Finding(Code.CASE_BLIND_TEXT, column.name(),
						"keys such as '" + column.caseBlindTexts()
								+ "' mix upper and lower case, but the collation does not tell these apart.",
						"Give the column a binary collation (such as ascii_bin), or use an alphabet of one case, base36 or"
								+ " base32."));
			}
		}
		allocations.forEach((allocation) -> examine(allocation, keys.sequences()).ifPresent(findings::add));
		for (String table : keys.withoutKey()) {
			if (!TOOLS.contains(table.toLowerCase(Locale.ROOT))) {
				findings.add(new Finding(Code.NO_KEY, table, "the table has no primary key.",
						"Add one: rows cannot be told apart, replicated or changed by their key."));
			}
		}
		return List.copyOf(findings);
	}

	/**
	 * Return which percentage of a column's numbers is used.
	 * @param column a column
	 * @return 0 to 100, or 0 if it holds no whole numbers
	 */
	public static double usedPercent(KeyColumn column) {
		InvalidSettingException.requireGiven(Doctor.class, "column", column);
		BigInteger last = column.last();
		if (last == null || last.signum() <= 0) {
			return 0;
		}
		return new BigDecimal(column.used()).multiply(BigDecimal.valueOf(100))
			.divide(new BigDecimal(last), 6, RoundingMode.HALF_UP)
			.doubleValue();
	}

	private void examineEnd(KeyColumn column, List<Finding> findings) {
		BigInteger last = column.last();
		if (last == null || column.end() == null) {
			return;
		}
		String used = column.used() + " of " + last + " are used";
		if (100 - usedPercent(column) < 100 * this.low.remainingShare()) {
			boolean sequence = last.compareTo(column.end()) < 0;
			findings.add(new Finding(Code.LITTLE_LEFT, column.name(), used + ".", sequence
					? "Raise the end of the sequence."
					: "Change the column and the foreign keys that refer to it to BIGINT before the last number is"
							+ " used: inserts fail from then on."));
		}
		else if (column.end().compareTo(SMALL) < 0 && usedPercent(column) >= GROWN_PERCENT) {
			findings.add(new Finding(Code.SMALL_TYPE, column.name(),
					"the table grows, and the type " + column.type() + " ends: " + used + ".",
					"Plan the change to BIGINT, with the foreign keys that refer to it, while there is time."));
		}
	}

	private static void examineNumbering(KeyColumn column, List<Finding> findings) {
		Numbering numbering = column.numbering();
		if (numbering == null) {
			return;
		}
		BigInteger next = (numbering.last() != null) ? numbering.last().add(BigInteger.valueOf(numbering.increment()))
				: null;
		if (column.highest() != null && next != null && numbering.increment() > 0
				&& next.compareTo(column.highest()) <= 0) {
			findings.add(new Finding(Code.SEQUENCE_BEHIND, column.name(),
					"the highest number is " + column.highest() + ", but " + numbering.name() + " goes on with " + next
							+ ": inserts will fail.",
					"Set the sequence ahead of " + column.highest() + ", and find out who inserts numbers past it."));
		}
		if (numbering.cycles()) {
			findings.add(new Finding(Code.SEQUENCE_CYCLES, column.name(),
					numbering.name() + " begins again after " + numbering.end() + ", with numbers that are taken.",
					"Alter it to NO CYCLE."));
		}
	}

	private static Optional<Finding> examine(Allocation allocation, List<Numbering> sequences) {
		return sequences.stream()
			.filter((sequence) -> sequence.name().equalsIgnoreCase(allocation.sequence())
					&& sequence.increment() != allocation.size())
			.findFirst()
			.map((sequence) -> new Finding(Code.ALLOCATION_SIZE, allocation.table(),
					"Hibernate takes " + allocation.size() + " numbers for each value of " + sequence.name()
							+ ", which adds " + sequence.increment() + ": "
							+ ((allocation.size() > sequence.increment()) ? "numbers repeat." : "numbers are lost."),
					"Set allocationSize to " + sequence.increment() + ", or alter the sequence to INCREMENT BY "
							+ allocation.size() + "."));
	}

	private static void examineReferences(KeyColumn column, List<Finding> findings) {
		for (KeyColumn.Reference reference : column.references()) {
			if (column.end() != null && reference.end() != null && reference.end().compareTo(column.end()) < 0) {
				findings.add(new Finding(Code.NARROW_REFERENCE, reference.table() + "." + reference.column(),
						"the type " + reference.type() + " ends at " + reference.end() + ", but " + column.name()
								+ ", which it refers to, has the type " + column.type() + ".",
						"Change it to " + column.type() + "."));
			}
		}
	}

	/**
	 * What Hibernate assumes of a sequence.
	 *
	 * @param table the table whose keys it makes
	 * @param sequence the sequence
	 * @param size how many numbers it takes for each value ({@code allocationSize})
	 * @since 0.1.0
	 */
	public record Allocation(String table, String sequence, long size) {

		/**
		 * Create an assumption.
		 * @throws IllegalArgumentException if a name is missing
		 */
		public Allocation {
			InvalidSettingException.requireGiven(Allocation.class, "table", table);
			InvalidSettingException.requireGiven(Allocation.class, "sequence", sequence);
		}

	}

}
