package dev.idspring.tools.command;

import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties.Output;
import dev.idspring.jdbc.SqlFailure;
import dev.idspring.tools.command.CommandReport.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.dao.DataAccessException;
import org.springframework.util.ReflectionUtils;

/**
 * Runs a command, prints its report and ends the process. If the command fails and Spring
 * Boot can analyze the failure, the report contains this analysis.
 *
 * @param name the name of the command
 * @param environment the environment, possibly without the properties of configuration
 * files, which are loaded later
 * @param console receives the report and the exit code
 */
record CommandRun(String name, Environment environment, Console console) {

	private static final Log logger = LogFactory.getLog(CommandRun.class);

	/**
	 * Run the command instead of the application.
	 * @param application the application context, before it is refreshed
	 */
	void run(ConfigurableApplicationContext application) {
		CommandReport report;
		try (application) {
			report = report(application);
			print(report, application.getEnvironment());
		}
		this.console.exit().accept(report.outcome().exitCode());
		throw new AbandonedRunException(application);
	}

	/**
	 * Report that the application failed before the command could run.
	 */
	void fail(Throwable failure, @Nullable ConfigurableApplicationContext application) {
		CommandReport report = report(failure, application);
		print(report, this.environment);
		this.console.exit().accept(report.outcome().exitCode());
	}

	private CommandReport report(ConfigurableApplicationContext application) {
		try {
			// fail if ids.output has an unknown value
			Binder.get(application.getEnvironment()).bind("ids.output", Output.class);
			return IdsCommand.named(this.name)
				.orElseThrow(() -> new IdSetupException("ids.command is '" + this.name + "', which is not a command.",
						"Use one of " + String.join(", ", IdsCommand.names()) + ".", List.of("ids.command"), null))
				.run(new CommandContext(application));
		}
		catch (Exception | LinkageError ex) {
			return report(ex, application);
		}
	}

	private void print(CommandReport report, Environment environment) {
		boolean json = "json".equalsIgnoreCase(environment.getProperty("ids.output"));
		this.console.out().println(json ? report.json(this.name) : report.text());
		this.console.out().flush();
	}

	private static CommandReport report(Throwable failure, @Nullable ConfigurableApplicationContext application) {
		FailureAnalysis analysis = analyze(failure, application);
		if (analysis == null && failure instanceof DataAccessException) {
			analysis = new FailureAnalysis("The command could not run: " + SqlFailure.describe(failure) + ".",
					SqlFailure.remedy(failure).orElse(""), failure);
		}
		if (analysis == null) {
			logger.error("The command could not run", failure);
			return CommandReport.of(Outcome.FAILED, "The command could not run: " + failure);
		}
		logger.debug("The command could not run", failure);
		String problem = analysis.getDescription().strip();
		String remedy = Objects.toString(analysis.getAction(), "").strip();
		return CommandReport.of(Outcome.FAILED, (problem + "\n\n" + remedy).strip())
			.with("message", problem)
			.with("remedy", remedy);
	}

	private static @Nullable FailureAnalysis analyze(Throwable failure,
			@Nullable ConfigurableApplicationContext application) {
		ArgumentResolver arguments = ArgumentResolver.none();
		ClassLoader loader = null;
		if (application != null) {
			loader = application.getClassLoader();
			arguments = ArgumentResolver.of(BeanFactory.class, application.getBeanFactory())
				.and(Environment.class, application.getEnvironment());
		}
		for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation(loader)
			.load(FailureAnalyzer.class, arguments, FailureHandler.logging(logger))) {
			try {
				FailureAnalysis analysis = analyzer.analyze(failure);
				if (analysis != null) {
					return analysis;
				}
			}
			catch (RuntimeException ex) {
				// some analyzers need objects that do not exist if startup fails early
				logger.trace("FailureAnalyzer failed", ex);
			}
		}
		return null;
	}

	/**
	 * The receiver of a command's report and exit code.
	 *
	 * @param out receives the report
	 * @param exit ends the process with an exit code
	 */
	record Console(PrintStream out, IntConsumer exit) {

		/**
		 * Create the console of this process. Redirects all other output and logging to
		 * standard error, so that standard output contains only the report.
		 */
		static Console ofProcess() {
			PrintStream out = System.out;
			System.setOut(System.err);
			return new Console(out, System::exit);
		}

		/**
		 * Return the stream for progress messages, or {@code null} if this process has no
		 * terminal.
		 */
		static @Nullable PrintStream terminal() {
			java.io.Console console = System.console();
			if (console == null) {
				return null;
			}
			Method isTerminal = ReflectionUtils.findMethod(java.io.Console.class, "isTerminal");
			// since Java 22, a process may have a console without a terminal
			boolean terminal = isTerminal == null
					|| Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isTerminal, console));
			return terminal ? System.err : null;
		}

	}

}
