package dev.idspring.tools.command;

import java.util.List;
import java.util.Optional;

import dev.idspring.worker.TimeSource;

/**
 * A command for operators. To add a command, implement this interface and add the class
 * to {@link #all()}.
 */
interface IdsCommand {

	/**
	 * Describe the command for the operator.
	 */
	Help help();

	/**
	 * Run the command. If this method throws an exception, the caller reports that the
	 * command could not run.
	 * @param context the application
	 * @return the report
	 */
	CommandReport run(CommandContext context);

	/**
	 * Return all commands, in the order in which {@code help} lists them.
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
	 * What an operator needs to know before running a command.
	 *
	 * @param name the value of {@code ids.command} that runs the command
	 * @param purpose the effect of the command
	 * @param rights the rights that the command needs in the database or in Redis
	 * @param options the properties that the command reads
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
