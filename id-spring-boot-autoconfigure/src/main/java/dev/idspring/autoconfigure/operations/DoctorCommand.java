package dev.idspring.autoconfigure.operations;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.autoconfigure.operations.CommandReport.Outcome;
import dev.idspring.doctor.Doctor;
import dev.idspring.doctor.Finding;
import dev.idspring.doctor.KeyColumn;
import dev.idspring.doctor.KeyColumn.Numbering;
import dev.idspring.doctor.KeyColumns;

/**
 * Looks at the keys of the application's tables, and says what is wrong with them.
 */
final class DoctorCommand implements IdsCommand {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Override
	public Help help() {
		return new Help("doctor", "Looks at the keys of all tables in the application's schema, whoever numbers them.",
				"select on the tables and sequences of the schema. Changes nothing and scans no table.",
				new Option("ids.health.low-remaining", "Below which share of a type little is left. Default 10%."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		KeyColumns keys = KeyColumns.read(context.dataSource(), TIMEOUT);
		List<Finding> findings = context.beans().getBean(Doctor.class).examine(keys, List.of());
		String summary = "Of " + (keys.columns().size() + keys.withoutKey().size()) + " tables on " + keys.database()
				+ ", " + keys.columns().size() + " have a key of one column and " + keys.withoutKey().size()
				+ " have none. "
				+ (findings.isEmpty() ? "Nothing is wrong with them." : findings.size() + " findings:");
		String text = Stream
			.of(Stream.of(summary), findings.stream().map(Finding::toString),
					keys.columns().stream().map(DoctorCommand::line),
					keys.notRead().stream().map((part) -> "Not read: " + part + "."))
			.flatMap((lines) -> lines)
			.collect(Collectors.joining("\n"));
		return new CommandReport(findings.isEmpty() ? Outcome.DONE : Outcome.PROBLEMS, text, Map.of("message", summary))
			.with("findings", findings.stream().map(DoctorCommand::fields).toList())
			.with("columns", keys.columns().stream().map(DoctorCommand::fields).toList())
			.with("notRead", keys.notRead());
	}

	private static Map<String, Object> fields(Finding finding) {
		return Map.of("code", finding.code(), "where", finding.where(), "what", finding.what(), "remedy",
				finding.remedy());
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
		return fields;
	}

	private static String line(KeyColumn column) {
		Numbering numbering = column.numbering();
		return "%s %s:%s%s%s"
			.formatted(column.name(), column.type(), (column.last() != null)
					? String.format(Locale.ROOT, " %s of %s used (%.4f %%, from its index%s)", column.used(),
							column.last(), Doctor.usedPercent(column), (numbering != null) ? " and its sequence" : "")
					: " no numbers",
					(numbering != null) ? ", " + (numbering.identity() ? "identity" : "sequence") + " "
							+ numbering.name() + " by " + numbering.increment()
							+ ((numbering.owner() != null) ? " of " + numbering.owner() : "") : "",
					(column.rows() != null) ? ", about " + column.rows() + " rows by the statistics" : "");
	}

}
