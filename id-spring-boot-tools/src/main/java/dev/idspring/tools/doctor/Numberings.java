package dev.idspring.tools.doctor;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.Schema.Column;
import org.jspecify.annotations.Nullable;

/**
 * The sequences and identities of a database, and the columns that get their numbers from
 * them.
 */
final class Numberings {

	/** Matches a default that is exactly the next value of a sequence. */
	private static final Pattern NEXT_VALUE = Pattern
		.compile("(?i)\\(?(?:next value for |nextval\\()(?:(?<schema>[^.()]+)\\.)?(?<name>[^.()]+)\\)*");

	private final Map<String, Numbering> sequences = new LinkedHashMap<>();

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
	 * Add a sequence or an identity.
	 */
	void add(Numbering numbering) {
		this.sequences.put(numbering.name(), numbering);
	}

	/**
	 * Record the sequence or identity from which a column is known to get its numbers.
	 */
	void relate(String column, Relation relation, Numbering numbering) {
		this.columns.put(column, new RelatedNumbering(numbering, relation));
	}

	/**
	 * Record a sequence from which a column may get its numbers, unless another one is
	 * already recorded.
	 */
	void relateIfNew(String column, Relation relation, Numbering numbering) {
		this.columns.putIfAbsent(column, new RelatedNumbering(numbering, relation));
	}

	List<Numbering> sequences() {
		return List.copyOf(this.sequences.values());
	}

	/**
	 * Find the sequence or identity from which a column gets its numbers. The first
	 * choice is the one recorded for the column, and the second is the sequence in the
	 * column's default. The last choice, for keys only, is a sequence whose name matches
	 * the table.
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
		String defaultExpression = (column.defaultExpression() != null)
				? column.defaultExpression().replaceAll("[\"`]", "").strip() : "";
		Matcher nextValue = NEXT_VALUE.matcher(defaultExpression);
		if (!nextValue.matches()) {
			return null;
		}
		Optional<Numbering> sequence = this.sequences.values()
			.stream()
			.filter((one) -> isThisSchema(nextValue.group("schema")) && !one.identity()
					&& one.name().equalsIgnoreCase(nextValue.group("name").strip()))
			.findFirst();
		if (sequence.isEmpty()) {
			this.notRead.add("the sequence in the default of " + table + "." + column.name() + ", " + defaultExpression
					+ ": it is in another schema, or cannot be read");
		}
		return sequence.orElse(null);
	}

	private boolean isThisSchema(@Nullable String schema) {
		return schema == null || this.schema == null || schema.strip().equalsIgnoreCase(this.schema);
	}

	/**
	 * The sequence or identity from which a column gets its numbers, and how the relation
	 * is known.
	 */
	record RelatedNumbering(Numbering numbering, Relation relation) {

	}

}
