package dev.idspring.autoconfigure.operations;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.idspring.autoconfigure.operations.CommandReport.Outcome;

/**
 * Lists the commands.
 */
final class HelpCommand implements IdsCommand {

	private static final String USAGE = """
			Usage: java -jar <application>.jar --ids.command=<command> [--<option>=<value> ...]

			Runs one command with the properties and the DataSource of the application, and exits with
			0 (done), 1 (found problems) or 2 (could not run). The report is all that standard output
			gets; the log goes to standard error. With --ids.output=json the report is a JSON object.

			""";

	@Override
	public String name() {
		return "help";
	}

	@Override
	public CommandHelp help() {
		return new CommandHelp("Lists the commands, the rights that they need, and their options.", "none.");
	}

	@Override
	public CommandReport run(CommandContext context) {
		List<IdsCommand> commands = IdsCommand.all();
		String text = commands.stream()
			.map((command) -> command.help().text(command.name()))
			.collect(Collectors.joining("\n\n", USAGE, ""));
		List<Map<String, Object>> json = commands.stream()
			.map((command) -> command.help().json(command.name()))
			.toList();
		return new CommandReport(Outcome.DONE, text, Map.of("commands", json));
	}

}
