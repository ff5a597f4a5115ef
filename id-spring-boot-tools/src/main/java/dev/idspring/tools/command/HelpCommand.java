package dev.idspring.tools.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.idspring.tools.command.CommandReport.Outcome;

/**
 * Lists all commands, the rights that they need, and their options.
 */
final class HelpCommand implements IdsCommand {

	private static final String USAGE = """
			Usage: java -jar <application>.jar --ids.command=<command> [--<option>=<value> ...]

			Runs one command with the properties, the DataSource and the id store of the application,
			and exits with 0 (done), 1 (found problems) or 2 (could not run). Standard output contains
			only the report. The log is written to standard error. With --ids.output=json the report is a
			JSON object.

			""";

	@Override
	public Help help() {
		return new Help("help", "Lists the commands, the rights that they need, and their options.", "none.");
	}

	@Override
	public CommandReport run(CommandContext context) {
		List<Help> commands = IdsCommand.all().stream().map(IdsCommand::help).toList();
		String text = commands.stream().map(HelpCommand::text).collect(Collectors.joining("\n\n", USAGE, ""));
		return new CommandReport(Outcome.DONE, text, Map.of("message", USAGE.strip())).with("commands",
				commands.stream().map(HelpCommand::json).toList());
	}

	private static String text(Help help) {
		int width = help.options().stream().mapToInt((option) -> option.property().length()).max().orElse(0);
		return help.name() + "\n  " + help.purpose() + "\n  Rights: " + help.rights()
				+ help.options()
					.stream()
					.map((option) -> "\n    --" + option.property() + " ".repeat(width + 2 - option.property().length())
							+ option.meaning())
					.collect(Collectors.joining());
	}

	private static Map<String, Object> json(Help help) {
		Map<String, String> options = new LinkedHashMap<>();
		help.options().forEach((option) -> options.put(option.property(), option.meaning()));
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("name", help.name());
		json.put("purpose", help.purpose());
		json.put("rights", help.rights());
		json.put("options", options);
		return json;
	}

}
