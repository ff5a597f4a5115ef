package dev.idspring.autoconfigure.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.doctor.KeyColumn;
import dev.idspring.doctor.KeyColumn.Numbering;
import dev.idspring.doctor.KeyColumns;
import dev.idspring.jdbc.Bridge;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.Bridge.Counter;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.rowset.SqlRowSetMetaData;

/**
 * Finds what numbers the rows of a table.
 *
 * @param bridge a bridge to it, {@code null} if there can be none
 * @param identity whether it is an identity column that cannot be shared
 * @param description what it is
 */
record AdoptionSource(@Nullable Bridge bridge, boolean identity, String description) {

	/** The default of JPA, for {@code @TableGenerator} and {@code @SequenceGenerator}. */
	private static final long JPA_ALLOCATION = 50;

	private static final String NONE = "none";

	/** What counters are called by Hibernate, CosId, Leaf and in Spring's manual. */
	private static final Set<String> COUNTERS = Set.of("next_val", "last_max_id", "max_id", "sequence_next_hi_value",
			"gen_value", "value");

	/**
	 * Find it.
	 * @param start the first key of the key space
	 * @param quote what encloses names
	 * @throws IdSetupException if nothing is found
	 */
	static AdoptionSource find(IdsProperties.Adopt options, KeyColumn column, KeyColumns keys, long start,
			JdbcTemplate jdbc, String quote) {
		String wanted = options.source();
		Numbering numbering = (wanted == null) ? column.numbering()
				: sequence(keys.sequences(), column.place(), wanted).orElse(null);
		if (NONE.equals(wanted)) {
			return new AdoptionSource(null, false, "nothing, as all instances are stopped");
		}
		if (wanted == null) {
			verifySingle(column, keys);
		}
		if (numbering != null) {
			return of(numbering, column.place(), keys.database(), options, start);
		}
		List<String> candidates = (wanted != null) ? List.of(wanted)
				: List.of(column.place() + "_seq", column.place() + "_sequence");
		return candidates.stream()
			.flatMap((table) -> counter(table, options, start, jdbc, quote).stream())
			.findFirst()
			.map((bridge) -> new AdoptionSource(bridge, false,
					bridge + ", of which an old instance takes at most " + bridge.grain()
							+ " numbers at once (ids.adopt.allocation-size)"))
			.orElseThrow(() -> (wanted != null) ? refused(
					"source is '" + wanted + "', but there is no sequence or table of that name.",
					"Name a sequence in the schema of the table, or a table, as schema.table if it is elsewhere.")
					: refused("source is not set, and nothing is found that numbers " + column.name() + ".",
							"Set it to the sequence, or the table with a counter, from which the application takes the keys;"
									+ " or stop all instances and set it to none."));
	}

	/**
	 * Make sure that only one sequence can be what numbers a table: Hibernate may use
	 * another one than the column has.
	 */
	private static void verifySingle(KeyColumn column, KeyColumns keys) {
		List<String> candidates = Stream
			.concat(Stream.ofNullable(column.numbering()),
					KeyColumn.usualSequences(keys.sequences(), column.table(), column.column()).stream())
			.map(Numbering::name)
			.distinct()
			.toList();
		if (candidates.size() > 1) {
			throw refused("source is not set, and each of " + candidates + " could number " + column.name() + ".",
					"Set it to the one that the application uses.");
		}
	}

	private static AdoptionSource of(Numbering numbering, QualifiedName table, String database,
			IdsProperties.Adopt options, long start) {
		boolean sequence = !numbering.identity() || database.equals("PostgreSQL");
		if (!sequence) {
			return new AdoptionSource(null, true, "the column itself (identity)");
		}
		if (numbering.cycles() || numbering.increment() < 1) {
			throw refused("source is sequence " + numbering.name() + ", which does not always rise.",
					"Alter it to NO CYCLE and a positive increment first.");
		}
		long grain = Objects.requireNonNullElse(options.allocationSize(), numbering.increment());
		if (grain != numbering.increment()) {
			throw refused(
					"allocation-size is " + grain + ", but sequence " + numbering.name() + " is incremented by "
							+ numbering.increment() + ": the numbers of old instances repeat.",
					"Mend that first: the doctor tells how.");
		}
		Bridge bridge = new Bridge(table.sibling(numbering.name()), null, grain, start);
		return new AdoptionSource(bridge, false, bridge + " by " + grain);
	}

	private static Optional<Bridge> counter(String wanted, IdsProperties.Adopt options, long start, JdbcTemplate jdbc,
			String quote) {
		QualifiedName table = table(wanted, jdbc).orElse(null);
		if (table == null) {
			return Optional.empty();
		}
		String from = " from " + table.quoted(quote);
		SqlRowSetMetaData columns = jdbc.queryForRowSet("select *" + from + " where 1 = 0").getMetaData();
		List<String> numbers = new ArrayList<>();
		List<String> texts = new ArrayList<>();
		for (int i = 1; i <= columns.getColumnCount(); i++) {
			String type = columns.getColumnClassName(i);
			(type.equals(String.class.getName()) ? texts : numbers).add(columns.getColumnName(i));
		}
		String column = numbers.stream()
			.filter((name) -> numbers.size() == 1 || COUNTERS.contains(name.toLowerCase(Locale.ROOT)))
			.findFirst()
			.orElseThrow(() -> refused(
					"source is '" + table + "', whose columns of numbers are " + numbers
							+ ": it is not known which one counts.",
					"Name it in a view with no other numbers, or rename it to next_val."));
		String row = options.row();
		if (row != null && texts.isEmpty()) {
			throw refused("row is '" + row + "', but table " + table + " has no column of texts.", "Remove it.");
		}
		Long rows = jdbc.queryForObject("select count(*)" + from, Long.class);
		if (row == null && !Long.valueOf(1).equals(rows)) {
			throw refused("row is not set, but table " + table + " has " + rows + " rows.", "Set it to the "
					+ (texts.isEmpty() ? "key" : texts.get(0)) + " of the row that counts for the table.");
		}
		String key = (row != null)
				? texts.stream()
					.filter((text) -> Long.valueOf(1)
						.equals(jdbc.queryForObject(
								"select count(*)" + from + " where " + quote + text + quote + " = ?", Long.class, row)))
					.findFirst()
					.orElseThrow(() -> refused(
							"row is '" + row + "', which is not the value of one row of table " + table + " in any of "
									+ texts + ".",
							"Correct it. If several columns tell rows apart, name a view that shows the row."))
				: null;
		long grain = Objects.requireNonNullElse(options.allocationSize(), JPA_ALLOCATION);
		return Optional.of(new Bridge(table, new Counter(column, key, row), grain, start));
	}

	private static Optional<QualifiedName> table(String wanted, JdbcTemplate jdbc) {
		List<QualifiedName> found = jdbc
			.execute((ConnectionCallback<List<QualifiedName>>) (connection) -> QualifiedName.find(connection, wanted));
		return CommandContext.only(Objects.requireNonNull(found), "ids.adopt.source", wanted);
	}

	/**
	 * Find a sequence in the schema of a table.
	 */
	private static Optional<Numbering> sequence(List<Numbering> sequences, QualifiedName table, String wanted) {
		List<Numbering> found = QualifiedName.matching(sequences, Numbering::name, wanted);
		if (found.isEmpty()) {
			found = QualifiedName.matching(sequences, (one) -> table.sibling(one.name()).toString(), wanted);
		}
		CommandContext.only(found.stream().map(Numbering::name).toList(), "ids.adopt.source", wanted);
		return found.stream().findFirst();
	}

	private static IdSetupException refused(String problem, String remedy) {
		return new IdSetupException("ids.adopt." + problem, remedy, List.of("ids.adopt"), null);
	}

}
