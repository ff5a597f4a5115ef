package dev.idspring.autoconfigure.operations;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties.Output;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One run of a command: prints its report and ends the process.
 */
final class CommandRun {

	private final String name;

	private final CommandConsole console;

	CommandRun(String name, CommandConsole console) {
		this.name = name;
		this.console = console;
	}

	/**
	 * Run the command instead of the application.
	 * @param application was not refreshed yet
	 */
	void run(ConfigurableApplicationContext application) {
		CommandReport report;
		try (CommandContext context = new CommandContext(application)) {
			report = report(context, application);
		}
		this.console.exit().accept(report.outcome().exitCode());
		throw new AbandonedRunException(application);
	}

	private CommandReport report(CommandContext context, ConfigurableApplicationContext application) {
		Output output = Output.TEXT;
		CommandReport report;
		try {
			output = Binder.get(context.environment()).bind("ids.output", Output.class).orElse(Output.TEXT);
			report = command().run(context);
		}
		catch (Exception | LinkageError ex) {
			report = CommandFailure.report(ex, application);
		}
		print(report, output);
		return report;
	}

	private IdsCommand command() {
		return IdsCommand.named(this.name)
			.orElseThrow(() -> new IdSetupException("ids.command is '" + this.name + "', which is not known.",
					"Use one of " + String.join(", ", IdsCommand.names()) + "."));
	}

	/**
	 * Report that the application could not be prepared for the command.
	 */
	void fail(Throwable failure, @Nullable ConfigurableApplicationContext application) {
		CommandReport report = CommandFailure.report(failure, application);
		print(report, Output.TEXT);
		this.console.exit().accept(report.outcome().exitCode());
	}

	private void print(CommandReport report, Output output) {
		this.console.out().println((output == Output.JSON) ? report.json(this.name) : report.text());
		this.console.out().flush();
	}

}
