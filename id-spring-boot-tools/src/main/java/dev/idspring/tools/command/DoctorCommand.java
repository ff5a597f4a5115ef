package dev.idspring.tools.command;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.autoconfigure.IdsJdbcProperties;
import dev.idspring.autoconfigure.GeneratorDefinition;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.Finding;
import dev.idspring.tools.doctor.Finding.Code;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Examines the keys of the application's tables, and reports problems.
 *
 * @param timeSource measures the time between two progress messages
 * @param terminal receives the progress messages, or {@code null} if there is no terminal
 */
record DoctorCommand(TimeSource timeSource, @Nullable PrintStream terminal) implements IdsCommand {

	private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(2);

	private static final String HIBERNATE_GENERATOR = "org.hibernate.id.enhanced.SequenceStyleGenerator";

	@Override
	public Help help() {
		return new Help("doctor",
				"Examines the keys of all tables in the application's schema, no matter what generates them.",
				"select on the tables and sequences of the schema. The command changes nothing and scans no table.",
				new Option("ids.health.low-remaining",
						"A key column or sequence counts as nearly used up if less than this share of its numbers"
								+ " remains. Default 10%."),
				new Option("ids.jdbc.table-prefix", "Prefix of the id store's tables, which the command skips."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		// fail here if there is no DataSource, because the application may then lack the
		// classes that the next line uses
		DataSource dataSource = context.dataSource();
		String tablePrefix = context.options("ids.jdbc", IdsJdbcProperties.class).tablePrefix();
		KeyColumns keys = KeyColumns.read(dataSource, CommandContext.TIMEOUT, tablePrefix, progress());
		Doctor doctor = context.beans()
			.getBeanProvider(Doctor.class)
			.getIfAvailable(() -> new Doctor(GeneratorDefinition.ofDefault(context.environment()).lowThreshold()));
		List<Finding> findings = doctor.examine(keys, List.of());
		List<Finding> notes = doctor.notes(keys, List.of());
		List<String> notRead = Stream.concat(keys.notRead().stream(), notReadFromHibernate()).toList();
		List<KeyColumn> columns = Stream.concat(keys.columns().stream(), keys.numbered().stream()).toList();
		String summary = "Found "
				+ CommandContext.count(keys.columns().size() + keys.withoutKey().size() + keys.leftOut().size(),
						"table")
				+ " on " + keys.database() + ": " + keys.columns().size() + " with a single-column primary key, "
				+ keys.withoutKey().size() + " without a primary key, and " + keys.leftOut().size() + " left out. "
				+ (findings.isEmpty() ? "No problem was found."
						: CommandContext.count(findings.size(), "finding") + ":");
		String text = Stream
			.of(Stream.of(summary), findings.stream().map(Finding::toString), noteLines(notes),
					columns.stream().map(DoctorCommand::columnLine),
					keys.leftOut().stream().map((table) -> "Left out: " + table + "."),
					notRead.stream().map((part) -> "Not read: " + part + "."))
			.flatMap((lines) -> lines)
			.collect(Collectors.joining("\n"));
		return new CommandReport(findings.isEmpty() ? Outcome.DONE : Outcome.PROBLEMS, text, Map.of("message", summary))
			.with("findings", findings.stream().map(DoctorCommand::fields).toList())
			.with("notes", notes.stream().map(DoctorCommand::fields).toList())
			.with("columns", columns.stream().map(DoctorCommand::fields).toList())
			.with("leftOut", keys.leftOut())
			.with("notRead", notRead);
	}

	/**
	 * Return the notes as lines of text. In a database with a case-insensitive collation,
	 * the same note applies to most text keys, so these columns share one line.
	 */
	private static Stream<String> noteLines(List<Finding> notes) {
		String texts = notes.stream()
			.filter((note) -> note.code() == Code.CASE_BLIND_TEXT)
			.map(Finding::where)
			.collect(Collectors.joining(", "));
		Stream<String> others = notes.stream()
			.filter((note) -> note.code() != Code.CASE_BLIND_TEXT)
			.map((note) -> "Note: " + note);
		return texts.isEmpty() ? others : Stream
			.concat(others, Stream.of("Note: these columns ignore the difference between upper and lower case: " + texts
					+ ". Of the strings read from each, fewer than one in ten mix upper and lower case the way ids do."
					+ " Change the collation of a column before it stores ids with upper and lower case. To see the"
					+ " SQL statements for the change, add --ids.output=json."));
	}

	/**
	 * Report that the settings of Hibernate were not examined, because a command does not
	 * start Hibernate.
	 */
	private static Stream<String> notReadFromHibernate() {
		return ClassUtils.isPresent(HIBERNATE_GENERATOR, DoctorCommand.class.getClassLoader())
				? Stream.of("Hibernate's allocationSize and optimizers. To compare them with the sequences, run the"
						+ " application with ids.columns.watch=true and call /actuator/ids/columns")
				: Stream.empty();
	}

	KeyColumns.Progress progress() {
		PrintStream terminal = this.terminal;
		if (terminal == null) {
			return (done, all) -> {
			};
		}
		AtomicLong due = new AtomicLong(this.timeSource.nanoTime() + PROGRESS_INTERVAL.toNanos());
		return (done, all) -> {
			long now = this.timeSource.nanoTime();
			if (now - due.get() >= 0) {
				due.set(now + PROGRESS_INTERVAL.toNanos());
				terminal.println("Read " + 100L * done / all + " % of the tables");
			}
		};
	}

	private static Map<String, Object> fields(Finding finding) {
		return Map.of("code", finding.code(), "where", finding.where(), "what", finding.what(), "remedy",
				finding.remedy(), "statements", finding.statements());
	}

	private static Map<String, Object> fields(KeyColumn column) {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("schema", column.schema());
		fields.put("table", column.table());
		fields.put("column", column.column());
		fields.put("type", column.type());
		fields.put("last", column.last());
		fields.put("highest", column.highest());
		fields.put("usedPercent", Doctor.usedPercent(column));
		fields.put("rows", column.rows());
		Numbering numbering = column.numbering();
		fields.put("numbering", (numbering != null) ? numbering.name() : null);
		fields.put("relation", column.relation());
		return fields;
	}

	private static String columnLine(KeyColumn column) {
		Numbering numbering = column.numbering();
		return "%s %s:%s%s%s".formatted(column.name(), column.type(),
				(column.last() != null) ? String.format(Locale.ROOT, " %s of %s used (%.4f %%, %s)", column.used(),
						column.last(), Doctor.usedPercent(column), origin(column)) : " no numbers",
				(numbering != null) ? ", " + (numbering.identity() ? "identity" : "sequence") + " " + numbering.name()
						+ " (increment " + numbering.increment()
						+ ((numbering.owner() != null) ? ", owner " + numbering.owner() : "")
						+ (isGuess(column) ? ", not known to be used by the column" : "") + ")" : "",
				(column.rows() != null)
						? ", about " + CommandContext.count(column.rows(), "row") + " according to the statistics"
						: "");
	}

	/**
	 * Return where the numbers of a column were found.
	 */
	private static String origin(KeyColumn column) {
		Numbering numbering = column.numbering();
		List<String> origins = new ArrayList<>();
		if (column.highest() != null) {
			origins.add("index");
		}
		if (numbering != null && numbering.last() != null && !isGuess(column)) {
			origins.add(numbering.identity() ? "identity" : "sequence");
		}
		return origins.isEmpty() ? "no number was found" : "according to the column's " + String.join(" and ", origins);
	}

	private static boolean isGuess(KeyColumn column) {
		return column.relation() == Relation.NAME;
	}

}
