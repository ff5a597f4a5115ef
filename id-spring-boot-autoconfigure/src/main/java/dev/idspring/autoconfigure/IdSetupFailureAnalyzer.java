package dev.idspring.autoconfigure;

import dev.idspring.ClockException;
import dev.idspring.IdGenerationException;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.NodeUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains why the application cannot start with its id generators, where that was
 * configured, and what to do.
 */
final class IdSetupFailureAnalyzer extends AbstractFailureAnalyzer<IdGenerationException> {

	private final PropertyOrigins origins;

	IdSetupFailureAnalyzer(Environment environment) {
		this.origins = new PropertyOrigins(environment);
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, IdGenerationException cause) {
		if (cause instanceof IdSetupException setup) {
			// the remedy names what may be changed instead: that it is set is worth
			// knowing
			String origins = this.origins.describe(setup.getProblem() + " " + setup.getRemedy());
			return new FailureAnalysis(setup.getProblem() + origins, setup.getRemedy(), cause);
		}
		String action = action(cause);
		String problem = String.valueOf(cause.getMessage());
		return (action != null) ? new FailureAnalysis(problem + this.origins.describe(problem), action, cause) : null;
	}

	private static @Nullable String action(IdGenerationException cause) {
		if (cause instanceof KeySpaceMismatchException) {
			return "Put the settings back to what the key space was created with, or give the generator a new key space"
					+ " with ids.key-space (ids.generators.<name>.key-space).";
		}
		if (cause instanceof IdStoreUnavailableException) {
			return "Check that the database is up, that spring.datasource.* points to it, and that the user may select,"
					+ " insert and update the tables of the id store.";
		}
		if (cause instanceof NodeUnavailableException) {
			return "Stop an instance, or start this one again when a lease has ended: that of one which was killed ends by"
					+ " itself (ids.lease).";
		}
		if (cause instanceof ClockException) {
			return "Let this machine and that of the database keep their clocks by NTP. ids.clock.max-skew says how far"
					+ " they may differ.";
		}
		if (cause instanceof KeySpaceRegressionException) {
			return "Do what the description says before ids are drawn from this key space again.";
		}
		if (cause instanceof KeySpaceExhaustedException) {
			return "Use another key space with other settings: ids.key-space (ids.generators.<name>.key-space).";
		}
		return null;
	}

}
