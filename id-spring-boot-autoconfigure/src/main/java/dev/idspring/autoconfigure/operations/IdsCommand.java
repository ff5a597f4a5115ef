package dev.idspring.autoconfigure.operations;

import java.util.List;
import java.util.Optional;

/**
 * A task for operators. To add one, implement this and add it to {@link #all()}.
 */
interface IdsCommand {

	/**
	 * Return the value of {@code ids.command} that runs this.
	 */
	String name();

	CommandHelp help();

	/**
	 * Run. What is thrown is reported as a command that could not run.
	 * @param context the application
	 * @return what was done or found
	 */
	CommandReport run(CommandContext context);

	/**
	 * Return all commands, in the order in which they are listed.
	 */
	static List<IdsCommand> all() {
		return List.of(new HelpCommand(), new DdlCommand(), new SchemaCommand(), new SkipAheadCommand());
	}

	static Optional<IdsCommand> named(String name) {
		return all().stream().filter((command) -> command.name().equals(name)).findFirst();
	}

	static List<String> names() {
		return all().stream().map(IdsCommand::name).toList();
	}

}
