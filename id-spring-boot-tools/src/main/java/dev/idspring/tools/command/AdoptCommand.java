package dev.idspring.tools.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsJdbcProperties;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.Adoption.Step;
import dev.idspring.tools.command.AdoptionSource.Request;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.tools.doctor.Alteration;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.jdbc.Bridge;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.QualifiedName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.StringUtils;

/**
 * Lets a key space issue the next keys of an existing table, while old instances of the
 * application, which do not use this library, still insert rows. Old and new instances
 * never use the same key:
 * <ol>
 * <li>A sequence, or a counter in a table, can be shared. The key space draws from it
 * through a bridge until the operator ends the bridge. {@link Bridge} explains why no
 * number is used twice.</li>
 * <li>An identity column cannot be shared, except on PostgreSQL, where it has a sequence.
 * In some databases, the insert of an explicit key above the column's next number raises
 * that number. The column would then generate keys that the key space also issues. So the
 * operator first raises the column's next number, and ends the key space below the new
 * one. The command verifies this before it creates the key space.</li>
 * </ol>
 */
final class AdoptCommand implements IdsCommand {

	@Override
	public Help help() {
		return new Help("adopt", "Lets a key space continue from the keys of an existing table.",
				"select on the table and the catalogue; the application's own rights on the tables of the id store;"
						+ " usage and select on the sequence, or select and update on the counter, from which the keys"
						+ " come.",
				new Option("ids.adopt.table", "Names of the tables, separated by commas. Required."),
				new Option("ids.adopt.generator",
						"Names of the generators that will generate the keys, one for each table. Their strategy must"
								+ " be sequential. Required."),
				new Option("ids.adopt.source",
						"Sequence, or table with a counter, from which the keys have come so far. Write 'none' if all"
								+ " old instances are stopped. Give one for all tables, or one for each. By default,"
								+ " the sequence or identity of the key column, or else a sequence or table that is"
								+ " named after the key's table."),
				new Option("ids.adopt.row",
						"Value that identifies the row of the counter. Give one for all tables, or one for each."),
				new Option("ids.adopt.allocation-size",
						"Maximum number of ids that an old instance uses per value of the source. By default, the"
								+ " increment of a sequence, or 50 for a counter."),
				new Option("ids.adopt.end", "true to end the bridge to the source. Only if no old instance runs."),
				new Option("ids.adopt.keep-source",
						"true to leave the source unchanged when the bridge ends, because other tables draw from it."),
				new Option("ids.adopt.file",
						"New file for the DDL that you must run yourself. The file must not exist yet."),
				new Option("ids.adopt.confirm", "true to carry out the plan. Otherwise nothing is changed."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Adopt options = context.options("ids.adopt", IdsProperties.Adopt.class);
		CommandContext.verifyNewFile("ids.adopt.file", options.file());
		List<Request> requests = requests(options);
		context.refuseRedis(
				"new instances must draw their keys from the source of the old instances, which is in a database.",
				"Use ids.store=jdbc in this application, or stop all old instances and create a sequential key"
						+ " space whose start is above all existing keys.");
		List<TableKeySpace> targets = requests.stream()
			.map((one) -> TableKeySpace.forAdoption(context.environment(), one.generator(), "ids.adopt.generator"))
			.toList();
		if (targets.stream().map(TableKeySpace::name).distinct().count() < targets.size()) {
			throw failure(
					"generator is " + options.generator() + ", but some of these generators share a key space: "
							+ targets.stream().map(TableKeySpace::name).toList() + ".",
					"Name generators with different key spaces, because each key space continues from the keys of one"
							+ " table.");
		}
		JdbcKeySpaceStore store = context.jdbcStore();
		String keySpaceTable = context.options("ids.jdbc", IdsJdbcProperties.class).tablePrefix() + "key_space";
		DataSource dataSource = context.dataSource();
		JdbcTemplate jdbc = CommandContext.jdbc(dataSource);
		String quote = CommandContext.quote(jdbc);
		List<Adoption> adoptions = new ArrayList<>();
		List<AdoptedColumn> columns = new ArrayList<>();
		for (int i = 0; i < requests.size(); i++) {
			QualifiedName table = CommandContext.table(dataSource, "ids.adopt.table", requests.get(i).table());
			KeyColumns keys = KeyColumns.read(dataSource, CommandContext.TIMEOUT, table);
			AdoptedColumn column = AdoptedColumn.read(jdbc, keys.database(),
					CommandContext.key("ids.adopt.table", table, keys), quote);
			columns.add(column);
			adoptions
				.add(new Adoption(requests.get(i), targets.get(i), store, keySpaceTable, keys, column, jdbc, quote));
		}
		return options.end() ? end(options, adoptions) : begin(options, adoptions, Alteration.toBigint(dataSource,
				CommandContext.TIMEOUT, columns.stream().map(AdoptedColumn::key).toList()));
	}

	private static List<Request> requests(IdsProperties.Adopt options) {
		List<String> tables = options.table();
		if (tables.stream().noneMatch(StringUtils::hasText)) {
			throw failure("table is not set.", "Set it to the table to adopt.");
		}
		Long allocationSize = options.allocationSize();
		if (allocationSize != null && (allocationSize < 1 || allocationSize > Bridge.MAX_INCREMENT)) {
			throw failure("allocation-size is " + allocationSize + ".",
					"Set it to the maximum number of ids that an old instance uses per value of the source, from 1 to "
							+ Bridge.MAX_INCREMENT + ".");
		}
		List<String> generators = options.generator();
		if (!generators.isEmpty()
				&& (generators.size() != tables.size() || generators.stream().distinct().count() != tables.size())) {
			throw failure("generator is " + generators + ", but table is " + tables + ".",
					"Name one generator for each table, and name each generator only once.");
		}
		List<Request> requests = new ArrayList<>();
		for (int i = 0; i < tables.size(); i++) {
			requests.add(new Request(tables.get(i), generators.isEmpty() ? null : generators.get(i),
					valueFor("source", options.source(), i, tables.size()),
					valueFor("row", options.row(), i, tables.size()), allocationSize));
		}
		return requests;
	}

	private static @Nullable String valueFor(String option, List<String> values, int index, int tableCount) {
		if (values.size() > 1 && values.size() != tableCount) {
			throw failure(option + " is " + values + ", but the number of tables is " + tableCount + ".",
					"Set one value for all tables, or one for each table. For a table that needs no value, leave its"
							+ " place in the list empty.");
		}
		String value = values.isEmpty() ? "" : values.get((values.size() > 1) ? index : 0);
		return StringUtils.hasText(value) ? value : null;
	}

	/**
	 * Plan the adoption of all tables. If the operator has confirmed the plan and no
	 * table has a problem, also create the key spaces.
	 */
	private static CommandReport begin(IdsProperties.Adopt options, List<Adoption> adoptions, Alteration widening) {
		List<Step> steps = adoptions.stream().map((adoption) -> adoption.begin(options.confirm())).toList();
		boolean hasPlan = steps.stream().noneMatch((step) -> step.isProblem() && step.ddl().isEmpty());
		List<String> remarks = new ArrayList<>();
		if (hasPlan) {
			if (!widening.obstacles().isEmpty()) {
				remarks
					.add("No script can change the keys, and the columns that reference them, to BIGINT. Obstacles:");
				widening.obstacles().forEach((one) -> remarks.add("- " + one));
				remarks.add("Remove these obstacles, and run this command again to get the script. After the script has"
						+ " run, restore what you removed.");
			}
			widening.notRead().forEach((part) -> remarks.add("Not read: " + part + "."));
		}
		return report(options, adoptions, steps, hasPlan ? widening.statements() : null, remarks).with("obstacles",
				widening.obstacles());
	}

	private static CommandReport end(IdsProperties.Adopt options, List<Adoption> adoptions) {
		List<String> endingKeySpaces = adoptions.stream().map(Adoption::keySpace).toList();
		List<Step> steps = adoptions.stream().map((adoption) -> adoption.end(options, endingKeySpaces)).toList();
		if (options.confirm() && steps.stream().anyMatch(Step::isProblem)) {
			// no bridge ends, so the sources must remain usable
			steps = steps.stream().map((step) -> step.isProblem() ? step : step.withoutDdl()).toList();
		}
		return report(options, adoptions, steps, List.of(), List.of());
	}

	/**
	 * Report the steps. If the operator has confirmed them and none has a problem, also
	 * run their actions.
	 * @param moreDdl the statements after those of the steps, or {@code null} if the
	 * report is to contain no DDL
	 * @param remarks the lines between those of the steps and the DDL
	 */
	private static CommandReport report(IdsProperties.Adopt options, List<Adoption> adoptions, List<Step> steps,
			@Nullable List<String> moreDdl, List<String> remarks) {
		boolean ready = steps.stream().noneMatch(Step::isProblem);
		List<String> ddl = Stream
			.concat(steps.stream().flatMap((step) -> step.ddl().stream()),
					Stream.ofNullable(moreDdl).flatMap(List::stream))
			.toList();
		List<String> ddlLines = (moreDdl != null) ? provide(ddl, options) : List.of();
		List<String> lines = new ArrayList<>();
		boolean done = run(steps, options.confirm() && ready, lines);
		if (options.confirm() && !ready && steps.size() > 1) {
			lines.add("Nothing was done for any of the tables.");
		}
		lines.addAll(remarks);
		lines.addAll(ddlLines);
		Outcome outcome = (options.confirm() ? done : ready) ? Outcome.DONE : Outcome.PROBLEMS;
		CommandReport report = CommandReport.of(outcome, String.join("\n", lines));
		report = (moreDdl != null) ? report.with("ddl", ddl) : report;
		return fields(report, adoptions).with("done", done);
	}

	/**
	 * Add the lines of all steps to the report, and run the actions of the steps until
	 * one fails.
	 * @param runActions whether to run the actions at all
	 * @return whether all actions were run and succeeded
	 */
	private static boolean run(List<Step> steps, boolean runActions, List<String> lines) {
		boolean done = runActions;
		for (Step step : steps) {
			lines.addAll(step.lines());
			if (done) {
				try {
					lines.add(step.action().get());
				}
				catch (IdGenerationException ex) {
					lines.add("The step above failed: " + ex.getMessage()
							+ "\nRemove the cause, and run the command again for the tables whose steps were not"
							+ " done. Until then, do not run the DDL of these tables.");
					done = false;
				}
			}
		}
		return done;
	}

	private static CommandReport fields(CommandReport report, List<Adoption> adoptions) {
		if (adoptions.size() > 1) {
			return report.with("tables", adoptions.stream().map(Adoption::fields).toList());
		}
		CommandReport extended = report;
		for (Map.Entry<String, Object> field : adoptions.get(0).fields().entrySet()) {
			extended = extended.with(field.getKey(), field.getValue());
		}
		return extended;
	}

	/**
	 * Provide the DDL for the operator in a file or in the report. The file is written
	 * before any step runs, because after a step the command may not be able to print the
	 * DDL again.
	 * @return the DDL or the name of its file, as lines of the report
	 */
	private static List<String> provide(List<String> ddl, IdsProperties.Adopt options) {
		if (ddl.isEmpty()) {
			return List.of("No DDL is left to run.");
		}
		String script = String.join("\n", ddl);
		if (options.file() != null) {
			CommandContext.write("ids.adopt.file", options.file(), script + "\n");
			return List.of("The DDL was written to " + options.file() + ".");
		}
		return List.of("DDL to run, or to copy into a migration:", script);
	}

	static IdSetupException failure(String problem, String remedy) {
		return new IdSetupException("ids.adopt." + problem, remedy, List.of("ids.adopt"), null);
	}

}
