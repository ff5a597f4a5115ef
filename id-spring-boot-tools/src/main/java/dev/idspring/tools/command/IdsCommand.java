package dev.idspring.tools.command;

import java.util.List;
import java.util.Optional;

import dev.idspring.worker.TimeSource;

/**
 * A task for operators. To add one, implement this and add it to {@link #all()}.
 */
interface IdsCommand {

	Help help();

	/**
	 * Run. An exception is reported as a command that could not run.
	 * @param context the application
	 * @return the result
	 */
	CommandReport run(CommandContext context);

	/**
	 * Return all commands, in the order in which they are listed.
	 */
	static List<IdsCommand> all() {
		return List.of(new HelpCommand(), new DdlCommand(), new SchemaCommand(), new SkipAheadCommand(),
				new DoctorCommand(TimeSource.system(), CommandRun.Console.terminal()), new AdoptCommand(),
				new BackfillCommand(TimeSource.system()), new LeaveCommand());
	}

	static Optional<IdsCommand> named(String name) {
		return all().stream().filter((command) -> command.help().name().equals(name)).findFirst();
	}

	static List<String> names() {
		return all().stream().map((command) -> command.help().name()).toList();
	}

	/**
	 * The facts that an operator needs before running a command.
	 *
	 * @param name the value of {@code ids.command} that runs it
	 * @param purpose the effect of the command
	 * @param rights the rights in the database that it needs
	 * @param options the properties that it reads
	 */
	record Help(String name, String purpose, String rights, List<Option> options) {

		Help(String name, String purpose, String rights, Option... options) {
			this(name, purpose, rights, List.of(options));
		}

	}

	/**
	 * A property that a command reads.
	 */
	record Option(String property, String meaning) {

	}

}
