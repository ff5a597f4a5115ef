package dev.idspring.tools.command;

import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties.Output;
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
import org.springframework.util.ReflectionUtils;

/**
 * One run of a command: prints its report and ends the process. If a command cannot run,
 * the failure analysis of Spring Boot explains the reason.
 *
 * @param name the name of the command
 * @param environment may lack properties of configuration files
 * @param console receives the report
 */
record CommandRun(String name, Environment environment, Console console) {

	private static final Log logger = LogFactory.getLog(CommandRun.class);

	/**
	 * Run the command instead of the application.
	 * @param application has not been refreshed yet
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
	 * Report that the application could not be prepared for the command.
	 */
	void fail(Throwable failure, @Nullable ConfigurableApplicationContext application) {
		CommandReport report = report(failure, application);
		print(report, this.environment);
		this.console.exit().accept(report.outcome().exitCode());
	}

	private CommandReport report(ConfigurableApplicationContext application) {
		try {
			// reject an unknown value
			Binder.get(application.getEnvironment()).bind("ids.output", Output.class);
			return IdsCommand.named(this.name)
				.orElseThrow(() -> new IdSetupException("ids.command is '" + this.name + "', which is not known.",
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
				// some need objects that did not exist yet when the failure happened
				logger.trace("FailureAnalyzer failed", ex);
			}
		}
		return null;
	}

	/**
	 * The output for a command's report and exit code.
	 *
	 * @param out receives the report
	 * @param exit ends the process with an exit code
	 */
	record Console(PrintStream out, IntConsumer exit) {

		/**
		 * The console of this process. Standard output is reserved for the report: all
		 * later output and logging goes to standard error.
		 */
		static Console ofProcess() {
			PrintStream out = System.out;
			System.setOut(System.err);
			return new Console(out, System::exit);
		}

		/**
		 * Return the stream for progress, {@code null} if this process has no terminal.
		 */
		static @Nullable PrintStream terminal() {
			java.io.Console console = System.console();
			if (console == null) {
				return null;
			}
			Method isTerminal = ReflectionUtils.findMethod(java.io.Console.class, "isTerminal");
			// since Java 22 there is always a console
			boolean terminal = isTerminal == null
					|| Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isTerminal, console));
			return terminal ? System.err : null;
		}

	}

}
