package dev.idspring.tools.command;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.jdbc.Bridge;
import dev.idspring.jdbc.Bridge.Counter;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.rowset.SqlRowSetMetaData;

/**
 * The source from which the keys of a table have come so far. The operator can name the
 * source. Otherwise, it is the sequence or identity in the definition of the column. If
 * the definition contains neither, the source is guessed: a sequence or a counter table
 * whose name contains the name of the table.
 *
 * @param bridge a bridge, through which old instances and the generator share the source;
 * {@code null} if no bridge is possible or needed
 * @param identity whether the source is an identity column, which a bridge cannot share
 * @param numbering the sequence or identity column; {@code null} if the source is a
 * counter in a table, or if all instances are stopped
 * @param description a description of the source
 * @param notes how the source was found, and what may conflict with it
 */
record AdoptionSource(@Nullable Bridge bridge, boolean identity, @Nullable Numbering numbering, String description,
		List<String> notes) {

	/** The default {@code allocationSize} of a table or sequence generator in JPA. */
	private static final long JPA_ALLOCATION_SIZE = 50;

	private static final String NONE = "none";

	/** The names of counter columns in Hibernate, CosId, Leaf and Spring's Javadoc. */
	private static final Set<String> COUNTER_COLUMNS = Set.of("next_val", "last_max_id", "max_id",
			"sequence_next_hi_value", "gen_value", "value");

	/**
	 * Find the source.
	 * @param start the first key of the key space
	 * @param quote the quote character for identifiers
	 * @throws IdSetupException if no source or several sources were found, or if the
	 * source cannot be used
	 */
	static AdoptionSource find(Request request, AdoptedColumn column, KeyColumns keys, long start, JdbcTemplate jdbc,
			String quote) {
		String source = request.source();
		if (NONE.equals(source)) {
			return new AdoptionSource(null, false, null, "no source, because all instances are stopped", List.of());
		}
		verifyOwnKey(column);
		if (source == null) {
			return find(request, column, keys, start, jdbc, quote, columnSource(column, keys));
		}
		Numbering numbering = sequence(keys.sequences(), source).orElse(null);
		List<String> notes = conflicts(column, source);
		if (numbering != null) {
			return of(numbering, keys, request, start, notes);
		}
		return table(source, jdbc).map((table) -> of(counter(table, request, start, jdbc, quote), notes))
			.orElseThrow(() -> AdoptCommand.failure(
					"source is '" + source + "', but there is no sequence or table with that name.",
					"Name a sequence in the schema of the adopted table, or a counter table. If the counter table is in"
							+ " another schema, name it as schema.table."));
	}

	private static AdoptionSource find(Request request, AdoptedColumn column, KeyColumns keys, long start,
			JdbcTemplate jdbc, String quote, @Nullable Numbering declared) {
		String name = column.key().name();
		List<Numbering> guesses = KeyColumn
			.usualSequences(keys.sequences(), column.key().table(), column.key().column())
			.stream()
			.filter((one) -> declared == null || !one.name().equals(declared.name()))
			.toList();
		List<QualifiedName> tables = Stream.of("_seq", "_sequence")
			.flatMap((suffix) -> table(column.key().place() + suffix, jdbc).stream())
			.filter((table) -> keys.sequences().stream().noneMatch((one) -> one.place().equals(table)))
			.toList();
		// If the default or identity of the column draws from a sequence, and that
		// sequence covers the keys of a table that is not empty, the sequence takes
		// precedence over sequences that are guessed by name. The only exception is a
		// guess that also covers the keys and has an increment above 1: Hibernate
		// probably uses the guessed sequence.
		boolean takesPrecedence = declared != null && keys.isSequence(declared) && column.key().highest() != null
				&& covers(declared, column.key());
		List<String> candidates = new ArrayList<>();
		if (declared != null) {
			candidates.add(declared.name());
		}
		guesses.stream()
			.filter((one) -> declared == null
					|| (covers(one, column.key()) && (!takesPrecedence || one.increment() > 1)))
			.forEach((one) -> candidates.add(one.name()));
		tables.forEach((table) -> candidates.add(table.name()));
		if (candidates.size() > 1) {
			throw AdoptCommand.failure(
					"source is not set, and the keys of " + name + " could come from any of " + candidates + "."
							+ ((declared != null) ? " The column itself draws from " + declared.name() + "." : ""),
					"Set it to the source that the application uses.");
		}
		if (declared != null) {
			return of(declared, keys, request, start,
					List.of(column.generatesKeys() ? "This source is the identity of the column itself."
							: "The default expression of the column names this source."));
		}
		List<String> guess = List.of("This source was guessed from its name, because the column names no source."
				+ " Set ids.adopt.source to this source if the guess is right, otherwise to the right source.");
		return guesses.stream()
			.findFirst()
			.map((one) -> of(one, keys, request, start, guess))
			.or(() -> tables.stream()
				.findFirst()
				.map((table) -> counter(table, request, start, jdbc, quote))
				.map((bridge) -> of(bridge, guess)))
			.orElseThrow(() -> AdoptCommand.failure(
					"source is not set, and no source was found for the keys of " + name + ".",
					"Set it to the sequence, or the table with a counter, from which the application takes the keys;"
							+ " or stop all instances and set it to none."));
	}

	/**
	 * Return the sequence or identity in the definition of the column, or {@code null} if
	 * there is none.
	 * @throws IdSetupException if something else may generate the keys, for example a
	 * trigger, or if the sequence or identity cannot be used
	 */
	private static @Nullable Numbering columnSource(AdoptedColumn column, KeyColumns keys) {
		KeyColumn key = column.key();
		String triggers = String.join(", ", column.triggers());
		if (!triggers.isEmpty()) {
			throw AdoptCommand.failure(
					"source is not set, and an insert into " + key.table() + " runs triggers (" + triggers
							+ "), which may generate the keys.",
					"Set it to the sequence, or the table with a counter, from which the keys come. If they come from"
							+ " an auto-increment column, stop all instances and set it to none.");
		}
		QualifiedName sequence = column.sequence();
		if (sequence != null) {
			return keys.sequences()
				.stream()
				.filter((one) -> one.place().equals(column.qualified(sequence))
						&& Objects.equals(one.place().schema(), key.schema()))
				.findFirst()
				.orElseThrow(() -> AdoptCommand.failure(
						"source is not set, and the default of " + key.name() + " draws from sequence " + sequence
								+ ", which is in another schema or cannot be read.",
						"Move the sequence into the schema of the table, or grant select on it."));
		}
		if (column.defaultExpression() != null) {
			throw AdoptCommand.failure(
					"source is not set, and the default of " + key.name() + " is " + column.defaultExpression()
							+ ", which is not just the next value of a sequence.",
					"Set it to the sequence, or the table with a counter, from which the keys come.");
		}
		Numbering numbering = key.numbering();
		if (column.generatesKeys() && (numbering == null || !numbering.identity())) {
			throw AdoptCommand.failure(
					"source is not set, and " + key.name() + " is an identity or auto-increment column, which this"
							+ " command can neither share nor set to a higher number on " + column.database() + ".",
					"Stop all instances and set it to none.");
		}
		return column.generatesKeys() ? numbering : null;
	}

	/**
	 * Return notes on what may conflict with the source that the operator named: another
	 * source in the definition of the column, and triggers.
	 */
	private static List<String> conflicts(AdoptedColumn column, String source) {
		List<String> notes = new ArrayList<>();
		QualifiedName sequence = column.sequence();
		Numbering numbering = column.key().numbering();
		String declared = (sequence != null) ? sequence.name()
				: (column.generatesKeys() && numbering != null) ? numbering.name() : column.defaultExpression();
		if (declared != null && !declared.equalsIgnoreCase(source.substring(source.lastIndexOf('.') + 1))) {
			notes.add("ids.adopt.source names this source, but the column itself draws from " + declared
					+ ": an old instance that inserts a row without a key could repeat an existing key.");
		}
		if (!column.triggers().isEmpty()) {
			notes.add("An insert runs triggers (" + String.join(", ", column.triggers())
					+ "), which must not change keys that the insert provides.");
		}
		return notes;
	}

	/**
	 * Verify that the key is not a foreign key to another table.
	 */
	private static void verifyOwnKey(AdoptedColumn column) {
		column.parents().stream().findFirst().ifPresent((parent) -> {
			throw AdoptCommand.failure("table is '" + column.key().table() + "', whose key is a foreign key to "
					+ parent + ", so the table has no keys of its own.", "Adopt " + parent + " instead.");
		});
	}

	/**
	 * Return whether all keys in the table can come from a sequence: the highest key is
	 * less than the last value plus the increment. A key may exceed the last value,
	 * because the last value may be the first key of a block.
	 */
	private static boolean covers(Numbering numbering, KeyColumn key) {
		return key.highest() == null || (numbering.last() != null
				&& numbering.last().add(BigInteger.valueOf(numbering.increment())).compareTo(key.highest()) > 0);
	}

	private static AdoptionSource of(Bridge bridge, List<String> notes) {
		return new AdoptionSource(bridge, false, null,
				bridge + ", from which an old instance takes at most "
						+ CommandContext.count(bridge.increment(), "number") + " at once (ids.adopt.allocation-size)",
				notes);
	}

	private static AdoptionSource of(Numbering numbering, KeyColumns keys, Request request, long start,
			List<String> notes) {
		if (!keys.isSequence(numbering)) {
			return new AdoptionSource(null, true, numbering, "the column itself (identity)", List.of());
		}
		if (numbering.cycles() || numbering.increment() < 1) {
			throw AdoptCommand.failure(
					"source is sequence " + numbering.name() + ", whose numbers do not always increase.",
					"Alter it to NO CYCLE and a positive increment first.");
		}
		long increment = Objects.requireNonNullElse(request.allocationSize(), numbering.increment());
		if (increment != numbering.increment()) {
			throw AdoptCommand.failure(
					"allocation-size is " + increment + ", but the increment of sequence " + numbering.name() + " is "
							+ numbering.increment() + ", so old instances would repeat or lose numbers.",
					"First correct one of the two values, so that both are equal.");
		}
		Bridge bridge = new Bridge(numbering.place(), null, increment, start);
		return new AdoptionSource(bridge, false, numbering, bridge + " (increment " + increment + ")", notes);
	}

	private static Bridge counter(QualifiedName table, Request request, long start, JdbcTemplate jdbc, String quote) {
		String from = " from " + table.quoted(quote);
		SqlRowSetMetaData columns = jdbc.queryForRowSet("select *" + from + " where 1 = 0").getMetaData();
		List<String> otherColumns = new ArrayList<>();
		List<String> textColumns = new ArrayList<>();
		for (int i = 1; i <= columns.getColumnCount(); i++) {
			String type = columns.getColumnClassName(i);
			(type.equals(String.class.getName()) ? textColumns : otherColumns).add(columns.getColumnName(i));
		}
		String column = otherColumns.stream()
			.filter((name) -> otherColumns.size() == 1 || COUNTER_COLUMNS.contains(name.toLowerCase(Locale.ROOT)))
			.findFirst()
			.orElseThrow(() -> AdoptCommand.failure(
					"source is '" + table + "', but it is unknown which of the columns " + otherColumns
							+ " is the counter.",
					"Name a view in which all columns but the counter are text, or rename the counter to next_val."));
		String row = request.row();
		if (row != null && textColumns.isEmpty()) {
			throw AdoptCommand.failure("row is '" + row + "', but table " + table + " has no text column.",
					"Remove the option.");
		}
		Long rows = jdbc.queryForObject("select count(*)" + from, Long.class);
		if (row == null && !Long.valueOf(1).equals(rows)) {
			throw AdoptCommand.failure("row is not set, but table " + table + " has " + rows + " rows.",
					textColumns.isEmpty()
							? "Name a view that contains only the row with the counter for table " + request.table()
									+ "."
							: "Set it to the " + textColumns.get(0) + " of the row that contains the counter for table "
									+ request.table() + ".");
		}
		String key = (row != null)
				? textColumns.stream()
					.filter((text) -> Long.valueOf(1)
						.equals(jdbc.queryForObject("select count(*)" + from + " where "
								+ new QualifiedName(null, text).quoted(quote) + " = ?", Long.class, row)))
					.findFirst()
					.orElseThrow(() -> AdoptCommand.failure(
							"row is '" + row + "', but table " + table
									+ " does not have exactly one row with this value in any of " + textColumns + ".",
							"Correct the value. If only several columns together identify the row, name a view that"
									+ " contains only this row."))
				: null;
		long increment = Objects.requireNonNullElse(request.allocationSize(), JPA_ALLOCATION_SIZE);
		return new Bridge(table, new Counter(column, key, row), increment, start);
	}

	private static Optional<QualifiedName> table(String source, JdbcTemplate jdbc) {
		return CommandContext.only(CommandContext.tables(jdbc, source), "ids.adopt.source", source);
	}

	/**
	 * Find a sequence by its name, which may include the schema.
	 */
	private static Optional<Numbering> sequence(List<Numbering> sequences, String source) {
		List<Numbering> found = QualifiedName.matching(sequences, Numbering::name, source);
		if (found.isEmpty()) {
			found = QualifiedName.matching(sequences, (one) -> one.place().toString(), source);
		}
		CommandContext.only(found.stream().map(Numbering::name).toList(), "ids.adopt.source", source);
		return found.stream().findFirst();
	}

	/**
	 * The operator's options for one table.
	 *
	 * @param table the name of the table
	 * @param generator the name of the generator that will issue the keys of the table,
	 * {@code null} if the option is missing, which {@link TableKeySpace#forAdoption}
	 * rejects
	 * @param source the source from which the keys have come so far, {@code null} to
	 * detect it
	 * @param row the value that identifies the row of the counter, {@code null} if its
	 * table has only one row
	 * @param allocationSize the maximum number of keys that an old instance uses per
	 * value of the source, or {@code null} for the default
	 */
	record Request(String table, @Nullable String generator, @Nullable String source, @Nullable String row,
			@Nullable Long allocationSize) {

	}

}
