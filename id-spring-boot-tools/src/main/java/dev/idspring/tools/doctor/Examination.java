package dev.idspring.tools.doctor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.tools.doctor.Doctor.Allocation;
import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.KeyColumns.NarrowReference;
import dev.idspring.tools.doctor.KeyColumns.TableWithoutKey;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.jspecify.annotations.Nullable;

/**
 * Examines the keys of tables, and collects problems and notes.
 * <p>
 * For some columns, the database does not show whether a sequence generates the keys
 * ({@link Relation#NAME}). A finding that relates such a column and its sequence is only
 * a note, because the sequence may be obsolete, or Hibernate may multiply its values.
 * There are two exceptions. If an {@link Allocation} states which sequence Hibernate uses
 * for the table, that sequence is examined with the table instead. A sequence that has
 * few numbers left is always reported as a problem, unless it cycles.
 */
final class Examination {

	/** A type or sequence is small if it ends before this number. */
	private static final BigInteger SMALL = BigInteger.ONE.shiftLeft(32);

	/**
	 * A small type or sequence is reported if at least this percentage of its numbers is
	 * used.
	 */
	static final int GROWN_PERCENT = 10;

	/** Tables that other tools create without a primary key on purpose. */
	private static final Set<String> TABLES_OF_TOOLS = Set.of("databasechangelog");

	private final KeyColumns keys;

	private final List<Allocation> allocations;

	private final LowThreshold low;

	private final Statements statements;

	private final List<Finding> problems = new ArrayList<>();

	private final List<Finding> notes = new ArrayList<>();

	Examination(KeyColumns keys, List<Allocation> allocations, LowThreshold low) {
		this.keys = keys;
		this.allocations = allocations;
		this.low = low;
		this.statements = new Statements(keys);
		examine();
		this.problems.sort(Comparator.comparing(Finding::code));
		this.notes.sort(Comparator.comparing(Finding::code));
	}

	/**
	 * Return the problems, the worst kind first. Problems of the same kind are in the
	 * order in which they were found. Columns are examined in descending order of their
	 * share of used numbers.
	 */
	List<Finding> problems() {
		return List.copyOf(this.problems);
	}

	/**
	 * Return the possible problems, the worst kind first.
	 */
	List<Finding> notes() {
		return List.copyOf(this.notes);
	}

	private void examine() {
		List<KeyColumn> columns = Stream.concat(this.keys.columns().stream(), this.keys.numbered().stream())
			.sorted(Comparator.comparingDouble(Doctor::usedPercent).reversed())
			.toList();
		Set<QualifiedName> examined = new HashSet<>();
		for (KeyColumn column : columns) {
			examineEnd(column);
			Numbering numbering = column.numbering();
			if (numbering != null && column.relation() == Relation.NAME) {
				examineUncertain(column, numbering);
			}
			else if (numbering != null) {
				if (this.keys.isSequence(numbering)) {
					examined.add(numbering.place());
				}
				examineNumbering(column, numbering);
			}
		}
		this.keys.sequences()
			.stream()
			.filter((sequence) -> !examined.contains(sequence.place()) && !sequence.cycles())
			.forEach(this::examineSequence);
		this.allocations.forEach(this::examineAllocation);
		this.keys.narrow().forEach(this::examineNarrow);
		this.keys.texts().forEach(this::examineText);
		this.keys.withoutKey().forEach(this::examineWithoutKey);
	}

	private boolean isLow(double usedPercent) {
		return 100 - usedPercent < 100 * this.low.remainingShare();
	}

	private void examineEnd(KeyColumn column) {
		BigInteger last = column.last();
		if (last == null || column.end() == null) {
			return;
		}
		double percent = Doctor.usedPercent(column);
		Numbering limit = limitingSequence(column, last);
		boolean isSmall = ((limit != null) ? last.abs() : column.end()).compareTo(SMALL) < 0;
		if (!isLow(percent) && !(isSmall && percent >= GROWN_PERCENT)) {
			return;
		}
		String used = column.used() + " of " + last + " are used";
		StoredKeySpace scattered = this.keys.scattered(column).orElse(null);
		if (scattered != null) {
			note(isLow(percent) ? Code.LITTLE_LEFT : Code.SMALL_TYPE, column.name(),
					used + ", unless the keys come from key space '" + scattered.name()
							+ "', which issues them in random order.",
					"If they do, ignore this note: " + Math.max(0, scattered.capacity() - scattered.nextOrdinal())
							+ " of its " + scattered.capacity() + " keys are left.",
					List.of());
			return;
		}
		Alteration widening = (limit != null)
				? new Alteration(this.statements.removeLimit(column, limit), List.of(), List.of()) : column.widening();
		List<String> statements = statements(widening);
		if (isLow(percent)) {
			problem(Code.LITTLE_LEFT, column.name(), used + ".", (limit != null)
					? "Raise the end of the sequence before inserts fail."
					: (isSmall || widening == null || !statements.isEmpty() || !widening.obstacles().isEmpty())
							? "Change the column, and the foreign keys that refer to it, to BIGINT before the"
									+ " last number is used: inserts fail from then on." + remark(widening)
							: "No integer type is wider. Find out what inserted numbers so close to the end of the"
									+ " type, and give these rows other numbers.",
					statements);
		}
		else {
			problem(Code.SMALL_TYPE, column.name(),
					"the table grows, but " + ((limit != null) ? "its sequence" : "the type " + column.type())
							+ " is limited: " + used + ".",
					(limit != null) ? "Raise the end of the sequence while there is time."
							: "Plan to change the column, and the foreign keys that refer to it, to BIGINT while there"
									+ " is time." + remark(widening),
					statements);
		}
	}

	/**
	 * Return the sequence of a column if the sequence ends before the column's type,
	 * {@code null} otherwise.
	 */
	private static @Nullable Numbering limitingSequence(KeyColumn column, BigInteger last) {
		Numbering numbering = column.numbering();
		boolean typeEnds = last.equals(column.end()) || last.not().equals(column.end());
		return (numbering != null && column.relation() != Relation.NAME && !typeEnds) ? numbering : null;
	}

	private void examineNumbering(KeyColumn column, Numbering numbering) {
		if (column.taken() != null) {
			boolean isKey = this.keys.columns().contains(column);
			problem(Code.SEQUENCE_BEHIND, column.name(),
					furthest(column, numbering) + ", but " + numbering.name() + " continues with " + numbering.next()
							+ ", and " + column.taken() + " is taken: "
							+ (isKey ? "inserts will fail." : "inserts will fail, or numbers repeat."),
					"Advance the sequence, and find out what inserts numbers beyond it.",
					this.statements.setAhead(column, numbering));
		}
		if (numbering.cycles()) {
			problem(Code.SEQUENCE_CYCLES, column.name(),
					numbering.name() + " restarts after " + numbering.end() + ", with numbers that are already taken.",
					"Alter the sequence to NO CYCLE.", this.statements.noCycle(column, numbering));
		}
	}

	private static String furthest(KeyColumn column, Numbering numbering) {
		return "the " + (numbering.descends() ? "lowest" : "highest") + " number is " + column.highest();
	}

	/**
	 * Examine a sequence that may or may not generate the keys of a column.
	 */
	private void examineUncertain(KeyColumn column, Numbering numbering) {
		if (this.allocations.stream().anyMatch((one) -> this.keys.isNamed(column.place(), one.table()))) {
			return;
		}
		String unknown = "Nothing in the database shows that " + numbering.name() + " generates the keys of this"
				+ " column. With ids.columns.watch, the application examines the sequence from which Hibernate draws.";
		if (column.taken() != null) {
			note(Code.SEQUENCE_BEHIND, column.name(), furthest(column, numbering) + ", and " + numbering.name()
					+ " continues with " + numbering.next()
					+ ". Inserts will fail if its values become keys, but not if the sequence is unused or Hibernate"
					+ " multiplies its values (hilo).", unknown, this.statements.setAhead(column, numbering));
		}
		if (numbering.cycles()) {
			note(Code.SEQUENCE_CYCLES, column.name(),
					numbering.name() + " restarts after " + numbering.end()
							+ ". If its values become keys, the numbers after the restart are already taken.",
					unknown, this.statements.noCycle(column, numbering));
		}
	}

	/**
	 * Examine how many numbers a sequence has left, regardless of what draws from it.
	 */
	private void examineSequence(Numbering sequence) {
		BigInteger last = sequence.last();
		if (!sequence.identity() && last != null && isLow(Doctor.percent(sequence.origin(), last, sequence.end()))) {
			problem(Code.LITTLE_LEFT, sequence.place().toString(), last + " of " + sequence.end() + " are used.",
					"Raise the end of the sequence, if something draws from it.",
					this.statements.removeLimit(null, sequence));
		}
	}

	private void examineAllocation(Allocation allocation) {
		Numbering sequence = this.keys.sequenceOf(allocation).orElse(null);
		if (sequence == null) {
			return;
		}
		KeyColumn column = this.keys.columns()
			.stream()
			.filter((one) -> this.keys.isNamed(one.place(), allocation.table()) && one.end() != null)
			.findFirst()
			.orElse(null);
		BigInteger highest = (column != null && column.highest() != null) ? column.highest() : BigInteger.ZERO;
		long increment = allocation.increment();
		long actual = Math.abs(sequence.increment());
		long expected = sequence.descends() ? -increment : increment;
		if (actual != increment) {
			long keys = allocation.keysPerValue();
			problem(Code.ALLOCATION_SIZE, allocation.table(),
					"Hibernate takes " + keys + ((keys == 1) ? " number" : " numbers") + " for each value of "
							+ sequence.name() + ", whose increment is " + sequence.increment() + " instead of "
							+ expected + ": " + ((increment > actual) ? "numbers repeat." : "numbers are lost."),
					remedy(allocation, actual, expected), sequence.descends() ? List.of()
							: this.statements.setIncrement(sequence, increment, allocation.valueAbove(highest)));
		}
		if (column == null || (column.relation() != Relation.NAME && sequence.equals(column.numbering()))) {
			return;
		}
		BigInteger next = (sequence.next() != null && column.highest() != null)
				? allocation.firstKey(sequence.next()).max(sequence.first()) : null;
		if (next != null && sequence.increment() > 0 && next.compareTo(highest) <= 0) {
			problem(Code.SEQUENCE_BEHIND, column.name(),
					"the highest number is " + highest + ", but Hibernate continues with " + next + ", from "
							+ sequence.name() + ": inserts will fail.",
					"Advance the sequence, and find out what inserts numbers beyond it.",
					this.statements.setIncrement(sequence, increment, allocation.valueAbove(highest)));
		}
		if (sequence.cycles()) {
			problem(Code.SEQUENCE_CYCLES, column.name(),
					sequence.name() + " restarts after " + sequence.end() + ", with numbers that are already taken.",
					"Alter the sequence to NO CYCLE.", this.statements.noCycle(null, sequence));
		}
	}

	/**
	 * Return how to make an allocation and its sequence match. With hilo optimizers,
	 * changing the {@code allocationSize} does not help.
	 */
	private static String remedy(Allocation allocation, long actual, long expected) {
		String remedy = switch (allocation.optimizer()) {
			case NONE -> "Set allocationSize to " + actual + " and use a pooled optimizer, or alter";
			case POOLED, POOLED_LO -> "Set allocationSize to " + actual + ", or alter";
			case HILO, LEGACY_HILO -> "Alter";
		};
		return remedy + " the sequence to INCREMENT BY " + expected + " and restart it where no number is taken.";
	}

	private void examineNarrow(NarrowReference narrow) {
		problem(Code.NARROW_REFERENCE, narrow.reference().table() + "." + narrow.reference().column(),
				"the type " + narrow.reference().type() + " cannot hold all values of " + narrow.target()
						+ ", which the column references and whose type is " + narrow.type() + ".",
				"Change the column to " + narrow.type() + "." + remark(narrow.widening()),
				statements(narrow.widening()));
	}

	private void examineText(TextColumn text) {
		String what = "The collation of this " + text.kindOfKey()
				+ " column ignores the difference between upper and lower case";
		Alteration alteration = text.alteration();
		List<String> statements = statements(alteration);
		boolean hasAdvice = alteration != null && statements.isEmpty() && alteration.obstacles().isEmpty();
		if (text.example() != null) {
			problem(Code.CASE_BLIND_TEXT, text.qualifiedName(),
					what + ", but strings such as '" + text.example() + "' mix both.",
					(hasAdvice ? text.remedy() + " Alternatively," : "Give the column a case-sensitive collation, or")
							+ " use an alphabet with only one case, base36 or base32." + remark(alteration),
					statements);
		}
		else {
			note(Code.CASE_BLIND_TEXT, text.qualifiedName(),
					what + ((text.sampleSize() == 0) ? ". The column contains no strings yet."
							: ". Of the strings that were read (" + text.sampleSize()
									+ "), fewer than one in ten mix upper and lower case the way ids do."),
					"Leave the collation unchanged for names and words; change it before the column stores ids with"
							+ " upper and lower case." + remark(alteration),
					statements);
		}
	}

	private void examineWithoutKey(TableWithoutKey table) {
		if (TABLES_OF_TOOLS.contains(table.table().name().toLowerCase(Locale.ROOT))) {
			return;
		}
		problem(Code.NO_KEY, table.table().toString(), "the table has no primary key.",
				"Add one: without it, a single row cannot be identified, changed or replicated reliably." + ((table
					.candidate()
					.isEmpty() && table.name() == null)
							? " In a partitioned table, the key must contain the columns that determine the partition."
							: ""),
				this.statements.addKey(table));
	}

	private static List<String> statements(@Nullable Alteration alteration) {
		return (alteration != null) ? alteration.statements() : List.of();
	}

	private static String remark(@Nullable Alteration alteration) {
		return (alteration != null) ? alteration.remark() : "";
	}

	private void problem(Code code, String where, String what, String remedy, List<String> statements) {
		this.problems.add(new Finding(code, where, what, remedy, statements));
	}

	private void note(Code code, String where, String what, String remedy, List<String> statements) {
		this.notes.add(new Finding(code, where, what, remedy, statements));
	}

}
