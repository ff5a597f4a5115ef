package dev.idspring.autoconfigure.operations;

import java.util.List;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties.Output;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * One run of a command: prints its report and ends the process.
 */
final class CommandRun {

	private final String name;

	private final Environment environment;

	private final CommandConsole console;

	/**
	 * Create a run.
	 * @param name the name of the command
	 * @param environment may lack properties of configuration files
	 * @param console takes the report
	 */
	CommandRun(String name, Environment environment, CommandConsole console) {
		this.name = name;
		this.environment = environment;
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
			print(report, context.environment());
		}
		this.console.exit().accept(report.outcome().exitCode());
		throw new AbandonedRunException(application);
	}

	private CommandReport report(CommandContext context, ConfigurableApplicationContext application) {
		try {
			output(context.environment());
			return command().run(context);
		}
		catch (Exception | LinkageError ex) {
			return CommandFailure.report(ex, application);
		}
	}

	private IdsCommand command() {
		return IdsCommand.named(this.name)
			.orElseThrow(() -> new IdSetupException("ids.command is '" + this.name + "', which is not known.",
					"Use one of " + String.join(", ", IdsCommand.names()) + ".", List.of("ids.command"), null));
	}

	/**
	 * Report that the application could not be prepared for the command.
	 */
	void fail(Throwable failure, @Nullable ConfigurableApplicationContext application) {
		CommandReport report = CommandFailure.report(failure, application);
		print(report, this.environment);
		this.console.exit().accept(report.outcome().exitCode());
	}

	private void print(CommandReport report, Environment environment) {
		Output output;
		try {
			output = output(environment);
		}
		catch (BindException ex) {
			// is what the report says
			output = Output.TEXT;
		}
		this.console.out().println((output == Output.JSON) ? report.json(this.name) : report.text());
		this.console.out().flush();
	}

	private static Output output(Environment environment) {
		return Binder.get(environment).bind("ids.output", Output.class).orElse(Output.TEXT);
	}

}
