package dev.idspring.tools.doctor;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.Schema.Column;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;

/**
 * The sequences and identities of a database, and the columns that get their numbers from
 * them.
 */
final class Numberings {

	private final Map<QualifiedName, Numbering> sequences = new LinkedHashMap<>();

	private final Map<String, RelatedNumbering> columns = new HashMap<>();

	private final @Nullable String schema;

	private final List<String> notRead;

	/**
	 * Create an empty collection.
	 * @param schema the schema of the tables and sequences
	 * @param notRead receives the parts that could not be read
	 */
	Numberings(@Nullable String schema, List<String> notRead) {
		this.schema = schema;
		this.notRead = notRead;
	}

	/**
	 * Add a sequence.
	 */
	void add(Numbering sequence) {
		this.sequences.put(sequence.place(), sequence);
	}

	/**
	 * Record the sequence or identity from which a column certainly gets its numbers.
	 */
	void relate(String column, Relation relation, Numbering numbering) {
		this.columns.put(column, new RelatedNumbering(numbering, relation));
	}

	/**
	 * Record a sequence from which a column may get its numbers, unless a sequence or
	 * identity is already recorded for the column.
	 */
	void relateIfNew(String column, Relation relation, Numbering numbering) {
		this.columns.putIfAbsent(column, new RelatedNumbering(numbering, relation));
	}

	List<Numbering> sequences() {
		return List.copyOf(this.sequences.values());
	}

	/**
	 * Find the sequence or identity from which a column gets its numbers. The sequence or
	 * identity that was recorded for the column takes precedence over the sequence in the
	 * column's default. For a key without either, the method guesses a sequence whose
	 * name matches the table.
	 * @param isKey whether the column is the key of its table
	 */
	@Nullable RelatedNumbering of(String table, Column column, boolean isKey) {
		RelatedNumbering related = this.columns.get(table + "." + column.name());
		if (related != null || column.end() == null) {
			return related;
		}
		Numbering sequence = sequenceOfDefault(table, column);
		if (sequence != null) {
			return new RelatedNumbering(sequence, Relation.DEFAULT);
		}
		return isKey ? KeyColumn.usualSequences(sequences(), table, column.name())
			.stream()
			.filter((one) -> !one.identity())
			.findFirst()
			.map((one) -> new RelatedNumbering(one, Relation.NAME))
			.orElse(null) : null;
	}

	private @Nullable Numbering sequenceOfDefault(String table, Column column) {
		QualifiedName name = Numbering.sequenceIn(column.defaultExpression());
		if (name == null) {
			return null;
		}
		Numbering sequence = this.sequences
			.get((name.schema() != null) ? name : new QualifiedName(this.schema, name.name()));
		if (sequence == null) {
			this.notRead.add("the sequence in the default of " + table + "." + column.name() + ", "
					+ column.defaultExpression() + ": it is in another schema, or cannot be read");
		}
		return sequence;
	}

	/**
	 * The sequence or identity from which a column gets its numbers, and the evidence for
	 * it.
	 */
	record RelatedNumbering(Numbering numbering, Relation relation) {

	}

}
