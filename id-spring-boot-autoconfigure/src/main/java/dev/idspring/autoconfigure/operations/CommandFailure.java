package dev.idspring.autoconfigure.operations;

import java.util.Objects;

import dev.idspring.autoconfigure.operations.CommandReport.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/**
 * Explains why a command could not run, in the words of the failure analysis of a start.
 */
final class CommandFailure {

	private static final Log logger = LogFactory.getLog(CommandFailure.class);

	private CommandFailure() {
	}

	static CommandReport report(Throwable failure, @Nullable ConfigurableApplicationContext application) {
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
		ClassLoader loader = (application != null) ? application.getClassLoader() : null;
		ArgumentResolver arguments = (application != null)
				? ArgumentResolver.of(BeanFactory.class, application.getBeanFactory())
					.and(Environment.class, application.getEnvironment())
				: ArgumentResolver.none();
		return SpringFactoriesLoader.forDefaultResourceLocation(loader)
			.load(FailureAnalyzer.class, arguments, FailureHandler.logging(logger))
			.stream()
			.map((analyzer) -> analyze(failure, analyzer))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private static @Nullable FailureAnalysis analyze(Throwable failure, FailureAnalyzer analyzer) {
		try {
			return analyzer.analyze(failure);
		}
		catch (RuntimeException ex) {
			// some need what was not there yet when the failure happened
			logger.trace("FailureAnalyzer failed", ex);
			return null;
		}
	}

}
